"""Opening a table: what every new table begins with, however it comes about."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from bot.core.change import Change
from bot.core.table.computer_players import Computer, computer_seat, strangers
from bot.core.table.snapshot import Snapshot, User
from storage import queries
from storage.schema.records import Job, JobKind, Level, Seat, SeatStatus, Table

ANSWERED_WITHIN: Final = 60.0
"""Seconds that the outbox waits for a command's answer to show a new table. The answer has succeeded or failed long before, so
the whole time passes only if the bot was stopped in between."""


async def open_table(change: Change, around: Sequence[User | Computer | Level], joined: Collection[int] = ()) -> None:
    """Store a new table with those `around` it; a level may stand for a computer. People not in `joined` are only invited."""
    change.snapshot = Snapshot(await queries.tables.add(change.writer, change.table), ())
    new = strangers(change.table.id, [one.id for one in around if not isinstance(one, Level)])
    for place, one in enumerate(around):
        if isinstance(one, User):
            status = SeatStatus.JOINED if one.id in joined else SeatStatus.INVITED
            await change.put_seat(new_seat(change.table, one, place, status, change.now))
        else:
            computer = Computer(next(new), one) if isinstance(one, Level) else one
            await change.put_seat(computer_seat(change.table, computer, place, change.now))


async def announce(change: Change, *, answered: bool | None = None) -> None:
    """Show a new table and ask those invited. `answered` says whether a command's answer shows the table (None: no answer)."""
    due = change.now + ANSWERED_WITHIN if answered else change.now
    told: dict[JobKind, dict[str, Any]] = {JobKind.OPENING: {} if answered is None else {"answered": answered}}
    told |= {JobKind.INVITATION: {}} if change.snapshot.invited else {}
    for kind, payload in told.items():
        job = Job(table_id=change.table.id, kind=kind, payload=payload, due=due, created_at=change.now)
        await queries.jobs.enqueue_later(change.writer, job)


def new_seat(table: Table, user: User, place: int, status: SeatStatus, now: float) -> Seat:
    """Return the seat of a person who sits down or is invited now."""
    return Seat(table_id=table.id, user_id=user.id, place=place, status=status, name=user.name, asked_at=now)
