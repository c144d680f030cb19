"""Direct messages: to whom the bot may write, and who does not accept messages.

Discord quarantines bots that open many conversations at once. All processes together therefore write to only a few new people a
minute, and one server has only a share of these. People who accept no messages are tried again after a week, or when they
choose direct messages anew.
"""

import asyncio
from collections import deque
from dataclasses import replace
from typing import Final

from bot.core.core import Core
from storage import queries

MINUTE: Final = 60.0

FIRST_IN_A_MINUTE: Final = 10
"""How many people a minute the bot may write to for the first time."""

OF_A_SERVER: Final = 5
"""How many of these people may be written to because of one server. One process gets all events of a server, and counts."""

CLOSED_FOR: Final = 7 * 24 * 3600.0
"""Seconds for which the bot does not write to somebody who accepts no messages."""

FIRST: Final = 0x5350_5249_4E4A
"""The key of the lock held while first messages to people are counted. No user has it as an id, since ids are far larger."""


class Closed(Exception):
    """Raised for a person who, as far as is known, accepts no direct messages."""


class Direct:
    """The people to whom the bot sends direct messages."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._of_servers: dict[int, deque[float]] = {}
        self._lock = asyncio.Lock()

    async def reserve(self, user_id: int, guild_id: int) -> float:
        """Return in how many seconds the bot may write to a person. A first message possible now is counted. Raises Closed."""
        now = self._core.now()
        async with self._core.store.read() as reader:
            person = await queries.people.get(reader, user_id)
        if person.direct_closed is not None and now - person.direct_closed < CLOSED_FOR:
            raise Closed
        if person.direct_since is not None:
            return 0.0
        async with self._lock:
            return await self._reserve_first(user_id, guild_id, now)

    async def _reserve_first(self, user_id: int, guild_id: int, now: float) -> float:
        """Count a person as written to for the first time, if that is possible now. See `reserve`."""
        recent = self._recent(guild_id, now)
        if len(recent) >= OF_A_SERVER:
            return recent[0] + MINUTE - now
        async with self._core.store.write() as writer:
            await writer.lock(FIRST)
            count, first = await queries.people.first_written(writer, now - MINUTE)
            if count >= FIRST_IN_A_MINUTE and first is not None:
                return first + MINUTE - now
            person = await queries.people.get_to_change(writer, user_id)
            await queries.people.put(writer, replace(person, direct_since=now))
        recent.append(now)
        return 0.0

    def _recent(self, guild_id: int, now: float) -> deque[float]:
        """Return when, within the last minute, somebody was first written to because of a server."""
        for known, times in list(self._of_servers.items()):
            while times and times[0] <= now - MINUTE:
                times.popleft()
            if not times:
                del self._of_servers[known]
        return self._of_servers.setdefault(guild_id, deque())

    async def note_closed(self, user_id: int) -> None:
        """Record that a person accepts no messages, and that they have not been told so yet."""
        async with self._core.store.write() as writer:
            person = await queries.people.get_to_change(writer, user_id)
            await queries.people.put(writer, replace(person, direct_closed=self._core.now(), direct_told=None))

    async def note_told(self, user_id: int) -> bool:
        """Record that a person is being told that they accept no messages. Returns False if they were told before."""
        async with self._core.store.write() as writer:
            person = await queries.people.get_to_change(writer, user_id)
            if person.direct_closed is None or person.direct_told is not None:
                return False
            await queries.people.put(writer, replace(person, direct_told=self._core.now()))
        return True
