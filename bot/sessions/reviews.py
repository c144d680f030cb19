"""Reviews of finished games: made once for all who ask, step by step, and gone on with after a restart where they were.

What is found out is stored after each step (`Review`). It is about the log alone, so it can always be found out again: whatever
cannot be read, or was found out by another version of the reviewer, is begun anew.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any, Final

from bot.sessions.course import Course, Look
from bot.sessions.errors import NoSuchTable, Refused, SetAside
from bot.sessions.logbook import is_over
from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from engines.game import Action
from engines.text import say
from opponents import Judgement, Thought
from opponents.reviewing import REVIEWER, stood, weighed
from storage.records import Choice, Review, Standing

MOST_WAITING: Final = 20
"""How many reviews of games of one server may be unfinished."""

_COURSES: Final = 16
"""How many games that are being looked through are kept in memory."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finished game, and its review as far as it has come.

    Attributes:
        snapshot: the table.
        course: the course of the game.
        review: what was found out.
    """

    snapshot: Snapshot
    course: Course
    review: Review

    @property
    def done(self) -> bool:
        """Whether there is nothing more to be found out."""
        return self.review.done

    @property
    def progress(self) -> tuple[int, int]:
        """How many looks were taken, and how many it takes in all."""
        return len(self.review.standings) + len(self.review.choices), self.course.looks


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What is to be found out next for a review: `function(*values)`, which can be asked in another process.

    Attributes:
        guild_id: the server of the table.
        course: the course of the game.
        review: what was found out before.
        look: what is looked at.
    """

    guild_id: int
    course: Course
    review: Review
    look: Look
    function: Callable[..., Any]
    values: tuple[Any, ...]


class Reviews:
    """The reviews of finished games.

    Attributes:
        on_wanted: called when there is something to be found out.
    """

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._courses: OrderedDict[tuple[int, int], Course] = OrderedDict()
        self.on_wanted: Callable[[], None] = _nothing

    async def ask(self, snapshot: Snapshot) -> Reviewed:
        """The review of a finished game, which is begun if there is none.

        Raises WrongStage if the game has not begun, and Refused if it is not over, if nobody has played anything in it, or if
        too many reviews are being made on the server.
        """
        course = self._course(snapshot)
        if not is_over(snapshot.table):
            raise Refused(say("The game is still on. There’s a review when it’s over."))
        if not course.moments:
            raise Refused(say("Nobody played anything in this game, so there’s nothing to review."))
        async with self._repository.store.read() as reader:
            known = _sound(await reader.review(snapshot.table.id), course)
        return Reviewed(snapshot, course, await self._begin(snapshot) if known is None else known)

    async def finished(self, snapshot: Snapshot) -> Reviewed | None:
        """The review of a game, if it is done. None is begun."""
        if snapshot.history is None or not is_over(snapshot.table):
            return None
        reviewed = await self.progress(Reviewed(snapshot, self._course(snapshot), _begun(snapshot, self._repository.now())))
        return reviewed if reviewed.done else None

    async def _begin(self, snapshot: Snapshot) -> Review:
        table = snapshot.table
        async with self._repository.store.write() as writer:
            waiting = [guild_id for _, guild_id in await writer.unfinished_reviews()]
            if waiting.count(table.guild_id) >= MOST_WAITING:
                raise Refused(say("I’m looking through {n} games of this server already. Try again later.", n=MOST_WAITING))
            begun = _begun(snapshot, self._repository.now())
            await writer.put_review(begun)
        self.on_wanted()
        return begun

    async def progress(self, reviewed: Reviewed) -> Reviewed:
        """The same review as far as it has come by now."""
        async with self._repository.store.read() as reader:
            known = _sound(await reader.review(reviewed.snapshot.table.id), reviewed.course)
        return reviewed if known is None else replace(reviewed, review=known)

    async def unfinished(self, *, without: Collection[int] = ()) -> tuple[int, ...]:
        """The numbers of the tables with a review that is not done: of each server the one that was asked for first.

        `without` are the numbers of tables that are left out.
        """
        async with self._repository.store.read() as reader:
            waiting = await reader.unfinished_reviews()
        first = {guild_id: table_id for table_id, guild_id in reversed(waiting) if table_id not in without}
        return tuple(first.values())

    async def inquiry(self, table_id: int) -> Inquiry | None:
        """What is to be found out next about a game; None if nothing is, or its table is not to be had."""
        try:
            snapshot = await self._repository.snapshot(table_id)
        except (NoSuchTable, SetAside):
            return None
        async with self._repository.store.read() as reader:
            review = await reader.review(table_id)
        if review is None or review.done or snapshot.history is None:
            return None
        course = self._course(snapshot)
        review = _sound(review, course) or _begun(snapshot, review.asked_at)
        return await asyncio.to_thread(_inquiry, snapshot, course, review)

    async def found(self, inquiry: Inquiry, answer: Any) -> None:
        """Note what was found out; None: it could not be. Nothing is noted twice, or about a table that is gone."""
        asked = inquiry.review
        async with self._repository.store.write() as writer:
            known = await writer.review(asked.table_id)
            if known is None:
                return
            if _sound(known, inquiry.course) is None:
                known = asked
            if (known.standings, known.choices) == (asked.standings, asked.choices):
                noted = _noted(inquiry.course, asked, inquiry.look, answer)
                await writer.put_review(replace(noted, done=inquiry.course.next(noted) is None))

    def _course(self, snapshot: Snapshot) -> Course:
        """The course of a game, of which the last ones are kept."""
        key = (snapshot.table.id, snapshot.playing.version)
        if key not in self._courses:
            self._courses[key] = Course(snapshot.playing)
            while len(self._courses) > _COURSES:
                self._courses.popitem(last=False)
        self._courses.move_to_end(key)
        return self._courses[key]


def _begun(snapshot: Snapshot, asked_at: float) -> Review:
    return Review(table_id=snapshot.table.id, reviewer=REVIEWER, version=snapshot.playing.version, asked_at=asked_at)


def _sound(review: Review | None, course: Course) -> Review | None:
    """A review if it was found out by this reviewer, about the game as it is."""
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
        return Inquiry(snapshot.table.guild_id, course, review, look, weighed, (game.id, game.rules, *values))
    place = course.place(look.number)
    values = (course.state(place), course.memory(None, place), stream)
    return Inquiry(snapshot.table.guild_id, course, review, look, stood, (game.id, game.rules, *values))


def _noted(course: Course, review: Review, look: Look, answer: Judgement | tuple[float, ...] | None) -> Review:
    if not look.choice:
        chances = answer if isinstance(answer, tuple) else ()
        return replace(review, standings=(*review.standings, Standing(look.number, chances)))
    choice = Choice(look.number)
    if isinstance(answer, Judgement):
        best, played = answer.best, answer.played
        choice = Choice(look.number, best.chance_to_win, played.chance_to_win, _line(course.moment(look.number).seat, best))
    return replace(review, choices=(*review.choices, choice))


def _line(seat: int, best: Thought) -> tuple[tuple[int, Action], ...]:
    """How the game could have gone on: as far as it was thought of, at least the best action itself."""
    return best.line if best.line and best.line[0] == (seat, best.action) else ((seat, best.action),)


def _nothing() -> None:
    """What is called until somebody wants to know."""
