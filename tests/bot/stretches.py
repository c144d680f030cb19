"""How long the event loop computes at a stretch, in function calls, which no machine changes, or in seconds for tables."""

import asyncio
import gc
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

from typing_extensions import override

AT_A_STRETCH: Final = 150_000
"""The most function calls of the event loop in a row, worth about fifty milliseconds."""


class Stretches:
    """The longest stretch of the event loop since the last `take`, in function calls."""

    def __init__(self) -> None:
        self.most = 0.0
        self._calls = 0

    def _note(self, _frame: Any, event: str, _value: Any) -> None:
        self._calls += event in {"call", "c_call"}

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count in this block, except the loop step in which it ends, which is the test's own."""
        run: Callable[[asyncio.Handle], None] = vars(asyncio.Handle)["_run"]
        counting = True

        def run_counted(handle: asyncio.Handle) -> None:
            self._begin()
            try:
                run(handle)
            finally:
                found = self._end()
                if counting:
                    self.most = max(self.most, found)

        with mock.patch.object(asyncio.Handle, "_run", run_counted):
            try:
                yield
            finally:
                counting = False

    def take(self) -> float:
        found, self.most = self.most, 0.0
        return found

    def _begin(self) -> None:
        self._calls = 0
        sys.setprofile(self._note)

    def _end(self) -> float:
        sys.setprofile(None)
        return self._calls


class Seconds(Stretches):
    """The same in processor seconds, without other threads, and without garbage collection, which comes at random."""

    def __init__(self) -> None:
        super().__init__()
        self._began = 0.0

    @contextmanager
    @override
    def counted(self) -> Iterator[None]:
        gc.callbacks.append(self._leave_out)
        try:
            with super().counted():
                yield
        finally:
            gc.callbacks.remove(self._leave_out)

    def _leave_out(self, phase: str, _found: Any) -> None:
        self._began += (1 if phase == "stop" else -1) * time.thread_time()

    @override
    def _begin(self) -> None:
        self._began = time.thread_time()

    @override
    def _end(self) -> float:
        return time.thread_time() - self._began
