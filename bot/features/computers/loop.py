"""Has computers think and play. Questions to them are stored, so a bot killed during an answer asks again when it restarts.

A worker thinks about each question from the service (`bot.workers.thinking`), and the service plays the answer unless a person
has acted meanwhile. If no worker answers, the easy level is asked, which takes no time. If that fails too, the computer plays
the game's choice for absent players.

Where hands are hidden, the answer is held back until a fixed time after the question, or a whole multiple of that time, so that
the delay does not reveal what the computer holds.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

import discord
import structlog

from bot.core.core import Core
from bot.core.table.errors import BadAction, NoSuchTable, Quarantined
from bot.core.table.snapshot import Snapshot
from bot.features.computers.service import Computers, Question, QuestionKind
from bot.outbox.access import LostConnection
from bot.runtime.backoff import backoff
from bot.runtime.due_loop import FIRST_OUTAGE, DueLoop
from bot.runtime.metrics import OVERRUNS
from bot.runtime.outage import unreachable
from bot.workers.thinking import ThinkingFailed, thinking
from bot.workers.thinking_queue import Priority
from engines import rules_of
from engines.game import passive_action
from opponents import Thought
from opponents.asked import choose, interrupt, weigh
from storage.schema.errors import LeaseLost
from storage.schema.records import Level

SHOWN_AFTER: Final = 2.0
"""How long a computer thinks before the bot is shown as typing, in seconds."""

SHOWN_FOR: Final = 8.0
"""After how many seconds the typing indicator is sent again. Discord shows it for ten."""

FIRST_RETRY: Final = 5.0
LONGEST_RETRY: Final = 3600.0
"""The longest time before a table that failed is tried again, in seconds. `FIRST_RETRY` is the shortest; see `backoff`."""

AT_ONCE: Final = 100
"""The maximum number of tables in progress at a time, including those waiting for a worker."""

ASKED: Final = {QuestionKind.MOVE: choose, QuestionKind.INTERRUPT: interrupt, QuestionKind.DRAW: weigh}
"""The function that answers each kind of question."""

log = structlog.get_logger(__name__)


class ComputerLoop:
    """Has the computers of all tables play. After each answer, `on_played` gets the table, or None if it had changed."""

    def __init__(
        self,
        client: discord.Client,
        core: Core,
        on_played: Callable[[Snapshot | None], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._client = client
        self._core = core
        self._on_played = on_played
        self._sleep = sleep
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._failures: dict[int, tuple[int, float]] = {}
        """For each table that failed, the number of failures in a row and the time at which it is tried again."""
        self._loop = DueLoop("computers", self._sweep, core.now)
        core.listen(self._loop.wake_by)

    @property
    def thinking(self) -> frozenset[int]:
        """The tables at which a computer is thinking now."""
        return frozenset(self._tasks)

    @property
    def busy(self) -> bool:
        """Whether the loop is running or any computer is thinking."""
        return self._loop.running or bool(self._tasks)

    def wake(self) -> None:
        """Check whether any computer is due to be asked."""
        self._loop.wake()

    async def close(self) -> None:
        """Stop. Computers that are thinking are asked again at the next start."""
        await self._loop.close()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _sweep(self) -> float | None:
        """Have each computer that is due start thinking. Return when to look again, or None to wait until woken."""
        computers, now = self._core.service(Computers), self._core.now()
        put_off = {table_id: retry for table_id, (_, retry) in self._failures.items() if retry > now}
        without = {*self._tasks, *put_off}
        if (room := AT_ONCE - len(self._tasks)) <= 0:
            return None  # the first computer to finish wakes the loop
        for table_id in (await computers.due(without=without))[:room]:
            task = asyncio.create_task(self._attempt(table_id), name=f"springboard-computer {table_id}")
            self._tasks[table_id] = task
            task.add_done_callback(partial(self._go_on, table_id))
        following = await computers.next_due(without={*without, *self._tasks})
        return min((moment for moment in (following, *put_off.values()) if moment is not None), default=None)

    def _go_on(self, table_id: int, task: asyncio.Task[None]) -> None:
        """Wake the loop after a table is done. The same table may be due again, and others may have waited for room."""
        self._tasks.pop(table_id, None)
        if not task.cancelled():
            self._loop.wake()

    async def _attempt(self, table_id: int) -> None:
        try:
            await self._have_played(table_id)
        except (NoSuchTable, Quarantined):
            pass
        except Exception as error:
            tries, _ = self._failures.get(table_id, (0, 0.0))
            if unreachable(error) is not None:  # which is no fault of this table
                self._failures[table_id] = (tries, self._core.now() + FIRST_OUTAGE)
                return
            delay = backoff(tries, first=FIRST_RETRY, longest=LONGEST_RETRY)
            self._failures[table_id] = (tries + 1, self._core.now() + delay)
            log.exception("a computer could not play", table=table_id)
            return
        self._failures.pop(table_id, None)

    async def _have_played(self, table_id: int) -> None:
        asked_at = self._core.now()
        question = await self._core.service(Computers).question(table_id)
        if question is None:
            return
        is_seen = question.kind is QuestionKind.MOVE and not question.solo
        shown = _Showing(partial(self._show_typing, question)) if is_seen else None
        try:
            question, thought = await think_about(question)
            await self._await_pace(question, asked_at)
        finally:
            if shown is not None:
                shown.cancel()
        try:
            after = await self._core.service(Computers).answer(question, thought)
        except BadAction as error:
            log.error("a computer has chosen what is not legal", table=table_id, game=question.game_id, error=str(error))
            after = await self._core.service(Computers).answer(question, _as_if_away(question))
        self._on_played(after)

    async def _await_pace(self, question: Question, asked_at: float) -> None:
        """Wait until the time since the question is a multiple of the question's pace, so that the answer may be shown."""
        if not question.pace:
            return
        late = math.ceil((self._core.now() - asked_at) / question.pace) - 1
        if late > 0:
            OVERRUNS.labels(game=question.game_id).inc()
        shown_at = asked_at + (1 + max(0, late)) * question.pace
        await self._sleep(min(question.pace, shown_at - self._core.now()))  # the clock may be changed meanwhile

    async def _show_typing(self, question: Question) -> None:
        """Show the typing indicator in the channel. If Discord refuses it or the connection is lost, that is only logged."""
        where = self._client.get_partial_messageable(question.channel_id)
        try:
            await where.typing()
        except (discord.HTTPException, discord.RateLimited, LeaseLost, *LostConnection) as error:
            log.info("typing indicator not shown", table=question.table_id, error=repr(error))


