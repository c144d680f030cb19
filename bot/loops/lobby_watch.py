"""LobbyWatch posts lobby messages again if they were deleted, since nobody can join a table without one."""

from collections.abc import Callable
from typing import Final

import discord
import structlog

from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.places import Places
from bot.outbox.access import LostConnection
from bot.outbox.permissions import UNKNOWN_MESSAGE
from bot.runtime.due_loop import DueLoop
from storage.schema.records import JobKind, Table

EVERY: Final = 3600.0
"""Seconds between two checks. Discord reports deleted messages only to bots that receive every message."""

log = structlog.get_logger(__name__)


class LobbyWatch:
    """Looks hourly for the lobby messages of tables that have not started. Calls `on_missing` if one has to be reposted."""

    def __init__(self, client: discord.Client, core: Core, on_missing: Callable[[], None]) -> None:
        self._client = client
        self._core = core
        self._on_missing = on_missing
        self._loop = DueLoop("lobbies", self._look, core.now)

    def wake(self) -> None:
        """Look now."""
        self._loop.wake()

    async def close(self) -> None:
        """Stop looking."""
        await self._loop.close()

    async def _look(self) -> float:
        missing = [table.id for table in await self._core.service(Places).waiting() if await self._is_missing(table)]
        for table_id in missing:
            log.info("a lobby message was deleted", table=table_id)
            await self._core.service(Outbox).enqueue(table_id, JobKind.LOBBY)
        if missing:
            self._on_missing()
        return self._core.now() + EVERY

    async def _is_missing(self, table: Table) -> bool:
        """Whether a lobby message is gone. If Discord does not answer, the message counts as present."""
        assert table.lobby_message_id is not None
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        try:
            await channel.fetch_message(table.lobby_message_id)
        except discord.NotFound as error:
            return error.code == UNKNOWN_MESSAGE
        except (discord.HTTPException, discord.RateLimited, *LostConnection) as error:
            log.info("lobby message not looked at", table=table.id, error=repr(error))
        return False
