"""Ladders: the places that people defend, and the challenges for them."""
