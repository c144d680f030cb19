"""Conversion from the game's states and actions to the positions of the kernel, and back."""

from collections.abc import Iterable, Iterator

from engines.bouncers import State
from engines.bouncers.state import pieces_to_move, state_after
from engines.game import Action
from opponents.bouncers.evaluation import Position


def position_of(state: State) -> Position:
    """Return the position of a state."""
    seat = state.to_move
    return state.sides[seat], state.sides[1 - seat], state.kings, seat


def seen_twice(state: State) -> frozenset[Position]:
    """Return the positions that are a draw when they come up once more."""
    squares = state.setup.size**2
    whole = (1 << squares) - 1
    twice = []
    for placed, count in state.seen:
        if count >= 2:
            seat, sides = placed & 1, (placed >> 1 & whole, placed >> 1 + squares & whole)
            twice.append((sides[seat], sides[1 - seat], placed >> 1 + 2 * squares, seat))
    return frozenset(twice)


def paths_of(state: State) -> dict[Position, Action]:
    """Return the positions that can be reached with one move, each with the shortest path there."""
    names, found = state.board.names, dict[Position, tuple[int, ...]]()
    for piece in pieces_to_move(state):
        for walk in piece.continuations():
            after = position_of(state_after(state, walk))
            if after not in found or len(walk.path) < len(found[after]):
                found[after] = walk.path
    return {after: tuple(names[place] for place in path) for after, path in found.items()}


def line_of(state: State, positions: Iterable[Position]) -> Iterator[tuple[int, Action]]:
    """Yield the moves that lead through these positions, each with its seat and its shortest path."""
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
