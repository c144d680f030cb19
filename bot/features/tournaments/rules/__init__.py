"""Competitions: tournaments with rounds and standings, and ladders.

Everything here is pure, like the rules of the games: it is given players and results, and returns pairings, tables and places.
It knows no Discord, no database and no clock. A player is a number that means nothing here; times are seconds since the epoch.
"""
