"""Competitions on a server: the ladders, and who may challenge whom."""
