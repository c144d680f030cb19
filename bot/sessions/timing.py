"""Time at the tables: reminders, time-outs, abandoned games, and tables that never start."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from bot import metrics
from bot.sessions.absence import FEWEST_SEATS, Choices, Think, action_for, choices_for, in_thread
from bot.sessions.errors import NoSuchTable, SetAside
from bot.sessions.grace import forgives, period, time_for
from bot.sessions.history import History
from bot.sessions.planned import play
from bot.sessions.repository import Repository
from bot.sessions.settings import ZONE, PersonSettings
from bot.sessions.snapshot import Snapshot
from bot.sessions.turns import abandoned, advance
from engines.game import Action
from storage.errors import Unreachable
from storage.records import Entry, EntryKind, Grace, Job, JobKind, Seat, SeatStatus, Status, Table
from storage.store import Writer

LATE: Final = 0.9
"""The part of a turn's time after which the second reminder is sent; the first one is sent at half of it."""

TIMEOUTS_IN_A_ROW: Final = 3
"""The number of time-outs in a row after which a seat is withdrawn."""

ACTIONS_AT_MOST: Final = 500
"""The maximum number of actions in one turn that are played for an absent player before their seat is withdrawn."""


FIRST_RETRY: Final = 60.0
LONGEST_RETRY: Final = 6 * 3600.0
"""Seconds before a table at which something went wrong is tried again: FIRST_RETRY, then twice as long each time, at most
LONGEST_RETRY."""


Which = Literal["half", "late", "grace", "abandoned"]
"""Which reminder it is: at half of a turn, near its end, when a period of grace begins, before a game without a clock ends."""


