"""The slash commands, a module for each group of them."""

from bot.commands.board import Looking
from bot.commands.consent import Consenting
from bot.commands.move import Playing
from bot.commands.play import Opening
from bot.commands.records import Records
from bot.commands.rules import Reading
from bot.commands.server_settings import Managing
from bot.commands.settings import Settings

GROUPS = (Opening, Playing, Consenting, Looking, Reading, Records, Settings, Managing)

__all__ = ["GROUPS"]
