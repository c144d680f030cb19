"""How a move of Bouncers stops another move or makes it possible, by closing a square or by the springboard of a step."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from engines.bouncers import State
from engines.bouncers.board import walk_of
from engines.game import Action


class Hindrance(StrEnum):
    """The reason why a piece cannot go along a path."""

    GONE = "gone"
    """The piece is gone."""

    CLOSED = "closed"
    """There is a piece on a square that the moving piece has to go to."""

    SPRINGBOARD = "springboard"
    """There is nothing on the square off which the moving piece would have to bounce."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The reason why a path is impossible, and the square on which a piece is in the way or missing."""

    hindrance: Hindrance
    square: str


def stopped(state: State, action: Action) -> Stopped | None:
    """Return why a counter's move is impossible, by its first impossible step, or None if the move is possible."""
    board, seat = state.board, state.to_move
    own, enemy = state.sides[seat], state.sides[1 - seat]
    places = [board.places[square] for square in action]
    own_counters = own & ~state.kings
    if not own_counters >> places[0] & 1:
        return Stopped(Hindrance.GONE, action[0])
    walk = walk_of(board, seat, places[0], own, enemy, state.kings)
    for origin, to in pairwise(places):
        onward = walk.onto(to)
        if onward is None:
            return _why(state, walk.occupied, origin, to)
        walk = onward
    return None


def _why(state: State, occupied: int, origin: int, to: int) -> Stopped | None:
    """Return why a step is impossible: its square is occupied, or the square behind the piece, opposite to it, is empty."""
    size, names = state.setup.size, state.board.names
    if occupied >> to & 1:
        return Stopped(Hindrance.CLOSED, names[to])
    file, rank = 2 * (origin % size) - to % size, 2 * (origin // size) - to // size
    behind = rank * size + file
    if 0 <= file < size and 0 <= rank < size and not occupied >> behind & 1:
        return Stopped(Hindrance.SPRINGBOARD, names[behind])
    return None
