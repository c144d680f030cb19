"""Analyses: private boards on which a person tries moves from any position, and shares the results."""
