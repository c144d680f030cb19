"""Outages, and how the time in which no player could act is given back."""

from typing import Final

import structlog

from bot.core.core import Core
from bot.core.reminders import quiet_until
from bot.core.table.deadlines import (
    ABANDONED_AFTER,
    CHALLENGED_FOR,
    CONFIRMED_WITHIN,
    LONGEST_GRACE,
    OPEN_FOR,
    REACTION,
    deadline_after_gap,
    ends_at,
    looked_from,
    reaction,
    time_running,
)
from bot.core.table.settings import PersonSettings
from storage import queries
from storage.schema.records import JobKind, Status, Table
from storage.store import Writer

OUTAGE: Final = 300.0
"""The longest gap between heartbeats, in seconds, after which time is given back only where it is needed (see `bridge`)."""

REFRESHED: Final = 20
"""The most boards that are edited at once to show new deadlines. All other boards show them once their games go on."""

log = structlog.get_logger(__name__)


async def give_back(core: Core, writer: Writer, since: float, until: float) -> None:
    """Move all deadlines and reminders by the length of an outage, leaving out time when a vacation had stopped the clock."""
    resting = await _resting(core, writer, since)
    soonest = await queries.clocks.give_back(writer, since, until)
    for keeper in core.parts.keepers(core):
        await keeper.move(writer, until - since, since, until, None)
    for table, vacation in resting:
        assert table.deadline is not None
        deadline = deadline_after_gap(table.deadline, max(since, table.turn_began or since), until, vacation)
        given_back = (table.given_back or 0.0) + deadline - table.deadline or None
        await queries.tables.change(
            writer, table.id, deadline=deadline, notice_at=looked_from(table, since, until), given_back=given_back
        )
    for job in await queries.jobs.reminders(writer):
        settings = PersonSettings.of(await queries.people.get(writer, job.payload["user"]))
        await queries.jobs.move_reminder(writer, job.id, quiet_until(settings, max(job.due, until)))
    await _refresh(core, writer, soonest)


async def bridge(core: Core, writer: Writer, since: float, until: float) -> None:
    """Give back a short gap, but only to turns that ended during the gap, or too soon after it for players to react."""
    away = {table.id: vacation for table, vacation in await _resting(core, writer, since)}
    moved = []
    for table in await queries.clocks.ending(writer, since, until + REACTION):
        ends = ends_at(table)
        assert table.deadline is not None
        assert ends is not None
        began = max(since, min(table.turn_began or since, until))
        deadline = deadline_after_gap(table.deadline, began, until, away.get(table.id, 0.0))
        if deadline > table.deadline and ends <= until + reaction(table):
            await queries.tables.change(writer, table.id, deadline=deadline, notice_at=looked_from(table, since, until))
            moved.append(table.id)
    await _refresh(core, writer, tuple(moved))


async def begin_anew(core: Core, writer: Writer, now: float) -> None:
    """Give awaited players their full time again, from `now` or the end of their vacation, and restart the grace of servers."""
    for guild_id in await queries.servers.left(writer):
        await queries.servers.put_left(writer, guild_id, now)
    resting = await _resting(core, writer, now)
    soonest = await queries.clocks.begin_anew(
        writer, now, open_for=OPEN_FOR, matched_for=CONFIRMED_WITHIN, challenged_for=CHALLENGED_FOR,
        abandoned_after=ABANDONED_AFTER, longest_grace=LONGEST_GRACE,
    )  # fmt: skip
    for keeper in core.parts.keepers(core):
        await keeper.begin_anew(writer, now)
    for table, vacation in resting:
        time = time_running(table)
        await queries.tables.change(writer, table.id, deadline=vacation + time, notice_at=vacation)
    await _refresh(core, writer, soonest)


async def _resting(core: Core, writer: Writer, since: float) -> list[tuple[Table, float]]:
    """Return the running tables that are stopped by a vacation ending after `since`, each with the end of that vacation."""
    ends: dict[int, float] = {}
    tables: dict[int, Table] = {}
    for person in await queries.people.on_vacation(writer, since):
        assert person.vacation_until is not None
        for table in await queries.tables.find(writer, user_id=person.user_id, statuses=(Status.PLAYING,), own=True):
            over = None if table.clock is None else ends_at(table)
            # A turn that ends before the vacation does was over already when they left, so the vacation does not save it.
            rests = over is not None and over >= person.vacation_until
            if rests and await _waits(core, writer, table, person.user_id):
                tables[table.id] = table
                ends[table.id] = max(person.vacation_until, ends.get(table.id, 0.0))
    return [(table, ends[table.id]) for table in tables.values()]


async def _waits(core: Core, writer: Writer, table: Table, user_id: int) -> bool:
    """Whether a table waits for a user. A table that cannot be read must not stop the others, and counts as not waiting."""
    try:
        snapshot = await core.load(writer, table.id)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with this table
        log.warning("time given back without looking", table=table.id, error=repr(error))
        return False
    return any(player.user_id == user_id for player in snapshot.awaited)


async def _refresh(core: Core, writer: Writer, table_ids: tuple[int, ...]) -> None:
    """Have the first few boards show their new deadlines. Editing every board would leave the bot time for little else."""
    for table_id in table_ids[:REFRESHED]:
        await core.enqueue(writer, table_id, JobKind.REFRESH)
