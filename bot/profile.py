"""The bot's profile in Discord: a bot that has no avatar or no banner is given the ones that the renderers draw."""

import asyncio
from collections.abc import Awaitable

import discord
import structlog

from bot.outbox.delivery.access import LostConnection
from renderers import profile

log = structlog.get_logger(__name__)


async def settle(client: discord.Client) -> None:
    """Give the bot the avatar and the banner that it lacks. If Discord refuses, that is logged, and tried at the next start.

    Several processes may do it at the same time: they all upload the same pictures.
    """
    assert client.user is not None, "the client is logged in"
    try:
        present = await client.fetch_user(client.user.id)
    except (discord.DiscordException, *LostConnection) as error:
        log.warning("the profile of the bot is not known", error=repr(error))
        return
    if present.avatar is None:
        await _settle_picture(client.user.edit(avatar=await asyncio.to_thread(profile.avatar)))
    if present.banner is None:
        await _settle_picture(client.user.edit(banner=await asyncio.to_thread(profile.banner)))


async def _settle_picture(change: Awaitable[object]) -> None:
    """Wait for a change of the profile. A refusal of one picture does not keep the other from being there."""
    try:
        await change
    except (discord.DiscordException, *LostConnection) as error:
        log.warning("the profile of the bot lacks a picture", error=repr(error))
