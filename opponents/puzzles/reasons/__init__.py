"""The reasons of puzzles in words: why an action is wrong, and why the line is right; a module a game.

They say what somebody can see on the board who knows the rules and nothing else: what the other side answers, what that takes
or reaches, and whether it can still be stopped. Each is a pure function of the line, and says nothing that the solver may not
know.
"""
