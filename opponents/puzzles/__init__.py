"""Puzzles: positions with a goal and one line that reaches it, each proved before it became one.

The bot needs `puzzle` (what a puzzle is), `collection` (those that come with Springboard) and `judging` (what happens when a
solver plays). They were found by the tool `mining`: `miner` is the contract of its miners, of which each game has one, and
`selecting` chooses among their finds.
"""
