"""Reviews of finished games, made from the log alone, once for all readers, step by step, and continued after a restart."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.core import Core, Work
from bot.core.shares import in_share
from bot.core.table.errors import NoSuchTable, Quarantined, Refused
from bot.core.table.snapshot import Snapshot
from bot.features.reviews import sql
from bot.features.reviews.course import GameCourse, Look, Marked
from bot.runtime.cache import Cache
from engines.text import say
from opponents.reviewing import REVIEWER, ReviewedAction, assess, judge
from storage.schema.records import Choice, Review, Standing

MOST_WAITING: Final = 20
"""The most unfinished reviews that a server can have."""

_COURSES: Final = 16
"""How many games' courses are kept in memory."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finished game and its review so far. `ahead` is how many of the server's other games came first at the last check."""

    snapshot: Snapshot
    course: GameCourse
    review: Review
    ahead: int = 0

    @property
    def done(self) -> bool:
        """Whether the review is complete."""
        return self.review.done

    @property
    def progress(self) -> tuple[int, int]:
        """The number of looks taken so far, and the total number."""
        return looks_taken(self.review), self.course.looks


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A review's next question, which concerns `look`. `function(*values)` answers it, and can run in another process."""

    guild_id: int
    course: GameCourse
    review: Review
    look: Look
    function: Callable[..., Any]
    values: tuple[Any, ...]

    @property
    def looks(self) -> int:
        """The number of looks taken before this one."""
        return looks_taken(self.review)


