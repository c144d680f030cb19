"""The slash commands, a module for each group of them."""

from bot.commands.consenting import Consenting
from bot.commands.looking import Looking
from bot.commands.managing import Managing
from bot.commands.opening import Opening
from bot.commands.playing import Playing
from bot.commands.reading import Reading
from bot.commands.records import Records
from bot.commands.settings import Settings

GROUPS = (Opening, Playing, Consenting, Looking, Reading, Records, Settings, Managing)

__all__ = ["GROUPS"]
