"""The groups of the commands for settings, and the choices of their options."""

import discord
from discord import app_commands

from bot.i18n.language import languages

settings = app_commands.Group(name="settings", description="Your own settings", guild_only=True)


def language_choices() -> list[app_commands.Choice[str]]:
    """Return every available language, by its own name."""
    return [app_commands.Choice(name=known.own_name, value=code) for code, known in languages().items()]


server_settings = app_commands.Group(
    name="server-settings",
    description="Settings for this server",
    guild_only=True,
    default_permissions=discord.Permissions(manage_guild=True),
)
