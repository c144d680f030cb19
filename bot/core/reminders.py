"""Reminders: jobs that tell people of their turns during their waking hours, if they want to be told.

People are told when half of a turn's time has passed and when a tenth is left. If such a moment falls into their quiet hours,
they are told when these end or, if that is too late to act, in the last waking minute before. `Table.notice_at` is the earliest
of these moments still to come.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.core.change import Change
from bot.core.parts import Part
from bot.core.table.deadlines import ABANDONED_AFTER, WARNED_AFTER, ends_at, reaction, time_running
from bot.core.table.settings import ZONE, PersonSettings
from bot.core.table.snapshot import Snapshot
from storage import queries
from storage.schema.jobs import Which
from storage.schema.records import Grace, Job, JobKind, Status, Table
from storage.transactions import Reader

LATE: Final = 0.9
"""The share of a turn's time after which the second reminder is sent. The first is sent after half of the time."""

MINUTES_OF_DAY: Final = 1440

MINUTE: Final = 60.0

AT_ONCE: Final = 300.0
"""Seconds for which a reminder that was planned for a waking minute is still sent at once, although quiet hours have begun."""


async def remind(change: Change, user_id: int, which: Which, moment: float | None = None) -> None:
    """Enqueue a reminder if it is wanted and not too late: at once for a recent `moment`, otherwise after quiet hours."""
    table, now = change.table, change.now
    settings = change.snapshot.settings_of(user_id)
    due = now if moment is not None and now - moment <= AT_ONCE else quiet_until(settings, now)
    ends = ends_at(table)
    if ends is None or due >= ends or not _wants(settings, which):
        return
    await queries.jobs.enqueue_later(change.writer,
        Job(
            table_id=table.id, kind=JobKind.REMINDER, key=f"{table.turn}.{which}.{user_id}",
            payload={"turn": table.turn, "which": which, "user": user_id}, due=due, created_at=now,
        )
    )  # fmt: skip


async def _remind_next(change: Change) -> None:
    """When a turn begins, tell the person who is next, if they want to know and are not on vacation."""
    if change.table.status is not Status.PLAYING or change.table.turn == change.before.table.turn:
        return
    coming = change.snapshot.next_person
    if coming is not None and coming.user_id not in change.core.on_vacation(change.snapshot):
        await remind(change, coming.user_id, "next")


async def remind_due(change: Change) -> None:
    """Send awaited people the reminders that are due, at most one each, and note when the next one is due."""
    running, now = replace(change.table, deadline=ends_at(change.table)), change.now
    awaited = [player.user_id for player in change.snapshot.awaited if player.computer is None]
    since = running.notice_at
    await change.amend(notice_at=await next_notice(change.writer, running, awaited, now))
    on_vacation = change.core.on_vacation(change.snapshot)
    for user_id in awaited:
        settings = change.snapshot.settings_of(user_id)
        due = [(moment, which) for moment, which in moments(settings, running) if since is not None and since <= moment <= now]
        if due and user_id not in on_vacation:
            moment, which = due[-1]
            await remind(change, user_id, which, moment)


async def next_notice(reader: Reader, table: Table, user_ids: Iterable[int], now: float) -> float | None:
    """Return when an awaited person is reminded next, or None. If nobody is reminded at all, return a deadline yet to come."""
    people = [await queries.people.get(reader, user_id) for user_id in user_ids]
    known = [
        moment
        for person in people
        for moment, _ in moments(PersonSettings.of(person), table)
        if moment >= (person.vacation_until or 0.0)
    ]
    if people and not known and table.deadline is not None and table.deadline > now:
        return table.deadline
    return min((moment for moment in known if moment > now), default=None)


async def waking_deadline(reader: Reader, table: Table, deadline: float, user_ids: Iterable[int], now: float) -> float:
    """Return the deadline of a turn that somebody brings nearer, late enough for the others to be told and to act.

    The other awaited people, `user_ids`, each get a waking minute before it, and then time to react. A turn without a message
    has not begun, so its deadline is returned as it is.
    """
    if table.deadline is None or deadline >= table.deadline or ends_at(table) != table.deadline:
        return deadline
    people = [await queries.people.get(reader, user_id) for user_id in user_ids]
    awake = max((quiet_until(PersonSettings.of(person), now) for person in people), default=0.0)
    return max(deadline, min(table.deadline, awake + reaction(table)))


def moments(settings: PersonSettings, table: Table) -> list[tuple[float, Which]]:
    """Return a person's reminders of the running turn in order, as moments and kinds. Of two at once, the later kind wins."""
    found: dict[float, Which] = {}
    if table.deadline is None:  # its row was damaged: there is nothing to remind of
        return []
    for usual, which in _usual(table, table.deadline):
        if _wants(settings, which):
            moment = told_at(settings, usual, table.deadline - time_running(table), table.deadline, reaction(table))
            if moment is not None:
                found[moment] = which
    return sorted(found.items())


