"""Puzzles as people solve them: which puzzle a person gets and only then sees, what they play, and how ratings change."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

import structlog

from bot.core.clocks.heartbeats import OLDEST
from bot.core.core import Core, Work
from bot.core.parts import Part
from bot.core.server_days import ServerDay, start_of
from bot.core.shares import in_share
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from bot.features.posts import sql as posts_sql
from bot.features.posts.service import EDIT_EVERY, edit_job, without_message
from bot.features.puzzles import sql
from bot.features.puzzles.ratings import Change, new_puzzle, new_solver, next_puzzle, rate, usable
from bot.features.puzzles.solving import Judged, Solving, another_attempt, first_attempt, given_up, judge, legal_so_far
from bot.features.puzzles.streaks import AWAY, away_in, in_time, streak_on
from bot.features.puzzles.wanted import Wanted
from engines.game import Action
from engines.text import say
from opponents.puzzles.collection import Collection, packaged
from opponents.puzzles.puzzle import Puzzle
from storage import queries
from storage.schema.kinds import PostKind
from storage.schema.puzzle_records import PuzzleAttempt, PuzzleRating, SolverRating
from storage.store import Reader, Writer

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Ratings:
    """A person's rating at the puzzles of a game, and the rating of one of these."""

    solver: SolverRating
    puzzle: PuzzleRating


@dataclass(frozen=True, slots=True)
class Progress:
    """The result of playing or giving up. `judged` is None if no action was judged, `change` if no rating has changed."""

    solving: Solving
    judged: Judged | None = None
    change: Change | None = None


