"""The reasons of puzzles in words, in a module for each game: why an action is wrong, and why the line is right.

They are written for somebody who knows the rules and nothing else, and say what can be seen on the board: what the other side
answers, what the answer takes or reaches, and whether it can still be stopped. Each reason is a pure function of the line, and
reveals nothing that the solver may not know.
"""
