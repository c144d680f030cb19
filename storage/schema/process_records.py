"""The rows of the bot's processes: when they were connected, when they were not, and what they hold. See `columns`."""

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
    """The last time one of the bot's processes was known to be alive and connected to Discord."""

    name: Text
    """The name of the process."""
    at: Moment
    """The time of the last heartbeat."""
    halted: Annotated[str, Unlimited("a sentence")] | None = None
    """Why time-outs are stopped, in English for the operator: the clock has jumped. None while they are not stopped."""


@stored("outages", sa.Index(None, "until"), key=("id",), nobody=_ABOUT_A_PROCESS)
@dataclass(frozen=True, kw_only=True)
class Outage:
    """A period in which a process was not connected to Discord, long enough for its time to be given back to the players."""

    id: Number = 0
    name: Text
    """The name of the process."""
    since: Moment
    """When the outage began."""
    until: Moment
    """When the outage ended."""


@stored("leases", key=("name",), nobody=_ABOUT_A_PROCESS, moves=False)
@dataclass(frozen=True, kw_only=True)
class StoredLease:
    """A lease, with which a process runs a shard until a time by the database's clock. A database's move leaves it behind."""

    name: Text
    """What the lease is for: `shard 3 of 12`, `process <id>`, or `identify 0`, which keeps times but has no owner."""
    owner: Annotated[str, Unlimited("the process chooses it")] | None = None
    """The process that holds the lease, or None if it is free."""
    fence: Annotated[int, BIG, Field(ge=0, lt=2**63)] = 0
    """How often the lease has been claimed. Earlier owners know only a lower number, and therefore can no longer write."""
    expires: Moment = 0.0
    """Until when the lease is held, by the database's clock."""
    session: Annotated[str, Unlimited("Discord chooses it")] | None = None
    """The id of the shard's Discord session if it can be resumed, or None."""
    resume_url: Annotated[str, Unlimited("Discord chooses it")] | None = None
    """The URL at which to resume the session."""
    sequence: Annotated[int, BIG, Field(ge=0, lt=2**63)] | None = None
    """The number of the last event of the session that is known to have arrived."""
    exact: bool = False
    """Whether that was the very last event, because the session was left in good order."""
    since: Annotated[Moment, Backfilled("0")] = 0.0
    """Until when the last owner that did not release the lease held it. Requests from before then may have been carried out."""
