"""Where computers think: worker processes, as many as there are cores less one, which yield to everything else.

What is asked waits in a fair queue. A worker that dies or hangs is replaced, and what it was asked is asked once more; whoever
asked is told if that is of no use either, and can fall back on something quicker. By default threads of this process think
instead; the bot has processes (`Processes`), since threads share the interpreter with the event loop.
"""

import asyncio
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from bot.metrics import THINKING, timed
from bot.thinking.queue import FairQueue, Priority
from bot.workers.worker import Worker, WorkFailed

_Result = TypeVar("_Result")

YIELDING: Final = 10
"""By how much the processes yield to others, as `os.nice` has it: pictures, answers and the database go first."""

PATIENCE: Final = 30.0
"""Seconds after which a process that has not answered is taken for hung, and killed: ten times what the longest move takes."""

RESTS_AFTER: Final = 120.0
"""Seconds after which a process ends that has nothing to do, so that it takes no memory."""

LONGEST_QUEUE: Final = 200
"""How many questions of one priority may wait. More of them are refused at once."""

LONGEST_WAIT: Final = 45.0
"""Seconds that a question may wait for its turn; reviews wait as long as it takes."""


class ThinkingFailed(Exception):
    """No worker could answer."""


class Busy(ThinkingFailed):
    """Too many questions wait, or this one has waited too long."""


class Place(Protocol):
    """Where computers think."""

    async def think(
        self, function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority
    ) -> _Result:
        """Call a function of a module with values that can be pickled. See `thinking`."""
        ...


class Threads:
    """Thinks in the threads of the event loop."""

    async def think(
        self, function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority
    ) -> _Result:
        """Call a function in a thread, at once."""
        return await asyncio.to_thread(function, *values)


@dataclass(eq=False, slots=True)
class _Question:
    """A question that waits for a worker."""

    function: Callable[..., Any]
    values: tuple[Any, ...]
    taken: asyncio.Event = field(default_factory=asyncio.Event)
    answer: "asyncio.Future[Any]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Processes:
    """Thinks in worker processes, which are started when they are needed.

    Args:
        workers: how many; None: as many as there are cores less one, and at least one.
        patience: seconds after which a process that has not answered is killed.
        longest_queue: how many questions of one priority may wait.
        longest_wait: seconds that a question may wait for its turn.
        rests_after: seconds after which a process ends that has nothing to do.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        patience: float = PATIENCE,
        longest_queue: int = LONGEST_QUEUE,
        longest_wait: float = LONGEST_WAIT,
        rests_after: float = RESTS_AFTER,
    ) -> None:
        count = max(1, (os.cpu_count() or 1) - 1) if workers is None else workers
        self._workers = [Worker("thinking", nice=YIELDING, patience=patience) for _ in range(count)]
        self._free = list(self._workers)
        self._threads = ThreadPoolExecutor(max_workers=count, thread_name_prefix="springboard-thinking")
        self._longest_queue = longest_queue
        self._longest_wait = longest_wait
        self._rests_after = rests_after
        self._rests: dict[Worker, asyncio.TimerHandle] = {}
        self._queue: FairQueue[_Question] = FairQueue()
        self._busy: set[asyncio.Task[None]] = set()

    @property
    def pids(self) -> tuple[int | None, ...]:
        """The numbers of the processes; None for one that is not there."""
        return tuple(worker.pid for worker in self._workers)

    @property
    def waiting(self) -> int:
        """How many questions wait for a worker."""
        return len(self._queue)

    async def think(
        self, function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority
    ) -> _Result:
        """Call a function in a process. Raises Busy, and ThinkingFailed if that is the end of the process each time."""
        if self._queue.of(priority) >= self._longest_queue:
            raise Busy(f"{self._longest_queue} questions wait already")
        question = _Question(function, values)
        self._queue.put(question, server=server, person=person, priority=priority)
        self._serve()
        try:
            if priority is not Priority.REVIEW:
                async with asyncio.timeout(self._longest_wait):
                    await question.taken.wait()
            result: _Result = await question.answer
        except TimeoutError as error:
            raise Busy(f"a question waited for {self._longest_wait} seconds") from error
        finally:
            question.answer.cancel()  # who does not wait any more is passed over
        return result

    def _serve(self) -> None:
        """Give the questions that come next to the workers that are free."""
        while self._free and (question := self._queue.take()) is not None:
            if not question.answer.done():
                question.taken.set()
                worker = self._free.pop()
                if worker in self._rests:
                    self._rests.pop(worker).cancel()
                task = asyncio.create_task(self._answer(question, worker), name="springboard-thinking")
                self._busy.add(task)
                task.add_done_callback(self._busy.discard)

    async def _answer(self, question: _Question, worker: Worker) -> None:
        """Have a worker answer a question. Whoever asked may be gone by then."""
        try:
            answer = await asyncio.get_running_loop().run_in_executor(
                self._threads, worker.call, question.function, *question.values
            )
        except WorkFailed as error:
            _tell(question, ThinkingFailed(str(error)))
        except Exception as error:  # noqa: BLE001 - whoever asked handles it
            _tell(question, error)
        else:
            if not question.answer.done():
                question.answer.set_result(answer)
        finally:
            self._free.append(worker)
            if not worker.closed:
                loop = asyncio.get_running_loop()
                self._rests[worker] = loop.call_later(self._rests_after, self._threads.submit, worker.rest)
                self._serve()

    def close(self) -> None:
        """End the processes. What is being thought about fails."""
        for rest in self._rests.values():
            rest.cancel()
        for worker in self._workers:
            worker.close()
        self._threads.shutdown(cancel_futures=True)
        for worker in self._workers:
            worker.rest()


def _tell(question: _Question, error: Exception) -> None:
    if not question.answer.done():
        question.answer.set_exception(error)


_places: Final[list[Place]] = [Threads()]


@contextmanager
def thinking_in(place: Place) -> Iterator[None]:
    """Think in another place."""
    _places.append(place)
    try:
        yield
    finally:
        _places.remove(place)


async def thinking(
    function: Callable[..., _Result], *values: Any, server: int, person: int, priority: Priority = Priority.MOVE
) -> _Result:
    """What a function of the opponents finds out from values that can be pickled, off the event loop.

    Args:
        function: a function of a module, which must import neither discord.py nor the database.
        values: its arguments.
        server: the id of the server that it is for, which takes turns with others.
        person: the id of the person that it is for, who takes turns with others of the server.
        priority: what goes before what.

    Raises:
        Busy: too many questions wait, or this one has waited too long.
        ThinkingFailed: the process that was asked died, or did not answer in time, and so did the one that was asked after it.
    """
    with timed(THINKING):
        return await _places[-1].think(function, *values, server=server, person=person, priority=priority)


def questions_waiting() -> int:
    """How many questions wait for a worker of this process."""
    place = _places[-1]
    return place.waiting if isinstance(place, Processes) else 0
