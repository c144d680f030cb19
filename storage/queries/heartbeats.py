"""Heartbeats, which show when each process was last connected to Discord, and when it was not."""

import sqlalchemy as sa

from storage.schema.records import Heartbeat, Outage
from storage.schema.tables import actions, heartbeats, outages, tables
from storage.transactions import Reader, Writer


async def find(reader: Reader) -> tuple[Heartbeat, ...]:
    """Return the readable heartbeats of all processes, sorted by name."""
    return await reader.readable(Heartbeat, sa.select(heartbeats).order_by(heartbeats.c.name))


async def get(reader: Reader, name: str) -> Heartbeat | None:
    """Return the heartbeat of a process, or None if there is none or it cannot be read."""
    return next(iter(await reader.readable(Heartbeat, sa.select(heartbeats).where(heartbeats.c.name == name))), None)


async def put(writer: Writer, heartbeat: Heartbeat) -> None:
    """Store the heartbeat of a process."""
    values = {"at": heartbeat.at, "halted": heartbeat.halted}
    mine = sa.update(heartbeats).where(heartbeats.c.name == heartbeat.name)
    if await writer.count(mine.values(values)) == 0:
        writer.later(sa.insert(heartbeats).values(name=heartbeat.name, **values))


async def beat_on(writer: Writer, name: str, at: float, *, since: float, until: float) -> bool:
    """Renew a process's heartbeat and return True if the last one lies between two moments, and time-outs are not stopped."""
    mine = (heartbeats.c.name == name, heartbeats.c.halted.is_(None), heartbeats.c.at.between(since, until))
    return await writer.count(sa.update(heartbeats).where(*mine).values(at=at)) == 1


async def last_activity(reader: Reader, before: float) -> float | None:
    """Return when a person last opened a table or acted, not later than `before`, in seconds since the epoch, or None."""
    latest = [
        (await reader.execute(sa.select(sa.func.max(column)).where(column <= before))).scalar()
        for column in (tables.c.created_at, actions.c.at)
    ]
    return max((moment for moment in latest if moment is not None), default=None)


async def add_outage(writer: Writer, outage: Outage) -> None:
    """Store an outage that has just ended."""
    values = {"name": outage.name, "since": outage.since, "until": outage.until}
    await writer.execute(sa.insert(outages).values(values))


async def outages_after(reader: Reader, moment: float) -> tuple[Outage, ...]:
    """Return the outages of all processes that ended after a moment, in seconds since the epoch, sorted by their end."""
    found = sa.select(outages).where(outages.c.until > moment).order_by(outages.c.until, outages.c.id)
    return await reader.readable(Outage, found)
