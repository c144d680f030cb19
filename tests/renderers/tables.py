"""Samples of the pictures of events: names of every script, and tables of any number of people."""

from itertools import cycle, islice
from typing import Any, Final

from renderers.summaries.chips import Cell, CellKind
from renderers.summaries.tournament_table import TableRow, TournamentTable

NAMES: Final = (
    "Anna", "Дева Иванова", "🦊🦊", "W" * 100, "田中さくら", "a\nb\tc", "", "e\u0301\u0301\u0301", "\u202eevil", "مرحبا",
)  # fmt: skip
RESULTS: Final = (CellKind.WON, CellKind.LOST, CellKind.DRAWN, CellKind.OPEN, CellKind.BYE, CellKind.ABSENT)


def row(place: int = 1, rounds: int = 0, **fields: Any) -> TableRow:
    """A player whose rounds have one result after the other."""
    cells = tuple(Cell("" if kind is CellKind.ABSENT else "12", kind) for kind in islice(cycle(RESULTS), rounds))
    usual: dict[str, Any] = {"name": "Ann", "points": "2½", "cells": cells}
    return TableRow(place=place, **(usual | fields))


def rows(count: int, rounds: int = 0, **fields: Any) -> tuple[TableRow, ...]:
    named = ({"name": NAMES[number % len(NAMES)]} | fields for number in range(count))
    return tuple(row(number, rounds, **each) for number, each in enumerate(named, 1))


def table(*people: TableRow, **fields: Any) -> TournamentTable:
    """A table with as many rounds as its first player has."""
    heads = tuple(str(number + 1) for number in range(len(people[0].cells)))
    usual: dict[str, Any] = {
        "title": "Spring Open", "subtitle": "Bouncers · Swiss · round 3 of 5", "heads": heads, "points": "Points",
        "nameless": "Somebody",
    }  # fmt: skip
    return TournamentTable(rows=people, **(usual | fields))


def crosstable(players: int, text: str = "½", **fields: Any) -> TournamentTable:
    """A table in which all games have the same score."""
    people = (
        row(number + 1, name=NAMES[number % len(NAMES)],
             cells=tuple(Cell("", CellKind.OWN) if number == column else Cell(text) for column in range(players)))
        for number in range(players)
    )  # fmt: skip
    return table(*people, **({"is_crosstable": True} | fields))
