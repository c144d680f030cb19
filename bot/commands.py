"""The commands, a module for each group of them.

| commands | module |
| --- | --- |
| `/play` | play.py |
| `/move` `/hand` `/resign` `/draw` `/call-off` `/plan` | move.py |
| `/undo` `/rematch` `/substitute` `/nudge` `/watch` | consent.py |
| `/board` `/games` `/today` | board.py |
| `/rules` `/learn` `/help` | rules.py |
| `/hint` `/review` `/analyse` | advice.py |
| `/puzzle` `/daily` | puzzles.py |
| `/match` | seeks.py |
| `/event` | events.py |
| `/replay` `/verify` `/stats` `/leaderboard` `/ladder` | results.py |
| `/settings` | settings.py |
| `/server-settings` | server_settings.py |
| the menus on people and messages | menus.py |

A command about a table has the decorator of which_table.py, and finds there which table is meant. It asks the service to do
something (`bot.core.service`), and answers with a message (`bot.messages`). The handlers of its buttons are in `bot.interactions`.
tree.py answers for commands that cannot be carried out.
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
from bot.menus import MENUS

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

__all__ = ["COMMANDS", "MENUS"]