class _Showing:
    """Calls `show` after SHOWN_AFTER seconds and then every SHOWN_FOR seconds, until it is cancelled."""

    def __init__(self, show: Callable[[], Coroutine[None, None, None]]) -> None:
        self._show = show
        self._task: asyncio.Task[None] | None = None
        self._timer = asyncio.get_running_loop().call_later(SHOWN_AFTER, self._now)

    def _now(self) -> None:
        self._task = asyncio.create_task(self._show(), name="springboard-computer-thinks")
        self._timer = asyncio.get_running_loop().call_later(SHOWN_FOR, self._now)

    def cancel(self) -> None:
        self._timer.cancel()
        if self._task is not None:
            self._task.cancel()


async def think_about(question: Question) -> tuple[Question, Thought | None]:
    """Have a computer answer, at the easy level if no worker answers. Return the question as last asked, and the answer."""
    function, easy = ASKED[question.kind], replace(question, level=Level.EASY)
    for asked, priority in ((question, Priority.MOVE), (easy, Priority.URGENT)):
        try:
            return asked, await thinking(
                function, asked.game_id, asked.rules, str(asked.level), asked.state, asked.seat, asked.memory,
                asked.stream, server=asked.guild_id, person=asked.person, priority=priority,
            )  # fmt: skip
        except ThinkingFailed as error:
            log.warning("no worker has answered", table=asked.table_id, game=asked.game_id, level=asked.level, error=str(error))
        except Exception:
            log.exception("a computer failed to think", table=asked.table_id, game=asked.game_id, level=asked.level)
    return easy, _as_if_away(question)


def _as_if_away(question: Question) -> Thought | None:
    """Return the game's choice for absent players, or None if the question is not for a move."""
    if question.kind is not QuestionKind.MOVE:
        return None
    game = rules_of(question.game_id, question.rules)
    rng = Random(question.stream)  # noqa: S311 - not one of the game's own draws
    return Thought(passive_action(game, question.state, question.seat, rng), 0.5)
