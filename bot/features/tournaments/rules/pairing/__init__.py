"""Pairing: who plays whom in a round, and in which seat. There is a module for each system."""
