"""The puzzles that come with Springboard, and their calendar, as package data: a file for each game, a row for each puzzle.

A puzzle with a fault is *retired*. Whoever has attempted it still finds it, and it stays on a day that had it, but no later day
gets it. It is left out of practice, too, unless its only fault was to be too easy or too hard for its game.
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
"""The file with the names of the daily puzzles."""


RETIRED_FILE: Final = "retired.txt"
"""The file with the names of the retired puzzles, each with its reason (`Why`)."""


class Why(StrEnum):
    """The reason why a puzzle is retired."""

    SAME = "same"
    """It has the same board as another puzzle."""

    UNSURE = "unsure"
    """Games played to the end do not surely show that its best move is the best."""

    SHARE = "share"
    """Keeping it would make the levels solve too many or too few of the game's puzzles. It is for practice only."""


@dataclass(frozen=True)
class Collection:
    """The puzzles by name, the calendar of their days, and the reasons why some of them are retired."""

    puzzles: Mapping[str, Puzzle]
    calendar: Calendar
    retired: Mapping[str, Why] = field(default_factory=dict)

    def of_day(self, day: int) -> Puzzle | None:
        """Return the puzzle of a day, or None if the day has none."""
        name = self.calendar.puzzle_of(day)
        return None if name is None else self.puzzles.get(name)

    def practice(self, first_open: int, voided: Iterable[int] = ()) -> Mapping[str, Puzzle]:
        """Return the puzzles that anybody may see: all but the retired ones and those that today or a later day has or may get.

        Puzzles that were retired as too easy or too hard (`Why.SHARE`) are included all the same. `first_open` is the first day
        that is not over, and `voided` are the days whose puzzles were withdrawn.
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
        """Return whether a puzzle will never be a daily puzzle."""
        return is_for_practice(puzzle) or self.retired.get(puzzle.name) is Why.SHARE


@cache
def packaged() -> Collection:
    """Return the puzzles and the calendar that come with Springboard. A process reads them only once."""
    puzzles = {puzzle.name: puzzle for game in GAMES for puzzle in puzzles_of(game).values()}
    return Collection(puzzles, Calendar(read_days(_text(DAYS_FILE))), retired())


@cache
def retired() -> Mapping[str, Why]:
    """Return the reason why each retired puzzle is retired, by the puzzle's name."""
    rows = (row.split() for row in _text(RETIRED_FILE).splitlines())
    return {name: Why(why) for name, why in rows}


@cache
def puzzles_of(game: str) -> Mapping[int, Puzzle]:
    """Return a game's puzzles by number, or none if the game has no puzzles. A process reads the file only once."""
    if game not in GAMES:
        return {}
    rows = _text(file_name(game)).splitlines()
    return {puzzle.number: puzzle for puzzle in (puzzle_of(game, row) for row in rows if row)}


def _text(name: str) -> str:
    return (resources.files("opponents.puzzles") / name).read_text(encoding="utf-8")


def file_name(game: str) -> str:
    """Return the name of the file that holds a game's puzzles."""
    return f"{game}.txt"
