"""The reasons of puzzles in words, a module a game: why an action is wrong, and why the line is right.

They are for somebody who knows the rules and nothing else, and say what can be seen on the board: what the other side answers,
what that takes or reaches, and whether it can still be stopped. Each is a pure function of the line, and reveals nothing that
the solver may not know.
"""
