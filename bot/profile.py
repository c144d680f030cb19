"""The bot's profile in Discord. What is missing of it is filled in, and what somebody has chosen stays as it is."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal

import discord
import structlog

from bot.invitation import missing_install_settings
from bot.outbox.access import LostConnection
from bot.workers.drawing import drawing
from bot.workers.worker import WorkFailed
from engines import GAMES
from renderers import profile

TAGS: Final = ("board games", "turn-based", "multiplayer", "puzzles", "tournaments")
"""The tags by which people find the bot in Discord's directory: at most five, of at most 20 characters each."""

log = structlog.get_logger(__name__)


async def settle(client: discord.Client) -> None:
    """Fill in what the profile lacks. If Discord refuses, the next start tries again. Several processes may do this at once."""
    assert client.user is not None, "the client is logged in"
    await _settle_application(client)
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
    """Draw a picture and upload it. If Discord refuses one picture, the other is still uploaded."""
    try:
        picture = await drawing(draw, slow=True)
        await (user.edit(avatar=picture) if what == "avatar" else user.edit(banner=picture))
    except (discord.DiscordException, *LostConnection, WorkFailed) as error:
        log.warning("the profile of the bot lacks a picture", picture=what, error=repr(error))


def description() -> str:
    """Return the profile's description of the bot. Discord has no translations of it."""
    *others, last = (str(game.title) for game in GAMES.values())
    games = f"{', '.join(others)} and {last}"
    return (
        f"Bounce games that you play turn by turn, right in the channel: {games}. Against friends or a computer, in a minute "
        "or over days. Begin with /help."
    )


async def _settle_application(client: discord.Client) -> None:
    """Fill in what the application lacks. If Discord refuses one part, the others are still filled in."""
    try:
        present: Mapping[str, Any] = await client.http.application_info()
    except (discord.DiscordException, *LostConnection) as error:
        log.warning("the profile of the application is not known", error=repr(error))
        return
    for part, value in _missing(present):
        try:
            await client.http.edit_application_info(reason=None, payload={part: value})
            log.info("the profile of the application was filled in", part=part)
        except (discord.DiscordException, *LostConnection) as error:
            log.warning("the profile of the application lacks a part", part=part, error=repr(error))


def _missing(application: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each part of its profile that an application lacks, with the content to fill in."""
    if not application.get("description"):
        yield "description", description()
    if not application.get("tags"):
        yield "tags", list(TAGS)
    if (ways := missing_install_settings(application)) is not None:
        yield "integration_types_config", ways
