"""Learning: asks Discord, separately in each process, for the application's commands and emojis, which texts mention."""

import asyncio
from contextlib import suppress

import discord
import structlog
from discord import app_commands

from bot import emojis, known_commands
from bot.known_commands import RETRY

log = structlog.get_logger(__name__)


class Learning:
    """Learns which commands and emojis exist, and uploads missing emojis. `scout` is logged in and has no command tree."""

    def __init__(self, scout: discord.Client) -> None:
        self._scout = scout
        self._tree = app_commands.CommandTree(scout)
        self._asked = asyncio.Event()
        self._has_emojis = False

    def wake(self) -> None:
        """Learn the commands again, because a process has registered them again."""
        self._asked.set()

    async def run(self) -> None:
        """Learn now, and again whenever woken, until cancelled. Until it has learnt them, texts do without."""
        while True:
            self._asked.clear()
            try:
                knows_commands = await known_commands.learn(self._tree)
                self._has_emojis = self._has_emojis or await emojis.settle(self._scout)
                learned = knows_commands and self._has_emojis
            except Exception:
                log.exception("not learned what texts mention")  # games go on without
                learned = False
            with suppress(TimeoutError):
                async with asyncio.timeout(None if learned else RETRY):
                    await self._asked.wait()
