"""A watch on the loopback, which notes when first answers and boards arrive."""

import asyncio
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, Final

from simcord.components import walk_components

from loopback.faults import CALLBACKS, Call, Route
from loopback.server import Loopback

_PICTURE: Final = re.compile(r"attachment://[a-z]+-(\d+)-(\d+)\.")
_ANSWERS: Final = frozenset(CALLBACKS.values())
_SHOW: Final = frozenset({Route.SEND, Route.EDIT})
WAIT_LIMIT: Final = 120.0
"""The seconds after which waiting for an answer or a board is given up."""


class Watch:
    """Waits for a bot's calls. Moments are those of `time.perf_counter`.

    Attributes:
        calls: the number of calls so far.
        shown: the tables of which a board has arrived.
    """

    def __init__(self, loopback: Loopback) -> None:
        self.calls = 0
        self.shown: set[int] = set()
        self._answers: dict[str, asyncio.Future[float]] = {}
        self._boards: dict[int, tuple[int, asyncio.Future[float]]] = {}
        self._newest: dict[int, tuple[int, float]] = {}
        loopback.after = self._arrived

    def answer(self, token: str) -> asyncio.Future[float]:
        """Return a future for the moment at which the first answer to an interaction arrives."""
        future = self._answers[token] = asyncio.get_running_loop().create_future()
        return future

    def board(self, table: int, version: int) -> asyncio.Future[float]:
        """Return a future for the moment at which the first board of this table with at least this version arrives.

        Only one board at a time is waited for at each table.
        """
        future = asyncio.get_running_loop().create_future()
        self._boards[table] = version, future
        newest, came = self._newest.get(table, (-1, 0.0))
        if newest >= version:
            future.set_result(came)
        return future

    def _arrived(self, call: Call) -> None:
        now = time.perf_counter()
        self.calls += 1
        if call.route in _ANSWERS and (future := self._answers.pop(call.path.split("/")[3], None)) is not None:
            future.set_result(now)
        if call.route in _SHOW and isinstance(call.body, Mapping):
            for table, version in boards_in(call.body.get("components") or []):
                self._shown(table, version, now)

    def _shown(self, table: int, version: int, now: float) -> None:
        self.shown.add(table)
        self._newest[table] = max(self._newest.get(table, (-1, 0.0)), (version, now))
        wanted, future = self._boards.get(table, (0, None))
        if future is not None and version >= wanted and not future.done():
            future.set_result(now)


def boards_in(components: list[Any]) -> Iterator[tuple[int, int]]:
    """Yield the tables whose boards these components show, with their versions."""
    for item in walk_components(components):
        for one in item.get("items") or []:
            if match := _PICTURE.match(one["media"]["url"]):
                yield int(match[1]), int(match[2])
