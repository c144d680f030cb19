"""Tests of `competitions`."""
