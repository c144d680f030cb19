"""Works the outbox off: carries out what Discord has still to be told, and keeps for later what did not succeed.

What an errand does stands in bot/outbox/jobs.py; here is when it is tried, how often, and who hears of it if it is refused.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import discord
import structlog

from bot.i18n.language import Language
from bot.outbox.jobs import Errands, LostConnection
from bot.outbox.permissions import THREAD_CLOSED, UNKNOWN_CHANNEL, trouble
from bot.sessions import Sessions
from bot.sessions.errors import NoSuchTable
from engines.text import Text
from storage.records import Errand

FIRST_RETRY: Final = 5.0
LONGEST_RETRY: Final = 900.0
AFTER_TROUBLE: Final = 30.0
"""Seconds after which the outbox is looked at again if it could not be worked off at all."""
HELD_BACK: Final = (3600.0, 6 * 3600.0, 24 * 3600.0)
"""Seconds after which something that Discord refused is tried again, each time; then it is given up. Long, because whoever
tries again and again is shut out; it comes sooner when somebody changes what the bot may do (`reconsider`)."""

log = structlog.get_logger(__name__)


class Delivery:
    """The one that works the outbox off.

    Args:
        client: the connection to Discord.
        sessions: the service; errands come from its store.
        server_language: the language of a server's public texts.
    """

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        server_language: Callable[[int], Awaitable[Language]],
    ) -> None:
        self._client = client
        self._sessions = sessions
        self._errands = Errands(client, sessions, server_language)
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._running: asyncio.Task[None] | None = None
        self._again = False
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def kick(self) -> None:
        """Something may be due: look, unless that is going on already."""
        if self._closed:
            return
        if self._running is not None and not self._running.done():
            self._again = True
            return
        self._running = asyncio.create_task(self._drain(), name="springboard-delivery")

    async def close(self) -> None:
        """Stop. What is not delivered stays in the outbox for the next start."""
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def deliver(self, table_id: int) -> Text | None:
        """Carry out what is due for one table now. Gives the trouble in words if something could not be shown."""
        refused: Text | None = None
        async with self._sessions.desk.store.read() as reader:
            due = [e for e in await reader.errands(self._sessions.desk.now()) if e.table_id == table_id]
        for errand in due:
            refused = await self._attempt(errand) or refused
        self._wake_later()
        return refused

    async def reconsider(self, guild_id: int) -> None:
        """Somebody has changed what the bot may do on a server: try again what was refused there."""
        desk = self._sessions.desk
        async with desk.store.read() as reader:
            refused = [e for e in await reader.errands(desk.now() + HELD_BACK[-1]) if e.tries and e.due > desk.now()]
            tables = [await reader.table(errand.table_id) for errand in refused]
        again = [e for e, table in zip(refused, tables, strict=True) if table is not None and table.guild_id == guild_id]
        if again:
            async with desk.store.write() as writer:
                for errand in again:
                    await writer.enqueue(replace(errand, due=desk.now()))
            self.kick()

    async def shown(self, table_id: int, kind: str) -> None:
        """An answer to a click has shown already what an errand of this kind was to show: it need not be carried out."""
        desk = self._sessions.desk
        async with self._locks[table_id], desk.store.write() as writer:
            for errand in await writer.errands(desk.now()):
                if errand.table_id == table_id and errand.kind == kind:
                    await writer.finish_errand(errand)

    async def _drain(self) -> None:
        try:
            while True:
                self._again = False
                async with self._sessions.desk.store.read() as reader:
                    due = await reader.errands(self._sessions.desk.now())
                by_table: defaultdict[int, list[Errand]] = defaultdict(list)
                for errand in due:
                    by_table[errand.table_id].append(errand)
                await asyncio.gather(*(self._attempt_all(errands) for errands in by_table.values()))
                if not due and not self._again:
                    break
            async with self._sessions.desk.store.read() as reader:
                following = await reader.next_errand()
        except Exception:
            log.exception("delivery failed")
            following = self._sessions.desk.now() + AFTER_TROUBLE
        self._arm(following)

    async def _attempt_all(self, errands: list[Errand]) -> None:
        for errand in errands:
            await self._attempt(errand)

    async def _attempt(self, errand: Errand) -> Text | None:
        """Carry one errand out, and delete it or put it off. Gives the trouble in words if Discord refuses it."""
        desk = self._sessions.desk
        async with self._locks[errand.table_id]:
            if not await self._still_there(errand):
                return None
            try:
                glance = await desk.glance(errand.table_id)
                await self._errands.carry_out(glance, errand)
            except NoSuchTable:
                pass
            except discord.HTTPException as error:
                if not (isinstance(error, discord.Forbidden | discord.NotFound) or error.code == THREAD_CLOSED):
                    await self._put_off(errand, error)
                    return None
                log.warning("errand refused", table=errand.table_id, kind=errand.kind, code=error.code, error=error.text)
                if error.code != UNKNOWN_CHANNEL and errand.tries < len(HELD_BACK):
                    await self._postpone(errand, HELD_BACK[errand.tries])
                else:
                    await self._finish(errand)
                return trouble(self._client, glance, error)
            except LostConnection as error:
                await self._put_off(errand, error)
                return None
            except Exception as error:
                log.exception("errand failed", table=errand.table_id, kind=errand.kind)
                await self._put_off(errand, error)
                return None
            await self._finish(errand)
            return None

    async def _still_there(self, errand: Errand) -> bool:
        """Whether nobody else has carried the errand out while this one waited for the table."""
        async with self._sessions.desk.store.read() as reader:
            return any(e == errand for e in await reader.errands(self._sessions.desk.now()))

    async def _put_off(self, errand: Errand, error: BaseException) -> None:
        wait = min(LONGEST_RETRY, FIRST_RETRY * 2**errand.tries) * random.uniform(0.8, 1.2)  # noqa: S311 - spreads retries
        log.warning("errand put off", table=errand.table_id, kind=errand.kind, seconds=round(wait), error=repr(error))
        await self._postpone(errand, wait)

    async def _postpone(self, errand: Errand, seconds: float) -> None:
        desk = self._sessions.desk
        async with desk.store.write() as writer:
            await writer.postpone(errand.id, desk.now() + seconds)

    async def _finish(self, errand: Errand) -> None:
        async with self._sessions.desk.store.write() as writer:
            await writer.finish_errand(errand)

    def _arm(self, following: float | None) -> None:
        """Wake up again when the next errand is due."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if following is not None and not self._closed:
            wait = max(0.0, following - self._sessions.desk.now())
            self._timer = asyncio.get_running_loop().call_later(wait, self.kick)

    def _wake_later(self) -> None:
        if self._running is None or self._running.done():
            self.kick()
