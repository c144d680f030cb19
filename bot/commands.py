"""The list of the commands. Each feature has its own; the menus on people and messages are in `bot.menus`.

A command about a table has the decorator of `bot.interactions.tables`, and finds there which table is meant. It asks a service
to do something, and answers with a message. `bot.interactions.command_tree` answers for commands that cannot be carried out.
"""

from typing import Final

from discord import app_commands

from bot.features.analysis import handlers as analysis
from bot.features.help import handlers as help_
from bot.features.ladders import handlers as ladders
from bot.features.lessons import handlers as lessons
from bot.features.lobby import commands as lobby
from bot.features.lobby import rematch
from bot.features.matchmaking import commands as matchmaking
from bot.features.offers import commands as offers
from bot.features.plans import handlers as plans
from bot.features.playing import commands as playing
from bot.features.playing import hint_handlers as hints
from bot.features.puzzles import handlers as puzzles
from bot.features.replays import handlers as replays
from bot.features.reviews import handlers as reviews
from bot.features.settings import commands as settings
from bot.features.stats import handlers as stats
from bot.features.today import handlers as today
from bot.features.tournaments import commands as tournaments
from bot.features.verify import handlers as verify
from bot.features.watching import handlers as watching
from bot.interactions.reply import Command

MODULES: Final = (
    lobby, matchmaking, tournaments, playing, hints, offers, plans, rematch, watching, today, help_, lessons, replays,
    verify, stats, ladders, reviews, analysis, puzzles, settings,
)  # fmt: skip

COMMANDS: Final[tuple[Command | app_commands.Group, ...]] = tuple(command for module in MODULES for command in module.COMMANDS)
"""Every command that is typed."""
