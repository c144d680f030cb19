"""Where an analysis was opened, and the token that names it in each click of the analysis."""

from dataclasses import dataclass
from typing import Final

from bot.messages.click import is_number

AFTER: Final = "~"
"""What stands before the parts of an origin in a click."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an analysis was opened, to which buttons lead back: a puzzle, or else a page of the review of its game.

    Attributes:
        puzzle: the name of the puzzle; empty: it was the review.
        wanted: which puzzles the person wants after it.
        page: the page of the review, as `review_click` counts them.
    """

    puzzle: str = ""
    wanted: str = ""
    page: int = 0

    @property
    def token(self) -> str:
        """The origin, to stand behind the number of an analysis in a click."""
        return f"{AFTER}{self.puzzle}{AFTER}{self.wanted}" if self.puzzle else f"{AFTER}{self.page}"


def analysis_token(analysis_id: int, origin: Origin | None) -> str:
    """The first token of each click in an analysis."""
    return f"{analysis_id}{'' if origin is None else origin.token}"


def read_analysis_token(token: str) -> tuple[int, Origin | None] | None:
    """The analysis of a click, and where it was opened; None if the token says nothing."""
    number, *origin = token.split(AFTER)
    match is_number(number), origin:
        case True, []:
            return int(number), None
        case True, [page] if is_number(page):
            return int(number), Origin(page=int(page))
        case True, [puzzle, wanted]:
            return int(number), Origin(puzzle, wanted)
        case _:
            return None
