"""Shares of the threads: one person's computations run one at a time, so that they keep nobody else waiting.

Whatever is computed to answer an interaction belongs to the user's share (`Shares.of`), and people take turns. Two kinds of
work do not belong here: work for everybody, such as replaying a table, and work that takes seconds, which queues in
`bot.core.budget`.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Final, ParamSpec, TypeVar

AT_ONCE: Final = 2
"""How many computations run at a time. Half of the threads (`bot.process.THREADS`) are left for other work."""

Result = TypeVar("Result")
Values = ParamSpec("Values")


async def in_share(function: Callable[Values, Result], *values: Values.args, **named: Values.kwargs) -> Result:
    """Call a slow function in a thread, in the share of the person whose interaction is being answered."""
    found = _share.get()
    if found is None:
        return await asyncio.to_thread(function, *values, **named)
    shares, user_id = found
    await shares.turn(user_id)
    call = partial(copy_context().run, function, *values, **named)
    work = asyncio.get_running_loop().run_in_executor(None, call)
    work.add_done_callback(lambda done: shares.end(user_id, done))
    return await asyncio.shield(work)  # the thread goes on, even if nobody waits for it any more


class Shares:
    """The threads that compute for people, `at_once` in number, and the people who wait for one."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._at_once = at_once
        self._running: set[int] = set()
        # The people in the order in which they get their next turn, each with the pieces that wait.
        self._waiting: OrderedDict[int, deque[asyncio.Future[None]]] = OrderedDict()

    @contextmanager
    def of(self, user_id: int) -> Iterator[None]:
        """Put whatever is computed in the block, and in tasks that begin in it, into this person's share."""
        before = _share.set((self, user_id))
        try:
            yield
        finally:
            _share.reset(before)

    async def turn(self, user_id: int) -> None:
        """Wait until a person's next computation may begin. Call `end` after it, unless this call was cancelled."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(user_id, deque()).append(turn)
        self._serve()
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had come at the same moment
                self.end(user_id)
            raise

    def end(self, user_id: int, work: "asyncio.Future[Result] | None" = None) -> None:
        """Note that a computation of this person has ended, and let the next computation in line begin."""
        if work is not None and not work.cancelled():
            work.exception()  # retrieve it, or asyncio would warn when nobody waits any more
        self._running.discard(user_id)
        if user_id in self._waiting:
            self._waiting.move_to_end(user_id)
        self._serve()

    def _serve(self) -> None:
        for user_id in list(self._waiting):
            if len(self._running) >= self._at_once:
                return
            if user_id in self._running:
                continue
            pieces = self._waiting.pop(user_id)
            while pieces and user_id not in self._running:
                turn = pieces.popleft()
                if not turn.done():  # or it was cancelled
                    turn.set_result(None)
                    self._running.add(user_id)
            if pieces:
                self._waiting[user_id] = pieces


_share: Final[ContextVar[tuple[Shares, int] | None]] = ContextVar("share", default=None)
"""The shares in which this task computes, and the id of its user. None if the task computes for nobody in particular."""
