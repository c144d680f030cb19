"""The commands as Discord has registered them, with the ids that texts need to mention them."""

import asyncio
from typing import Any, Final

import discord
import structlog
from discord import app_commands

from bot.messages.builder import mentions
from bot.outbox.access import LostConnection
from bot.runtime.backoff import backoff

LEARN_WITHIN: Final = 60.0
"""Seconds within which Discord must list the commands."""

RETRY: Final = 60.0
"""Seconds before a failed request is repeated."""

LONGEST_RETRY: Final = 6 * 3600.0
"""The longest wait, in seconds, before the commands are registered again, however often that has failed."""

log = structlog.get_logger(__name__)


async def learn(tree: app_commands.CommandTree[Any]) -> bool:
    """Ask Discord for the commands, and mention them from now on. Returns False if that fails, which is logged."""
    try:
        async with asyncio.timeout(LEARN_WITHIN):
            mentions.learn(await tree.fetch_commands())
    except (discord.DiscordException, *LostConnection) as error:
        log.warning("commands not mentioned", error=repr(error))
        return False
    return True


def until_registering(failures: int) -> float:
    """Return the seconds to wait before the commands are registered again, given the number of earlier failures."""
    return backoff(failures, first=RETRY, longest=LONGEST_RETRY)
