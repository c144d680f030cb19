"""A beginner at Bouncers, who takes what can be taken, otherwise goes forward, and sees some of the captures in return."""

from collections.abc import Collection, Mapping
from random import Random
from typing import Final

from engines.bouncers.board import places_of
from engines.game import Action
from opponents.bouncers.evaluation import UNIT, Position
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import Side, side_of
from opponents.search import LOUD, Move

NOTICED: Final = 0.6
"""The chance that a beginner notices what an enemy piece can capture."""
PLAIN: Final = 2
"""Moves of up to this many steps are always seen."""
FOLLOWED: Final = 0.6
"""The chance that each further step is seen."""
ALIKE: Final = UNIT // 2
"""The difference in value that a beginner does not feel as long as no piece is lost: half a counter."""


def glance(
    kernel: Kernel, position: Position, paths: Mapping[Position, Action], rng: Random, stood: Collection[Side] = ()
) -> tuple[int, Position]:
    """Return the position after the move that looks best to a beginner, and the move's value for the mover.

    If the move that gains most captures something or makes a king, it is played. Otherwise the beginner picks, among the moves
    that look alike, one that makes headway: it does not go back to where the pieces have `stood` (see `stood_before`), and
    takes a counter forward or a king closer to the enemy. `paths` has the path of each move, keyed by the position after it;
    `rng` decides what is overlooked.
    """
    watched = sum(1 << place for place in places_of(position[1]) if rng.random() < NOTICED)
    moves = kernel.moves(position)
    seen = [move for move in moves if rng.random() < FOLLOWED ** (len(paths[move[2]]) - 1 - PLAIN)] or moves
    looks = [(move[0] - _answer(kernel, move[2], watched), move) for move in seen]
    value, (_, number, after) = max(looks, key=lambda look: (look[0], look[1][2]))
    if number & LOUD:
        return value, after
    alike = [look for look in looks if look[0] >= value - ALIKE]
    value, (_, _, after) = max(alike, key=lambda look: (*_headway(kernel, position, look[1], stood), look[0], look[1][2]))
    return value, after


def _answer(kernel: Kernel, position: Position, watched: int) -> int:
    if not position[0]:
        return 0
    return max((gain for gain, number, _ in kernel.every_loud(position) if watched >> kernel.source(number) & 1), default=0)


def _headway(kernel: Kernel, position: Position, move: Move[Position], stood: Collection[Side]) -> tuple[bool, int]:
    """Return whether a move makes a new arrangement of the mover's pieces, and whether the moved piece gets nearer to its aim.

    A counter's aim is the last rank, a king's aim is an enemy piece within reach. The second number is 1 if the piece gets
    nearer, 0 if it stays as near, and negative otherwise. Getting much nearer counts no more than getting a little nearer,
    because a piece that leaps ahead leaves the others behind.
    """
    _, enemy, kings, seat = position
    _, number, after = move
    source, target = kernel.source(number), kernel.target(number)
    if kings >> source & 1:
        nearer = kernel.nearness(target, after[0]) - kernel.nearness(source, enemy)
    else:
        ranks = target // kernel.size - source // kernel.size
        nearer = ranks if seat == 0 else -ranks
    return side_of(after, seat) not in stood, min(nearer, 1)
