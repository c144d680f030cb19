"""The daily puzzle, which is the same for everybody and counts once for streaks and for a server's table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.core.core import Core, Work
from bot.core.server_days import ServerDay, server_day, start_of
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from bot.features.posts import sql as posts_sql
from bot.features.puzzles import sql
from bot.features.puzzles.ratings import EASY_UP_TO, is_newcomer
from bot.features.puzzles.service import Puzzles, owe_withdrawal
from bot.features.puzzles.solving import Solving
from bot.features.puzzles.streaks import Badge, badges, in_time, streak_now
from engines.text import say
from opponents.puzzles.puzzle import Puzzle
from storage.schema.puzzle_records import PuzzleAttempt, VoidedDay
from storage.schema.records import PostKind, PuzzleOutcome
from storage.store import Reader


class Span(StrEnum):
    """The range of days that a table covers."""

    TODAY = "today"
    YESTERDAY = "yesterday"
    WEEK = "week"
    MONTH = "month"


LENGTHS: Final = {Span.TODAY: 1, Span.YESTERDAY: 1, Span.WEEK: 7, Span.MONTH: 30}
"""The number of days in each table. Except for today's table, all end with yesterday, so that today's tries stay secret."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a server's table: how many days a person has solved, and in how many tries.

    `tries` is None while the day goes on. People who are equal share a `place`, which is 0 in a table without places. The name
    is the one that the person had when they last began a puzzle on the server.
    """

    user_id: int
    name: str
    days: int
    tries: int | None
    place: int


@dataclass(frozen=True, slots=True)
class Achievements:
    """A person's streak in days, and the badges that they have earned."""

    streak: int
    badges: tuple[Badge, ...]


@dataclass(frozen=True, slots=True)
class DayResults:
    """How people on a server did at a day's puzzle: the first attempts solved in time, and the number of those given up."""

    day: int
    ends: float
    puzzle: Puzzle
    withdrawn: bool
    solved: tuple[PuzzleAttempt, ...] = ()
    given_up: int = 0


