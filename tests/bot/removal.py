"""Servers that remove the bot, with all channels and messages in the simulation, and let it in again."""

from collections.abc import Callable

from simcord.backend import serializers

from tests.bot.kit import World


def put_out(world: World, *, running: bool = True) -> Callable[[], None]:
    """Remove the bot from the server, telling it if it is `running`. The returned function lets it in again."""
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
