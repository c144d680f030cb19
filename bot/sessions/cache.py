"""The cache of rebuilt games: bounded by what they weigh, and nothing is replayed twice at the same time."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from bot.sessions.history import History

ENTRIES_AT_MOST: Final = 16_384
"""How many log entries the cached games may have altogether: those of some hundreds of running games.

An entry, with the state and the events that it led to, takes about three kilobytes of the process's memory, so these are fifty
megabytes. It is replayed in less than a tenth of a millisecond.
"""


class HistoryCache:
    """The rebuilt games that were used last. Each can be rebuilt from its log at any time.

    Args:
        most: how many log entries the games may have altogether. The game that was used last is kept even if it alone has more.

    Attributes:
        entries: how many they have now.
    """

    def __init__(self, most: int = ENTRIES_AT_MOST) -> None:
        self._most = most
        self._histories: OrderedDict[int, History] = OrderedDict()
        self._replaying: dict[int, asyncio.Future[History | None]] = {}
        self.entries = 0

    def __len__(self) -> int:
        return len(self._histories)

    def get(self, table_id: int) -> History | None:
        """The game of a table, or None if it is not cached."""
        history = self._histories.get(table_id)
        if history is not None:
            self._histories.move_to_end(table_id)
        return history

    def keep(self, table_id: int, history: History) -> None:
        """Cache a game, unless a newer version of it is cached. It must have been committed, or just been read."""
        known = self._histories.get(table_id)
        if known is not None and known.version > history.version:
            return
        self.drop(table_id)
        self._histories[table_id] = history
        self.entries += _weight(history)
        while self.entries > self._most and len(self._histories) > 1:
            self.drop(next(iter(self._histories)))

    def drop(self, table_id: int) -> None:
        """Remove the game of a table, if it is cached."""
        history = self._histories.pop(table_id, None)
        if history is not None:
            self.entries -= _weight(history)

    async def replayed(self, table_id: int, replay: Callable[[], Awaitable[History | None]]) -> History | None:
        """The game of a table from its log, which is cached then. Of several callers at once only the first one replays it.

        Args:
            table_id: the table.
            replay: reads the log and replays it; returns None for a table that has not started.
        """
        running = self._replaying.get(table_id)
        if running is None:
            running = asyncio.ensure_future(self._replay(table_id, replay))
            self._replaying[table_id] = running
            running.add_done_callback(_retrieved)
        # A caller that is cancelled does not cancel what others wait for.
        return await asyncio.shield(running)

    async def _replay(self, table_id: int, replay: Callable[[], Awaitable[History | None]]) -> History | None:
        try:
            history = await replay()
        finally:
            del self._replaying[table_id]
        if history is not None:
            self.keep(table_id, history)
        return history


def _weight(history: History) -> int:
    """What a game weighs, in log entries: its first state counts as one."""
    return 1 + history.version


def _retrieved(done: asyncio.Future[History | None]) -> None:
    """Retrieve the error of a replay whose callers have all been cancelled; asyncio would warn that nobody did."""
    if not done.cancelled():
        done.exception()
