"""Finding messages that the bot has sent already, before they are sent a second time.

Every message is sent with a nonce, and Discord does not post the same nonce twice within some minutes. When that time is over,
or the bot was killed in between, only the channel can tell whether a message had been posted. Discord does not return nonces
from a channel's history, but it does return the ids of components, which the sender may choose: the container of every message
carries a number that is made from its nonce, its mark.
"""

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import discord

from bot.messages.click import Click

MARGIN: Final = 300.0
"""Seconds by which the machine's clock may be ahead of Discord's."""

LOOKED_AT: Final = 200
"""How many messages are looked at from the moment on when a job was created; in a busy channel the newest ones as well."""

NEWEST: Final = 100


def mark(nonce: str) -> int:
    """The id for the container of a message with this nonce, out of the way of the small ids that Discord gives by itself."""
    return zlib.crc32(nonce.encode()) & 0x3FFFFFFF | 0x40000000


def marked(message: discord.Message, nonce: str) -> bool:
    """Whether a message was sent with this nonce."""
    wanted = mark(nonce)
    return any(getattr(component, "id", None) == wanted for component in message.components)


def clicks(message: discord.Message) -> Iterator[Click]:
    """What the buttons and menus of a message stand for."""
    for component in _walked(message.components):
        click = Click.read(getattr(component, "custom_id", None) or "")
        if click is not None:
            yield click


def _walked(components: Any) -> Iterator[Any]:
    for component in components:
        yield component
        yield from _walked(getattr(component, "children", ()))


async def own_messages(client: discord.Client, channel: discord.abc.Messageable, since: float) -> list[discord.Message]:
    """The messages that the bot has posted in a channel since a moment, in seconds since the epoch; oldest first.

    Empty if the bot may not read the channel's history. Raises other errors of Discord.
    """
    moment = datetime.fromtimestamp(max(since - MARGIN, discord.utils.DISCORD_EPOCH / 1000), UTC)
    after = discord.Object(discord.utils.time_snowflake(moment))
    try:
        found = [message async for message in channel.history(limit=LOOKED_AT, after=after, oldest_first=True)]
        if len(found) == LOOKED_AT:
            known = {message.id for message in found}
            newest = [message async for message in channel.history(limit=NEWEST) if message.id not in known]
            found += reversed(newest)
    except (discord.Forbidden, discord.NotFound):
        return []
    assert client.user is not None, "the bot is logged in while it works"
    return [message for message in found if message.author.id == client.user.id]


async def find_sent(
    client: discord.Client, channel: discord.abc.Messageable, nonce: str, since: float
) -> discord.Message | None:
    """The message that the bot has posted with this nonce since a moment, in seconds since the epoch, or None.

    Raises errors of Discord, except that it may not read the channel's history: then nothing is found.
    """
    sent = await own_messages(client, channel, since)
    return next((message for message in sent if marked(message, nonce)), None)
