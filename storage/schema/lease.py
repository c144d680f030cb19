"""A lease: that one of several processes runs a shard of Discord, until a moment by the clock of the database."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class StoredLease:
    """A lease as it is stored. The key is `name`.

    Attributes:
        name: what it is for: `shard 3 of 12`, `process <id>`, or `identify 0`, which only has moments and no owner.
        owner: the process that has it; None: it is free.
        fence: how often it was claimed. An owner before knows a lower number, and writes nothing any more.
        expires: until when it is held, in seconds since the epoch by the clock of the database.
        session: the session of the shard with Discord, which can be resumed; None if there is none.
        resume_url: where to resume it.
        sequence: the number of the last event of it that is known to have arrived.
        exact: whether it is that of the very last one, because the session was left in good order.
        since: until when somebody had it who did not let it go, in seconds since the epoch by the same clock: whatever was
            asked for before, they may have done.
    """

    name: str
    owner: str | None = None
    fence: int = 0
    expires: float = 0.0
    session: str | None = None
    resume_url: str | None = None
    sequence: int | None = None
    exact: bool = False
    since: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Lease(StoredLease):
    """A lease as it was found.

    Attributes:
        remaining: the seconds until it expires, by the clock of the database; 0 or less: anybody can have it.
    """

    remaining: float
