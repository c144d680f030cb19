"""The rows of puzzles: people's attempts, ratings, and withdrawn days. `columns` explains how rows are declared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import EXPORTED, ExportedAs, OnForget, OnForgetServer, stored
from storage.schema.domains import Count, DiscordId, GameId, Moment, Name, Positive, PuzzleName, Skill, UserId
from storage.schema.kinds import PuzzleOutcome

_ABOUT_A_PUZZLE = "it is about a puzzle"


@stored("puzzle_attempts", sa.Index(None, "guild_id", "day"), sa.Index(None, "puzzle"), key=("user_id", "puzzle"))
@dataclass(frozen=True, kw_only=True)
class PuzzleAttempt:
    """Everything about one person and one puzzle. Nobody else sees this row, except in a server's tables of results.

    The first attempt counts for the ratings, and for the day whose puzzle it was. Later attempts are practice.
    """

    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("puzzles")]
    puzzle: Annotated[PuzzleName, EXPORTED]
    """The name of the puzzle: "bouncers-17"."""
    name: Annotated[Name, EXPORTED]
    guild_id: Annotated[DiscordId | None, OnForgetServer.EMPTY, EXPORTED] = None
    """The server where the person began, or None if that server has forgotten them or was itself forgotten."""
    day: Annotated[Positive | None, EXPORTED] = None
    """The number of the day whose puzzle it was when they began, or None if the attempt was practice."""
    day_ends: Annotated[Moment | None, EXPORTED] = None
    """When that day ends on the server where they began, or None if the attempt was practice."""
    began_at: Annotated[Moment, EXPORTED]
    """When the first attempt began."""
    ended_at: Annotated[Moment | None, EXPORTED] = None
    """When the first attempt ended, or None while it goes on."""
    used_at: Annotated[Moment, EXPORTED]
    """When the person last did something in the puzzle."""
    outcome: Annotated[PuzzleOutcome | None, EXPORTED] = None
    """How the first attempt ended, or None while it goes on."""
    judged: Annotated[tuple[bool, ...], EXPORTED] = ()
    """Whether each action of the first attempt was right, in order."""
    ongoing: Annotated[bool, EXPORTED] = True
    """Whether an attempt is under way."""
    played: Annotated[tuple[tuple[str, ...], ...], EXPORTED] = ()
    """The right actions of the newest attempt."""
    version: Annotated[Count, EXPORTED] = 0
    """How often the row has changed."""
    solved: Annotated[Count, EXPORTED] = 0
    """How many attempts solved the puzzle."""
    given_up: Annotated[Count, EXPORTED] = 0
    """How many attempts were given up."""
    streak: Annotated[Positive | None, EXPORTED] = None
    """The number of days in a row, including this one, when the puzzle was solved, or None if it counts for no day."""
    forgiven: Annotated[Positive | None, EXPORTED] = None
    """The number of the last missed day that was forgiven in this streak, or None if there was none."""
    reported: Annotated[bool, EXPORTED] = False
    """Whether the person has reported that something is wrong with the puzzle."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        if (self.outcome is None) != (self.ended_at is None):
            yield "ended_at", "only a first attempt that is over has ended, and always"
        if self.outcome is None and not self.ongoing:
            yield "ongoing", "the first attempt is not over, but does not go on"
        if (self.outcome is None) != (self.solved + self.given_up == 0):
            yield "outcome", f"{self.solved} solved and {self.given_up} given up"
        if (self.day is None) != (self.day_ends is None):
            yield "day_ends", "the puzzle of a day has its end, and no other has"
        if self.streak is not None and self.day is None:
            yield "streak", "it counts for no day"


@stored("solver_ratings", key=("user_id", "game"))
@dataclass(frozen=True, kw_only=True)
class SolverRating:
    """A person's skill (openskill's mu and sigma) at a game's puzzles, the same on every server."""

    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("puzzle_ratings")]
    game: Annotated[GameId, EXPORTED]
    mu: Annotated[Skill, EXPORTED]
    sigma: Annotated[float, Field(gt=0, lt=1000), EXPORTED]
    """The uncertainty of the skill."""
    played: Annotated[Count, EXPORTED] = 0
    """How many of the person's first attempts were rated."""
    won: Annotated[Count, EXPORTED] = 0
    """How many of the rated attempts solved the puzzle without a wrong action."""
    updated_at: Annotated[Moment, EXPORTED]
    """When the last rated attempt ended."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        yield from _more_won_than_played(self)


@stored("puzzle_ratings", key=("puzzle",), nobody=_ABOUT_A_PUZZLE)
@dataclass(frozen=True, kw_only=True)
class PuzzleRating:
    """How hard a puzzle has proved to be (openskill's mu and sigma), judging by everybody's first attempts."""

    puzzle: PuzzleName
    """The name of the puzzle."""
    mu: Skill
    sigma: Annotated[float, Field(gt=0, lt=1000)]
    """The uncertainty of the skill."""
    played: Count = 0
    """How many first attempts at the puzzle were rated."""
    won: Count = 0
    """How many of the rated attempts the puzzle won, because there was a wrong action or the attempt was given up."""
    updated_at: Moment
    """When the last rated attempt ended."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        yield from _more_won_than_played(self)


def _more_won_than_played(rating: SolverRating | PuzzleRating) -> Iterator[tuple[str, str]]:
    if rating.won > rating.played:
        yield "won", f"{rating.won} of {rating.played} attempts"


@stored("voided_days", key=("day",), nobody=_ABOUT_A_PUZZLE)
@dataclass(frozen=True, kw_only=True)
class VoidedDay:
    """A day whose puzzle was withdrawn because something was wrong with it."""

    day: Positive
    """The number of the day."""
    at: Moment
    """When the puzzle was withdrawn."""
