"""How long the event loop computes at a stretch, counted in calls of functions: the same on every machine."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

AT_A_STRETCH: Final = 150_000
"""The most calls of functions that the event loop makes before others have their turn: about fifty milliseconds of it."""


class Stretches:
    """How many functions the event loop calls at a stretch: the most since it was last asked.

    Calls are counted and not seconds, so that the result does not depend on the machine.
    """

    def __init__(self) -> None:
        self.most = 0
        self._count = 0

    def _note(self, _frame: Any, event: str, _value: Any) -> None:
        self._count += event in {"call", "c_call"}

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count in the block."""
        run: Callable[[asyncio.Handle], None] = vars(asyncio.Handle)["_run"]

        def run_counted(handle: asyncio.Handle) -> None:
            self._count = 0
            sys.setprofile(self._note)
            try:
                run(handle)
            finally:
                sys.setprofile(None)
                self.most = max(self.most, self._count)

        with mock.patch.object(asyncio.Handle, "_run", run_counted):
            yield

    def take(self) -> int:
        """Return the most, and begin anew."""
        found, self.most = self.most, 0
        return found
