"""The puzzles that come with Springboard: package data, a file a game, a row a puzzle."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from opponents.puzzles.puzzle import Puzzle, puzzle_of

GAMES: Final = ("bouncers", "bunny", "pucks")
"""The ids of the games that have puzzles."""


@cache
def puzzles_of(game: str) -> Mapping[int, Puzzle]:
    """Return the puzzles of a game by their numbers; none for a game without any. The file is read once in a process."""
    if game not in GAMES:
        return {}
    rows = (resources.files("opponents.puzzles") / file_name(game)).read_text(encoding="utf-8").splitlines()
    return {puzzle.number: puzzle for puzzle in (puzzle_of(game, row) for row in rows if row)}


def puzzle_named(name: str) -> Puzzle | None:
    """Return the puzzle with a name, as `Puzzle.name` gives it, or None if there is none."""
    game, _, number = name.partition("-")
    return puzzles_of(game).get(int(number)) if number.isdecimal() else None


def file_name(game: str) -> str:
    """Return the name of the file with the puzzles of a game."""
    return f"{game}.txt"