def told_at(settings: PersonSettings, usual: float, begins: float, ends: float, needed: float) -> float | None:
    """Return when to send a reminder that is usually due at `usual`, or None if the person is asleep until the end.

    The time runs from `begins` to `ends`. If fewer than `needed` seconds would be left after the quiet hours, the person is
    told before them.
    """
    due = quiet_until(settings, usual)
    if due == usual or due < ends - needed:
        return due
    awake = last_awake(settings, usual)
    if awake > begins:
        return awake
    return due if due < ends else None


def _usual(table: Table, deadline: float) -> list[tuple[float, Which]]:
    """Return the reminders of the running turn in order, each with the moment at which people who are awake get it."""
    if table.clock is None:
        return [(deadline - (ABANDONED_AFTER - WARNED_AFTER), "abandoned")]
    late: tuple[float, Which] = (deadline - time_running(table) * (1 - LATE), "late")
    if table.grace is Grace.RUNNING:
        return [(deadline - time_running(table), "grace"), late]
    return [(deadline - time_running(table) / 2, "half"), late]


def _wants(settings: PersonSettings, which: Which) -> bool:
    """Return whether a person wants a reminder. People who want any are also warned before they lose their game."""
    wanted = {
        "half": settings.remind_half,
        "late": settings.remind_late,
        "grace": settings.remind_half or settings.remind_late,
        "next": settings.remind_next,
    }
    return wanted.get(which, True)


def is_quiet(settings: PersonSettings, moment: float) -> bool:
    """Whether a moment lies in a person's quiet hours."""
    begins, ends = settings.quiet_from, settings.quiet_until
    if begins is None or ends is None or begins == ends:
        return False
    local = _local(settings, moment)
    if local is None:
        return False
    minute = local.hour * 60 + local.minute
    return begins <= minute < ends if begins < ends else minute >= begins or minute < ends


def all_asleep(snapshot: Snapshot, user_ids: Collection[int], moment: float) -> bool:
    """Whether a moment lies in the quiet hours of all these people. If so, a message that names only them makes no sound."""
    return bool(user_ids) and all(is_quiet(snapshot.settings_of(user_id), moment) for user_id in user_ids)


def quiet_until(settings: PersonSettings, now: float) -> float:
    """Return when a person may be notified: `now`, or the end of their quiet hours, in seconds since the epoch."""
    local, ends = _local(settings, now), settings.quiet_until
    if local is None or ends is None or not is_quiet(settings, now):
        return now
    day = local.date() if local.hour * 60 + local.minute < ends else local.date() + timedelta(days=1)
    end = datetime(day.year, day.month, day.day, ends // 60, ends % 60, tzinfo=local.tzinfo).timestamp()
    return end if _is_usual(settings, now, awake=end, quiet=end - MINUTE) else _first_awake(settings, now, 1)


def last_awake(settings: PersonSettings, moment: float) -> float:
    """Return a person's last waking minute before a moment in their quiet hours, in seconds since the epoch."""
    local, begins = _local(settings, moment), settings.quiet_from
    if local is None or begins is None:
        return moment
    day = local.date() if local.hour * 60 + local.minute >= begins else local.date() - timedelta(days=1)
    begin = datetime(day.year, day.month, day.day, begins // 60, begins % 60, tzinfo=local.tzinfo).timestamp()
    usual = _is_usual(settings, moment, awake=begin - MINUTE, quiet=begin)
    return begin - MINUTE if usual else _first_awake(settings, moment, -1)


def _is_usual(settings: PersonSettings, moment: float, *, awake: float, quiet: float) -> bool:
    """Whether quiet hours begin or end between `awake` and `quiet`, with no clock change between them and `moment`."""
    offsets = {local.utcoffset() for one in (moment, awake) if (local := _local(settings, one)) is not None}
    return len(offsets) == 1 and is_quiet(settings, quiet) and not is_quiet(settings, awake)


def _first_awake(settings: PersonSettings, moment: float, step: int) -> float:
    """Find the first waking minute after (`step` 1) or before (-1) a moment, trying each. Only a clock change requires this."""
    minutes = (moment // MINUTE * MINUTE + step * MINUTE * number for number in range(1, 2 * MINUTES_OF_DAY))
    return next((minute for minute in minutes if not is_quiet(settings, minute)), moment)


def _local(settings: PersonSettings, moment: float) -> datetime | None:
    """Return a moment in a person's time zone, or None if no calendar has such a moment."""
    try:
        return datetime.fromtimestamp(moment, ZoneInfo(settings.zone or ZONE))
    except (OverflowError, OSError, ValueError):
        return None


PART: Final = Part(name="next", advanced=_remind_next)
"""The core's own part. It acts after the watchers, and before computers are asked."""
