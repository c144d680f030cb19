"""The list of the commands. Each feature has its own in `commands.py`; the menus on people and messages are in `bot.menus`.

A command about a table has the decorator of `bot.interactions.tables`, and finds there which table is meant. It asks a service
to do something, and answers with a message. `bot.interactions.command_tree` answers for commands that cannot be carried out.
"""

from typing import Final

from discord import app_commands

from bot.features.help import commands as rules
from bot.features.lobby import commands as play
from bot.features.matchmaking import commands as seeks
from bot.features.offers import commands as consent
from bot.features.playing import board_commands as board
from bot.features.playing import commands as move
from bot.features.puzzles import commands as puzzles
from bot.features.replays import commands as results
from bot.features.reviews import commands as advice
from bot.features.settings import commands as settings
from bot.features.settings import server_commands as server_settings
from bot.features.tournaments import commands as events
from bot.interactions.reply import Command

COMMANDS: Final[tuple[Command | app_commands.Group, ...]] = (
    *play.COMMANDS,
    *seeks.COMMANDS,
    *events.COMMANDS,
    *move.COMMANDS,
    *consent.COMMANDS,
    *board.COMMANDS,
    *rules.COMMANDS,
    *results.COMMANDS,
    *advice.COMMANDS,
    *puzzles.COMMANDS,
    *settings.COMMANDS,
    *server_settings.COMMANDS,
)
"""Every command that is typed."""