class Dailies:
    """Everybody's daily puzzles."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._puzzles = core.service(Puzzles)

    async def today(self, guild_id: int) -> ServerDay:
        """Return the current puzzle day on a server."""
        async with self._core.store.read() as reader:
            return await self._today(reader, guild_id)

    async def _today(self, reader: Reader, guild_id: int) -> ServerDay:
        post = await posts_sql.get(reader, guild_id, PostKind.DAILY)
        return server_day(self._puzzles.collection.calendar, post, self._core.now())

    async def begin(self, user: User, guild_id: int) -> Solving:
        """Return a person's attempt at today's puzzle, beginning it if necessary. Raises Refused if today has no puzzle."""
        collection = self._puzzles.collection
        async with self._core.store.write() as writer:
            await writer.lock(user.id)
            today = await self._today(writer, guild_id)
            puzzle = collection.of_day(today.number)
            if today.number < 1:
                post = await posts_sql.get(writer, guild_id, PostKind.DAILY)
                first = f"<t:{collection.calendar.begins(1, start_of(post)):.0f}:f>"
                raise Refused(say("The daily bounce begins on {day}. Until then there’s `/puzzle`.", day=first))
            if puzzle is None:
                raise Refused(
                    say("There’s no daily bounce today: I’ve run out of new puzzles. `/puzzle` has the earlier ones.")
                )
            if today.number in await sql.voided(writer):
                raise Refused(say("Something was wrong with today’s puzzle, so it doesn’t count. The next one comes {when}.",
                                  when=f"<t:{today.ends:.0f}:R>"))  # fmt: skip
            return await self._puzzles.at_day(writer, puzzle, user, guild_id, today)

    async def begin_past(self, user: User, guild_id: int, day: int) -> Solving:
        """Return a person's practice attempt at the puzzle of a past day. Raises Refused if that day has no puzzle."""
        async with self._core.store.write() as writer:
            await writer.lock(user.id)
            is_over = day < (await self._today(writer, guild_id)).number
            puzzle = self._puzzles.collection.of_day(day) if is_over else None
            if puzzle is None or day in await sql.voided(writer):
                raise Refused(say("There’s no puzzle for that day."))
            return await self._puzzles.at_day(writer, puzzle, user, guild_id, None)

    async def is_hard_for_newcomer(self, solving: Solving) -> bool:
        """Whether a newcomer who hasn't moved yet should be offered an easier puzzle first, because today's is hard."""
        attempt, ends = solving.attempt, solving.attempt.day_ends
        if not solving.is_first or attempt.judged or ends is None or self._core.now() >= ends:
            return False
        if solving.puzzle.difficulty <= EASY_UP_TO:
            return False
        return is_newcomer(await self._puzzles.ratings_of(attempt.user_id))

    async def standing(self, user_id: int, guild_id: int) -> Achievements:
        """Return a person's current streak and badges, as of today on a server."""
        async with self._core.store.read() as reader:
            today = await self._today(reader, guild_id)
            counted = await self._puzzles.counted(reader, user_id)
            excused = await self._puzzles.excused(reader, user_id, guild_id)
        now = streak_now(today.number, counted, excused)
        return Achievements(now, badges(counted, self._puzzles.collection))

    async def table(self, guild_id: int, span: Span) -> tuple[TableRow, ...]:
        """Return a server's table of current members who began a puzzle of these days there and solved it in time."""
        length = LENGTHS[span]
        async with self._core.store.read() as reader:
            today = (await self._today(reader, guild_id)).number
            last = today if span is Span.TODAY else today - 1
            found = await sql.of_server(reader, guild_id, last - length + 1, last)
            voided = await sql.voided(reader)
        audience = self._core.audience
        await audience.look_up(guild_id, {one.user_id for one in found})
        former = audience.former(guild_id)
        there = [one for one in found if one.user_id not in former]
        counted = [one for one in there if in_time(one, self._puzzles.collection) and one.day not in voided]
        if span is Span.TODAY:
            solvers = sorted(_newest(counted).values(), key=lambda one: (one.name.casefold(), one.user_id))
            return tuple(TableRow(one.user_id, one.name, 1, None, 0) for one in solvers)
        return _ranked(counted)

    async def results(self, guild_id: int, day: int) -> DayResults | None:
        """Return the results of a day on a server, or None if the day has no puzzle."""
        collection = self._puzzles.collection
        puzzle = collection.of_day(day)
        if puzzle is None:
            return None
        async with self._core.store.read() as reader:
            start = start_of(await posts_sql.get(reader, guild_id, PostKind.DAILY))
            withdrawn = day in await sql.voided(reader)
            decided = await sql.decided(reader, guild_id, day)
        solved = tuple(attempt for attempt in decided if in_time(attempt, collection))
        given_up = sum(attempt.outcome is PuzzleOutcome.GIVEN_UP for attempt in decided)
        return DayResults(day, collection.calendar.begins(day + 1, start), puzzle, withdrawn, solved, given_up)

    async def void(self, day: int) -> tuple[str | None, int]:
        """Withdraw a day's puzzle, so that it counts for nobody. Return its name, or None, and its number of reports."""
        name = self._puzzles.collection.calendar.puzzle_of(day)
        if name is None:
            return None, 0
        async with self._core.store.write() as writer:
            now = self._core.now()
            await sql.void(writer, VoidedDay(day=day, at=now))
            await owe_withdrawal(writer, now, day)
            reports = await sql.reports(writer, name)
        self._core.on_change(0.0, Work.OUTBOX)
        return name, reports


def _newest(attempts: Iterable[PuzzleAttempt]) -> dict[int, PuzzleAttempt]:
    return {attempt.user_id: attempt for attempt in sorted(attempts, key=lambda one: one.ended_at or 0.0)}


def _ranked(counted: Sequence[PuzzleAttempt]) -> tuple[TableRow, ...]:
    """Rank people by the number of days they have solved, then by the fewest tries. People who are equal share a place."""
    newest = _newest(counted)
    entries = []
    for user_id, last in newest.items():
        own = [one for one in counted if one.user_id == user_id]
        tries = sum(1 + one.judged.count(False) for one in own)
        entries.append(TableRow(user_id, last.name, len(own), tries, 0))
    ranked: list[TableRow] = []
    for number, entry in enumerate(sorted(entries, key=lambda one: (_order(one), one.name.casefold(), one.user_id)), 1):
        before = ranked[-1] if ranked else None
        place = before.place if before is not None and _order(before) == _order(entry) else number
        ranked.append(replace(entry, place=place))
    return tuple(ranked)


def _order(entry: TableRow) -> tuple[int, int]:
    return -entry.days, entry.tries or 0
