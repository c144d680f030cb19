"""Leases, which decide which of several processes runs which shard of Discord.

A process holds a lease for some seconds, and keeps renewing it. If the process is killed, frozen or cut off from the database,
the lease expires, and the process that claims it next gets a higher fencing number. Every transaction of a part of the store
(see `Store.part`) first checks that the number is still its own, and keeps the lease from changing hands until the transaction
ends. So a write by a process that was frozen happens either before the next owner begins, or not at all.

Only the clock of the database decides whether a lease has expired, because the clocks of several machines differ.
"""

import logging
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import sqlalchemy as sa

from storage.cluster.notifying import CHANNEL, listening
from storage.connections.server import FROZEN_AFTER
from storage.schema.errors import Unreachable
from storage.schema.records import StoredLease
from storage.schema.tables import leases
from storage.store import Store
from storage.transactions import insert_into

PROCESS: Final = "process "
"""The prefix of the leases by which processes show that they are alive."""

SOON: Final = 0.01
"""How many seconds to wait at least before asking again for a slot that is not due yet."""

DEAD_AFTER: Final = 600.0
"""The number of seconds after which the expired lease of a process is deleted."""

FROZEN: Final = sa.text(
    """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = current_setting('application_name') AND datname = current_database() AND usename = current_user
    AND wait_event_type = 'Client'
    AND xact_start < clock_timestamp() - make_interval(secs => :seconds)
    AND pid IN (
        SELECT pid FROM pg_locks
        WHERE locktype = 'relation' AND relation = 'leases'::regclass AND mode IN ('RowShareLock', 'RowExclusiveLock')
    )
    AND EXISTS (
        SELECT FROM leases WHERE name = :name AND owner IS NOT NULL AND expires <= extract(epoch FROM clock_timestamp())
    )
    """
)
"""The statement that ends connections which hold an expired lease, and which have kept the server waiting for too long."""

log = logging.getLogger(__name__)

Left = tuple[str, str, int]
"""A session with Discord that was left: its id, the URL at which to resume it, and the number of its last event."""


@dataclass(frozen=True, kw_only=True)
class Lease(StoredLease):
    """A lease as it was read, with the seconds until it expires by the database's clock. At 0 or less, anybody can claim it."""

    remaining: float


class Leases:
    """The leases in a database. On a server, none of the methods waits for its turn to write. All methods raise Unreachable."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, *names: str) -> None:
        """Create the leases that are missing, without an owner, and delete those of processes that died long ago."""
        await self._store.run_promptly(partial(_add, sorted(names)))

    async def all(self) -> tuple[Lease, ...]:
        """Return all leases, sorted by name."""
        return await self._store.run_promptly(_all)

    async def claim(self, name: str, owner: str, seconds: float) -> Lease | None:
        """Take a lease for `seconds` if it is free, has expired, or already belongs to the owner.

        The fencing number of the lease rises, so that an earlier owner can no longer write. The lease that is returned has the
        last known session, and says whether that was `exact`. In the database, it is not exact from now on. Returns None if
        there is no such lease, or if another process holds it or is writing with it.
        """
        return await self._store.run_promptly(partial(_claim, name, owner, seconds))

    async def renew(
        self, owner: str, seconds: float, sessions: Mapping[str, Left] | None = None, *, names: Collection[str] | None = None
    ) -> dict[str, int]:
        """Renew the leases of an owner for `seconds` from now, even if they have expired, unless they have been claimed.

        `sessions` are the current Discord sessions of some of the leases, by lease name. `names` are the leases to renew, or
        None for all of them. A process names the leases that it knows of, so that a lease that it was given without ever
        learning of it expires. Returns the fencing numbers of the renewed leases, by name.
        """
        return await self._store.run_promptly(partial(_renew, owner, seconds, sessions or {}, names))

    async def release(self, name: str, owner: str, fence: int, left: Left | None = None, *, exact: bool = True) -> bool:
        """Give up a lease. Returns False if another process already holds it.

        `left` is the Discord session that the next owner may resume, if there is one. `exact` says whether its number is that
        of the very last event received.
        """
        mine = (leases.c.name == name, leases.c.owner == owner, leases.c.fence == fence)
        free = {"owner": None, "expires": 0.0, "exact": exact and left is not None, **_session(left)}
        return await self._store.run_promptly(
            lambda connection: connection.execute(sa.update(leases).where(*mine).values(free)).rowcount == 1
        )

    async def remove(self, name: str) -> None:
        """Delete a lease, if it exists."""
        gone = sa.delete(leases).where(leases.c.name == name)
        await self._store.run_promptly(lambda connection: connection.execute(gone).rowcount)

    async def slot(self, name: str, seconds: float) -> float:
        """Take the slot of this name if it is free. It can be taken once every `seconds` seconds, by one process.

        Returns 0 if it was free, or else the number of seconds until the next slot. The next slot is not reserved, so a process
        that ends in the meantime leaves nothing behind.
        """
        return await self._store.run_promptly(partial(_slot, name, seconds))

    async def notify(self, word: str) -> None:
        """Tell all processes that there is something new. A notification can get lost without an error."""
        if self._store.address.path is None:
            with suppress(Unreachable):
                told = sa.select(sa.func.pg_notify(CHANNEL, word))
                await self._store.run_promptly(lambda connection: connection.execute(told).first())

    def listen(self, heard: Callable[[str], None]) -> AbstractAsyncContextManager[None]:
        """During this block, call `heard` with the word of each notification, even of this process's own. A file has none."""
        return listening(self._store.address, heard)


