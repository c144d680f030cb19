"""Positions of Bouncers packed for a code: the pieces, then each earlier position, by the one piece that stood elsewhere."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from engines.bouncers.board import board_of, places_of
from engines.bouncers.position import PIECES, read_line, written_line
from engines.bouncers.state import QUIET_PLIES, REPETITIONS, SETUPS, placement
from engines.packing import Reader, Unpackable, Writer

_LISTS: Final = tuple(key for pair in PIECES for key in pair)

_MOST_SEEN: Final = 255
"""More positions than can occur in 100 quiet plies, even with sideways steps of counters in between."""

_KING: Final = 15
_NEAR: Final = 30
"""`_KING`: how many times likelier a king is to have moved than a counter. `_NEAR`: the same for near and far squares."""

_Step = tuple[int, int, int]
"""How to reach a position from a known one: how far back that one is, the place that a piece leaves, and where it goes."""


def write(position: Mapping[str, Any], writer: Writer) -> None:
    """Write a position in the form in which the game's `write_position` returns it."""
    writer.choice(position["variant"], list(SETUPS))
    writer.number(position["to_move"], 0, 1)
    size = SETUPS[position["variant"]].size
    writer.split([position[key] for key in _LISTS], board_of(size).names)
    writer.number(position["quiet_plies"], 0, QUIET_PLIES)
    if writer.rarely("resigned" in position):
        writer.number(position["resigned"], 0, 1)
    _write_seen(position["seen"], size, _placement_of(position, size), writer)


def read(reader: Reader) -> dict[str, Any]:
    """Read what `write` wrote."""
    position: dict[str, Any] = {"variant": reader.choice(list(SETUPS)), "to_move": reader.number(0, 1)}
    size = SETUPS[position["variant"]].size
    position.update(zip(_LISTS, reader.split(len(_LISTS), board_of(size).names), strict=True))
    position["quiet_plies"] = reader.number(0, QUIET_PLIES)
    if reader.rarely():
        position["resigned"] = reader.number(0, 1)
    position["seen"] = _read_seen(size, _placement_of(position, size), reader)
    return position


def _placement_of(position: Mapping[str, Any], size: int) -> int:
    places = board_of(size).places
    red, red_kings, blue, blue_kings = (sum(1 << places[name] for name in position[key]) for key in _LISTS)
    return placement(size, (red | red_kings, blue | blue_kings), red_kings | blue_kings, position["to_move"])


def _write_seen(seen: Mapping[str, int], size: int, here: int, writer: Writer) -> None:
    """Write how often each position has occurred: `here` first, then the earlier ones, each with the step that leads to it."""
    known, steps = [here], tuple(_steps(size, here, seen))
    _write_count(seen[written_line(size, here)], writer)
    writer.number(len(steps), 0, _MOST_SEEN)
    for back, piece, gap in steps:
        if writer.rarely(back > 0):
            writer.number(back, 0, len(known) - 1)
        before = known[-1 - back]
        pieces, gaps = _places(size, before)
        writer.which(pieces.index(piece), _piece_weights(size, before, pieces))
        writer.which(gaps.index(gap), _gap_weights(size, piece, gaps))
        known.append(_after_move(size, before, piece, gap))
        _write_count(seen[written_line(size, known[-1])], writer)


def _read_seen(size: int, here: int, reader: Reader) -> dict[str, int]:
    known, seen = [here], {written_line(size, here): _read_count(reader)}
    for _ in range(reader.number(0, _MOST_SEEN)):
        back = reader.number(0, len(known) - 1) if reader.rarely() else 0
        before = known[-1 - back]
        pieces, gaps = _places(size, before)
        piece = pieces[reader.which(_piece_weights(size, before, pieces))]
        gap = gaps[reader.which(_gap_weights(size, piece, gaps))]
        known.append(_after_move(size, before, piece, gap))
        seen[written_line(size, known[-1])] = _read_count(reader)
    return seen


def _write_count(count: int, writer: Writer) -> None:
    if writer.rarely(count != 1):
        writer.number(count, 2, REPETITIONS)


def _read_count(reader: Reader) -> int:
    return reader.number(2, REPETITIONS) if reader.rarely() else 1


def _piece_weights(size: int, placed: int, places: Iterable[int]) -> list[int]:
    kings = placed >> 1 + 2 * size * size
    return [_KING if kings >> place & 1 else 1 for place in places]


def _gap_weights(size: int, piece: int, gaps: Iterable[int]) -> list[int]:
    row, column = divmod(piece, size)
    return [_NEAR if max(abs(column - gap % size), abs(row - gap // size)) == 1 else 1 for gap in gaps]


def _places(size: int, placed: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the places of the pieces of the side that has just moved, and the empty places."""
    whole = (1 << size * size) - 1
    moved = placed >> (1 if placed & 1 else 1 + size * size) & whole
    return list(places_of(moved)), list(places_of(whole & ~_squares_with_pieces(size, placed)))


def _squares_with_pieces(size: int, placed: int) -> int:
    return (placed >> 1 | placed >> 1 + size * size) & (1 << size * size) - 1


def _after_move(size: int, placed: int, piece: int, gap: int) -> int:
    """Return the placement after the piece on one place has gone to an empty place (`gap`). The other side is to move."""
    change, squares = 1 << piece | 1 << gap, size * size
    for section in range(3):  # red, blue, kings
        if placed >> 1 + section * squares + piece & 1:
            placed ^= change << 1 + section * squares
    return placed ^ 1


def _steps(size: int, here: int, seen: Iterable[str]) -> Iterator[_Step]:
    """Yield the step to each position that has occurred. Raises Unpackable if no step leads to one of them."""
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
    """For each of `others` that differs from `before` by one piece, yield that piece's place in `before`, and in the other."""
    taken, movers = _squares_with_pieces(size, before), _places(size, before)[0]
    for other in others:
        if other is None:
            raise Unpackable
        changed = list(places_of(taken ^ _squares_with_pieces(size, other)))
        if len(changed) == 2:
            piece, gap = changed if taken >> changed[0] & 1 else reversed(changed)
            if piece in movers and _after_move(size, before, piece, gap) == other:
                yield piece, gap