class Reviews:
    """The reviews of finished games."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._courses = Cache[tuple[int, int], GameCourse](_COURSES, weigh=lambda _: 1)

    async def ask(self, snapshot: Snapshot) -> Reviewed:
        """Return the review of a finished game, starting it if there is none.

        Raises WrongStage before the game. Raises Refused during it, if nobody acted in it, or if the server has too many
        unfinished reviews.
        """
        course = self._course(snapshot)
        if not snapshot.table.is_over:
            raise Refused(say("The game is still on. You can review it when it’s over."))
        if not course.moments:
            raise Refused(say("Nobody made a move in this game, so there’s nothing to review."))
        async with self._core.store.read() as reader:
            known = _sound(await sql.get(reader, snapshot.table.id), course)
        return Reviewed(snapshot, course, await self._begin(snapshot) if known is None else known)

    async def finished_review(self, snapshot: Snapshot) -> Reviewed | None:
        """Return the review of a game if it is done, without starting one."""
        if snapshot.history is None or not snapshot.table.is_over:
            return None
        reviewed = await self.progress(Reviewed(snapshot, self._course(snapshot), _new_review(snapshot, self._core.now())))
        return reviewed if reviewed.done else None

    async def _begin(self, snapshot: Snapshot) -> Review:
        table = snapshot.table
        async with self._core.store.write() as writer:
            waiting = [guild_id for _, guild_id in await sql.unfinished(writer)]
            if waiting.count(table.guild_id) >= MOST_WAITING:
                raise Refused(say("I’m already reviewing {n} games from this server. Try again later.", n=MOST_WAITING))
            begun = _new_review(snapshot, self._core.now())
            await sql.put(writer, begun)
        self._core.on_change(0.0, Work.REVIEWS)
        return begun

    async def progress(self, reviewed: Reviewed) -> Reviewed:
        """Return a review with its current progress, and the number of games that come before it."""
        table = reviewed.snapshot.table
        async with self._core.store.read() as reader:
            known = _sound(await sql.get(reader, table.id), reviewed.course)
            waiting = [number for number, guild_id in await sql.unfinished(reader) if guild_id == table.guild_id]
        ahead = waiting.index(table.id) if table.id in waiting else 0
        return replace(reviewed, review=reviewed.review if known is None else known, ahead=ahead)

    async def next_unfinished(self, *, without: Collection[int] = ()) -> tuple[int, ...]:
        """For each server, return the table whose unfinished review was asked for first, passing over those in `without`."""
        async with self._core.store.read() as reader:
            waiting = await sql.unfinished(reader)
        first = {guild_id: table_id for table_id, guild_id in reversed(waiting) if table_id not in without}
        return tuple(first.values())

    async def inquiry(self, table_id: int) -> Inquiry | None:
        """Return the next question about a game, or None if no question is left or the table is unreadable."""
        try:
            snapshot = await self._core.snapshot(table_id)
        except (NoSuchTable, Quarantined):
            return None
        if snapshot.history is None:
            return None
        async with self._core.store.read() as reader:
            review = await sql.get(reader, table_id)
        if review is None:
            review = await self._begin_again(snapshot)
        if review is None or review.done:
            return None
        course = self._course(snapshot)
        review = _sound(review, course) or _new_review(snapshot, review.asked_at)
        return await in_share(_inquiry, snapshot, course, review)

    async def _begin_again(self, snapshot: Snapshot) -> Review | None:
        """Start an unreadable review again, so that it holds up no others. Return None if no review was asked for."""
        async with self._core.store.write() as writer:
            if snapshot.table.id not in {table_id for table_id, _ in await sql.unfinished(writer)}:
                return None
            begun = _new_review(snapshot, self._core.now())
            await sql.put(writer, begun)
        return begun

    async def note_answer(self, inquiry: Inquiry, answer: Any) -> None:
        """Store an answer (None if the inquiry failed), unless one is already stored or the table is gone."""
        asked = inquiry.review
        async with self._core.store.write() as writer:
            known = await sql.get(writer, asked.table_id)
            if known is None:
                return
            if _sound(known, inquiry.course) is None:
                known = asked
            if (known.standings, known.choices) == (asked.standings, asked.choices):
                noted = _with_answer(inquiry.course, asked, inquiry.look, answer)
                await sql.put(writer, replace(noted, done=inquiry.course.next(noted) is None))

    def _course(self, snapshot: Snapshot) -> GameCourse:
        """Return the course of a game. The latest ones are cached."""
        key = (snapshot.table.id, snapshot.playing.version)
        course = self._courses.get(key)
        if course is None:
            course = GameCourse(snapshot.playing)
            self._courses.keep(key, course)
        return course


def looks_taken(review: Review) -> int:
    """Return the number of looks that a review has taken so far."""
    return len(review.standings) + len(review.choices)


def example_question(course: GameCourse, point: Marked) -> tuple[Any, ...]:
    """Return the arguments of `play_example` for the better line at a choice."""
    moment, game = point.moment, course.history.game
    (_, action), *_ = point.found.line
    memories = tuple(course.memory(seat, moment.place) for seat in range(course.history.seats))
    return game.id, game.rules, moment.before, moment.seat, action, memories, f"example {moment.number}"


def _new_review(snapshot: Snapshot, asked_at: float) -> Review:
    return Review(table_id=snapshot.table.id, reviewer=REVIEWER, version=snapshot.playing.version, asked_at=asked_at)


def _sound(review: Review | None, course: GameCourse) -> Review | None:
    """Return a review, or None if it was made by another version of the reviewer or for another version of the game."""
    if review is None or (review.reviewer, review.version) != (REVIEWER, course.history.version):
        return None
    return review


def _inquiry(snapshot: Snapshot, course: GameCourse, review: Review) -> Inquiry | None:
    look, game = course.next(review), course.history.game
    if look is None:
        return None
    stream = f"review {snapshot.table.id} {look.number}"
    if look.choice:
        moment = course.moment(look.number)
        memory = course.memory(moment.seat, moment.place)
        values: tuple[Any, ...] = (moment.before, moment.seat, moment.action, memory, stream)
        return Inquiry(snapshot.table.guild_id, course, review, look, judge, (game.id, game.rules, *values))
    place = course.place(look.number)
    values = (course.state(place), course.memory(None, place), stream)
    return Inquiry(snapshot.table.guild_id, course, review, look, assess, (game.id, game.rules, *values))


def _with_answer(course: GameCourse, review: Review, look: Look, answer: ReviewedAction | tuple[float, ...] | None) -> Review:
    if not look.choice:
        chances = answer if isinstance(answer, tuple) else ()
        return replace(review, standings=(*review.standings, Standing(look.number, chances)))
    choice = Choice(look.number)
    if isinstance(answer, ReviewedAction):
        best, played = answer.best, answer.played
        own = (course.moment(look.number).seat, best.action)
        line = best.line if best.line and best.line[0] == own else (own,)  # at least the best action itself
        choice = Choice(look.number, best.chance_to_win, played.chance_to_win, line, answer.praise or "")
    return replace(review, choices=(*review.choices, choice))
