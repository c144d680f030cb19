"""The tables of a Puck Bumpers position, packed: the mats, the pieces, what the cards in force do, and the earlier points.

A position has the current table and, if an action could be undone, the table before it, which is mostly the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, Final

from engines.packing import Reader, Writer
from engines.pucks.board.box import box
from engines.pucks.board.layouts import FARTHEST
from engines.pucks.board.pieces import COLOURS, Owners, PieceKind
from engines.pucks.play.positions import points_in

_TURNS: Final = (0, 90, 180, 270)
_FAR: Final = 512
"""A number that no coordinate of a place or a point reaches in a game, in either direction."""

_RULES: Final = ("draw_rule", "action_rule")
_ONGOING: Final = (None, "thin-ice", "slush", "net-off")
_OFF: Final = ("beside", "scored")
Json = Mapping[str, Any]

Points = Mapping[str, Any]
"""The point of each piece on the board, by the piece's name."""


@dataclass(frozen=True, slots=True)
class TableSetup:
    """What a position's tables share: the variant, the seats' colours, the kinds of mats, and the kinds of pieces by name."""

    variant: str
    owners: Owners
    mats: tuple[str, ...]
    pieces: Mapping[str, PieceKind]

    def points(self, table: Json) -> Points:
        """Return the points of a table's pieces."""
        return points_in(table, self.variant, self.owners)


def write_table(table: Json, setup: TableSetup, writer: Writer) -> None:
    """Write the current table, without its `previous`."""
    _write_mats(table["mats"], setup, writer)
    _write_pieces(table, setup, None, writer)
    for key in _RULES:
        writer.number(table[key], 1, 9)
    writer.choice(table["ongoing"], _ONGOING)
    if table["ongoing"] == "net-off":
        writer.choice(table["net_off"], list(table["mats"]))
    if writer.rarely(table["borrowed"] is not None):
        _write_borrowed(table["borrowed"], setup, writer)
    _write_settled(table, writer)


def read_table(setup: TableSetup, reader: Reader) -> dict[str, Any]:
    """Read what `write_table` wrote."""
    mats = _read_mats(setup, reader)
    table = {"mats": mats, **_read_pieces(mats, setup, None, reader)}
    for key in _RULES:
        table[key] = reader.number(1, 9)
    table["ongoing"] = reader.choice(_ONGOING)
    table["net_off"] = reader.choice(list(mats)) if table["ongoing"] == "net-off" else None
    table["borrowed"] = _read_borrowed(setup, reader) if reader.rarely() else None
    return table | _read_settled(mats, reader)


def write_table_before(table: Json, setup: TableSetup, now: Json, writer: Writer) -> None:
    """Write the table before the last action, without its `previous`, by its differences from the table `now`."""
    _write_moved_mats(table["mats"], now["mats"], writer)
    _write_pieces(table, setup, now, writer)
    for key in _RULES:
        if writer.rarely(table[key] != now[key]):
            writer.number(table[key], 1, 9)
    if writer.rarely(table["ongoing"] != now["ongoing"]):
        writer.choice(table["ongoing"], _ONGOING)
    if table["ongoing"] == "net-off" and writer.rarely(table["net_off"] != now["net_off"]):
        writer.choice(table["net_off"], list(table["mats"]))
    if writer.rarely(table["borrowed"] != now["borrowed"]):
        _write_borrowed(table["borrowed"], setup, writer)
    _write_settled(table, writer)


def read_table_before(setup: TableSetup, now: Json, reader: Reader) -> dict[str, Any]:
    """Read what `write_table_before` wrote."""
    mats = _read_moved_mats(now["mats"], reader)
    table = {"mats": mats, **_read_pieces(mats, setup, now, reader)}
    for key in _RULES:
        table[key] = reader.number(1, 9) if reader.rarely() else now[key]
    table["ongoing"] = reader.choice(_ONGOING) if reader.rarely() else now["ongoing"]
    table["net_off"] = None
    if table["ongoing"] == "net-off":
        table["net_off"] = reader.choice(list(mats)) if reader.rarely() else now["net_off"]
    table["borrowed"] = _read_borrowed(setup, reader) if reader.rarely() else now["borrowed"]
    return table | _read_settled(mats, reader)


def _write_borrowed(borrowed: Any, setup: TableSetup, writer: Writer) -> None:
    colours = COLOURS[: setup.owners.colours]
    writer.which(int(isinstance(borrowed, list)), (1, 1))
    if isinstance(borrowed, list):
        writer.order(borrowed, colours)
    else:
        writer.choice(borrowed, (None, *colours))


def _read_borrowed(setup: TableSetup, reader: Reader) -> Any:
    colours = COLOURS[: setup.owners.colours]
    return reader.order(colours) if reader.which((1, 1)) else reader.choice((None, *colours))


def _write_settled(table: Json, writer: Writer) -> None:
    if writer.rarely("settled" in table):
        for letter, mat in table["mats"].items():
            if writer.rarely(table["settled"][letter] != mat["at"]):
                _write_pair(table["settled"][letter], writer)


def _read_settled(mats: Json, reader: Reader) -> dict[str, Any]:
    if not reader.rarely():
        return {}
    return {"settled": {letter: _read_pair(reader) if reader.rarely() else mat["at"] for letter, mat in mats.items()}}


def _write_pair(pair: Sequence[int], writer: Writer) -> None:
    for axis in (0, 1):
        writer.number(pair[axis], -_FAR, _FAR)


def _read_pair(reader: Reader) -> list[int]:
    return [reader.number(-_FAR, _FAR) for _ in (0, 1)]


