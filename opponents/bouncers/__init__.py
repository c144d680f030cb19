"""The computer opponent of Bouncers.

The modules build on one another in this order: `evaluation` has the value of a position; `kernel` has the moves for
`opponents.search`; `paths` converts between the game and the kernel; `tables` has the exact values of endings; `easy` is a
beginner; `words` has the reasons; and `opponent` is the opponent itself.
"""

from opponents.bouncers.opponent import BouncersOpponent

__all__ = ["BouncersOpponent"]
