"""Positions of Bouncers packed for a code: the pieces, then the positions that count for the draw by repetition.

A position that came before differs from one that is packed already in the place of a single piece, so it takes a few bits.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engines.bouncers.board import board_of, places_of
from engines.bouncers.position import PIECES, read_line, written_line
from engines.bouncers.state import QUIET_PLIES, REPETITIONS, SETUPS, placement
from engines.packing import Fields, Unpackable

_MOST_SEEN: Final = 255
"""More positions than come in 100 quiet plies, even with the sideways steps of counters between them."""

_KING: Final = 15
_NEAR: Final = 30
"""How much likelier it is that a king moved than a counter, and that a piece moved to the next square than to another."""

_Step = tuple[int, int, int]
"""How many positions back one is packed that differs from this one by a piece, where that stands there, and where here."""


def pack_position(fields: Fields) -> None:
    """Pack the fields of `write_position`."""
    size = SETUPS[fields.choice("variant", list(SETUPS))].size
    to_move = fields.number("to_move", 0, 1)
    names = board_of(size).names
    fields.split([key for pair in PIECES for key in pair], names)
    fields.number("quiet_plies", 0, QUIET_PLIES)
    if fields.has("resigned"):
        fields.number("resigned", 0, 1)
    bits = {name: 1 << place for place, name in enumerate(names)}
    red, red_kings, blue, blue_kings = (sum(bits[name] for name in fields.values[key]) for pair in PIECES for key in pair)
    here = placement(size, (red | red_kings, blue | blue_kings), red_kings | blue_kings, to_move)
    _pack_seen(fields.inside("seen"), size, here)


def _pack_seen(fields: Fields, size: int, here: int) -> None:
    """Pack the number of times that each position has come, beginning with the one `here`."""
    known, steps = [here], () if fields.reading else tuple(_steps(size, here, fields.values))
    _pack_count(fields, size, here)
    for n in range(fields.hidden(0, _MOST_SEEN, len(steps))):
        back, piece, gap = (0, 0, 0) if fields.reading else steps[n]
        before = known[-1 - (fields.hidden(0, n, back) if fields.rarely(back > 0) else 0)]
        known.append(_after_move(size, before, *_pack_move(fields, size, before, piece, gap)))
        _pack_count(fields, size, known[-1])


def _pack_move(fields: Fields, size: int, before: int, piece: int, gap: int) -> tuple[int, int]:
    """Pack the place of a piece that moved, and the one where it stood. Return both."""
    pieces, gaps = _places(size, before)
    kings = before >> 1 + 2 * size * size
    piece = _pack_place(fields, pieces, [_KING if kings >> place & 1 else 1 for place in pieces], piece)
    gap = _pack_place(fields, gaps, [_NEAR if _distance(size, piece, place) == 1 else 1 for place in gaps], gap)
    return piece, gap


def _pack_place(fields: Fields, places: Sequence[int], weights: Sequence[int], place: int) -> int:
    return places[fields.which(weights, places.index(place) if place in places else -1)]


def _distance(size: int, place: int, other: int) -> int:
    """Return the number of steps of a king from a square to another."""
    return max(abs(place % size - other % size), abs(place // size - other // size))


def _pack_count(fields: Fields, size: int, placed: int) -> None:
    line = written_line(size, placed)
    if fields.differs(line, 1):
        fields.number(line, 2, REPETITIONS)


def _places(size: int, placed: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the places of the pieces of the side that has moved to a placement, and those without a piece."""
    whole = (1 << size * size) - 1
    moved = placed >> (1 if placed & 1 else 1 + size * size) & whole
    return list(places_of(moved)), list(places_of(whole & ~_squares_with_pieces(size, placed)))


def _squares_with_pieces(size: int, placed: int) -> int:
    """Return the squares with a piece."""
    return (placed >> 1 | placed >> 1 + size * size) & (1 << size * size) - 1


def _after_move(size: int, placed: int, piece: int, gap: int) -> int:
    """Return the placement with a piece elsewhere, and the other side to move."""
    change, squares = 1 << piece | 1 << gap, size * size
    for section in range(3):  # red, blue, kings
        if placed >> 1 + section * squares + piece & 1:
            placed ^= change << 1 + section * squares
    return placed ^ 1


def _steps(size: int, here: int, seen: dict[str, int]) -> Iterator[_Step]:
    """Yield the step to each position that has come. Raises Unpackable if there is none to some of them."""
    left = {read_line(size, line): line for line in seen}
    if left.pop(here, None) is None:
        raise Unpackable
    known = [here]
    while left:
        steps = ((back, *step) for back, before in enumerate(reversed(known)) for step in _steps_from(size, before, left))
        found = next(steps, None)
        if found is None:
            raise Unpackable
        back, piece, gap = found
        known.append(_after_move(size, known[-1 - back], piece, gap))
        del left[known[-1]]
        yield found


def _steps_from(size: int, before: int, others: Iterable[int | None]) -> Iterator[tuple[int, int]]:
    """Yield the place of a piece, and the one where it stands instead, for each of the others that differs in no more."""
    taken, movers = _squares_with_pieces(size, before), _places(size, before)[0]
    for other in others:
        if other is None:
            raise Unpackable
        changed = list(places_of(taken ^ _squares_with_pieces(size, other)))
        if len(changed) == 2:
            piece, gap = changed if taken >> changed[0] & 1 else reversed(changed)
            if piece in movers and _after_move(size, before, piece, gap) == other:
                yield piece, gap
