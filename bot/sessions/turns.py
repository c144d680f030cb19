"""What follows when a game has moved on: whose turn it is now and until when, whether it is over, what has to be shown."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from bot.sessions.history import History
from bot.sessions.ratings import rate
from bot.sessions.repository import Repository
from bot.sessions.snapshot import REASONS, Snapshot
from storage.records import Ending, EntryKind, JobKind, Offers, Result, Seat, SeatStatus, Status, Table, WatchFor
from storage.store import Reader, Writer

DAY: Final = 86400.0
ABANDONED_AFTER: Final = 60 * DAY
"""A game without a clock in which nothing happens for so long ends as abandoned."""
WARNED_AFTER: Final = 53 * DAY
"""When its players are warned of that."""
OPEN_FOR: Final = 14 * DAY
"""A table that has not started by then is closed."""


async def advance(
    repository: Repository,
    writer: Writer,
    before: Snapshot,
    history: History,
    result: Result | None = None,
    *,
    newcomer: int | None = None,
) -> Snapshot:
    """Write what follows from a game having moved on.

    Args:
        repository: the repository.
        writer: the transaction that the log entry was written in.
        before: the table before.
        history: the game after.
        result: how the game ended, if that is not the rules' doing (see `ended_by`).
        newcomer: a seat that somebody else has just taken over; if it is waited for, a new turn begins for them.
    """
    table, now = before.table, repository.now()
    if result is None and (outcome := history.outcome) is not None:
        result = Result(winners=outcome.winners, how=Ending.RULES, reason=str(outcome.reason))
    columns: dict[str, Any] = {"version": history.version}
    people = [await _marked(writer, history, seat, n) for n, seat in enumerate(before.players)]
    if result is not None:
        columns |= {"status": Status.FINISHED, "outcome": result, "finished_at": now, "turn": table.turn + 1,
                    "deadline": None, "notice_at": None, "offers": Offers()}  # fmt: skip
    else:
        fresh = newcomer in history.to_act or new_turn(before.history, history)
        if fresh or table.clock is None or _went_on(before.history, history):
            columns |= await turn_columns(writer, table, [people[seat] for seat in history.to_act], now)
        if fresh:
            columns["turn"] = table.turn + 1
    after = await writer.change_table(table.id, **columns)
    others = tuple(p for p in before.people if p not in before.players)
    await repository.enqueue(writer, table.id, JobKind.BOARD)
    await _tell_watchers(repository, writer, after, moved=after.turn != table.turn)
    snapshot = Snapshot(after, tuple(people) + others, history)
    await rate(writer, snapshot, now)
    return snapshot


def ended_by(how: Ending) -> Result:
    """The result of a game that was ended from outside of its rules: nobody wins."""
    return Result(winners=(), how=how, reason=str(REASONS[how]))


async def _tell_watchers(repository: Repository, writer: Writer, table: Table, *, moved: bool) -> None:
    """Leave word for those who watch: of the end to all, of a turn to those who want to know of every one."""
    over = table.status is Status.FINISHED
    if not moved and not over:
        return
    for watch in await writer.watchers(table.id):
        if over or watch.what is WatchFor.TURN:
            await repository.enqueue(writer, table.id, JobKind.WATCH, str(watch.user_id), user=watch.user_id, turn=table.turn)


def new_turn(before: History | None, after: History) -> bool:
    """Whether somebody is waited for who was not waited for before: only then is there something new to be told."""
    return before is None or not set(after.to_act) <= set(before.to_act)


def _went_on(before: History | None, after: History) -> bool:
    """Whether somebody who is waited for has acted, and goes on: they are there, and have the whole time again.

    What others do out of turn, or in answer to the same question, gives nobody more time.
    """
    if before is None or after.version == before.version:
        return False
    actor = after.log[-1].entry.seat
    return actor in before.to_act and actor in after.to_act


async def turn_columns(reader: Reader, table: Table, awaited: Sequence[Seat], now: float) -> dict[str, Any]:
    """When the turn that begins now is over, and when the first reminder is due.

    The clock of somebody on vacation starts when the vacation ends. Without a clock the game is abandoned some day.
    """
    if table.clock is None:
        return {"turn_began": now, "deadline": now + ABANDONED_AFTER, "notice_at": now + WARNED_AFTER}
    begins = now
    for seat in awaited:
        person = await reader.person(seat.user_id)
        begins = max(begins, person.vacation_until or 0.0)
    return {"turn_began": now, "deadline": begins + table.clock, "notice_at": begins + table.clock / 2}


async def _marked(writer: Writer, history: History, seat: Seat, number: int) -> Seat:
    """Note in the seat's row if its player has left the game."""
    left = any(x.entry.kind is EntryKind.WITHDRAW and x.entry.seat == number for x in history.in_force)
    if left and seat.status is SeatStatus.JOINED:
        seat = replace(seat, status=SeatStatus.WITHDRAWN)
        await writer.put_seat(seat)
    return seat
