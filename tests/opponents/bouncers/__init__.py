"""Tests of the computer opponent of Bouncers."""
