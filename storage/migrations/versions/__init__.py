"""One file for each release. A released step is never changed."""
