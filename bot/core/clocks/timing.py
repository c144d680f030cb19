"""Time at the tables: reminders, time-outs, abandoned games, and tables whose game never starts."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bot.core.change import Change, changing
from bot.core.clocks.absence import FEWEST_SEATS, Choices, Think, action_for, choices_for, in_thread
from bot.core.core import Core
from bot.core.reminders import remind_due
from bot.core.table.deadlines import awaited_ids, away_until, ends_at, gives_grace, grace_period
from bot.core.table.errors import NoSuchTable, Quarantined
from bot.core.turns import abandonment, advance
from bot.runtime import metrics
from bot.runtime.backoff import backoff
from storage import queries
from storage.schema.errors import Unreachable
from storage.schema.records import EntryKind, Grace, JobKind, Status, Table

WAITS: Final = 60.0
"""Seconds that the clock waits past a deadline. A press counts from when it was made, and may reach the bot later."""

TIMEOUTS_IN_A_ROW: Final = 3
"""The number of time-outs in a row after which a seat is withdrawn."""

ACTIONS_AT_MOST: Final = 500
"""The most actions in one turn that are played for an absent player before their seat is withdrawn."""


FIRST_RETRY: Final = 60.0
LONGEST_RETRY: Final = 6 * 3600.0
"""The longest delay, in seconds, before a failing table is tried again. Delays start at FIRST_RETRY and double each time."""


class Timing:
    """Everything that happens by the passing of time alone: reminders, time-outs, and the end of abandoned games and tables."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._failures: dict[int, tuple[int, float]] = {}
        """How often something went wrong at a table, and when the table is tried again, by table number."""

    async def next_due(self) -> float | None:
        """Return when something is due next, in seconds since the epoch, or None if nothing is or no time counts now."""
        if not self._core.time_counts():
            return None
        async with self._core.reading() as reader:
            due = await queries.clocks.next_due(reader, self._core.now(), waits=WAITS, without=self._failures)
        again = (retry for _, retry in self._failures.values())
        return min((moment for moment in (due, *again) if moment is not None), default=None)

    async def sweep(self, pause: Callable[[float], Awaitable[None]] | None = None, think: Think = in_thread) -> tuple[int, ...]:
        """Do the work due at up to a hundred tables, and return their numbers.

        The table whose work has been due longest comes first, and each has a transaction of its own. Tables that failed are
        left out until their next try. After each table, `pause` is called with the processor seconds that this process has used
        meanwhile. Raises ExceptionGroup at the end if any table failed.
        """
        if not self._core.time_counts():
            return ()
        now = self._core.now()
        put_off = [table_id for table_id, (_, retry) in self._failures.items() if retry > now]
        async with self._core.reading() as reader:
            due = await queries.clocks.due(reader, now, waits=WAITS, without=put_off)
        failed = []
        for table in due:
            began = time.process_time()
            try:
                await self._attempt(table, think)
            except Unreachable:
                raise  # it would happen at all other tables, too
            except Exception as error:  # noqa: BLE001 - an error at one table must not stop the clocks of the others
                error.add_note(f"at table {table.id}")
                failed.append(error)
            if pause is not None:
                await pause(time.process_time() - began)
        if failed:
            raise ExceptionGroup("something went wrong at some tables", failed)
        return tuple(table.id for table in due)

    async def _attempt(self, table: Table, think: Think) -> None:
        """Do the work due at one table. If that fails, put the table off, each time for longer."""
        table_id = table.id
        try:
            await self._handle_due(table_id, await self._choices(table, think))
            metrics.LATE.observe(_lateness(table, self._core.now()))
        except (NoSuchTable, Quarantined):  # the bot has just been removed from its server; or it cannot be read
            pass
        except Unreachable:
            raise
        except Exception:
            tries, _ = self._failures.get(table_id, (0, 0.0))
            delay = backoff(tries, first=FIRST_RETRY, longest=LONGEST_RETRY)
            self._failures[table_id] = (tries + 1, self._core.now() + delay)
            raise
        self._failures.pop(table_id, None)

    async def _choices(self, table: Table, think: Think) -> Choices:
        """Have a computer choose actions for the players who are out of time at a table, if the server's settings say so."""
        now = self._core.now()
        if not _is_over(table, now) or table.status is not Status.PLAYING or table.clock is None or table.wanted < FEWEST_SEATS:
            return {}
        return await choices_for(await self._core.snapshot(table.id), now, think, self._core.parts.answers)

    async def _handle_due(self, table_id: int, choices: Choices) -> None:
        """Do the work due at one table. What is due is checked again, since a player may have acted in the meantime."""
        async with changing(self._core, table_id) as change:
            table, now = change.table, change.now
            over = _is_over(table, now)
            if not self._core.time_counts():
                return
            if table.status is Status.OPEN and over:
                occasion = self._core.parts.occasion(table)
                await occasion.expired(change)
                await change.close(deadline=None, notice_at=None)
                await occasion.closed(change)
            elif over and gives_grace(change.snapshot):
                await _begin_grace(change)
            elif table.status is Status.PLAYING and over:
                await _time_out(change, choices)
            elif table.status is Status.PLAYING and table.notice_at is not None and table.notice_at <= now:
                await remind_due(change)


async def _time_out(change: Change, choices: Choices) -> None:
    """Act for all players who are out of time, or end the game if it has no clock."""
    if change.table.clock is None:
        await advance(change, abandonment(change.snapshot))
        return
    await change.core.parts.occasion(change.table).lapsed(change, change.history.to_act)
    for seat in change.history.to_act:
        if change.history.outcome is not None or seat not in change.history.to_act:
            continue
        player = change.snapshot.players[seat]
        if player.computer is None:  # a computer is late only because the bot is
            await change.put_seat(replace(player, timeouts=min(player.timeouts, TIMEOUTS_IN_A_ROW) + 1))
        await _act_for(change, seat, choices)
    await advance(change)


async def _act_for(change: Change, seat: int, choices: Choices) -> None:
    """Play for an absent player until it is no longer their turn, or withdraw their seat."""
    still_in = len(change.snapshot.present)
    if still_in > 2 and change.snapshot.players[seat].timeouts < TIMEOUTS_IN_A_ROW:
        for _ in range(ACTIONS_AT_MOST):
            action = action_for(change.history, seat, choices)
            since = change.history.version + 1
            await change.play(change.next_entry(EntryKind.PLAY, seat, None, action))
            history = change.history
            if any(seat not in history.awaited(version) for version in range(since, history.version + 1)):
                return
    await change.play(change.next_entry(EntryKind.WITHDRAW, seat, None, ("time",)))


async def _begin_grace(change: Change) -> None:
    """Begin the period of grace, or have it begin after the vacations of awaited players, and tell the awaited players."""
    begins = max(change.now, await away_until(change.writer, awaited_ids(change.snapshot, change.history.to_act)))
    await change.amend(grace=Grace.RUNNING, deadline=begins + grace_period(change.table), notice_at=change.now)
    await change.enqueue(JobKind.REFRESH)
    await change.core.parts.occasion(change.table).lapsed(change, change.history.to_act)
    await remind_due(change)


def _is_over(table: Table, now: float) -> bool:
    """Whether a table's time ended long enough ago for the clock to act."""
    ends = ends_at(table)
    return ends is not None and ends <= now - WAITS


def _lateness(table: Table, now: float) -> float:
    """Return for how many seconds work has been due at a table."""
    ends = ends_at(table)
    moments = (None if ends is None else ends + WAITS, table.notice_at)
    return max((now - moment for moment in moments if moment is not None and moment <= now), default=0.0)
