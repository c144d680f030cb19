"""The rules of tournaments: rounds, pairings and standings.

Everything here is pure, like the rules of the games: it takes players and results, and returns pairings, tables and places,
without Discord, a database or a clock. A player is an opaque number; times are seconds since the epoch.
"""
