"""Which puzzles a person wants: those of a game, a difficulty or a theme, or any."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Self

from opponents.puzzles.collection import GAMES
from opponents.puzzles.puzzle import HARDEST, Puzzle, Theme

ANY: Final = "-"
"""The letter in a code that stands for any game, difficulty or theme."""

TODAY: Final = "!"
"""The mark at the end of a code whose panel has a button to the daily puzzle."""


class Band(StrEnum):
    """A range of difficulties."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


RANGES: Final[Mapping[Band, range]] = {
    Band.EASY: range(1, 3), Band.MEDIUM: range(3, 6), Band.HARD: range(6, HARDEST + 1),
}  # fmt: skip
"""The difficulties in each band."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The puzzles that a person wants, where None stands for any. With `today`, a button leads on to the daily puzzle."""

    game: str | None = None
    band: Band | None = None
    theme: Theme | None = None
    today: bool = False

    def fits(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle is of the kind wanted."""
        return (
            self.game in {None, puzzle.game}
            and (self.band is None or puzzle.difficulty in RANGES[self.band])
            and (self.theme is None or self.theme in puzzle.themes)
        )

    @property
    def code(self) -> str:
        """What is wanted, as a word of a few letters for use in buttons."""
        numbers = (
            _number(GAMES, self.game), _number(tuple(Band), self.band), _number(tuple(Theme), self.theme),
        )  # fmt: skip
        return "".join(numbers) + TODAY * self.today

    @classmethod
    def read(cls, code: str) -> Self | None:
        """Return what a code stands for, or None if it is malformed."""
        today = code.endswith(TODAY)
        code = code.removesuffix(TODAY)
        values: list[str | None] = []
        for kinds, letter in zip((GAMES, tuple(Band), tuple(Theme)), code, strict=False):
            place = ord(letter) - ord("a")
            values.append(kinds[place] if 0 <= place < len(kinds) else None)
        game, band, theme = values if len(values) == 3 else (None, None, None)
        wanted = cls(game, None if band is None else Band(band), None if theme is None else Theme(theme), today)
        return wanted if wanted.code.removesuffix(TODAY) == code else None


def _number(kinds: tuple[str, ...], value: str | None) -> str:
    """Return the letter that stands for a value, which follows from the value's place among `kinds`."""
    return ANY if value is None else chr(ord("a") + kinds.index(value))
