"""The list of commands. Each feature has its own. The context menus on people and messages are in `bot.menus`.

A command about a table gets its table from a decorator in `bot.interactions.tables`. It asks a service to act, and answers with
a message. `bot.interactions.command_tree` answers if a command cannot be carried out.
"""

from typing import Final

from discord import app_commands

from bot.features.analysis import handlers as analysis
from bot.features.help import handlers as help_
from bot.features.ladders import handlers as ladders
from bot.features.lobby import commands as lobby
from bot.features.matchmaking import commands as matchmaking
from bot.features.playing import commands as playing
from bot.features.puzzles import handlers as puzzles
from bot.features.replays import handlers as replays
from bot.features.settings import handlers as settings
from bot.features.stats import handlers as stats
from bot.features.tournaments import commands as tournaments
from bot.features.watching import handlers as watching
from bot.interactions.reply import Command

MODULES: Final = (
    lobby, matchmaking, tournaments, playing, watching, help_, replays, stats, ladders, analysis, puzzles, settings,
)  # fmt: skip

COMMANDS: Final[tuple[Command | app_commands.Group, ...]] = tuple(command for module in MODULES for command in module.COMMANDS)
