"""The computer opponent of Bouncers.

From the ground up: `evaluation` (the value of a position), `kernel` (the moves, for `opponents.search`), `paths` (from the game
to the kernel and back), `tables` (the exact values of endings), `easy` (a beginner), `words` (the reasons) and `opponent`.
"""

from opponents.bouncers.opponent import BouncersOpponent

__all__ = ["BouncersOpponent"]
