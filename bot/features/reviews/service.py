"""Reviews of finished games: made once for all readers, step by step, and continued after a restart.

The findings are stored after each step (`Review`). They depend on the log alone, so they can be found again: findings that
cannot be read, or are by another version of the reviewer, are begun anew.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.core.core import Core, Work
from bot.core.shares import in_share
from bot.core.table.errors import NoSuchTable, Quarantined, Refused
from bot.core.table.snapshot import Snapshot
from bot.features.reviews import sql
from bot.features.reviews.course import Course, Look, Marked
from bot.runtime.cache import Cache
from engines.game import Action
from engines.text import say
from opponents import Thought
from opponents.reviewing import REVIEWER, ReviewedAction, assess, judge
from storage.schema.records import Choice, Review, Standing

MOST_WAITING: Final = 20
"""The most unfinished reviews of games of one server."""

_COURSES: Final = 16
"""The number of games under review that are kept in memory."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finished game, and its review so far.

    Attributes:
        snapshot: the table.
        course: the course of the game.
        review: the findings.
        ahead: how many games of the server come first, by the review's last look.
    """

    snapshot: Snapshot
    course: Course
    review: Review
    ahead: int = 0

    @property
    def done(self) -> bool:
        """Whether the review is complete."""
        return self.review.done

    @property
    def progress(self) -> tuple[int, int]:
        """The number of looks taken, and of those that it takes in all."""
        return looks_taken(self.review), self.course.looks


@dataclass(frozen=True, slots=True)
class Inquiry:
    """The next question of a review: `function(*values)`, which can be asked in another process.

    Attributes:
        guild_id: the server of the table.
        course: the course of the game.
        review: the findings before.
        look: the entry that is looked at.
    """

    guild_id: int
    course: Course
    review: Review
    look: Look
    function: Callable[..., Any]
    values: tuple[Any, ...]

    @property
    def looks(self) -> int:
        """The number of looks taken before."""
        return looks_taken(self.review)


class Reviews:
    """The reviews of finished games."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._courses = Cache[tuple[int, int], Course](_COURSES, weigh=lambda _: 1)

    async def ask(self, snapshot: Snapshot) -> Reviewed:
        """Return the review of a finished game, which is begun if there is none.

        Raises WrongStage if the game has not begun, and Refused if it is not over, if it has no actions, or if
        too many reviews are being made on the server.
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
        """Return the review of a game, if it is done. None is begun."""
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
        """Return the same review with its present progress, and the number of games that come first."""
        table = reviewed.snapshot.table
        async with self._core.store.read() as reader:
            known = _sound(await sql.get(reader, table.id), reviewed.course)
            waiting = [number for number, guild_id in await sql.unfinished(reader) if guild_id == table.guild_id]
        ahead = waiting.index(table.id) if table.id in waiting else 0
        return replace(reviewed, review=reviewed.review if known is None else known, ahead=ahead)

    async def next_unfinished(self, *, without: Collection[int] = ()) -> tuple[int, ...]:
        """Return the numbers of the tables with an unfinished review: of each server the one that was asked for first.

        `without` are the numbers of tables that are left out.
        """
        async with self._core.store.read() as reader:
            waiting = await sql.unfinished(reader)
        first = {guild_id: table_id for table_id, guild_id in reversed(waiting) if table_id not in without}
        return tuple(first.values())

    async def inquiry(self, table_id: int) -> Inquiry | None:
        """Return the next question about a game; None if there is none, or its table cannot be read."""
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
        """Begin an unreadable review anew, which would keep those behind it waiting; None if no review was asked for."""
        async with self._core.store.write() as writer:
            if snapshot.table.id not in {table_id for table_id, _ in await sql.unfinished(writer)}:
                return None
            begun = _new_review(snapshot, self._core.now())
            await sql.put(writer, begun)
        return begun

    async def note_answer(self, inquiry: Inquiry, answer: Any) -> None:
        """Note an answer; None: there could be none. Nothing is noted twice, or about a table that is gone."""
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

    def _course(self, snapshot: Snapshot) -> Course:
        """Return the course of a game. The last ones are kept."""
        key = (snapshot.table.id, snapshot.playing.version)
        course = self._courses.get(key)
        if course is None:
            course = Course(snapshot.playing)
            self._courses.keep(key, course)
        return course


def looks_taken(review: Review) -> int:
    """Return the number of looks that a review has taken so far."""
    return len(review.standings) + len(review.choices)


def example_question(course: Course, point: Marked) -> tuple[Any, ...]:
    """Return the values of `play_example` for what was better than a choice."""
    moment, game = point.moment, course.history.game
    (_, action), *_ = point.found.line
    memories = tuple(course.memory(seat, moment.place) for seat in range(course.history.seats))
    return game.id, game.rules, moment.before, moment.seat, action, memories, f"example {moment.number}"


def _new_review(snapshot: Snapshot, asked_at: float) -> Review:
    return Review(table_id=snapshot.table.id, reviewer=REVIEWER, version=snapshot.playing.version, asked_at=asked_at)


def _sound(review: Review | None, course: Course) -> Review | None:
    """Return a review if it was made by this version of the reviewer, about the game as it is; otherwise None."""
    if review is None or (review.reviewer, review.version) != (REVIEWER, course.history.version):
        return None
    return review


def _inquiry(snapshot: Snapshot, course: Course, review: Review) -> Inquiry | None:
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


def _with_answer(course: Course, review: Review, look: Look, answer: ReviewedAction | tuple[float, ...] | None) -> Review:
    if not look.choice:
        chances = answer if isinstance(answer, tuple) else ()
        return replace(review, standings=(*review.standings, Standing(look.number, chances)))
    choice = Choice(look.number)
    if isinstance(answer, ReviewedAction):
        best, played = answer.best, answer.played
        line = _line(course.moment(look.number).seat, best)
        choice = Choice(look.number, best.chance_to_win, played.chance_to_win, line, answer.praise or "")
    return replace(review, choices=(*review.choices, choice))


def _line(seat: int, best: Thought) -> tuple[tuple[int, Action], ...]:
    """Return the best line of play, as far as it was thought of: at least the best action itself."""
    return best.line if best.line and best.line[0] == (seat, best.action) else ((seat, best.action),)
