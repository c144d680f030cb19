"""The bot's profile in Discord: a bot that has no avatar or no banner is given the ones that the renderers draw."""

from collections.abc import Callable
from typing import Literal

import discord
import structlog

from bot.drawing.lanes import drawing
from bot.outbox.delivery.access import LostConnection
from bot.workers.worker import WorkFailed
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
        await _settle_picture(client.user, "avatar", profile.avatar)
    if present.banner is None:
        await _settle_picture(client.user, "banner", profile.banner)


async def _settle_picture(user: discord.ClientUser, what: Literal["avatar", "banner"], draw: Callable[[], bytes]) -> None:
    """Draw and upload a picture. A refusal of one picture does not keep the other from being there."""
    try:
        # In a process that ends soon, since it takes as much memory as all of the bot.
        picture = await drawing(draw, slow=True)
        await (user.edit(avatar=picture) if what == "avatar" else user.edit(banner=picture))
    except (discord.DiscordException, *LostConnection, WorkFailed) as error:
        log.warning("the profile of the bot lacks a picture", picture=what, error=repr(error))
