"""The computer opponent of Bouncers.

The modules from the ground up: `evaluation` (how good a position is), `kernel` (the moves, for `opponents.search`), `paths`
(from the game to the kernel and back), `easy` (how a beginner looks at the board), `words` (why a move is good) and `opponent`.
"""

from opponents.bouncers.opponent import BouncersOpponent

__all__ = ["BouncersOpponent"]
