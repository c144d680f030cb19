"""The rows of people who are looking for others to play with. `columns` explains how rows are declared."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import sqlalchemy as sa

from storage.schema.columns import EXPORTED, ExportedAs, OnForget, Withheld, stored
from storage.schema.domains import Count, Moment, Name, ServerId, UserId
from storage.schema.structures import Wishes


@stored("seeks", sa.Index(None, "user_id"), key=("guild_id", "user_id"))
@dataclass(frozen=True, kw_only=True)
class Seek:
    """What a person would like to play on a server, and whether they are waiting for it. Nobody else sees this row."""

    guild_id: Annotated[ServerId, EXPORTED]
    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("sought")]
    name: Annotated[Name, EXPORTED]
    # What people wish is theirs alone, and a report would quote it: `contradictions` looks at it.
    wishes: Annotated[Wishes, EXPORTED]
    """The games that the person would like to play, and on what terms."""
    remaining: Annotated[Count, EXPORTED] = 0
    """How many more games they are waiting for."""
    since: Annotated[Moment | None, EXPORTED] = None
    """When they began to wait, or None if they are not waiting."""
    until: Annotated[Moment | None, EXPORTED] = None
    """When they will stop waiting, or None if they are not waiting."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        if (self.since is None) != (self.until is None) or (self.since is not None and self.since > (self.until or 0.0)):
            yield "until", "the wait ends before it begins"
        if (self.since is None) != (self.remaining == 0):
            yield "remaining", f"{self.remaining} games are waited for" if self.remaining else "a wait for no game"
        if self.wishes.games < 1 or self.wishes.days < 1 or not 0 <= (self.wishes.most_late or 0) <= 100:
            yield "wishes", "no number of games, days or time-outs is like that"


@stored("avoidances", sa.Index(None, "avoided_id"), key=("user_id", "avoided_id"))
@dataclass(frozen=True, kw_only=True)
class Avoidance:
    """A person's wish not to be matched with a certain other person on any server. Nobody else learns of it."""

    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("people_avoided")]
    avoided_id: Annotated[UserId, OnForget.DELETE_ROW, Withheld("the id of another person, who is not to learn of it")]
    at: Annotated[Moment, EXPORTED]
    """When the person made this wish."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        if self.user_id == self.avoided_id:
            yield "avoided_id", "nobody avoids themselves"
