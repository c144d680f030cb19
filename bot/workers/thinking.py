"""The worker processes in which computers think: one fewer than there are cores, and half that number for reviews.

A single question of a review may take many seconds. So reviews have processes of their own, which yield to all others, and live
play never waits for them. Questions wait in a fair queue. If a worker dies or hangs, its question is asked once more. If that
fails, too, the caller can fall back on a quicker answer. By default, thinking is done in threads, which share the interpreter
with the event loop.
"""

import asyncio
import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from bot.runtime.metrics import THINKING, measure_time
from bot.workers.child import TooLate
from bot.workers.thinking_queue import FairQueue, Priority
from bot.workers.worker import Worker, WorkFailed

_Result = TypeVar("_Result")

TIMEOUT: Final = 30.0
"""Seconds of processor time after which a process counts as hung. This is ten times as long as the longest move."""

RESTS_AFTER: Final = 120.0
"""Seconds after which an idle process ends, so that it takes no memory."""

YIELDING: Final = 10
"""The niceness of the processes for reviews. Where all cores are busy, they get a tenth of what other processes get."""

LONGEST_QUEUE: Final = 200
"""The most questions of one priority that may wait. Any more are refused at once."""

LONGEST_WAIT: Final = 10.0
"""Seconds for which a question may wait for a worker."""

WAITING: Final = (Priority.HINT, Priority.MOVE)
"""The priorities that LONGEST_WAIT limits. Urgent questions are quick and have waited already, and nobody waits for reviews."""


class ThinkingFailed(Exception):
    """No worker was able to answer."""


class Busy(ThinkingFailed):
    """Too many questions wait, or this one has waited too long. No worker has begun to answer it."""


class Backend(Protocol):
    """A backend that thinks."""

    async def think(
        self, function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority
    ) -> _Result:
        """Call a module's function with values that can be pickled; see `thinking`."""
        ...


class Threads:
    """Thinks in the event loop's threads."""

    async def think(
        self, function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority
    ) -> _Result:
        """Call a function in a thread, at once."""
        return await asyncio.to_thread(function, *values)


@dataclass(eq=False, slots=True)
class _Question:
    """A question that waits for a worker: when it must begin, by `time.monotonic`, whether it is `taken`, and the answer."""

    function: Callable[..., Any]
    values: tuple[Any, ...]
    before: float
    taken: asyncio.Event = field(default_factory=asyncio.Event)
    answer: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class _Lane:
    """The processes for one kind of question, and the waiting questions. A process ends after `rests_after` idle seconds."""

    def __init__(self, workers: list[Worker], rests_after: float) -> None:
        self.workers = tuple(workers)
        self.queue: FairQueue[_Question] = FairQueue()
        self._free = workers
        self._rests_after = rests_after
        self._rests: dict[Worker, asyncio.TimerHandle] = {}
        self._busy: set[asyncio.Task[None]] = set()

    def serve(self) -> None:
        while self._free and (question := self.queue.take()) is not None:
            if not question.answer.done():
                question.taken.set()
                worker = self._free.pop()
                if worker in self._rests:
                    self._rests.pop(worker).cancel()
                task = asyncio.create_task(self._answer(question, worker), name="springboard-thinking")
                self._busy.add(task)
                task.add_done_callback(self._busy.discard)

    async def _answer(self, question: _Question, worker: Worker) -> None:
        """Have a worker answer a question. Its caller may be gone by the time of the answer."""
        try:
            answer = await worker.call(question.function, *question.values, before=question.before)
        except WorkFailed as error:
            _tell(question, ThinkingFailed(str(error)))
        except Exception as error:  # noqa: BLE001 - the caller handles it
            _tell(question, error)
        else:
            if not question.answer.done():
                question.answer.set_result(answer)
        finally:
            self._free.append(worker)
            if not worker.is_closed:
                self._rests[worker] = asyncio.get_running_loop().call_later(self._rests_after, worker.rest)
                self.serve()

    def close(self) -> None:
        """End the processes. Questions in progress fail."""
        for rest in self._rests.values():
            rest.cancel()
        for worker in self.workers:
            worker.close()


class Processes:
    """Thinks in worker processes, some for live play and others for reviews. They start when needed.

    Args:
        workers: the number of processes for live play. By default one less than there are cores, but at least one.
        timeout: the seconds of processor time after which a process without an answer is killed.
        longest_queue: the most questions of one priority that may wait.
        longest_wait: the seconds for which a question may wait for a worker.
        rests_after: the seconds after which an idle process ends.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        timeout: float = TIMEOUT,
        longest_queue: int = LONGEST_QUEUE,
        longest_wait: float = LONGEST_WAIT,
        rests_after: float = RESTS_AFTER,
    ) -> None:
        count = max(1, (os.cpu_count() or 1) - 1) if workers is None else workers
        yielding = max(1, count // 2)
        self._live = _Lane([Worker("thinking", timeout=timeout) for _ in range(count)], rests_after)
        self._reviews = _Lane([Worker("reviewing", nice=YIELDING, timeout=timeout) for _ in range(yielding)], rests_after)
        self._longest_queue = longest_queue
        self._longest_wait = longest_wait

    @property
    def pids(self) -> tuple[int | None, ...]:
        """The process ids, with those for reviews last. The id of a process that is not running is None."""
        return tuple(worker.pid for lane in (self._live, self._reviews) for worker in lane.workers)

    @property
    def waiting(self) -> int:
        """The number of questions that wait for a worker."""
        return len(self._live.queue) + len(self._reviews.queue)

    async def think(
        self, function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority
    ) -> _Result:
        """Call a function in a process. Raises Busy, or ThinkingFailed if the process dies at every attempt."""
        lane = self._reviews if priority is Priority.REVIEW else self._live
        if lane.queue.of(priority) >= self._longest_queue:
            raise Busy(f"{self._longest_queue} questions wait already")
        wait = self._longest_wait if priority in WAITING else None
        question = _Question(function, values, math.inf if wait is None else time.monotonic() + wait)
        lane.queue.put(question, server=server, person=person, priority=priority)
        lane.serve()
        try:
            async with asyncio.timeout(wait):
                await question.taken.wait()
            result: _Result = await question.answer
        except (TimeoutError, TooLate) as error:
            raise Busy(f"a question waited for {wait} seconds") from error
        finally:
            question.answer.cancel()  # a question without a caller is passed over
        return result

    def close(self) -> None:
        """End the processes. Questions in progress fail."""
        self._live.close()
        self._reviews.close()


def _tell(question: _Question, error: Exception) -> None:
    if not question.answer.done():
        question.answer.set_exception(error)


_backends: Final[list[Backend]] = [Threads()]


@contextmanager
def thinking_in(backend: Backend) -> Iterator[None]:
    """Think with another backend."""
    _backends.append(backend)
    try:
        yield
    finally:
        _backends.remove(backend)


async def thinking(
    function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority = Priority.MOVE
) -> _Result:
    """Call an opponents' function, with values that can be pickled, off the event loop.

    Args:
        function: a module's function. The module imports neither discord.py nor the database.
        values: its arguments.
        server: the id of the server that asks. Servers take turns.
        person: the id of the person who asks. People on a server take turns.
        priority: the priority of the question.

    Raises:
        Busy: too many questions wait, or this one has waited too long.
        ThinkingFailed: two workers in a row died or did not answer in time.
    """
    with measure_time(THINKING):
        return await _backends[-1].think(function, *values, server=server, person=person, priority=priority)


def questions_waiting() -> int:
    """Return the number of questions in this process that wait for a worker."""
    backend = _backends[-1]
    return backend.waiting if isinstance(backend, Processes) else 0
