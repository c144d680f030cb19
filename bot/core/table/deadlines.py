"""Deadlines: how long a turn may take, and when its time ends.

What a person has left when their clock stops is what they have when it goes on. A clock stands still while one of those who are
awaited is on vacation, and while the bot is not there (`bot.core.clocks.outages`). It begins when the message of its turn
stands, so that people have time for what they can see; but no later than after once its whole time, so that nobody freezes a
game that they are losing by taking a permission of the bot's away.
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
"""Seconds within which everybody who was put together has to confirm that they play, once they have been asked."""

CHALLENGED_FOR: Final = 3 * DAY
"""Seconds within which a challenge on a ladder has to be accepted."""

ABANDONED_AFTER: Final = 60 * DAY
"""Seconds without an action after which a game without a clock ends as abandoned."""

WARNED_AFTER: Final = 53 * DAY
"""Seconds after which its players are warned of that."""

LONGEST_GRACE: Final = 86400.0
"""The most seconds that a period of grace lasts: a day."""

REACTION: Final = 900.0
PART_OF_CLOCK: Final = 0.25
"""So many seconds, or this part of a turn's time if that is less, are too few to be told of it and to act."""

NOTICEABLE: Final = 60.0
"""The least number of seconds by which a message that comes late moves the deadline of its turn."""


def grace_period(table: Table) -> float:
    """Return how many seconds the period of grace of a table lasts; 0.0 without a clock."""
    return min(float(table.clock or 0), LONGEST_GRACE)


def time_running(table: Table) -> float:
    """Return how many seconds the time lasts that is running now: the clock's, the period of grace, or that without a clock."""
    if table.clock is None:
        return ABANDONED_AFTER
    return grace_period(table) if table.grace is Grace.RUNNING else float(table.clock)


def reaction(table: Table) -> float:
    """Return how many seconds somebody needs to be told of the time that is running at a table, and to act."""
    return min(REACTION, PART_OF_CLOCK * time_running(table))


def gives_grace(snapshot: Snapshot) -> bool:
    """Whether a deadline that is missed now gives a period of grace."""
    table = snapshot.table
    on = table.status is Status.PLAYING and table.clock is not None
    return on and table.grace is Grace.LEFT and len(snapshot.present) == 2


def in_grace(table: Table) -> bool:
    """Whether the current turn is in the period of grace."""
    return table.grace is Grace.RUNNING and table.status is Status.PLAYING


def deadline_after_vacations(deadline: float, now: float, before: float, after: float) -> float:
    """Return the deadline of a turn for which other people are away from now on than before.

    Args:
        deadline: the deadline so far.
        now: the moment, in seconds since the epoch.
        before: when the last vacation ends of those who were awaited before; any moment up to `now` if there is none.
        after: the same of those who are awaited from now on.
    """
    return deadline + (max(now, after) - max(now, before))  # exactly the same where nobody's vacation matters


def deadline_after_gap(deadline: float, since: float, until: float, away: float) -> float:
    """Return the deadline after a gap in which nobody could act; `away`: when the last vacation ends of those awaited."""
    return deadline + (max(until, away) - max(since, away))


def looked_from(table: Table, since: float, now: float) -> float:
    """Return from when on the reminders of a table are looked for anew, whose time has moved since a moment.

    Those that were due since then are sent late. Where nothing could be told before the time ended, all of them are.
    """
    if table.notice_at is None:
        return now
    ends = ends_at(table)
    told_nothing = ends is not None and table.notice_at >= ends
    return min(since if told_nothing else table.notice_at, now)


def late_message(table: Table, stands: float, away: float) -> float:
    """Return the seconds by which the deadline of a turn moves because its message stands only since a moment.

    `away`: when the last vacation ends of those who are awaited.
    """
    if table.status is not Status.PLAYING or table.clock is None or table.deadline is None or in_grace(table):
        return 0.0
    late = min(max(stands, away) - (table.deadline - table.clock), float(table.clock))
    return late if late >= NOTICEABLE else 0.0


def ends_at(table: Table) -> float | None:
    """Return when the time ends that is running at a table, as far as is known: its deadline, or later.

    While the message of a turn does not stand yet, at a table of which Discord shows anything at all, its time has not begun.
    It begins after once its length at the latest. See `storage.queries.row_conditions.UNSEEN`.
    """
    known = table.board_turn is not None or table.lobby_message_id is not None
    unseen = table.status is Status.PLAYING and known and table.board_turn != table.turn and not in_grace(table)
    return table.deadline + table.clock if unseen and table.clock is not None and table.deadline is not None else table.deadline


async def away_until(reader: Reader, user_ids: Iterable[int]) -> float:
    """Return when the last vacation of some people ends, in seconds since the epoch; 0.0 if there is none."""
    people = [await queries.people.get(reader, user_id) for user_id in user_ids]
    return max((person.vacation_until or 0.0 for person in people), default=0.0)


def awaited_ids(snapshot: Snapshot, seats: Iterable[int]) -> tuple[int, ...]:
    """Return the ids of the people in some seats, computers left out."""
    return tuple(snapshot.players[seat].user_id for seat in seats if snapshot.players[seat].computer is None)
