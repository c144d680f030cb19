"""Tests of what monitors are told."""
