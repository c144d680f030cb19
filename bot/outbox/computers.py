"""Has computers think and play. What is owed is in the database, so a bot that was killed while one thinks asks it again.

When a table is due, the service says what its computer is asked (`sessions.computers.question`), a worker process thinks about
it (`bot.thinking`), and the service plays what comes of it, unless somebody has acted meanwhile. If no worker answers, the easy
level is asked, which takes no time; and if that fails too, the computer plays what the game plays for somebody who is away.
"""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from random import Random
from typing import Final

import discord
import structlog

from bot.outage import unreachable
from bot.outbox.access import LostConnection
from bot.outbox.loop import DueLoop
from bot.sessions import Sessions
from bot.sessions.computers import Question, QuestionKind
from bot.sessions.errors import BadAction, NoSuchTable, SetAside
from bot.thinking import Priority, ThinkingFailed, thinking
from engines import rules_of
from opponents import Level, Thought
from opponents.asked import chosen, interrupted, weighed

SHOWN_AFTER: Final = 2.0
"""Seconds of thinking after which its channel shows that the bot is at work."""

SHOWN_FOR: Final = 8.0
"""Seconds after which that is shown again: Discord stops showing it after ten."""

FIRST_RETRY: Final = 5.0
LONGEST_RETRY: Final = 3600.0
"""Seconds before a table at which something went wrong is tried again: FIRST_RETRY, then twice as long each time."""

AT_ONCE: Final = 100
"""How many tables are thought about at a time, those included that wait for a worker."""

ASKED: Final = {QuestionKind.MOVE: chosen, QuestionKind.INTERRUPT: interrupted, QuestionKind.DRAW: weighed}
"""What finds the answer to each kind of question."""

log = structlog.get_logger(__name__)


class Computers:
    """Has the computers of all tables play when it is their turn.

    Args:
        client: the connection to Discord.
        sessions: the service, which knows who is asked what.
        on_played: called when something was played, so that it is shown in Discord.
    """

    def __init__(self, client: discord.Client, sessions: Sessions, on_played: Callable[[], None]) -> None:
        self._client = client
        self._sessions = sessions
        self._on_played = on_played
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._failures: dict[int, tuple[int, float]] = {}
        """How often something went wrong at a table, and when it is tried again."""
        self._loop = DueLoop("computers", self._sweep, sessions.now)
        sessions.on_change(self._loop.wake_by)

    @property
    def thinking(self) -> frozenset[int]:
        """The tables at which a computer thinks at this moment."""
        return frozenset(self._tasks)

    @property
    def busy(self) -> bool:
        """Whether anything is being done at this moment."""
        return self._loop.running or bool(self._tasks)

    def wake(self) -> None:
        """Check what is due."""
        self._loop.wake()

    async def close(self) -> None:
        """Stop. Whoever thinks is asked again at the next start."""
        await self._loop.close()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _sweep(self) -> float | None:
        """Have the computers think that are due. Returns when one is due next."""
        computers, now = self._sessions.computers, self._sessions.now()
        put_off = {table_id: retry for table_id, (_, retry) in self._failures.items() if retry > now}
        without = {*self._tasks, *put_off}
        if (room := AT_ONCE - len(self._tasks)) <= 0:
            return None  # whoever is done wakes it
        for table_id in (await computers.due(without=without))[:room]:
            task = asyncio.create_task(self._attempt(table_id), name=f"springboard-computer {table_id}")
            self._tasks[table_id] = task
            task.add_done_callback(partial(self._over, table_id))
        following = await computers.next_due(without={*without, *self._tasks})
        return min((moment for moment in (following, *put_off.values()) if moment is not None), default=None)

    def _over(self, table_id: int, task: asyncio.Task[None]) -> None:
        """Go on: the same table may be due again, and others may have waited for room."""
        self._tasks.pop(table_id, None)
        if not task.cancelled():
            self._loop.wake()

    async def _attempt(self, table_id: int) -> None:
        """Have a computer play at one table; if that fails, put it off for longer each time."""
        try:
            await self._have_played(table_id)
        except (NoSuchTable, SetAside):
            pass
        except Exception as error:
            tries, _ = self._failures.get(table_id, (0, 0.0))
            delay = min(LONGEST_RETRY, FIRST_RETRY * 2 ** min(tries, 16))
            self._failures[table_id] = (tries + 1, self._sessions.now() + delay)
            if unreachable(error) is None:
                log.exception("a computer could not play", table=table_id)
            return
        self._failures.pop(table_id, None)

    async def _have_played(self, table_id: int) -> None:
        question = await self._sessions.computers.question(table_id)
        if question is None:
            return
        shown = _Showing(partial(self._show, question)) if question.kind is QuestionKind.MOVE else None
        try:
            thought = await thought_about(question)
        finally:
            if shown is not None:
                shown.cancel()
        try:
            await self._sessions.computers.answer(question, thought)
        except BadAction as error:
            log.error("a computer has chosen what is not legal", table=table_id, game=question.game_id, error=str(error))
            await self._sessions.computers.answer(question, _as_if_away(question))
        self._on_played()

    async def _show(self, question: Question) -> None:
        where = self._client.get_partial_messageable(question.channel_id)
        try:
            await where.typing()
        except (discord.HTTPException, discord.RateLimited, *LostConnection) as error:
            log.info("that a computer thinks was not shown", table=question.table_id, error=repr(error))


class _Showing:
    """Does something after SHOWN_AFTER, and then again and again, until it is cancelled.

    Args:
        show: does it.
    """

    def __init__(self, show: Callable[[], Coroutine[None, None, None]]) -> None:
        self._show = show
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(SHOWN_AFTER, self._now)

    def _now(self) -> None:
        self._task = asyncio.create_task(self._show(), name="springboard-computer-thinks")
        self._timer = asyncio.get_running_loop().call_later(SHOWN_FOR, self._now)

    def cancel(self) -> None:
        """Do it no more."""
        self._timer.cancel()
        if self._task is not None:
            self._task.cancel()


async def thought_about(question: Question) -> Thought | None:
    """What a computer answers to what it is asked, at its level if a worker has the time, and at least something."""
    function = ASKED[question.kind]
    for level, priority in ((question.level, Priority.MOVE), (Level.EASY, Priority.URGENT)):
        try:
            return await thinking(
                function, question.game_id, question.rules, str(level), question.state, question.seat, question.memory,
                question.stream, server=question.guild_id, person=question.person, priority=priority,
            )  # fmt: skip
        except ThinkingFailed as error:
            log.warning("no worker has answered", table=question.table_id, game=question.game_id, level=level, error=str(error))
        except Exception:
            log.exception("a computer failed to think", table=question.table_id, game=question.game_id, level=level)
    return _as_if_away(question)


def _as_if_away(question: Question) -> Thought | None:
    """What the game plays for somebody who is away. Out of turn that is nothing, and no draw is agreed to."""
    if question.kind is not QuestionKind.MOVE:
        return None
    game = rules_of(question.game_id, question.rules)
    rng = Random(question.stream)  # noqa: S311 - not one of the game's own draws
    return Thought(game.absent_action(question.state, question.seat, rng), 0.5)
