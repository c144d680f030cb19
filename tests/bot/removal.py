"""Servers that remove the bot and let it in again; in the simulated Discord, with all their channels and messages."""

from collections.abc import Callable

from simcord.backend import serializers

from tests.bot.kit import World


def put_out(world: World, *, running: bool = True) -> Callable[[], None]:
    """The server puts the bot out. What comes back lets it in again.

    Args:
        world: the server.
        running: whether the bot is running, so that it is told.
    """
    backend = world.env.backend
    guild = backend.get_guild(world.guild.id)
    channels = {channel_id: backend.channels[channel_id] for channel_id in (*guild.channel_ids, *guild.thread_ids)}
    messages = {channel_id: backend.messages[channel_id] for channel_id in channels if channel_id in backend.messages}
    if running:
        backend.remove_guild(guild.id)
    else:
        del backend.guilds[guild.id]

    def let_in_again() -> None:
        backend.guilds[guild.id] = guild
        backend.channels.update(channels)
        backend.messages.update(messages)
        if running:
            backend.emit("GUILD_CREATE", serializers.guild_create_payload(backend, guild))

    return let_in_again
