"""Following: a private message that waits for computers turns into what comes next, without another click by its reader.

Such a message waits for a computer's moves, or for a review. The token of the last click allows editing it for a quarter of an
hour. After that, or after a restart, it takes another click to go on.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

MOST: Final = 4096
"""The most messages that can wait, and the most tables at which computers' progress is remembered."""

Key = TypeVar("Key")
Value = TypeVar("Value")

Show = Callable[[], Awaitable[int | None]]
"""A function that shows what is new at a table. Returns how far the table had come, or None if the message waits no more."""

log = structlog.get_logger(__name__)


class Following:
    """The newest waiting message of each person at each table."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, int], Show] = {}
        self._come: dict[int, int] = {}
        self._going_on: dict[tuple[int, int], asyncio.Task[None]] = {}

    def wait(self, table_id: int, user_id: int, come: int, show: Show) -> None:
        """Have a message wait until the computers at its table have come further than `come`, which may already be so."""
        _put(self._waiting, (table_id, user_id), show)
        if self._come.get(table_id, come) > come:
            self._go_on(table_id, user_id)

    def stop(self, table_id: int, user_id: int) -> None:
        """Stop following a person's message, because they have clicked on it or have another one."""
        self._waiting.pop((table_id, user_id), None)
        task = self._going_on.get((table_id, user_id))
        if task is not None and task is not asyncio.current_task():
            task.cancel()  # what it was about to show is out of date

    def advance(self, table_id: int, come: int) -> None:
        """Have the messages of a table go on. `come` is how far its computers have come: a version, or a number of looks."""
        _put(self._come, table_id, come)
        for _, user_id in [key for key in self._waiting if key[0] == table_id]:
            self._go_on(table_id, user_id)

    def _go_on(self, table_id: int, user_id: int) -> None:
        key = (table_id, user_id)
        show = self._waiting.pop(key)
        task = asyncio.create_task(self._show(table_id, user_id, show), name=f"springboard-following {table_id}")
        self._going_on[key] = task

        def end(ended: asyncio.Task[None]) -> None:
            if self._going_on.get(key) is ended:
                del self._going_on[key]

        task.add_done_callback(end)

    async def _show(self, table_id: int, user_id: int, show: Show) -> None:
        before = self._come.get(table_id)
        try:
            come = await show()
        except Exception as error:  # noqa: BLE001 - the board in the channel shows it, and so does the next press
            log.info("a message did not follow", table=table_id, error=repr(error))
            return
        if come is not None and (table_id, user_id) not in self._waiting:
            # A review that was begun anew has come less far than the one known. It goes on with what comes from now on.
            again = come if self._come.get(table_id) != before else max(come, before or 0)
            self.wait(table_id, user_id, again, show)


def _put(known: dict[Key, Value], key: Key, value: Value) -> None:
    """Put an item last into a dictionary of limited size, dropping the first items if needed."""
    known.pop(key, None)
    known[key] = value
    while len(known) > MOST:
        del known[next(iter(known))]
