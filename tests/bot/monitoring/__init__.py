"""Tests of the endpoints for monitors."""
