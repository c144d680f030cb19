"""Proof that a game was fair: its log as text, and checks of it."""
