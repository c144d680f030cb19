"""Deadlines: how long a turn may take, and when its time ends.

A clock stands still while an awaited person is on vacation, and while the bot is away (`bot.core.clocks.outages`). A turn's
time begins when its message has been posted, but at most one full turn late, so that nobody can freeze a game by taking a
permission from the bot.
"""

from collections.abc import Iterable
from typing import Final

from bot.core.table.snapshot import Snapshot
from storage import queries
from storage.schema.records import Grace, Status, Table
from storage.transactions import Reader

DAY: Final = 86400.0

OPEN_FOR: Final = 14 * DAY
"""Seconds after which a table that has not started is closed."""

CONFIRMED_WITHIN: Final = DAY
"""Seconds within which all people who were matched must confirm that they want to play."""

CHALLENGED_FOR: Final = 3 * DAY
"""Seconds within which a ladder challenge has to be accepted."""

ABANDONED_AFTER: Final = 60 * DAY
"""Seconds without an action after which a game without a clock ends as abandoned."""

WARNED_AFTER: Final = 53 * DAY
"""Seconds without an action after which the players of a game without a clock are warned that it will be abandoned."""

LONGEST_GRACE: Final = 86400.0
"""The most seconds that a period of grace can last: one day."""

REACTION: Final = 900.0
PART_OF_CLOCK: Final = 0.25
"""A person needs REACTION seconds to be told of a turn and to act, or this share of its time if that is less."""

NOTICEABLE: Final = 60.0
"""The shortest delay of a message, in seconds, that moves its turn's deadline."""


def grace_period(table: Table) -> float:
    """Return how many seconds a table's period of grace lasts, or 0.0 if it has no clock."""
    return min(float(table.clock or 0), LONGEST_GRACE)


def time_running(table: Table) -> float:
    """Return how many seconds the running time lasts in all: the clock's, the grace, or the time until a game is abandoned."""
    if table.clock is None:
        return ABANDONED_AFTER
    return grace_period(table) if table.grace is Grace.RUNNING else float(table.clock)


def reaction(table: Table) -> float:
    """Return how many seconds a person needs to be told that time is running, and to act."""
    return min(REACTION, PART_OF_CLOCK * time_running(table))


def gives_grace(snapshot: Snapshot) -> bool:
    """Whether missing the deadline now would begin a period of grace."""
    table = snapshot.table
    on = table.status is Status.PLAYING and table.clock is not None
    return on and table.grace is Grace.LEFT and len(snapshot.present) == 2


def in_grace(table: Table) -> bool:
    """Whether the current turn is in the period of grace."""
    return table.grace is Grace.RUNNING and table.status is Status.PLAYING


def deadline_after_vacations(deadline: float, now: float, before: float, after: float) -> float:
    """Return a turn's new deadline after a change of the people whom it waits for, or of their vacations.

    `before` is the end of the last of these people's vacations before the change, and `after` is the same after the change.
    Without a vacation, each may be any time up to `now`.
    """
    return deadline + (max(now, after) - max(now, before))  # exactly the same where nobody's vacation matters


def deadline_after_gap(deadline: float, since: float, until: float, away: float) -> float:
    """Return the deadline after a gap in which nobody could act. `away` is the end of the awaited people's last vacation."""
    return deadline + (max(until, away) - max(since, away))


def looked_from(table: Table, since: float, now: float) -> float:
    """Return from when to look for reminders after a table's time has moved. Reminders due since then are sent late."""
    if table.notice_at is None:
        return now
    ends = ends_at(table)
    told_nothing = ends is not None and table.notice_at >= ends
    return min(since if told_nothing else table.notice_at, now)


def late_message(table: Table, stands: float, away: float) -> float:
    """Return by how many seconds a message posted at `stands` moves its turn's deadline. Vacations last until `away`."""
    if table.status is not Status.PLAYING or table.clock is None or table.deadline is None or in_grace(table):
        return 0.0
    late = min(max(stands, away) - (table.deadline - table.clock), float(table.clock))
    return late if late >= NOTICEABLE else 0.0


def ends_at(table: Table) -> float | None:
    """Return when a table's time ends: at its deadline, or later if the turn's message comes late (see `UNSEEN`)."""
    known = table.board_turn is not None or table.lobby_message_id is not None
    unseen = table.status is Status.PLAYING and known and table.board_turn != table.turn and not in_grace(table)
    return table.deadline + table.clock if unseen and table.clock is not None and table.deadline is not None else table.deadline


async def away_until(reader: Reader, user_ids: Iterable[int]) -> float:
    """Return when the last of these people's vacations ends, in seconds since the epoch, or 0.0 if there is none."""
    people = [await queries.people.get(reader, user_id) for user_id in user_ids]
    return max((person.vacation_until or 0.0 for person in people), default=0.0)


def awaited_ids(snapshot: Snapshot, seats: Iterable[int]) -> tuple[int, ...]:
    """Return the user ids of the people in some seats, leaving out computers."""
    return tuple(snapshot.players[seat].user_id for seat in seats if snapshot.players[seat].computer is None)
