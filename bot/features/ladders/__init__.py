"""Ladders: rankings in which people defend their places against challenges."""