def _write_mats(mats: Json, setup: TableSetup, writer: Writer) -> None:
    """Write the number of mats, the smallest rectangle of places in which they lie, and each mat in turn."""
    writer.number(len(mats), 1, len(ascii_lowercase))
    ranges = []
    for axis in (0, 1):
        along = [mat["at"][axis] for mat in mats.values()]
        writer.number(min(along), -_FAR, _FAR)
        writer.number(max(along) - min(along) + 1, 1, FARTHEST + 1)
        ranges.append(range(min(along), max(along) + 1))
    places = _places(*ranges)
    for number in range(len(mats)):
        mat = mats[ascii_lowercase[number]]
        if writer.rarely(mat["kind"] != _usual_kind(number, setup)):
            writer.choice(mat["kind"], list(box().kinds))
        writer.choice(mat["at"], places)
        places.remove(mat["at"])
        writer.choice(mat["turn"], _TURNS)


def _read_mats(setup: TableSetup, reader: Reader) -> dict[str, Any]:
    count = reader.number(1, len(ascii_lowercase))
    ranges = []
    for _ in (0, 1):
        first = reader.number(-_FAR, _FAR)
        ranges.append(range(first, first + reader.number(1, FARTHEST + 1)))
    places, mats = _places(*ranges), {}
    for number in range(count):
        kind = reader.choice(list(box().kinds)) if reader.rarely() else _usual_kind(number, setup)
        at = reader.choice(places)
        places.remove(at)
        mats[ascii_lowercase[number]] = {"kind": kind, "at": at, "turn": reader.choice(_TURNS)}
    return mats


def _places(columns: range, rows: range) -> list[list[int]]:
    return [[column, row] for column in columns for row in rows]


def _usual_kind(number: int, setup: TableSetup) -> str:
    return setup.mats[number % len(setup.mats)]


def _write_moved_mats(mats: Json, now: Json, writer: Writer) -> None:
    """Write where the mats lay before the last action. They are the same mats as `now`."""
    for letter, usual in now.items():
        mat = mats[letter]
        if writer.rarely(mat != usual):
            if writer.rarely(mat["at"] != usual["at"]):
                _write_pair(mat["at"], writer)
            writer.choice(mat["turn"], _TURNS)


def _read_moved_mats(now: Json, reader: Reader) -> dict[str, Any]:
    mats = dict(now)
    for letter, usual in now.items():
        if reader.rarely():
            at = _read_pair(reader) if reader.rarely() else usual["at"]
            mats[letter] = {"kind": usual["kind"], "at": at, "turn": reader.choice(_TURNS)}
    return mats


def _write_pieces(table: Json, setup: TableSetup, now: Json | None, writer: Writer) -> None:
    """Write where each piece is, unless it is there `now` too: off the board, or on a space that no earlier piece has taken."""
    free = _spaces(table["mats"], setup)
    for name, kind in setup.pieces.items():
        there = _place(table, name)
        if now is None or writer.rarely(there != _place(now, name)):
            writer.which(_OFF.index(there) if there in _OFF else len(_OFF), _place_weights(kind))
            if there not in _OFF:
                writer.choice(there, free)
        if there in free:
            free.remove(there)


def _read_pieces(mats: Json, setup: TableSetup, now: Json | None, reader: Reader) -> dict[str, Any]:
    pieces, scored, free = {}, [], _spaces(mats, setup)
    for name, kind in setup.pieces.items():
        if now is None or reader.rarely():
            case = reader.which(_place_weights(kind))
            there = _OFF[case] if case < len(_OFF) else reader.choice(free)
        else:
            there = _place(now, name)
        if there == "scored":
            scored.append(name)
        elif there != "beside":
            pieces[name] = there
        if there in free:
            free.remove(there)
    return {"pieces": pieces, "scored": scored}


def _spaces(mats: Json, setup: TableSetup) -> list[str]:
    return [
        f"{letter}{n}"
        for letter, mat in mats.items()
        for n, mark in enumerate(box().face(mat["kind"], setup.variant).marks, 1)
        if mark != "~"
    ]


def _place(table: Json, name: str) -> str:
    return str(table["pieces"].get(name, "scored" if name in table["scored"] else "beside"))


def _place_weights(kind: PieceKind) -> tuple[int, int, int]:
    """Return the weights of a piece's being beside the board, scored, or on a space."""
    return (2, int(kind is PieceKind.PUCK), 13)


def write_previous(table: Json, setup: TableSetup, known: Sequence[Points], writer: Writer) -> None:
    """Write the pieces' points before the last move, as differences from those `known` points that differ least."""
    if not writer.rarely("previous" in table):
        return
    previous = table["previous"]
    different = [sum(previous.get(name) != points.get(name) for name in setup.pieces) for points in known]
    number = different.index(min(different))
    writer.number(number, 0, len(known) - 1)
    nearest = known[number]
    for name in setup.pieces:
        point = previous.get(name)
        if writer.rarely(point != nearest.get(name)):
            writer.which(int(point is not None), (1, 15))
            if point is not None:
                _write_pair(point, writer)


def read_previous(setup: TableSetup, known: Sequence[Points], reader: Reader) -> dict[str, Any]:
    """Read what `write_previous` wrote. Return it under "previous", or return nothing if the table has no such points."""
    if not reader.rarely():
        return {}
    nearest = known[reader.number(0, len(known) - 1)]
    previous = {}
    for name in setup.pieces:
        point = nearest.get(name)
        if reader.rarely():
            point = _read_pair(reader) if reader.which((1, 15)) else None
        if point is not None:
            previous[name] = point
    return {"previous": previous}


def previous_of(table: Json) -> list[Points]:
    """Return the points before the last move, in a list that is empty if the table has none."""
    return [table["previous"]] if "previous" in table else []
