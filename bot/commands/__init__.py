"""The slash commands, a module for each group of them."""

from bot.commands.looking import Looking
from bot.commands.opening import Opening
from bot.commands.playing import Playing
from bot.commands.reading import Reading

GROUPS = (Opening, Playing, Looking, Reading)

__all__ = ["GROUPS"]
