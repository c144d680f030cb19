"""Positions of Puck Bumpers packed for a code. They have the keys that `to_position` writes.

The cards are packed as a deck that is dealt: the rarer a card is among those left, the more digits it takes. The table before
the last action, and the points of the pieces before the last move, are packed as what is different now.
"""

from collections import Counter
from typing import Any, Final

from engines.packing import Reader, Writer
from engines.pucks.board.box import box
from engines.pucks.board.codes import LONGEST, SIGNS, read_code
from engines.pucks.board.house import deck_without
from engines.pucks.board.pieces import all_pieces, owners_of
from engines.pucks.board.views import Phase
from engines.pucks.play.table_packing import (
    Json,
    TableSetup,
    previous_of,
    read_previous,
    read_table,
    read_table_before,
    write_previous,
    write_table,
    write_table_before,
)

_FLAGS: Final = ("closed", "stuck")
_SEAT_LISTS: Final = ("winning", "passed", "auto", "out")


def write(position: Json, writer: Writer) -> None:
    """Write a position."""
    _write_setup(position, writer)
    setup = _setup_of(position)
    write_table(position, setup, writer)
    _write_turn(position, setup, writer)
    _write_cards(position, setup, writer)
    known = [setup.points(position)]
    if writer.rarely("last" in position):
        last = position["last"]
        _write_last_action(last, setup, writer)
        write_table_before(last["before"], setup, position, writer)
        known.append(setup.points(last["before"]))
        write_previous(last["before"], setup, known, writer)
        known += previous_of(last["before"])
    write_previous(position, setup, known, writer)


def read(reader: Reader) -> dict[str, Any]:
    """Read what `write` wrote."""
    position = _read_setup(reader)
    setup = _setup_of(position)
    position |= read_table(setup, reader)
    position |= _read_turn(setup, reader)
    position |= _read_cards(position, setup, reader)
    known = [setup.points(position)]
    if reader.rarely():
        last = _read_last_action(setup, reader)
        last["before"] = read_table_before(setup, position, reader)
        known.append(setup.points(last["before"]))
        last["before"] |= read_previous(setup, known, reader)
        known += previous_of(last["before"])
        position["last"] = last
    position |= read_previous(setup, known, reader)
    return position


def _write_setup(position: Json, writer: Writer) -> None:
    writer.choice(position["variant"], list(box().games))
    writer.number(position["seats"], 2, 6)
    if writer.rarely("colours" in position):
        writer.number(position["colours"], 1, _most_colours(position["seats"]))
    if writer.rarely("board" in position):
        writer.spell(position["board"], _letters(), LONGEST)
    if writer.rarely("to_win" in position):
        writer.number(position["to_win"], 1, 9)
    if writer.rarely("without" in position):
        writer.split([position["without"]], list(dict.fromkeys(box().deck)))


def _read_setup(reader: Reader) -> dict[str, Any]:
    setup: dict[str, Any] = {"variant": reader.choice(list(box().games)), "seats": reader.number(2, 6)}
    if reader.rarely():
        setup["colours"] = reader.number(1, _most_colours(setup["seats"]))
    if reader.rarely():
        setup["board"] = reader.spell(_letters(), LONGEST)
    if reader.rarely():
        setup["to_win"] = reader.number(1, 9)
    if reader.rarely():
        [setup["without"]] = reader.split(1, list(dict.fromkeys(box().deck)))
    return setup


def _setup_of(position: Json) -> TableSetup:
    owners = owners_of(position["seats"], position.get("colours", 1))
    mats = read_code(position["board"]) if "board" in position else box().layout(owners.colours).mats
    pieces = {piece.name: piece.kind for piece in all_pieces(owners.colours, position["variant"])}
    return TableSetup(position["variant"], owners, tuple(mat.kind for mat in mats), pieces)


def _most_colours(seats: int) -> int:
    return 2 if owners_of(seats, 2).possible else 1


def _letters() -> str:
    return "".join([*SIGNS, *(kind.letter for kind in box().kinds.values())])


def _write_turn(position: Json, setup: TableSetup, writer: Writer) -> None:
    seats = range(setup.owners.seats)
    writer.choice(position["to_move"], seats)
    writer.choice(position["direction"], (1, -1))
    writer.choice(position["phase"], [phase.value for phase in Phase])
    writer.small(position["taken"])
    writer.small(position["extra"])
    if writer.rarely("turn_of" in position):
        writer.choice(position["turn_of"], (None, *seats))
    if writer.rarely("doubled" in position):
        writer.number(position["doubled"], 1, 9)
    for key in _FLAGS:
        writer.rarely(key in position)
    for key in _SEAT_LISTS:
        if writer.rarely(key in position):
            writer.order(position[key], seats)


def _read_turn(setup: TableSetup, reader: Reader) -> dict[str, Any]:
    seats = range(setup.owners.seats)
    turn: dict[str, Any] = {
        "to_move": reader.choice(seats),
        "direction": reader.choice((1, -1)),
        "phase": reader.choice([phase.value for phase in Phase]),
        "taken": reader.small(),
        "extra": reader.small(),
    }
    if reader.rarely():
        turn["turn_of"] = reader.choice((None, *seats))
    if reader.rarely():
        turn["doubled"] = reader.number(1, 9)
    for key in _FLAGS:
        if reader.rarely():
            turn[key] = True
    for key in _SEAT_LISTS:
        if reader.rarely():
            turn[key] = reader.order(seats)
    return turn


def _write_cards(position: Json, setup: TableSetup, writer: Writer) -> None:
    """Write the cards at the edge if they are not the usual ones, then the discard pile, the hands and the draw pile."""
    deck = _deck(position)
    if writer.rarely("edge" in position):
        writer.draws(position["edge"], deck)
    writer.draws(position["discard"], deck)
    for seat in range(setup.owners.seats):
        writer.draws(position["hands"][seat], deck)
    writer.draws(position["draw_pile"], deck)


def _read_cards(position: Json, setup: TableSetup, reader: Reader) -> dict[str, Any]:
    deck, cards = _deck(position), dict[str, Any]()
    if reader.rarely():
        cards["edge"] = reader.draws(deck)
    cards["discard"] = reader.draws(deck)
    cards["hands"] = [reader.draws(deck) for _ in range(setup.owners.seats)]
    cards["draw_pile"] = reader.draws(deck)
    return cards


def _deck(position: Json) -> Counter[str]:
    return Counter(deck_without(tuple(position.get("without", ()))) if box().games[position["variant"]].cards else ())


def _write_last_action(last: Json, setup: TableSetup, writer: Writer) -> None:
    writer.choice(last["seat"], range(setup.owners.seats))
    writer.words(last["action"], LONGEST)
    if writer.rarely(last["replaced"] is not None):
        writer.choice(last["replaced"], sorted(set(box().deck)))
    writer.rarely("kept" in last)


def _read_last_action(setup: TableSetup, reader: Reader) -> dict[str, Any]:
    last: dict[str, Any] = {"seat": reader.choice(range(setup.owners.seats)), "action": reader.words(LONGEST)}
    last["replaced"] = reader.choice(sorted(set(box().deck))) if reader.rarely() else None
    if reader.rarely():
        last["kept"] = False
    return last
