"""The rows of people, of their ratings and pings, and of servers. `columns` explains how rows are declared."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import EXPORTED, ExportedAs, OnForget, Unlimited, stored
from storage.schema.domains import JOINS, Count, GameId, Moment, Name, Number, ServerId, UserId


@stored("people", sa.Index(None, "direct_since"), key=("user_id",))
@dataclass(frozen=True, kw_only=True)
class Person:
    """A person's settings, which are the same on every server. A person without a row has the default settings."""

    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("settings")]
    # `bot.admin.check` knows the limits of the settings.
    settings: Annotated[dict[str, Any], EXPORTED] = field(default_factory=dict)
    """Plain JSON: reminders, quiet hours, time zone, palette, language, …"""
    vacation_from: Annotated[Moment | None, EXPORTED] = None
    """The start of the last vacation."""
    vacation_until: Annotated[Moment | None, EXPORTED] = None
    """The end of the last vacation."""
    vacation_days: Annotated[
        dict[Annotated[str, Field(pattern=r"^\d{4}$")], Annotated[float, Field(ge=0, le=366)]], EXPORTED
    ] = field(default_factory=dict)  # fmt: skip
    """The days of vacation taken, by calendar year: {"2026": 7.5}."""
    direct_since: Annotated[Moment | None, EXPORTED] = None
    """When the bot first sent the person a direct message, or tried to."""
    direct_closed: Annotated[Moment | None, EXPORTED] = None
    """When Discord last refused a direct message because the person accepts none from the bot."""
    direct_told: Annotated[Moment | None, EXPORTED] = None
    """When the person was told privately of that refusal, or None if they have not been told yet."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        begins, ends = self.vacation_from, self.vacation_until
        if (begins is None) != (ends is None) or (begins is not None and ends is not None and ends < begins):
            yield "vacation_until", "the vacation ends before it begins"


@stored("servers", key=("guild_id",), nobody="it is about a server")
@dataclass(frozen=True, kw_only=True)
class Server:
    """A server's settings, and whether the bot is still on the server."""

    guild_id: ServerId
    # `bot.admin.check` knows the limits of the settings.
    settings: dict[str, Any] = field(default_factory=dict)
    """Plain JSON: channels, threads, default clock, tables per person, language, …"""
    left_at: Moment | None = None
    """When the bot was removed from the server, or None while it is there."""


@stored("ratings", sa.Index(None, "guild_id", "game"), sa.Index(None, "user_id"), key=("guild_id", "user_id", "game"))
@dataclass(frozen=True, kw_only=True)
class Rating:
    """A person's skill (openskill's mu and sigma) and results at one game on one server."""

    guild_id: Annotated[ServerId, EXPORTED]
    user_id: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("ratings")]
    game: Annotated[GameId, EXPORTED]
    name: Annotated[Name, EXPORTED]
    mu: Annotated[float, Unlimited("a rating may be any number"), EXPORTED]
    """The mean of the skill."""
    sigma: Annotated[float, Field(gt=0), EXPORTED]
    """The uncertainty of the skill."""
    played: Annotated[Count, EXPORTED] = 0
    """How many rated games the person has played."""
    won: Annotated[Count, EXPORTED] = 0
    """How many rated games they have won."""
    drawn: Annotated[Count, EXPORTED] = 0
    """How many rated games ended in a draw."""
    lost: Annotated[Count, EXPORTED] = 0
    """How many rated games they have lost."""
    updated_at: Annotated[Moment, EXPORTED]
    """When the last rated game ended."""

    def contradictions(self) -> Iterator[tuple[str, str]]:
        """Yield the columns that contradict others, each with the reason."""
        if self.won + self.drawn + self.lost != self.played:
            yield "played", f"{self.played} games, but {self.won} won, {self.drawn} drawn and {self.lost} lost"


@stored("pings", sa.Index(None, "by_user", "to_user", "at"), sa.Index(None, "at"), key=("id",))
@dataclass(frozen=True, kw_only=True)
class Ping:
    """A ping that one person has caused for another."""

    id: Annotated[Number, JOINS] = 0
    by_user: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("pings_sent")]
    to_user: Annotated[UserId, OnForget.DELETE_ROW, ExportedAs("pings_received")]
    at: Annotated[Moment, EXPORTED]
    """When the ping was sent."""
