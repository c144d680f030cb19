"""Positions of Puck Bumpers packed for a code.

The cards are packed as a deck that was dealt: of those that are left, the rarer a card the more digits it takes. The table
before the last action, and the points of the pieces before the last move, are packed by what is different now.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engines.packing import Fields
from engines.pucks.board.box import box
from engines.pucks.board.codes import LONGEST, read_code
from engines.pucks.board.house import deck_without
from engines.pucks.board.layouts import FARTHEST
from engines.pucks.board.pieces import COLOURS, Owners, PieceKind, all_pieces, owners_of
from engines.pucks.board.views import Phase
from engines.pucks.play.positions import points_in

_TURNS: Final = (0, 90, 180, 270)
_FAR: Final = 512
"""More than any number of a place or a point in a game, either way."""

_RULES: Final = ("draw_rule", "action_rule")
_OFF: Final = ("beside", "scored")

Points = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Setup:
    """What the tables of a position have in common: the variant, the colours of the seats, the mats at the start."""

    variant: str
    owners: Owners
    kinds: tuple[str, ...]

    @property
    def names(self) -> dict[str, PieceKind]:
        """The kinds of the pieces, by their names."""
        return {piece.name: piece.kind for piece in all_pieces(self.owners.colours, self.variant)}


def pack_position(fields: Fields) -> None:
    """Pack the fields of `to_position`."""
    setup = _pack_setup(fields)
    deck = Counter(deck_without(tuple(fields.values.get("without", ()))) if box().games[setup.variant].cards else ())
    _pack_table(fields, setup, None)
    _pack_turn(fields, setup)
    _pack_cards(fields, setup, deck)
    known: list[Points] = [points_in(fields.values, setup.variant, setup.owners)]
    if fields.has("last"):
        before = _pack_last(fields.inside("last"), setup, fields.values, known)
        known += [before["previous"]] if "previous" in before else []
    _pack_previous(fields, setup, known)


def _pack_setup(fields: Fields) -> _Setup:
    """Pack the variant, the seats and the house rules."""
    variant = fields.choice("variant", list(box().games))
    seats = fields.number("seats", 2, 6)
    most = 2 if owners_of(seats, 2).possible else 1
    owners = owners_of(seats, fields.number("colours", 1, most) if fields.has("colours") else 1)
    mats = read_code(_pack_board(fields)) if fields.has("board") else box().layout(owners.colours).mats
    if fields.has("to_win"):
        fields.number("to_win", 1, 9)
    if fields.has("without"):
        fields.split(("without",), list(dict.fromkeys(box().deck)))
    return _Setup(variant, owners, tuple(mat.kind for mat in mats))


def _pack_board(fields: Fields) -> str:
    letters = "".join(kind.letter for kind in box().kinds.values())
    return fields.spell("board", f"./nesw{letters}", LONGEST)


# --- tables -------------------------------------------------------------------------------------------------------------------


def _pack_table(fields: Fields, setup: _Setup, now: Mapping[str, Any] | None) -> None:
    """Pack a table, without the points of the pieces before; one before the last action by what is different `now`."""
    _pack_mats(fields, setup, now)
    _pack_pieces(fields, setup, {} if now is None else now)
    for key in _RULES:
        if now is None or fields.differs(key, now[key]):
            fields.number(key, 1, 9)
    letters = list(fields.values["mats"])
    if now is None or fields.differs("ongoing", now["ongoing"]):
        fields.choice("ongoing", (None, "thin-ice", "slush", "net-off"))
    if fields.values["ongoing"] != "net-off":
        fields.put("net_off", None)
    elif now is None or fields.differs("net_off", now["net_off"]):
        fields.choice("net_off", letters)
    usual = None if now is None else now["borrowed"]
    if fields.differs("borrowed", usual):
        _pack_borrowed(fields, COLOURS[: setup.owners.colours])
    if fields.has("settled"):
        settled = fields.inside("settled")
        for letter in letters:
            if settled.differs(letter, fields.values["mats"][letter]["at"]):
                _pack_pair(settled, letter)


def _pack_borrowed(fields: Fields, colours: Sequence[str]) -> None:
    if fields.which((1, 1), int(isinstance(fields.values.get("borrowed"), list))):
        fields.order("borrowed", colours)
    else:
        fields.choice("borrowed", (None, *colours))


def _pack_mats(fields: Fields, setup: _Setup, now: Mapping[str, Any] | None) -> None:
    mats, kinds = fields.inside("mats"), setup.kinds
    if now is not None:
        for letter, usual in now["mats"].items():
            if not mats.differs(letter, usual):
                continue
            mat = mats.inside(letter)
            mat.put("kind", usual["kind"])
            if mat.differs("at", usual["at"]):
                _pack_pair(mat, "at")
            mat.choice("turn", _TURNS)
        return
    count = 1 + fields.hidden(0, 25, len(mats.values) - 1)
    places = _pack_frame(fields, mats)
    for n in range(count):
        mat = mats.inside(chr(ord("a") + n))
        if mat.differs("kind", kinds[n % len(kinds)]):
            mat.choice("kind", list(box().kinds))
        places.remove(mat.choice("at", places))
        mat.choice("turn", _TURNS)


def _pack_frame(fields: Fields, mats: Fields) -> list[list[int]]:
    """Pack the least rectangle of places that the mats lie in, and return its places."""
    ranges = []
    for axis in (0, 1):
        along = [mat["at"][axis] for mat in mats.values.values()] or [0]
        first = fields.hidden(-_FAR, _FAR, min(along))
        ranges.append(range(first, first + fields.hidden(1, FARTHEST + 1, max(along) - first + 1)))
    return [[column, row] for column in ranges[0] for row in ranges[1]]


def _pack_pair(fields: Fields, key: str) -> None:
    pair = fields.row(key, 2)
    for axis in (0, 1):
        pair.number(axis, -_FAR, _FAR)


def _pack_pieces(fields: Fields, setup: _Setup, now: Mapping[str, Any]) -> None:
    pieces, scored = fields.inside("pieces"), fields.put("scored", list[str]())
    free = [
        f"{letter}{n}"
        for letter, mat in fields.values["mats"].items()
        for n, mark in enumerate(box().face(mat["kind"], setup.variant).marks, 1)
        if mark != "~"
    ]
    for name, kind in setup.names.items():
        there, usual = _place(fields.values, name), _place(now, name) if now else None
        if usual is not None and not fields.rarely(there != usual):
            there = usual
        else:
            case = fields.which((2, int(kind is PieceKind.PUCK), 13), _OFF.index(there) if there in _OFF else len(_OFF))
            there = _OFF[case] if case < len(_OFF) else pieces.choice(name, free)
        if there not in _OFF:
            pieces.put(name, there)
            free = [space for space in free if space != there]
        elif there == "scored" and fields.reading:
            scored.append(name)


def _place(table: Mapping[str, Any], name: str) -> str:
    """Return the space of a piece of a table, "scored" or "beside"."""
    return str(table["pieces"].get(name, "scored" if name in table["scored"] else "beside"))


# --- points before ------------------------------------------------------------------------------------------------------------


def _pack_previous(fields: Fields, setup: _Setup, known: Sequence[Points]) -> None:
    """Pack the points of the pieces before the last move, by what is different from the nearest of those that are known."""
    if not fields.has("previous"):
        return
    previous = fields.inside("previous")
    different = [sum(previous.values.get(name) != points.get(name) for name in setup.names) for points in known]
    nearest = known[fields.hidden(0, len(known) - 1, different.index(min(different)))]
    for name in setup.names:
        point, usual = previous.values.get(name), nearest.get(name)
        if fields.rarely(point != usual):
            if fields.which((1, 15), int(point is not None)):
                _pack_pair(previous, name)
        elif usual is not None:
            previous.put(name, list(usual))


# --- the turn, the cards, and the last action --------------------------------------------------------------------------------


def _pack_turn(fields: Fields, setup: _Setup) -> None:
    seats = range(setup.owners.seats)
    fields.choice("to_move", seats)
    fields.choice("direction", (1, -1))
    fields.choice("phase", [phase.value for phase in Phase])
    for key in ("taken", "extra"):
        fields.small(key)
    if fields.has("turn_of"):
        fields.choice("turn_of", (None, *seats))
    if fields.has("doubled"):
        fields.number("doubled", 1, 9)
    for key in ("closed", "stuck"):
        fields.mark(key)
    for key in ("winning", "passed", "auto", "out"):
        if fields.has(key):
            fields.order(key, seats)


def _pack_cards(fields: Fields, setup: _Setup, deck: Counter[str]) -> None:
    """Pack the cards at the edge if they are not the usual ones, then the discard pile, the hands and the draw pile."""
    if fields.has("edge"):
        fields.draws("edge", deck)
    fields.draws("discard", deck)
    hands = fields.row("hands", setup.owners.seats)
    for seat in range(setup.owners.seats):
        hands.draws(seat, deck)
    fields.draws("draw_pile", deck)


def _pack_last(last: Fields, setup: _Setup, now: Mapping[str, Any], known: list[Points]) -> Mapping[str, Any]:
    """Pack the last action. Return the table before it, and add its points to those that are known."""
    last.choice("seat", range(setup.owners.seats))
    last.words("action", LONGEST)
    if last.differs("replaced", None):
        last.choice("replaced", sorted(set(box().deck)))
    if last.has("kept"):
        last.choice("kept", (False,))
    before = last.inside("before")
    _pack_table(before, setup, now)
    known.append(points_in(before.values, setup.variant, setup.owners))
    _pack_previous(before, setup, known)
    table: Mapping[str, Any] = before.values
    return table
