"""The presses and forms of the panels of settings."""

from typing import Final

from bot.features.settings import own_panel, server_panel, tables

HANDLERS: Final = (*own_panel.PANEL.handlers(), *server_panel.PANEL.handlers(), *tables.HANDLERS)
