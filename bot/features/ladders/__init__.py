"""Ladders: places that people defend, and challenges for them."""
