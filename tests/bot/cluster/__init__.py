"""Tests of several processes on one database."""
