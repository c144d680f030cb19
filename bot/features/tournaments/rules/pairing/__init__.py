"""Pairing: who plays with whom in a round, and in which seat; a module for each system."""
