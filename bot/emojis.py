"""The bot's own emojis: the marks of the seats, as they look on the pieces, and the computers' mark.

They belong to the application, so every server can show them without a permission. An emoji's name says what it looks like
(`sb_blue_` and the picture's hash). So a version of the bot that draws the emojis differently uploads new ones, and older
messages keep theirs.
"""

import asyncio
import io
from hashlib import sha256
from typing import Final

import discord
import structlog

from bot.messages.players import MARKS
from bot.outbox.access import LostConnection
from engines.text import SEAT_COLOURS
from renderers import theme
from renderers.pieces import badge, computer_mark

log = structlog.get_logger(__name__)

SIDE: Final = 128
"""The width and height, in pixels, that Discord recommends."""
NAMES: Final = tuple(colour.lower() for colour in SEAT_COLOURS)


def pictures() -> dict[str, bytes]:
    """Draw the marks of the seats, in order, and then the computers' mark. Returns PNG files by the names of their emojis."""
    found = {}
    drawn = {colour: badge(seat, theme.WARM, SIDE) for seat, colour in enumerate(NAMES)}
    for what, image in {**drawn, "computer": computer_mark(theme.WARM, SIDE)}.items():
        file = io.BytesIO()
        image.save(file, "PNG", optimize=True)
        found[f"sb_{what}_{sha256(file.getvalue()).hexdigest()[:8]}"] = file.getvalue()
    return found


async def settle(client: discord.Client) -> bool:
    """Upload the missing emojis, and use all of them from now on. Returns False if Discord refuses, which is logged."""
    try:
        drawn = await asyncio.to_thread(pictures)
        there = await _fetch_uploaded(client)
        for name, picture in drawn.items():
            if name not in there:
                try:
                    there[name] = await client.create_application_emoji(name=name, image=picture)
                except discord.HTTPException:
                    there = await _fetch_uploaded(client)  # another process may have been quicker
                    if name not in there:
                        raise
    except (discord.DiscordException, *LostConnection) as error:
        log.warning("no emojis of the bot’s own", error=repr(error))
        return False
    *seats, computer = (str(there[name]) for name in drawn)
    MARKS.show_as(seats, computer)
    return True


async def _fetch_uploaded(client: discord.Client) -> dict[str, discord.Emoji]:
    return {emoji.name: emoji for emoji in await client.fetch_application_emojis()}
