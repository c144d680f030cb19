"""The slash commands, a module for each group of them.

| commands | module |
| --- | --- |
| `/play` | play.py |
| `/move` `/hand` `/resign` `/draw` | move.py |
| `/undo` `/rematch` `/substitute` `/nudge` `/watch` | consent.py |
| `/plan` | plan.py |
| `/board` `/games` | board.py |
| `/rules` `/learn` `/help` | rules.py |
| `/hint` `/review` | advice.py |
| `/replay` `/verify` `/stats` `/leaderboard` | records.py |
| `/settings` | settings.py |
| `/server-settings` | server_settings.py |

A command finds out which table is meant (which_table.py), asks the service to do something (`bot.sessions`), and answers with a
message (`bot.messages`). The handlers of its buttons are in `bot.interactions`.
"""

from typing import Final

from discord import app_commands

from bot.commands import advice, board, consent, move, plan, play, records, rules, server_settings, settings
from bot.interactions.reply import Command

COMMANDS: Final[tuple[Command | app_commands.Group, ...]] = (
    *play.COMMANDS,
    *move.COMMANDS,
    *plan.COMMANDS,
    *consent.COMMANDS,
    *board.COMMANDS,
    *rules.COMMANDS,
    *records.COMMANDS,
    *advice.COMMANDS,
    *settings.COMMANDS,
    *server_settings.COMMANDS,
)
"""Every command of the bot."""

__all__ = ["COMMANDS"]
