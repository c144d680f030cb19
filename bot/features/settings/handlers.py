"""What is pressed and filled in on the panels of settings."""

from typing import Final

from bot.features.settings import own_panel, server_panel, tables

HANDLERS: Final = (*own_panel.PANEL.handlers(), *server_panel.PANEL.handlers(), *tables.HANDLERS)
