"""Tests of the rules of tournaments and ladders."""
