"""A move of Bouncers as a whole: who can move, where a path leads, and the state after it."""

from collections.abc import Iterator
from dataclasses import dataclass

from engines.bouncers.board import Walk, walk_of, walks
from engines.bouncers.position import State, count_position, placement
from engines.game import Action
from engines.values import latest


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


def winner_on_board(state: State) -> int | None:
    """The seat that has won by the pieces on the board: nothing is left of the enemy, or it has come to the last rank."""
    red, blue = state.sides
    ranks = state.board.last_ranks if state.setup.terminal else (0, 0)
    if not blue or red & ranks[0]:
        return 0
    return 1 if not red or blue & ranks[1] else None


def pieces_to_move(state: State) -> Iterator[Walk]:
    """Each piece of the side to move, before its first step; none if the pieces on the board already decide the game."""
    seat = state.to_move
    if winner_on_board(state) is None:
        yield from walks(state.board, seat, state.sides[seat], state.sides[1 - seat], state.kings)


@latest
def walk_along(state: State, action: Action) -> Walk | None:
    """The piece at the end of an action, or None if there is no such path."""
    board, seat = state.board, state.to_move
    if not action or (place := board.places.get(action[0])) is None:
        return None
    own, enemy = state.sides[seat], state.sides[1 - seat]
    if not own & 1 << place or winner_on_board(state) is not None:
        return None
    walk: Walk | None = walk_of(board, seat, place, own, enemy, state.kings)
    for square in action[1:]:
        walk = walk and walk.onto(board.places.get(square))
    return walk


def state_after(state: State, walk: Walk) -> State:
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
    sides = (own | to, left) if seat == 0 else (left, own | to)
    seen = count_position(placement(size, sides, kings, enemy), () if final else state.seen)
    quiet_plies = state.quiet_plies + 1 if king and not captured else 0
    return State(state.variant, sides, kings, enemy, quiet_plies, seen, state.resigned, state.chance)


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
