"""SQL statements for tournaments and their entries."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

import sqlalchemy as sa

from storage.queries.row_conditions import EVENT_HERE
from storage.schema.kinds import TournamentStatus
from storage.schema.rows import to_row
from storage.schema.tables import event_entries, events
from storage.schema.tournament_records import StoredTournament, TournamentEntry
from storage.transactions import Reader, Writer

ON: Final = (TournamentStatus.OPEN, TournamentStatus.CHECK_IN, TournamentStatus.RUNNING)
"""The stages in which a tournament is not over."""

_EVENT: Final = sa.select(events).where(events.c.id == sa.bindparam("event_id"))
_ENTRIES: Final = (
    sa.select(event_entries).where(event_entries.c.event_id == sa.bindparam("event_id")).order_by(event_entries.c.number)
)


async def get(reader: Reader, event_id: int) -> StoredTournament | None:
    """Return a tournament, or None if there is no readable one with this number."""
    return next(iter(await reader.readable(StoredTournament, reader.locked(_EVENT, events), event_id=event_id)), None)


async def entries(reader: Reader, event_id: int) -> tuple[TournamentEntry, ...]:
    """Return a tournament's entries, ordered by number."""
    return await reader.readable(TournamentEntry, _ENTRIES, event_id=event_id)


async def of_guild(
    reader: Reader, guild_id: int, statuses: Collection[TournamentStatus] = ON, *, limit: int = 25
) -> tuple[StoredTournament, ...]:
    """Return a server's tournaments in these stages, newest first."""
    here = (events.c.guild_id == guild_id, events.c.status.in_(statuses))
    return await reader.readable(StoredTournament, sa.select(events).where(*here).order_by(events.c.id.desc()).limit(limit))


async def places_of_person(
    reader: Reader, guild_id: int, user_id: int, *, best: int
) -> tuple[tuple[StoredTournament, int], ...]:
    """Return a server's finished tournaments in which a person has one of the `best` places, with the place, newest first."""
    mine = sa.select(event_entries).where(event_entries.c.user_id == user_id, event_entries.c.place <= best)
    found = {entry.event_id: entry.place or best for entry in await reader.readable(TournamentEntry, mine)}
    here = (events.c.guild_id == guild_id, events.c.id.in_(tuple(found)), events.c.status == TournamentStatus.FINISHED)
    over = await reader.readable(StoredTournament, sa.select(events).where(*here).order_by(events.c.id.desc())) if found else ()
    return tuple((event, found[event.id]) for event in over)


async def of_person(reader: Reader, user_id: int) -> tuple[StoredTournament, ...]:
    """Return all tournaments that name a person, whether they play in them or organise them."""
    mine = sa.select(event_entries.c.event_id).where(event_entries.c.user_id == user_id)
    theirs = sa.or_(events.c.id.in_(mine), events.c.organiser_id == user_id)
    return await reader.readable(StoredTournament, sa.select(events).where(theirs).order_by(events.c.id))


async def add(writer: Writer, event: StoredTournament) -> StoredTournament:
    """Store a new tournament, and return it with a number that no tournament has ever had."""
    row = to_row(event)
    del row["id"]
    writer.note_times(event.due)
    return replace(event, id=(await writer.execute(sa.insert(events).values(row).returning(events.c.id))).scalar_one())


async def put(writer: Writer, event: StoredTournament) -> None:
    """Store a tournament, replacing its previous row."""
    writer.note_times(event.due)
    writer.put(events, event)


async def put_entry(writer: Writer, entry: TournamentEntry) -> None:
    """Store an entry, replacing its previous row."""
    writer.put(event_entries, entry)


async def remove_entry(writer: Writer, event_id: int, number: int) -> None:
    """Delete an entry of a tournament that has not started."""
    c = event_entries.c
    writer.later(sa.delete(event_entries).where(c.event_id == event_id, c.number == number))


async def due(reader: Reader, now: float, *, limit: int = 100) -> tuple[StoredTournament, ...]:
    """Return the tournaments that must be checked by `now`, on servers where the bot is present, the longest overdue first."""
    return await reader.readable(StoredTournament, _due(reader, now, sa.select(events)).limit(limit))


async def next_due(reader: Reader) -> float | None:
    """Return when the next tournament must be checked, in seconds since the epoch, or None if none must."""
    found = sa.select(sa.func.min(events.c.due)).where(EVENT_HERE, *reader.own(events.c.guild_id))
    moment = (await reader.execute(found)).scalar()
    return moment if isinstance(moment, int | float) else None


async def put_off(writer: Writer, now: float, due: float, *, limit: int = 100) -> None:
    """Postpone up to `limit` overdue tournaments, all of them found to be unreadable, to `due` in seconds since the epoch."""
    late = _due(writer, now, sa.select(events.c.id)).limit(limit).correlate(None)
    writer.later(sa.update(events).where(events.c.id.in_(late)).values(due=due))


async def move(writer: Writer, seconds: float, since: float, guild_id: int | None = None) -> None:
    """Postpone the ends of rounds by the time when nobody could play, and starts by the time when nobody could check in.

    Only dates that had not passed at `since` (in seconds since the epoch) move. Running tournaments record the outage. The
    dates of a paused tournament are postponed by the whole pause anyway.
    """
    here = () if guild_id is None else (events.c.guild_id == guild_id,)
    on = sa.select(events.c.id).where(events.c.status.in_(ON), *writer.own(events.c.guild_id), *here).order_by(events.c.id)
    for number in (await writer.execute(on)).scalars() if seconds > 0 else ():
        event = await get(writer, number)
        if event is not None:
            await put(writer, _later(event, since, since + seconds))


def _later(event: StoredTournament, since: float, until: float) -> StoredTournament:
    started = event.status is TournamentStatus.RUNNING
    if started:
        event = replace(event, outages=(*event.outages, (since, until)))
    if event.paused_at is not None:
        return event
    if not started:
        lost = until - max(since, event.check_in_at)
        if lost <= 0 or event.starts_at <= since:
            return event
        starts_at = event.starts_at + lost
        return replace(event, starts_at=starts_at, due=starts_at if event.status is TournamentStatus.CHECK_IN else event.due)
    if event.ends_at is None or event.ends_at <= since:
        return event
    due = event.due if event.due is None or event.due <= since else event.due + until - since
    return replace(event, ends_at=event.ends_at + until - since, due=due)


async def begin_anew(writer: Writer, now: float) -> None:
    """Restart rounds, pauses and check-ins, and have all tournaments checked, because the clock could not be trusted."""
    c, here = events.c, writer.own(events.c.guild_id)
    on = (c.status == TournamentStatus.RUNNING, c.ends_at.is_not(None), *here)
    writer.later(sa.update(events).where(*on).values(ends_at=now + c.round_seconds))
    waiting = (
        c.status.in_((TournamentStatus.OPEN, TournamentStatus.CHECK_IN)),
        c.check_in_at <= now,
        c.paused_at.is_(None),
        *here,
    )
    writer.later(sa.update(events).where(*waiting).values(starts_at=now + c.starts_at - c.check_in_at, check_in_at=now))
    writer.later(sa.update(events).where(c.paused_at.is_not(None), *here).values(paused_at=now))
    writer.later(sa.update(events).where(c.due.is_not(None), *here).values(due=now))


def _due(reader: Reader, now: float, found: sa.Select[Any]) -> sa.Select[Any]:
    here = (events.c.due <= now, EVENT_HERE, *reader.own(events.c.guild_id))
    return found.where(*here).order_by(events.c.due, events.c.id)