class Puzzles:
    """Everybody's puzzles. `collection` holds the puzzles and the days on which they are the daily one."""

    def __init__(self, core: Core, collection: Collection | None = None) -> None:
        self.core = core
        self.collection = packaged() if collection is None else collection

    async def begin(self, user: User, guild_id: int, wanted: Wanted) -> Solving:
        """Return a person's attempt, ongoing or new, at a puzzle of the kind wanted. Raises Refused if there is none."""
        now = self.core.now()
        async with self.core.store.write() as writer:
            await writer.lock(user.id)
            practice = self.collection.practice(self.collection.calendar.first_open(now), await sql.voided(writer))
            for attempt in await sql.ongoing(writer, user.id):
                puzzle = practice.get(attempt.puzzle)
                if puzzle is not None and wanted.fits(puzzle) and legal_so_far(puzzle, attempt.played):
                    return Solving(puzzle, attempt)
            fitting = {name: puzzle for name, puzzle in practice.items() if wanted.fits(puzzle)}
            puzzle = await next_puzzle(writer, user.id, fitting, now)
            if puzzle is None:
                raise Refused(say("There’s no puzzle like that yet."))
            return await self._begun(writer, puzzle, user, guild_id)

    async def _begun(self, writer: Writer, puzzle: Puzzle, user: User, guild_id: int, day: ServerDay | None = None) -> Solving:
        """Return a person's new attempt at a puzzle, which is the daily one if `day` is given."""
        known, now = await sql.get(writer, user.id, puzzle.name), self.core.now()
        if known is None:
            attempt = first_attempt(puzzle, user.id, user.name, guild_id, now, day)
        else:
            attempt = another_attempt(known, now)
        await sql.put(writer, attempt)
        return Solving(puzzle, attempt)

    async def at_day(self, writer: Writer, puzzle: Puzzle, user: User, guild_id: int, day: ServerDay | None) -> Solving:
        """Return a person's attempt at a day's puzzle, beginning it if necessary. `day` is None if the day is over."""
        known = await sql.get(writer, user.id, puzzle.name)
        if known is not None and (not known.ongoing or legal_so_far(puzzle, known.played)):
            return Solving(puzzle, known)
        return await self._begun(writer, puzzle, user, guild_id, day)

    async def counted(self, reader: Reader, user_id: int) -> tuple[PuzzleAttempt, ...]:
        """Return those of a person's attempts that count for their day, the latest day first."""
        found = await sql.of_days(reader, user_id)
        return tuple(attempt for attempt in found if in_time(attempt, self.collection))

    async def excused(self, reader: Reader, user_id: int, guild_id: int | None) -> Callable[[int], bool]:
        """Return a function that says if a day is excused, because it had no puzzle, or the person or the bot was away."""
        voided, person = await sql.voided(reader), await queries.people.get(reader, user_id)
        begin, end, calendar = person.vacation_from, person.vacation_until, self.collection.calendar
        start = start_of(None if guild_id is None else await posts_sql.get(reader, guild_id, PostKind.DAILY))

        found = await queries.heartbeats.outages_after(reader, calendar.begins(1, start))
        outages = [(outage.since, outage.until) for outage in found if outage.until - outage.since <= OLDEST]

        def is_excused(day: int) -> bool:
            begins, ends = calendar.begins(day, start), calendar.begins(day + 1, start)
            if away_in(begins, ends, outages) >= AWAY:
                return True
            away = begin is not None and end is not None and begin < ends and end > begins
            return away or day in voided or self.collection.of_day(day) is None

        return is_excused

    async def _with_streak(self, writer: Writer, attempt: PuzzleAttempt) -> PuzzleAttempt:
        """Return an attempt. One just solved on its day gets its streak, and the streaks of later days are updated."""
        if attempt.day is None or attempt.streak is not None or not in_time(attempt, self.collection):
            return attempt
        counted = await self.counted(writer, attempt.user_id)
        excused = await self.excused(writer, attempt.user_id, attempt.guild_id)
        known = [one for one in counted if (one.day or 0) < attempt.day]
        for one in (attempt, *reversed(counted[: len(counted) - len(known)])):
            streak = streak_on(one.day or 0, known, excused)
            known.append(replace(one, streak=streak.days, forgiven=streak.forgiven))
            if one is not attempt:
                await sql.put(writer, known[-1])
        return next(one for one in known if one.day == attempt.day)

    async def get(self, user_id: int, name: str) -> Solving:
        """Return a person's attempt at a puzzle. Raises Refused if they have not begun it, or if the puzzle is gone."""
        async with self.core.store.read() as reader:
            attempt = await sql.get(reader, user_id, name)
        return self._at(name, attempt)

    def _at(self, name: str, attempt: PuzzleAttempt | None) -> Solving:
        puzzle = self.collection.puzzles.get(name)
        if puzzle is None or attempt is None:
            raise Refused(say("This puzzle is gone. `/puzzle` shows you another one."))
        return Solving(puzzle, attempt)

    async def ratings(self, solving: Solving) -> Ratings:
        """Return the ratings of a person and of their puzzle. An unusable rating is replaced by an initial one."""
        puzzle, user_id, now = solving.puzzle, solving.attempt.user_id, self.core.now()
        async with self.core.store.read() as reader:
            own = await sql.solver_ratings_of(reader, user_id)
            known = await sql.puzzle_ratings_of(reader, puzzle.name)
        mine = next((one for one in own if one.game == puzzle.game and usable(one)), new_solver(user_id, puzzle.game, now))
        return Ratings(mine, next(filter(usable, known), new_puzzle(puzzle, now)))

    async def ratings_of(self, user_id: int) -> tuple[SolverRating, ...]:
        """Return a person's puzzle ratings on all servers. Show them to nobody else: a change may give away today's result."""
        async with self.core.store.read() as reader:
            own = await sql.solver_ratings_of(reader, user_id)
        return tuple(rating for rating in own if rating.played and usable(rating))

    async def play(self, user_id: int, name: str, version: int, action: Action) -> Progress:
        """Play an action in the ongoing attempt, unless the click is outdated. Raises Refused if the action is illegal."""
        now = self.core.now()
        solving = await self.get(user_id, name)
        if solving.attempt.version != version or not solving.attempt.ongoing:
            return Progress(solving)
        judged = await in_share(judge, solving, action, now)
        return await self._changed(solving, lambda: (judged.attempt, judged.decided), judged)

    async def give_up(self, user_id: int, name: str, version: int) -> Progress:
        """Give up the ongoing attempt, unless the click is outdated."""
        solving = await self.get(user_id, name)
        if solving.attempt.version != version or not solving.attempt.ongoing:
            return Progress(solving)
        return await self._changed(solving, lambda: given_up(solving, self.core.now()))

    async def _changed(
        self, solving: Solving, change: Callable[[], tuple[PuzzleAttempt, bool | None]], judged: Judged | None = None
    ) -> Progress:
        """Store a changed attempt, unless the row has changed in the meantime, and rate it if it is decided."""
        attempt, puzzle = solving.attempt, solving.puzzle
        async with self.core.store.write() as writer:
            await writer.lock(attempt.user_id)
            there = await sql.get(writer, attempt.user_id, attempt.puzzle)
            if there != attempt:
                return Progress(self._at(puzzle.name, there))
            after, decided = change()
            after = await self._with_streak(writer, after)
            await sql.put(writer, after)
            rated = None if decided is None else await rate(writer, puzzle, attempt.user_id, decided, after.used_at)
            if after.outcome is not attempt.outcome:
                await owe_edits(writer, self.core.now(), (after,))
        if after.outcome is not attempt.outcome:
            self.core.on_change(0.0, Work.OUTBOX)
        return Progress(Solving(puzzle, after), judged, rated)

    async def report(self, user_id: int, name: str) -> None:
        """Record a person's first report that something is wrong with a puzzle, and log it for the operator."""
        async with self.core.store.write() as writer:
            await writer.lock(user_id)
            solving = self._at(name, await sql.get(writer, user_id, name))
            if solving.attempt.reported:
                return
            await sql.put(writer, replace(solving.attempt, reported=True))
            times = await sql.reports(writer, name)
        day = self.collection.calendar.day_of(name)
        log.warning("a puzzle was reported", puzzle=name, day=day, times=times, line=solving.puzzle.text)


async def owe_edits(writer: Writer, now: float, solved: Iterable[PuzzleAttempt]) -> None:
    """Have posts that list a puzzle's solvers updated, at most once an hour, and not within the hour before they close."""
    for attempt in solved:
        post = None if attempt.guild_id is None else await posts_sql.get(writer, attempt.guild_id, PostKind.DAILY)
        if post is None or post.message_id is None or post.day != attempt.day or post.due is None:
            continue
        due = max(now, (post.edited_at or post.posted_at or now) + EDIT_EVERY)
        if due + EDIT_EVERY <= post.due:
            await queries.jobs.enqueue_later(writer, edit_job(post, due, now))


async def owe_withdrawal(writer: Writer, now: float, day: int) -> None:
    """Have the messages of a withdrawn day closed at once on all servers where they are still the newest."""
    for post in await posts_sql.of_day(writer, PostKind.DAILY, day):
        await queries.jobs.enqueue_later(writer, edit_job(post, now, now))
        await posts_sql.put(writer, without_message(post))


async def _forgotten(writer: Writer, user_id: int, now: float) -> None:
    """Have the posts updated that count a person who is being forgotten."""
    await owe_edits(writer, now, await sql.of_days(writer, user_id))


PART: Final = Part(name="puzzles", forgotten=_forgotten)