def _clock(connection: sa.Connection) -> sa.ColumnElement[float]:
    if connection.dialect.name == "sqlite":
        return (sa.func.julianday("now", type_=sa.Double) - 2440587.5) * 86400.0
    return sa.cast(sa.extract("epoch", sa.func.clock_timestamp()), sa.Double)


def _add(names: list[str], connection: sa.Connection) -> None:
    insert = insert_into(connection.dialect.name, leases)
    rows = [{"name": name, "fence": 0, "expires": 0.0, "exact": False} for name in names]
    if rows:
        connection.execute(insert.on_conflict_do_nothing(), rows)
    dead = sa.and_(leases.c.owner.is_not(None), leases.c.expires < _clock(connection) - DEAD_AFTER)
    found = sa.select(leases.c.name).where(leases.c.name.startswith(PROCESS), dead).with_for_update(skip_locked=True)
    connection.execute(sa.delete(leases).where(leases.c.name.in_(found)))


def _all(connection: sa.Connection) -> tuple[Lease, ...]:
    remaining = (leases.c.expires - _clock(connection)).label("remaining")
    found = connection.execute(sa.select(leases, remaining).order_by(leases.c.name))
    return tuple(Lease(**row) for row in found.mappings())


def _claim(name: str, owner: str, seconds: float, connection: sa.Connection) -> Lease | None:
    now = _clock(connection)
    to_be_had = sa.or_(leases.c.owner.is_(None), leases.c.owner == owner, leases.c.expires <= now)
    found = sa.select(leases).where(leases.c.name == name, to_be_had).with_for_update(skip_locked=True)
    row = connection.execute(found).mappings().first()
    if row is None:
        _end_the_frozen(name, connection)
        return None
    until = max(row["since"], row["expires"])
    since = sa.case((now < until, now), else_=until)
    taken = {"owner": owner, "fence": row["fence"] + 1, "expires": now + seconds, "exact": False, "since": since}
    change = sa.update(leases).where(leases.c.name == name).values(taken).returning(leases)
    known = dict(connection.execute(change).mappings().one())
    return Lease(**(known | {"exact": row["exact"]}), remaining=seconds)


def _end_the_frozen(name: str, connection: sa.Connection) -> None:
    """Free an expired lease that is held by a connection whose process froze while it was writing.

    The server itself ends connections that are idle in a transaction. However, if a process freezes while it is sending a
    statement, the server would wait for the rest of it for ever.
    """
    if connection.dialect.name == "postgresql":
        values = {"name": name, "seconds": FROZEN_AFTER}
        if ended := len(connection.execute(FROZEN, values).all()):
            log.info("connections were ended that kept the lease of %s: %d", name, ended)


def _renew(
    owner: str, seconds: float, sessions: Mapping[str, Left], names: Collection[str] | None, connection: sa.Connection
) -> dict[str, int]:
    mine = sa.and_(leases.c.owner == owner, *(() if names is None else (leases.c.name.in_(sorted(names)),)))
    # A lease that another process is just claiming is left out, and lost. One that is only used for writing is renewed.
    found = sa.select(leases.c.name).where(mine).order_by(leases.c.name).with_for_update(skip_locked=True, key_share=True)
    change = sa.update(leases).where(leases.c.name.in_(found), mine).values(expires=_clock(connection) + seconds)
    renewed = {row.name: row.fence for row in connection.execute(change.returning(leases.c.name, leases.c.fence))}
    for name in sorted(renewed.keys() & sessions.keys()):
        connection.execute(sa.update(leases).where(leases.c.name == name).values(_session(sessions[name])))
    return renewed


def _session(known: Left | None) -> dict[str, Any]:
    return dict(zip(("session", "resume_url", "sequence"), known or (None, None, None), strict=True))


def _slot(name: str, seconds: float, connection: sa.Connection) -> float:
    now = _clock(connection)
    _add([name], connection)
    take = sa.update(leases).where(leases.c.name == name, leases.c.expires <= now).values(expires=now + seconds)
    if connection.execute(take.returning(leases.c.name)).first() is not None:
        return 0.0
    waiting = connection.execute(sa.select(leases.c.expires - now).where(leases.c.name == name)).scalar_one()
    return max(SOON, float(waiting))
