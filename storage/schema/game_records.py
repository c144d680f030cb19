"""The rows of a game: its log, dice, plans and computations. See `columns`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import EXPORTED, KEPT, AsText, Backfilled, ExportedAs, OnForget, Unlimited, Withheld, stored
from storage.schema.domains import BIG, Count, DiscordId, Moment, OfTable, Positive, SeatNumber, UserId, UserOrPlaceholder
from storage.schema.kinds import EntryKind
from storage.schema.structures import Choice, Reply, Standing


@stored(
    "actions",
    sa.UniqueConstraint("interaction_id"),
    sa.CheckConstraint("number >= 1", name="numbers_count_from_1"),
    key=("table_id", "number"),
)
@dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry of a game's log."""

    table_id: OfTable
    number: Annotated[Positive, EXPORTED, KEPT]
    """Counts the entries from 1 without gaps."""
    kind: Annotated[EntryKind, EXPORTED, KEPT]
    """What it does to the game."""
    seat: Annotated[SeatNumber, EXPORTED, KEPT]
    """The seat that acted, left the game or asked for the undo."""
    tokens: Annotated[tuple[str, ...], EXPORTED, KEPT] = ()
    """The action; for WITHDRAW the cause, "resigned", "time" or "removed"; empty for UNDO."""
    user_id: Annotated[UserOrPlaceholder | None, OnForget.REPLACE_ID, ExportedAs("actions")]
    """The user who did it, or None for the bot itself (a time-out)."""
    interaction_id: Annotated[DiscordId | None, EXPORTED, KEPT] = None
    """The click or command that made it, if any. It makes no other entry."""
    at: Annotated[Moment, EXPORTED, KEPT]
    """When it was made."""
    link: Annotated[
        str | None,
        Field(pattern=r"^[0-9a-f]{64}$"),
        Withheld("it is made from the whole log of the table, and says nothing of a person"),
        KEPT,
    ] = None
    """The newest link of the log's hash chain, in games that began after version 0.1.0."""
    fired: Annotated[bool, Backfilled(sa.false()), EXPORTED, KEPT] = False
    """Whether it was planned ahead, and played in the same transaction as the entry it answers."""


@stored("plans", sa.Index(None, "user_id"), key=("table_id", "user_id"))
@dataclass(frozen=True, kw_only=True)
class Plan:
    """A player's secret plan at a table. It stays theirs when another person takes the seat."""

    table_id: OfTable
    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("plans")]
    seat: Annotated[SeatNumber, EXPORTED]
    """The seat it was made for."""
    revision: Annotated[Count, EXPORTED] = 0
    """How often it has changed, by its owner or the game."""
    # Neither has limits: a report would quote them.
    replies: Annotated[tuple[Reply, ...], EXPORTED] = ()
    """Conditional moves for what may be played next on the current board."""
    orders: Annotated[tuple[tuple[str, ...], ...], EXPORTED] = ()
    """The standing orders, as tokens, in order."""

    @property
    def idle(self) -> bool:
        """Whether nothing is planned."""
        return not self.replies and not self.orders


@stored("contributions", sa.Index(None, "user_id"), key=("table_id", "interaction_id"))
@dataclass(frozen=True, kw_only=True)
class Contribution:
    """What a player mixes into the dice after the seed's hash was shown. Once its owner is forgotten, its ids are negative."""

    table_id: OfTable
    interaction_id: Annotated[int, BIG, Field(gt=-(2**63), lt=2**63), AsText(), EXPORTED]
    """The id that Discord gave to the press, which nobody can foresee."""
    user_id: Annotated[UserOrPlaceholder, OnForget.DELETE_ROW, ExportedAs("contributions")]
    word: Annotated[str, Unlimited("people choose it"), EXPORTED] = ""
    """A word of the player's own, or ""."""
    number: Annotated[Positive | None, EXPORTED] = None
    """Its place among the contributions mixed in, from 1, or None before the game starts."""

    @property
    def removed(self) -> bool:
        """Whether its owner was forgotten."""
        return self.interaction_id < 0

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that neither a press nor forgetting its owner can have left so."""
        press, number = self.interaction_id, self.number
        if not self.removed:
            if press == 0 or self.user_id <= 0:
                yield (
                    "interaction_id" if press == 0 else "user_id",
                    "a press has an interaction and a user, whose ids are positive",
                )
            return
        if number is None or press != -number:
            yield (
                "interaction_id",
                f"it is negative, as if its owner had been forgotten, but it is not the negative of {number}",
            )
        if self.user_id >= 0:
            yield "user_id", "its owner has been forgotten, but a user is named"
        if self.word:
            yield "word", "its owner has been forgotten, but their word is still there"


@stored("thinking", sa.Index(None, "due"), key=("table_id",), nobody="it is about computers")
@dataclass(frozen=True, kw_only=True)
class Thinking:
    """A decision that computers at a table must take. It goes once all of them have, however often they were asked."""

    table_id: OfTable
    version: Count
    """The version of the board it is about."""
    due: Moment
    """When the next of them is asked, at the earliest."""
    asked: tuple[SeatNumber, ...] = ()
    """Seats that have been asked about acting out of turn on this board."""
    created_at: Moment
    """When the game came to this board."""


@stored(
    "reviews",
    sa.Index(None, "done", "asked_at"),
    key=("table_id",),
    nobody="who asked for a review is not kept, and whoever looks at the game can read it",
)
@dataclass(frozen=True, kw_only=True)
class Review:
    """The review of a game, as far as it has come. All of it can be recomputed."""

    table_id: OfTable
    reviewer: Positive
    """The version of the reviewing program."""
    version: Count
    """How many entries the game's log had when it was begun."""
    asked_at: Moment
    """When it was first asked for."""
    done: bool = False
    """Whether it is complete."""
    standings: tuple[Standing, ...] = ()
    """How everybody stood, in the order of computation."""
    choices: tuple[Choice, ...] = ()
    """What the choices were worth, in that order."""
