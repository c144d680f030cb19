"""Pictures that cannot be drawn."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from typing_extensions import override

from bot.workers.drawing import Threads, drawing_in
from bot.workers.worker import WorkFailed

NOTE = "-# I couldn’t draw the picture. Here it is in words:"
"""The text in place of such a picture, above the words."""


class Failing(Threads):
    """Draws in threads, but does `instead` for pictures that are `wrong`, by their number from 1."""

    def __init__(self, instead: Callable[[], Any], wrong: Callable[[int], bool] = lambda _: True) -> None:
        super().__init__()
        self.asked = 0
        self._instead, self._wrong = instead, wrong

    @override
    async def draw(self, function: Any, *values: Any, slow: bool = False, yielding: bool = False) -> Any:
        self.asked += 1
        if not self._wrong(self.asked):
            return await super().draw(function, *values, slow=slow, yielding=yielding)
        made = self._instead()
        return await made if asyncio.iscoroutine(made) else made


def broken() -> Any:
    raise OSError("raster overflow")


def dead() -> Any:
    raise WorkFailed("the process died 2 times")


def hungry() -> Any:
    raise MemoryError


async def hanging() -> Any:
    await asyncio.sleep(10 * 365 * 86400)


@contextmanager
def failing(instead: Callable[[], Any] = broken, wrong: Callable[[int], bool] = lambda _: True) -> Iterator[Failing]:
    with drawing_in(place := Failing(instead, wrong)):
        yield place
