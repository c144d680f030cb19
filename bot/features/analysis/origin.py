"""The place where an analysis was opened, and the token that carries it in each click of the analysis."""

from dataclasses import dataclass
from typing import Final

from bot.messages.click import is_number

AFTER: Final = "~"
"""The character before each part of an origin in a token."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an analysis was opened: on a `page` of the review or in a `puzzle`. `wanted` says which puzzles come next."""

    puzzle: str = ""
    wanted: str = ""
    page: int = 0

    @property
    def token(self) -> str:
        """The part of a click's first token that says where the analysis was opened. It comes after the analysis's number."""
        return f"{AFTER}{self.puzzle}{AFTER}{self.wanted}" if self.puzzle else f"{AFTER}{self.page}"


def analysis_token(analysis_id: int, origin: Origin | None) -> str:
    """Return the first token of each click in an analysis."""
    return f"{analysis_id}{'' if origin is None else origin.token}"


def read_analysis_token(token: str) -> tuple[int, Origin | None] | None:
    """Return the number of the analysis that a token names and where it was opened, or None if the token is malformed."""
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
