"""Pairing: who plays whom in a round, and in which seat; a module for each system."""
