"""The puzzles that come with Springboard, and their calendar: package data, a file a game, a row a puzzle."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from opponents.puzzles.days import Calendar, is_for_practice, read_days
from opponents.puzzles.puzzle import Puzzle, puzzle_of

GAMES: Final = ("bouncers", "bunny", "pucks")
"""The ids of the games that have puzzles."""

DAYS_FILE: Final = "days.txt"
"""The name of the file with the names of the days' puzzles."""


@dataclass(frozen=True)
class Collection:
    """Puzzles by their names, and the calendar of those that are a day's."""

    puzzles: Mapping[str, Puzzle]
    calendar: Calendar

    def of_day(self, day: int) -> Puzzle | None:
        """Return the puzzle of a day; None if it has none."""
        name = self.calendar.puzzle_of(day)
        return None if name is None else self.puzzles.get(name)

    def practice(self, first_open: int, voided: Iterable[int] = ()) -> Mapping[str, Puzzle]:
        """Return the puzzles that may be shown to anybody: none that a day has, or may have, which is not over everywhere.

        Args:
            first_open: the number of the first day that is not.
            voided: the days whose puzzle was withdrawn. It is not shown any more.
        """
        gone = {self.calendar.puzzle_of(day) for day in voided}
        past = self.calendar.before(first_open)
        return {
            name: puzzle
            for name, puzzle in self.puzzles.items()
            if name not in gone and (name in past or (is_for_practice(puzzle) and self.calendar.day_of(name) is None))
        }


@cache
def packaged() -> Collection:
    """Return the puzzles of all games and the calendar that come with Springboard. They are read once in a process."""
    puzzles = {puzzle.name: puzzle for game in GAMES for puzzle in puzzles_of(game).values()}
    return Collection(puzzles, Calendar(read_days(_text(DAYS_FILE))))


@cache
def puzzles_of(game: str) -> Mapping[int, Puzzle]:
    """Return the puzzles of a game by their numbers; none for a game without any. The file is read once in a process."""
    if game not in GAMES:
        return {}
    rows = _text(file_name(game)).splitlines()
    return {puzzle.number: puzzle for puzzle in (puzzle_of(game, row) for row in rows if row)}


def _text(name: str) -> str:
    return (resources.files("opponents.puzzles") / name).read_text(encoding="utf-8")


def file_name(game: str) -> str:
    """Return the name of the file with the puzzles of a game."""
    return f"{game}.txt"
