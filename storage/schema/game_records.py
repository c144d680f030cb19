"""The rows of a game: its log, dice, plans and computations. `columns` explains how rows are declared."""

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
    """The number of the entry. Entries are counted from 1 without gaps."""
    kind: Annotated[EntryKind, EXPORTED, KEPT]
    """What the entry does to the game."""
    seat: Annotated[SeatNumber, EXPORTED, KEPT]
    """The seat that acted, left the game, or asked to undo something."""
    tokens: Annotated[tuple[str, ...], EXPORTED, KEPT] = ()
    """The action. For WITHDRAW, this is the cause: "resigned", "time" or "removed". For UNDO, it is empty."""
    user_id: Annotated[UserOrPlaceholder | None, OnForget.REPLACE_ID, ExportedAs("actions")]
    """The user who made the entry, or None if it was the bot itself (after a time-out)."""
    interaction_id: Annotated[DiscordId | None, EXPORTED, KEPT] = None
    """The click or command that made this entry, and can make no other. None if there was none."""
    at: Annotated[Moment, EXPORTED, KEPT]
    """When the entry was made."""
    link: Annotated[
        str | None,
        Field(pattern=r"^[0-9a-f]{64}$"),
        Withheld("it is made from the whole log of the table, and says nothing of a person"),
        KEPT,
    ] = None
    """The newest link of the log's hash chain. Only games that began after version 0.1.0 have one."""
    fired: Annotated[bool, Backfilled(sa.false()), EXPORTED, KEPT] = False
    """Whether the entry was planned in advance, and was made in the same transaction as the entry that it answers."""


@stored("plans", sa.Index(None, "user_id"), key=("table_id", "user_id"))
@dataclass(frozen=True, kw_only=True)
class Plan:
    """A player's secret plan at a table. It remains theirs even if another person takes over the seat."""

    table_id: OfTable
    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("plans")]
    seat: Annotated[SeatNumber, EXPORTED]
    """The seat for which the plan was made."""
    revision: Annotated[Count, EXPORTED] = 0
    """How often the plan has been changed, by its owner or by the game."""
    # Neither has limits, because a report would quote the values.
    replies: Annotated[tuple[Reply, ...], EXPORTED] = ()
    """The conditional moves that answer what may be played next on the current board."""
    orders: Annotated[tuple[tuple[str, ...], ...], EXPORTED] = ()
    """The standing orders in their order, each as tokens."""

    @property
    def idle(self) -> bool:
        """Whether the plan is empty."""
        return not self.replies and not self.orders


@stored("contributions", sa.Index(None, "user_id"), key=("table_id", "interaction_id"))
@dataclass(frozen=True, kw_only=True)
class Contribution:
    """What a player adds to the dice after the seed's hash was shown. Once its owner is forgotten, its ids are negative."""

    table_id: OfTable
    interaction_id: Annotated[int, BIG, Field(gt=-(2**63), lt=2**63), AsText(), EXPORTED]
    """The id that Discord gave to the press of the button. Nobody can foresee it."""
    user_id: Annotated[UserOrPlaceholder, OnForget.DELETE_ROW, ExportedAs("contributions")]
    word: Annotated[str, Unlimited("people choose it"), EXPORTED] = ""
    """A word that the player chose, or an empty string."""
    number: Annotated[Positive | None, EXPORTED] = None
    """The place of this contribution in the order of mixing, from 1, or None before the game starts."""

    @property
    def removed(self) -> bool:
        """Whether the owner of the contribution has been forgotten."""
        return self.interaction_id < 0

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns whose values can come neither from a press nor from forgetting the owner."""
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
    """A decision that a table's computers have to make. The row stays until all have decided, however often they are asked."""

    table_id: OfTable
    version: Count
    """The version of the board on which they decide."""
    due: Moment
    """The earliest time at which the next computer is asked."""
    asked: tuple[SeatNumber, ...] = ()
    """The seats that have been asked on this board whether they want to act out of turn."""
    created_at: Moment
    """When the game reached this board."""


@stored(
    "reviews",
    sa.Index(None, "done", "asked_at"),
    key=("table_id",),
    nobody="who asked for a review is not kept, and whoever looks at the game can read it",
)
@dataclass(frozen=True, kw_only=True)
class Review:
    """The review of a game, as far as it has been computed. All of it can be computed again."""

    table_id: OfTable
    reviewer: Positive
    """The version of the program that made the review."""
    version: Count
    """How many entries the log of the game had when the review was begun."""
    asked_at: Moment
    """When somebody first asked for the review."""
    done: bool = False
    """Whether the review is complete."""
    standings: tuple[Standing, ...] = ()
    """How everybody stood after each entry, in the order of computation."""
    choices: tuple[Choice, ...] = ()
    """What the choices of the players were worth, in the same order."""
