"""Following: a private message that waits for computers becomes what comes next for its person, without another press.

It is edited by the token of the last press, which Discord takes for a quarter of an hour. After that, and after a restart, the
next press on it takes over.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

MOST: Final = 4096
"""How many messages wait at most, and of how many tables the last action of a computer is known."""

Key = TypeVar("Key")
Value = TypeVar("Value")

Show = Callable[[], Awaitable[int | None]]
"""Shows what has come. Returns the version of the table after which the message still waits, or None: it waits no more."""

log = structlog.get_logger(__name__)


class Following:
    """The messages that wait, by their tables and people: the newest of each person at a table."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[int, int], Show] = {}
        self._played: dict[int, int] = {}
        self._going_on: dict[tuple[int, int], asyncio.Task[None]] = {}

    def wait(self, table_id: int, user_id: int, version: int, show: Show) -> None:
        """Have a message wait until a computer has acted after a version of its table. That may have happened by now."""
        _put(self._waiting, (table_id, user_id), show)
        if self._played.get(table_id, version) > version:
            self._go_on(table_id, user_id)

    def stop(self, table_id: int, user_id: int) -> None:
        """Have no message of a person become anything by itself: they have pressed on it, or have another one."""
        self._waiting.pop((table_id, user_id), None)
        task = self._going_on.get((table_id, user_id))
        if task is not None and task is not asyncio.current_task():
            task.cancel()  # what it was about to show is out of date

    def played(self, table_id: int, version: int) -> None:
        """Go on with the messages of a table at which a computer has acted, which has this version now."""
        _put(self._played, table_id, version)
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
        try:
            version = await show()
        except Exception as error:  # noqa: BLE001 - the board in the channel shows it, and so does the next press
            log.info("a message did not follow", table=table_id, error=repr(error))
            return
        if version is not None and (table_id, user_id) not in self._waiting:
            self.wait(table_id, user_id, version, show)


def _put(known: dict[Key, Value], key: Key, value: Value) -> None:
    """Put something last into a dictionary that holds so many at most, without the first ones."""
    known.pop(key, None)
    known[key] = value
    while len(known) > MOST:
        del known[next(iter(known))]
