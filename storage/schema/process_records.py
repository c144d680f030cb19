"""The rows of the bot's processes: when they were there, when not, and what they hold. See `columns`."""

from dataclasses import dataclass
from typing import Annotated, Final

import sqlalchemy as sa
from pydantic import Field

from storage.schema.columns import Backfilled, Unlimited, stored
from storage.schema.domains import BIG, Moment, Number, Text

_ABOUT_A_PROCESS: Final = "it is about a process of the bot"


@stored("heartbeats", key=("name",), nobody=_ABOUT_A_PROCESS)
@dataclass(frozen=True, kw_only=True)
class Heartbeat:
    """When a process of the bot was last known to be alive and connected to Discord."""

    name: Text
    """The name of the process."""
    at: Moment
    """When that was."""
    halted: Annotated[str, Unlimited("a sentence")] | None = None
    """Why time-outs are stopped, in English for the operator: the clock has jumped. None while they aren't."""


@stored("outages", sa.Index(None, "until"), key=("id",), nobody=_ABOUT_A_PROCESS)
@dataclass(frozen=True, kw_only=True)
class Outage:
    """A time in which a process was not connected to Discord, long enough to be given back to players."""

    id: Number = 0
    name: Text
    """The name of the process."""
    since: Moment
    """When it began."""
    until: Moment
    """When it ended."""


@stored("leases", key=("name",), nobody=_ABOUT_A_PROCESS, moves=False)
@dataclass(frozen=True, kw_only=True)
class StoredLease:
    """A lease: one process runs a shard of Discord until a moment by the database's clock. A move leaves it behind."""

    name: Text
    """What it is for: `shard 3 of 12`, `process <id>`, or `identify 0`, which only has moments and no owner."""
    owner: Annotated[str, Unlimited("the process chooses it")] | None = None
    """The process that holds it, or None if it is free."""
    fence: Annotated[int, BIG, Field(ge=0, lt=2**63)] = 0
    """How often it was claimed. Earlier owners know a lower number, and can no longer write."""
    expires: Moment = 0.0
    """Until when it is held, by the database's clock."""
    session: Annotated[str, Unlimited("Discord chooses it")] | None = None
    """The shard's Discord session, which can be resumed, if there is one."""
    resume_url: Annotated[str, Unlimited("Discord chooses it")] | None = None
    """Where to resume it."""
    sequence: Annotated[int, BIG, Field(ge=0, lt=2**63)] | None = None
    """The number of the session's last event known to have arrived."""
    exact: bool = False
    """Whether that is the very last one, because the session was left in good order."""
    since: Annotated[Moment, Backfilled("0")] = 0.0
    """Until when somebody had it who did not let it go, by the same clock. They may have carried out earlier requests."""
