"""Tasks that are cancelled at a chosen step."""

import asyncio
import gc
import time
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any


def this_task() -> asyncio.Task[Any]:
    """The current task."""
    task = asyncio.current_task()
    assert task is not None
    return task


def cancel_itself() -> None:
    """Cancel the current task, as a caller's time-out or a lost connection would."""
    this_task().cancel()


def cancel_when_done() -> None:
    """Cancel the current task when the database's thread is done, but the loop hasn't heard of it."""
    time.sleep(0.01)
    cancel_itself()


def cancel_everything() -> None:
    """Cancel every task, as asyncio.run does at the end."""
    for task in asyncio.all_tasks():
        if task.get_name() != "test":
            task.cancel()


class Interrupted:
    """Awaits a coroutine, counts the `steps` at which it waits, and calls `interrupt` before the `at`-th (from 0)."""

    def __init__(self, work: Coroutine[Any, Any, Any], at: int, interrupt: Callable[[], None]) -> None:
        self.work = work
        self.at = at
        self.interrupt = interrupt
        self.steps = 0

    def __await__(self) -> Generator[Any, Any, Any]:
        inner = self.work.__await__()
        go_on = partial(next, inner)
        while True:
            try:
                awaited = go_on()
            except StopIteration as end:
                return end.value
            if self.steps == self.at:
                self.interrupt()
            self.steps += 1
            try:
                yield awaited
            except asyncio.CancelledError as error:
                go_on = partial(inner.throw, error)
            else:
                go_on = partial(next, inner)


async def outcome_of(work: Interrupted) -> type[BaseException] | None:
    """Do the work in a task of its own; return the exception it ended with, if any."""
    task = asyncio.ensure_future(work)
    await asyncio.wait({task})
    kind = asyncio.CancelledError if task.cancelled() else _kind_of(task.exception())
    if work.interrupt is cancel_everything:
        # A connection whose very return to the pool was cancelled comes back when it is collected.
        del task
        gc.collect()
    return kind


def _kind_of(error: BaseException | None) -> type[BaseException] | None:
    return None if error is None else type(error)
