"""A beginner at the board: sees one move, and some of the captures in return."""

from collections.abc import Mapping
from random import Random
from typing import Final

from engines.bouncers.board import places_of
from engines.game import Action
from opponents.bouncers.evaluation import Position
from opponents.bouncers.kernel import Kernel

NOTICED: Final = 0.6
"""The chance that a beginner thinks of the next captures of an enemy piece."""

PLAIN: Final = 2
"""The number of steps up to which moves are always seen."""

FOLLOWED: Final = 0.6
"""The chance that each further step is seen, too."""


def glance(kernel: Kernel, position: Position, paths: Mapping[Position, Action], rng: Random) -> tuple[int, Position]:
    """Return the move that looks best to a beginner, as the position after it, and its value for the mover.

    Args:
        kernel: the moves.
        position: the position.
        paths: the paths of all moves by the positions after them.
        rng: decides what the beginner overlooks this time.
    """
    watched = sum(1 << place for place in places_of(position[1]) if rng.random() < NOTICED)
    moves = kernel.moves(position)
    seen = [move for move in moves if _sees_path(len(paths[move[2]]) - 1, rng)] or moves
    looks = [(gain - _answer(kernel, after, watched), after) for gain, _, after in seen]
    return max(looks)


def _sees_path(steps: int, rng: Random) -> bool:
    return rng.random() < FOLLOWED ** (steps - PLAIN)


def _answer(kernel: Kernel, position: Position, watched: int) -> int:
    """Return the most that the enemy gains by a capture that is noticed."""
    if not position[0]:
        return 0
    return max((gain for gain, number, _ in kernel.every_loud(position) if watched >> kernel.source(number) & 1), default=0)
