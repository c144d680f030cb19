"""The puzzles that come with Springboard, and their calendar: package data, a file a game, a row a puzzle.

A puzzle that was found wanting is *retired*: whoever has attempted it still finds it, and so does a day that had it. No later
day has it, and unless it only was too easy or too hard for its game, nobody gets it any more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final

from opponents.puzzles.days import Calendar, is_for_practice, read_days
from opponents.puzzles.puzzle import Puzzle, puzzle_of

GAMES: Final = ("bouncers", "bunny", "pucks")
"""The ids of the games that have puzzles."""
DAYS_FILE: Final = "days.txt"
"""The file with the names of the days' puzzles."""


RETIRED_FILE: Final = "retired.txt"
"""The file with the names of the retired puzzles, each with a word of `Why`."""


class Why(StrEnum):
    """Why a puzzle is retired."""

    SAME = "same"
    """It stands on the board of another one."""

    UNSURE = "unsure"
    """Games played to the end do not surely show its best move to be the best."""

    SHARE = "share"
    """With it, the levels would not solve the right share of the game's puzzles. It is for practice only."""


@dataclass(frozen=True)
class Collection:
    """Puzzles by name, the calendar of their days, and why some of them are retired."""

    puzzles: Mapping[str, Puzzle]
    calendar: Calendar
    retired: Mapping[str, Why] = field(default_factory=dict)

    def of_day(self, day: int) -> Puzzle | None:
        """Return the puzzle of a day, or None."""
        name = self.calendar.puzzle_of(day)
        return None if name is None else self.puzzles.get(name)

    def practice(self, first_open: int, voided: Iterable[int] = ()) -> Mapping[str, Puzzle]:
        """Return the puzzles that anybody may see: none that is retired, or that today or a later day has or may have.

        `first_open` is the first day that is not over; the puzzles of `voided` days were withdrawn.
        """
        gone = {
            *(name for name, why in self.retired.items() if why is not Why.SHARE),
            *(self.calendar.puzzle_of(day) for day in voided),
        }
        past = self.calendar.before(first_open)
        return {
            name: puzzle
            for name, puzzle in self.puzzles.items()
            if name not in gone and (name in past or (self._is_spare(puzzle) and self.calendar.day_of(name) is None))
        }

    def _is_spare(self, puzzle: Puzzle) -> bool:
        """Return whether a puzzle will never be a day's."""
        return is_for_practice(puzzle) or self.retired.get(puzzle.name) is Why.SHARE


@cache
def packaged() -> Collection:
    """Return the puzzles and the calendar that come with Springboard. A process reads them once."""
    puzzles = {puzzle.name: puzzle for game in GAMES for puzzle in puzzles_of(game).values()}
    return Collection(puzzles, Calendar(read_days(_text(DAYS_FILE))), retired())


@cache
def retired() -> Mapping[str, Why]:
    """Return why each retired puzzle is, by name."""
    rows = (row.split() for row in _text(RETIRED_FILE).splitlines())
    return {name: Why(why) for name, why in rows}


@cache
def puzzles_of(game: str) -> Mapping[int, Puzzle]:
    """Return a game's puzzles by their numbers, none for a game without any. A process reads the file once."""
    if game not in GAMES:
        return {}
    rows = _text(file_name(game)).splitlines()
    return {puzzle.number: puzzle for puzzle in (puzzle_of(game, row) for row in rows if row)}


def _text(name: str) -> str:
    return (resources.files("opponents.puzzles") / name).read_text(encoding="utf-8")


def file_name(game: str) -> str:
    """Return the name of the file with a game's puzzles."""
    return f"{game}.txt"
