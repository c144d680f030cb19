"""Membership: which servers have the bot, and what becomes of the data of servers that have removed it.

After a removal, nothing is sent to the server, and the clocks of its tables stand still for a period of grace. When that is
over, everything about the server is deleted, unless the bot has returned.
"""

from collections.abc import Callable
from typing import Final

import structlog

from bot.core.clocks.heartbeats import newest
from bot.core.clocks.outages import OUTAGE
from bot.core.core import Core
from bot.core.parts import Keeper
from storage import queries
from storage.schema.records import JobKind, Status
from storage.store import Writer

log = structlog.get_logger(__name__)

GRACE: Final = 30 * 86400.0
"""How many seconds a server's data is kept after the bot was removed from the server."""


class Membership(Keeper):
    """The servers that have the bot, or had it until recently."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._name = core.name

    async def begin_grace(self, guild_id: int) -> None:
        """Begin a server's period of grace, unless it has begun already."""
        async with self._core.store.write() as writer:
            await self._mark(writer, guild_id)
        self._core.on_change(0.0)

    async def end_grace(self, guild_id: int) -> bool:
        """End a server's grace, and move deadlines and reminders by the bot's absence. Returns False if none had begun."""
        async with self._core.store.write() as writer:
            left_at = (await queries.servers.left(writer)).get(guild_id)
            if left_at is None:
                return False
            await queries.servers.put_left(writer, guild_id, None)
            absence = max(0.0, await self._known_until(writer) - left_at)
            await queries.clocks.shift_deadlines(writer, guild_id, absence)
            for keeper in self._core.parts.keepers(self._core):
                await keeper.move(writer, absence, left_at, left_at + absence, guild_id)
            for table in await queries.tables.find(writer, guild_id=guild_id, statuses=(Status.PLAYING,)) if absence else ():
                await self._core.enqueue(writer, table.id, JobKind.REFRESH)
        self._core.on_change(0.0)
        return True

    async def away(self) -> tuple[int, ...]:
        """Return the ids of servers whose grace has begun."""
        async with self._core.store.read() as reader:
            return tuple(await queries.servers.left(reader))

    async def reconcile(self, responsible: Callable[[int], bool], is_member: Callable[[int], bool]) -> tuple[int, ...]:
        """Begin the grace of every server that has data here but no longer has the bot. Returns the ids of these servers.

        `responsible` says whether this process serves a server. `is_member` says whether the bot is in it, even if the server
        cannot be reached at the moment; it is called within the transaction, lest a server joined in the meantime be counted as
        left.
        """
        async with self._core.store.write() as writer:
            left = [id_ for id_ in await queries.servers.known(writer) if responsible(id_) and not is_member(id_)]
            gone = [guild_id for guild_id in left if await self._mark(writer, guild_id)]
        self._core.on_change(0.0)
        return tuple(gone)

    async def sweep(self) -> bool:
        """Delete everything about servers whose grace is over."""
        for guild_id in await self.forget_due():
            log.info("forgot a server that the bot was removed from", server=guild_id)
        return False

    async def forget_due(self) -> tuple[int, ...]:
        """Delete everything about servers whose grace is over, and return their ids. No grace is over while no time counts."""
        due = await self.next_due()
        if due is None or due > self._core.now():
            return ()
        async with self._core.store.write() as writer:
            since = self._core.now() - GRACE
            over = [guild_id for guild_id, left_at in (await queries.servers.left(writer)).items() if left_at <= since]
            for guild_id in over:
                await queries.forgetting.forget_server(writer, guild_id)
        return tuple(over)

    async def next_due(self) -> float | None:
        """Return when the next grace is over, in seconds since the epoch, or None if there is none or no time counts now."""
        if not self._core.time_counts():
            return None
        async with self._core.store.read() as reader:
            return min((left_at + GRACE for left_at in (await queries.servers.left(reader)).values()), default=None)

    async def _known_until(self, writer: Writer) -> float:
        """Return until when the bot is known to have run: now, or its last heartbeat if an outage is yet to be given back."""
        now = self._core.now()
        beat = newest(await queries.heartbeats.find(writer), self._name)
        last = now if beat is None else beat.at
        return last if now - last > OUTAGE and not self._core.time_counts() else now

    async def _mark(self, writer: Writer, guild_id: int) -> bool:
        """Record that the bot was removed from a server now. Returns False if that is recorded already."""
        if guild_id in await queries.servers.left(writer):
            return False
        await queries.servers.put_left(writer, guild_id, self._core.now())
        return True
