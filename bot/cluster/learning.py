"""Learning: asks Discord for the commands and the emojis of the bot's application, which texts mention.

Each process asks by itself and not through one of its shards, which come and go.
"""

import asyncio
from contextlib import suppress
from typing import Final

import discord
import structlog
from discord import app_commands

from bot import emojis
from bot.messages.builder import mentions
from bot.outbox.delivery.access import LostConnection

LEARN_WITHIN: Final = 60.0
"""Seconds for Discord to list the commands."""

RETRY: Final = 60.0
"""Seconds after which a failed request is repeated."""

log = structlog.get_logger(__name__)


class Learning:
    """Learns which commands are registered and which emojis there are, and uploads the missing emojis.

    Args:
        scout: a client that is logged in, and has no tree of commands.
    """

    def __init__(self, scout: discord.Client) -> None:
        self._scout = scout
        self._tree = app_commands.CommandTree(scout)
        self._asked = asyncio.Event()
        self._has_emojis = False

    def wake(self) -> None:
        """Learn the commands again: they have been registered anew, by this process or another."""
        self._asked.set()

    async def run(self) -> None:
        """Learn, and learn again when woken, until cancelled. Meanwhile texts do without mentions and emojis."""
        while True:
            self._asked.clear()
            try:
                learned = await self._learn()
            except Exception:
                log.exception("not learned what texts mention")  # games go on without
                learned = False
            with suppress(TimeoutError):
                async with asyncio.timeout(None if learned else RETRY):
                    await self._asked.wait()

    async def _learn(self) -> bool:
        knows_commands = await self._learn_commands()
        self._has_emojis = self._has_emojis or await emojis.settle(self._scout)
        return knows_commands and self._has_emojis

    async def _learn_commands(self) -> bool:
        try:
            async with asyncio.timeout(LEARN_WITHIN):
                mentions.learn(await self._tree.fetch_commands())
        except (discord.DiscordException, *LostConnection) as error:
            log.warning("commands not mentioned", error=repr(error))
            return False
        return True