class Timing:
    """What happens as time passes, without anybody doing anything."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._failures: dict[int, tuple[int, float]] = {}
        """How often something went wrong at a table, and when it is tried again."""
        self.think: Think = in_thread
        """How a computer thinks for those who are away."""

    async def next_due(self) -> float | None:
        """When something is due next, in seconds since the epoch, or None. Also None while no time counts."""
        if not self._repository.time_counts():
            return None
        async with self._repository.reading() as reader:
            due = await reader.next_due(without=self._failures)
        again = (retry for _, retry in self._failures.values())
        return min((moment for moment in (due, *again) if moment is not None), default=None)

    async def sweep(self, pause: Callable[[float], Awaitable[None]] | None = None) -> tuple[int, ...]:
        """Do what is due at the tables that have waited longest, a hundred at most. Returns their numbers.

        Each table is a transaction of its own. Tables at which something went wrong are left out until it is time to try them
        again, and all of them while no time counts.

        Args:
            pause: called after each table, with the seconds that the processor worked for this process meanwhile: more than the
                table took, if there was more to do.

        Raises ExceptionGroup, once all other tables are done, if something went wrong at some of them.
        """
        if not self._repository.time_counts():
            return ()
        now = self._repository.now()
        put_off = [table_id for table_id, (_, retry) in self._failures.items() if retry > now]
        async with self._repository.reading() as reader:
            due = await reader.due(now, without=put_off)
        failed = []
        for table in due:
            began = time.process_time()
            try:
                await self._attempt(table)
            except Unreachable:
                raise  # the same would happen at all others
            except Exception as error:  # noqa: BLE001 - an error at one table must not stop the clocks of the others
                error.add_note(f"at table {table.id}")
                failed.append(error)
            if pause is not None:
                await pause(time.process_time() - began)
        if failed:
            raise ExceptionGroup("something went wrong at some tables", failed)
        return tuple(table.id for table in due)

    async def _attempt(self, table: Table) -> None:
        """Do what is due at one table; if that fails, put it off for longer each time."""
        table_id = table.id
        try:
            await self._handle_due(table_id, await self._choices(table))
            metrics.LATE.observe(_lateness(table, self._repository.now()))
        except (NoSuchTable, SetAside):  # the bot has just been removed from its server; or it cannot be read
            pass
        except Unreachable:
            raise
        except Exception:
            tries, _ = self._failures.get(table_id, (0, 0.0))
            delay = min(LONGEST_RETRY, FIRST_RETRY * 2 ** min(tries, 16))
            self._failures[table_id] = (tries + 1, self._repository.now() + delay)
            raise
        self._failures.pop(table_id, None)

    async def _choices(self, table: Table) -> Choices:
        """What a computer plays at one table for those whose time is over, if the server wants that."""
        now = self._repository.now()
        over = table.deadline is not None and table.deadline <= now
        if not over or table.status is not Status.PLAYING or table.clock is None or table.wanted < FEWEST_SEATS:
            return {}
        return await choices_for(await self._repository.snapshot(table.id), now, self.think)

    async def _handle_due(self, table_id: int, choices: Choices) -> None:
        """Do what is due at one table, which is checked again, since somebody may have acted in the meantime."""
        history: History | None = None
        async with self._repository.table(table_id) as (writer, snapshot):
            table, now = snapshot.table, self._repository.now()
            over = table.deadline is not None and table.deadline <= now
            if not self._repository.time_counts():
                return
            if table.status is Status.OPEN and over:
                await writer.amend(table, status=Status.CLOSED, finished_at=now, deadline=None, notice_at=None)
                await self._repository.enqueue(writer, table_id, JobKind.LOBBY)
            elif over and forgives(snapshot):
                await self._forgive(writer, snapshot)
            elif table.status is Status.PLAYING and over:
                history = await self._time_out(writer, snapshot, choices)
            elif table.status is Status.PLAYING and table.notice_at is not None and table.notice_at <= now:
                await self._remind(writer, snapshot)
        if history is not None:
            self._repository.keep(table_id, history)

    # --- time-outs ----------------------------------------------------------------------------------------------------

    async def _time_out(self, writer: Writer, snapshot: Snapshot, choices: Choices) -> History:
        history = snapshot.playing
        if snapshot.table.clock is None:
            await advance(self._repository, writer, snapshot, history, abandoned(snapshot))
            return history
        for seat in history.to_act:
            if history.outcome is not None or seat not in history.to_act:
                continue
            snapshot = await _counted(writer, snapshot, seat)
            snapshot, history = await self._act_for(writer, snapshot, history, seat, choices)
        await advance(self._repository, writer, snapshot, history)
        return history

    async def _forgive(self, writer: Writer, snapshot: Snapshot) -> None:
        """Begin the period of grace, and tell those who are awaited."""
        before, now = snapshot.table, self._repository.now()
        deadline = now + period(before)
        table = replace(before, grace=Grace.RUNNING, deadline=deadline)
        await writer.amend(table, grace=table.grace, deadline=deadline, notice_at=_last_call(table))
        await self._repository.enqueue(writer, table.id, JobKind.REFRESH)
        for player in _reminded(snapshot):
            await self._remind_one(writer, table, player, "grace")

    async def _act_for(
        self, writer: Writer, snapshot: Snapshot, history: History, seat: int, choices: Choices
    ) -> tuple[Snapshot, History]:
        """Play for an absent player, or withdraw their seat. Returns what `planned.play` does."""
        still_in = sum(p.status is SeatStatus.JOINED for p in snapshot.players)
        if still_in <= 2 or snapshot.players[seat].timeouts >= TIMEOUTS_IN_A_ROW:
            return await self._log(writer, snapshot, history, seat, EntryKind.WITHDRAW, ("time",))
        for _ in range(ACTIONS_AT_MOST):
            action = action_for(history, seat, choices)
            since = history.version + 1
            snapshot, history = await self._log(writer, snapshot, history, seat, EntryKind.PLAY, action)
            if any(seat not in history.awaited(version) for version in range(since, history.version + 1)):
                return snapshot, history
        return await self._log(writer, snapshot, history, seat, EntryKind.WITHDRAW, ("time",))

    async def _log(
        self, writer: Writer, snapshot: Snapshot, history: History, seat: int, kind: EntryKind, tokens: Action
    ) -> tuple[Snapshot, History]:
        entry = Entry(
            table_id=snapshot.table.id, number=history.version + 1, kind=kind, seat=seat, tokens=tokens, user_id=None,
            at=self._repository.now(),
        )  # fmt: skip
        return await play(self._repository, writer, snapshot, history, entry)

    # --- reminders ----------------------------------------------------------------------------------------------------

    async def _remind(self, writer: Writer, snapshot: Snapshot) -> None:
        """Enqueue reminders for the awaited players who want them, and set when the next reminder is due."""
        table, now = snapshot.table, self._repository.now()
        assert table.deadline is not None
        which: Which = "abandoned"
        then = None
        if table.clock is not None:
            late_at = _last_call(table)
            which, then = ("late", None) if now >= late_at else ("half", late_at)
        await writer.amend(table, notice_at=then)
        for player in _reminded(snapshot):
            await self._remind_one(writer, table, player, which)

    async def _remind_one(self, writer: Writer, table: Table, player: Seat, which: Which) -> None:
        """Enqueue a reminder, unless its player does not want it, or their quiet hours last until it is too late."""
        assert table.deadline is not None
        now = self._repository.now()
        settings = PersonSettings.of(await writer.person(player.user_id))
        due = quiet_until(settings, now)
        if not _wanted(settings, which) or due >= table.deadline:
            return
        await writer.enqueue_later(
            Job(
                table_id=table.id, kind=JobKind.REMINDER, key=f"{table.turn}.{which}.{player.user_id}",
                payload={"turn": table.turn, "which": which, "user": player.user_id}, due=due, created_at=now,
            )
        )  # fmt: skip


async def _counted(writer: Writer, snapshot: Snapshot, seat: int) -> Snapshot:
    """The table, where one more time-out of a seat is counted. Computers have none: they are late when the bot is."""
    player = snapshot.players[seat]
    if player.computer is not None:
        return snapshot
    late = replace(player, timeouts=player.timeouts + 1)
    await writer.put_seat(late)
    return replace(snapshot, people=tuple(late if p is player else p for p in snapshot.people))


def _reminded(snapshot: Snapshot) -> list[Seat]:
    """The people that the game waits for."""
    return [player for player in snapshot.awaited if player.computer is None]


def _wanted(settings: PersonSettings, which: Which) -> bool:
    """Whether somebody wants a reminder. That a game is about to be lost is told to all who want any."""
    wanted = {"half": settings.remind_half, "late": settings.remind_late, "grace": settings.remind_half or settings.remind_late}
    return wanted.get(which, True)


def _last_call(table: Table) -> float:
    """When the last reminder of the time that is running now is due."""
    assert table.deadline is not None
    return table.deadline - time_for(table) * (1 - LATE)


def quiet_until(settings: PersonSettings, now: float) -> float:
    """When somebody may be notified, in seconds since the epoch: `now`, or during their quiet hours the end of these."""
    begins, ends = settings.quiet_from, settings.quiet_until
    if begins is None or ends is None or begins == ends:
        return now
    zone = ZoneInfo(settings.zone or ZONE)
    local = datetime.fromtimestamp(now, zone)
    minute = local.hour * 60 + local.minute
    quiet = begins <= minute < ends if begins < ends else minute >= begins or minute < ends
    if not quiet:
        return now
    day = local.date() if minute < ends else local.date() + timedelta(days=1)
    return datetime(day.year, day.month, day.day, ends // 60, ends % 60, tzinfo=zone).timestamp()


def _lateness(table: Table, now: float) -> float:
    """For how many seconds something has been due at a table."""
    return max(
        (now - moment for moment in (table.deadline, table.notice_at) if moment is not None and moment <= now), default=0.0
    )
