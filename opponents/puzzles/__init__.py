"""Puzzles: positions with a goal and one line that reaches it. Each was proved before it became a puzzle.

`puzzle` defines what a puzzle is, `collection` has the puzzles that come with Springboard, and `judging` answers a solver.
"""
