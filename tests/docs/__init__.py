"""Tests of the pages in `docs/`, and of the site that is built from them."""
