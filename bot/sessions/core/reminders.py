"""Reminders: jobs that tell one person of a turn, if they want to be told, after their quiet hours."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bot.sessions.core.change import Change
from bot.sessions.table.settings import ZONE, PersonSettings
from storage import queries
from storage.schema.jobs import Which
from storage.schema.records import Job, JobKind


async def remind(change: Change, user_id: int, which: Which) -> None:
    """Enqueue a reminder of the present turn for a person who wants it, unless their quiet hours last until it is too late."""
    table, now = change.table, change.now
    settings = change.snapshot.settings_of(user_id)
    due = quiet_until(settings, now)
    if table.deadline is None or due >= table.deadline or not _wants(settings, which):
        return
    await queries.jobs.enqueue_later(change.writer,
        Job(
            table_id=table.id, kind=JobKind.REMINDER, key=f"{table.turn}.{which}.{user_id}",
            payload={"turn": table.turn, "which": which, "user": user_id}, due=due, created_at=now,
        )
    )  # fmt: skip


async def remind_next(change: Change) -> None:
    """Tell the person whose turn comes after the one that has just begun, if they want to know; on vacation nobody does."""
    coming = change.snapshot.next_person
    if coming is not None and coming.user_id not in change.repository.on_vacation(change.snapshot):
        await remind(change, coming.user_id, "next")


def _wants(settings: PersonSettings, which: Which) -> bool:
    """Return whether a person wants a reminder. All who want any of their turn are told that a game is about to be lost."""
    wanted = {
        "half": settings.remind_half,
        "late": settings.remind_late,
        "grace": settings.remind_half or settings.remind_late,
        "next": settings.remind_next,
    }
    return wanted.get(which, True)


def quiet_until(settings: PersonSettings, now: float) -> float:
    """Return when a person may be notified, in seconds since the epoch: `now`, or during their quiet hours the end of these."""
    begins, ends = settings.quiet_from, settings.quiet_until
    if begins is None or ends is None or begins == ends:
        return now
    zone = ZoneInfo(settings.zone or ZONE)
    try:
        local = datetime.fromtimestamp(now, zone)
    except (OverflowError, OSError, ValueError):
        return now  # no calendar has this moment
    minute = local.hour * 60 + local.minute
    quiet = begins <= minute < ends if begins < ends else minute >= begins or minute < ends
    if not quiet:
        return now
    day = local.date() if minute < ends else local.date() + timedelta(days=1)
    return datetime(day.year, day.month, day.day, ends // 60, ends % 60, tzinfo=zone).timestamp()
