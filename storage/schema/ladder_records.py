"""The rows of ladders. `columns` explains how rows are declared."""

from dataclasses import dataclass
from typing import Annotated

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import EXPORTED, ExportedAs, OnForget, stored
from storage.schema.domains import Count, GameId, Moment, Name, Positive, ServerId, Text, UserId


@stored("ladders", key=("guild_id", "game"), nobody="it is about a server")
@dataclass(frozen=True, kw_only=True)
class Ladder:
    """A server's ladder for a game."""

    guild_id: ServerId
    game: Text
    """The id of the game."""
    season: Count
    """The current season, as the number of quarters since the year 0."""
    looked_at: Moment
    """The time up to which idle players have been moved down."""


@stored("ladder_places", sa.Index(None, "user_id"), key=("guild_id", "game", "user_id"))
@dataclass(frozen=True, kw_only=True)
class LadderPlace:
    """A person's place on a ladder."""

    guild_id: Annotated[ServerId, EXPORTED]
    game: Annotated[GameId, EXPORTED]
    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("places_on_ladders")]
    name: Annotated[Name, EXPORTED]
    place: Annotated[Positive, EXPORTED]
    """The person's position, with the lowest number at the top. Numbers are missing where a person was forgotten."""
    played_at: Annotated[Moment, EXPORTED]
    """When their last game on the ladder ended or, before their first one, when they joined it."""
    won: Annotated[Count, EXPORTED] = 0
    """How many games on the ladder they have won this season."""
    lost: Annotated[Count, EXPORTED] = 0
    """How many games on the ladder they have lost this season."""


@stored("ladder_badges", sa.Index(None, "user_id"), key=("guild_id", "game", "season", "place"))
@dataclass(frozen=True, kw_only=True)
class LadderBadge:
    """The badge of a person who was among the first three of a ladder when a season ended."""

    guild_id: Annotated[ServerId, EXPORTED]
    game: Annotated[GameId, EXPORTED]
    season: Annotated[Count, EXPORTED]
    """The season, numbered as in `Ladder`."""
    place: Annotated[int, Field(ge=1, le=3), EXPORTED]
    """The person's place when the season ended."""
    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("badges_of_ladders")]
    name: Annotated[Name, EXPORTED]
