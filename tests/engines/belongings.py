"""What each seat has on the table, read from a game's views rather than from its events."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final

from engines.game import View
from tests.engines.contract_games import Case, Turn


def _of_bouncers(view: Any, seat: int) -> Hashable:
    return frozenset(piece.square for piece in view.pieces if piece.seat == seat)


def _of_bunny(view: Any, seat: int) -> Hashable:
    return view.bunnies[seat], view.shocks[seat], view.carrots[seat]


def _of_trampoline(view: Any, seat: int) -> Hashable:
    return view.tokens[seat].place, view.tokens[seat].jumps


def _of_pucks(view: Any, seat: int) -> Hashable:
    colours = view.colours_of(seat)
    standing = frozenset((one.piece, one.point) for one in view.pieces if one.piece.colour in colours)
    return standing, frozenset(one for one in view.scored if one.colour in colours), view.hand_sizes[seat]


PIECES: Final[Mapping[str, Callable[[Any, int], Hashable]]] = {
    "bouncers": _of_bouncers,
    "bunny": _of_bunny,
    "trampoline": _of_trampoline,
    "pucks": _of_pucks,
}
"""The pieces and cards of a seat as everybody sees them, by game. Of any other game only the scores are compared."""


def belongings(case: Case, view: View, seat: int) -> Hashable:
    pieces = PIECES[case.game_id](view, seat) if case.game_id in PIECES else None
    return pieces, str(view.scores[seat]) if view.scores else None


def changed(case: Case, turn: Turn) -> set[int]:
    """The other seats that have something else after a step."""
    before, after = case.game.view(turn.before), case.game.view(turn.step.state)
    seats = set(range(case.seats)) - {turn.seat}
    return {seat for seat in seats if belongings(case, before, seat) != belongings(case, after, seat)}
