"""Puzzles: positions with a goal and one line that reaches it, each proved before it became one.

`puzzle` says what a puzzle is, `collection` has those that come with Springboard, and `judging` answers a solver.
"""
