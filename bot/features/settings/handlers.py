"""`/settings` and `/server-settings`, each of which opens a private panel that shows, explains and changes settings."""

from typing import Final

from discord import app_commands

from bot.features.settings import own_panel, server_panel, tables
from bot.interactions.context import respond
from bot.interactions.reply import Command, Interaction


@app_commands.command(
    name="settings", description="Your own settings: reminders, quiet hours, vacation, pictures, language, data"
)
@app_commands.guild_only()
async def settings(interaction: Interaction) -> None:
    """Open the user's own settings."""
    async with respond(interaction) as context:
        await own_panel.PANEL.show(context)


@app_commands.command(
    name="server-settings", description="This server’s settings: channels, new tables, posts, matching, moderation"
)
@app_commands.guild_only()
@app_commands.default_permissions(manage_guild=True)
async def server_settings(interaction: Interaction) -> None:
    """Open the server's settings."""
    async with respond(interaction) as context:
        await server_panel.PANEL.show(context)


COMMANDS: Final[tuple[Command, ...]] = (settings, server_settings)

HANDLERS: Final = (*own_panel.PANEL.handlers(), *server_panel.PANEL.handlers(), *tables.HANDLERS)
