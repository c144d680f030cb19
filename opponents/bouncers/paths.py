"""Conversion of the game's states and actions to the kernel's positions, and back."""

from collections.abc import Iterable, Iterator

from engines.bouncers import State
from engines.bouncers.state import pieces_to_move, state_after
from engines.game import Action
from opponents.bouncers.evaluation import Position

Side = tuple[int, int]
"""The arrangement of one side's pieces: their squares, and the squares of its kings."""


def position_of(state: State) -> Position:
    """Return the position of a state."""
    seat = state.to_move
    return state.sides[seat], state.sides[1 - seat], state.kings, seat


def seen_twice(state: State) -> frozenset[Position]:
    """Return the positions that make a draw if they come up once more."""
    return frozenset(position for position, count in seen_in(state) if count >= 2)


def seen_in(state: State) -> Iterator[tuple[Position, int]]:
    """Yield each position that has come up and can come up again, with the number of times it has come up so far."""
    squares = state.setup.size**2
    whole = (1 << squares) - 1
    for placed, count in state.seen:
        seat, sides = placed & 1, (placed >> 1 & whole, placed >> 1 + squares & whole)
        yield (sides[seat], sides[1 - seat], placed >> 1 + 2 * squares, seat), count


def side_of(position: Position, seat: int) -> Side:
    """Return the arrangement of a side's pieces in a position."""
    mover, other, kings, to_move = position
    squares = mover if to_move == seat else other
    return squares, squares & kings


def stood_before(state: State) -> frozenset[Side]:
    """Return every arrangement of the mover's pieces since the last move that cannot be undone, including the present one."""
    return frozenset(side_of(position, state.to_move) for position, _ in seen_in(state))


def paths_of(state: State) -> dict[Position, Action]:
    """Return the positions that one move can reach, each with its shortest path."""
    names, found = state.board.names, dict[Position, tuple[int, ...]]()
    for piece in pieces_to_move(state):
        for walk in piece.continuations():
            after = position_of(state_after(state, walk))
            if after not in found or len(walk.path) < len(found[after]):
                found[after] = walk.path
    return {after: tuple(names[place] for place in path) for after, path in found.items()}


def line_of(state: State, positions: Iterable[Position]) -> Iterator[tuple[int, Action]]:
    """Yield the moves that lead through these positions, each with its seat, and by its shortest path."""
    names = state.board.names
    for position in positions:
        leading = [
            (walk, after)
            for piece in pieces_to_move(state)
            for walk in piece.continuations()
            if position_of(after := state_after(state, walk)) == position
        ]
        walk, after = min(leading, key=lambda found: len(found[0].path))
        yield state.to_move, tuple(names[place] for place in walk.path)
        state = after
