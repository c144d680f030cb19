"""Matchmaking: who fits with whom, and what a game with somebody is like.

Everything here is pure, like the rules of the games: it is given facts about people, such as their turns, and returns
conclusions. It knows no Discord, no database and no clock; times are seconds since the epoch.
"""
