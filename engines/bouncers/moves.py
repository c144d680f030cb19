"""A move of Bouncers as a whole: who can move, where a path leads, and the state after it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engines.bouncers.board import Walk, walks
from engines.bouncers.position import State, remember
from engines.game import Action


@dataclass(frozen=True, slots=True)
class Path:
    """The detail of a "move" event: what one move did.

    Attributes:
        squares: the square the piece stood on, and every square it bounced to.
        captured: the pieces it captured, in order, each as (square, seat, whether it was a king).
        promoted: whether it became a king at the end.
    """

    squares: tuple[str, ...]
    captured: tuple[tuple[str, int, bool], ...]
    promoted: bool


def decided(state: State) -> int | None:
    """The seat that has won by the pieces on the board: nothing is left of the enemy, or it has come to the last rank."""
    return next((seat for seat in (0, 1) if not state.sides[1 - seat] or arrived(state, seat)), None)


def arrived(state: State, seat: int) -> bool:
    """Whether a seat has won the race of a terminal variant."""
    return state.setup.terminal and bool(state.sides[seat] & state.board.last_ranks[seat])


def pieces_to_move(state: State) -> Iterator[Walk]:
    """Each piece of the side to move, before its first step; none if the pieces on the board already decide the game."""
    seat = state.to_move
    if decided(state) is None:
        yield from walks(state.board, seat, state.sides[seat], state.sides[1 - seat], state.kings)


def walk_along(state: State, action: Action) -> Walk | None:
    """The piece at the end of an action, or None if there is no such path."""
    if not action or (place := state.board.places.get(action[0])) is None:
        return None
    walk = next((walk for walk in pieces_to_move(state) if walk.path[0] == place), None)
    for square in action[1:]:
        place = state.board.places.get(square)
        walk = next((onward for onward in walk.onward() if onward.path[-1] == place), None) if walk else None
    return walk


def moved(state: State, walk: Walk) -> State:
    """The state after a piece has moved along its path."""
    seat, enemy = state.to_move, 1 - state.to_move
    source, to = 1 << walk.path[0], 1 << walk.path[-1]
    king, own, left = bool(state.kings & source), state.sides[seat] ^ source, walk.enemy
    kings = state.kings & (own | left)
    if king or promotes(state, walk):
        kings |= to
    captured = left != state.sides[enemy]
    size = state.setup.size
    # After a capture, or a counter's step forward, no earlier position can come again.
    final = captured or (not king and walk.path[0] // size != walk.path[-1] // size)
    after = replace(
        state,
        sides=(own | to, left) if seat == 0 else (left, own | to),
        kings=kings,
        to_move=enemy,
        quiet_plies=state.quiet_plies + 1 if king and not captured else 0,
    )
    return remember(after, {} if final else dict(state.seen))


def is_king(state: State, walk: Walk) -> bool:
    """Whether the piece of a path was a king before its first step."""
    return bool(state.kings & 1 << walk.path[0])


def reaches_last_rank(state: State, walk: Walk) -> bool:
    """Whether the last step of a path brings a piece that is no king to the last rank, where its move ends."""
    return bool(1 << walk.path[-1] & state.board.last_ranks[state.to_move]) and not is_king(state, walk)


def promotes(state: State, walk: Walk) -> bool:
    """Whether the last step of a path makes its piece a king."""
    return reaches_last_rank(state, walk) and not state.setup.terminal


def path_of(state: State, walk: Walk) -> Path:
    """What a move does, with squares by their names."""
    names, enemy = state.board.names, 1 - state.to_move
    captured = tuple((names[place], enemy, bool(state.kings & 1 << place)) for place in walk.taken if place is not None)
    return Path(tuple(names[place] for place in walk.path), captured, promotes(state, walk))
