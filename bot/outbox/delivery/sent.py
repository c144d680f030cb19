"""Finds messages that the bot has sent already, before they are sent a second time.

Every message is sent with a nonce, and Discord does not post the same nonce twice within some minutes. After that, or once the
bot was killed, only the channel's history tells whether a message was posted. The history does not contain nonces, but it does
contain the ids of components, which the sender may choose. So the container of every message has an id that is made from its
nonce: its mark.
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
    """Return the id for the container of a message with a nonce. Ids that Discord assigns by itself are smaller."""
    return zlib.crc32(nonce.encode()) & 0x3FFFFFFF | 0x40000000


def has_mark(message: discord.Message, nonce: str) -> bool:
    """Whether a message was sent with a nonce, by the id of its container."""
    wanted = mark(nonce)
    return any(getattr(component, "id", None) == wanted for component in message.components)


def clicks(message: discord.Message) -> Iterator[Click]:
    """Yield the clicks that the buttons and menus of a message stand for."""
    for component in _all_components(message.components):
        click = Click.read(getattr(component, "custom_id", None) or "")
        if click is not None:
            yield click


def _all_components(components: Any) -> Iterator[Any]:
    """Yield components and all that they contain."""
    for component in components:
        yield component
        yield from _all_components(getattr(component, "children", ()))


async def own_messages(client: discord.Client, channel: discord.abc.Messageable, since: float) -> list[discord.Message]:
    """Return the messages that the bot has posted in a channel since a moment, in seconds since the epoch, oldest first.

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
    """Return the message that the bot has posted with a nonce since a moment, in seconds since the epoch, or None.

    Raises errors of Discord, except that it may not read the channel's history: then nothing is found.
    """
    sent = await own_messages(client, channel, since)
    return next((message for message in sent if has_mark(message, nonce)), None)
