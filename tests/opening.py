"""`/open`, which only tests have: opens a table with everything chosen in one line.

People click through the panel of `/play`, which tests/bot/features/lobby/test_setup.py tests.
"""

import re
from typing import Any

import discord
from discord import app_commands

from bot import app
from bot.commands import COMMANDS
from bot.core.table.options import TABLE_OPTIONS, tidy_typed
from bot.features.lobby.setup import Setup
from bot.features.lobby.setup_handlers import open_table
from bot.interactions.context import respond
from bot.messages.players import read_level
from engines import GAMES


def read_options(text: str, game_id: str) -> dict[str, str]:
    """Read ``order:shuffled board:B.K / GeKB``. Words without a name belong to the free text before them."""
    offered = {**TABLE_OPTIONS, **(GAMES[game_id].options if game_id in GAMES else {})}
    read: dict[str, str] = {}
    for word in filter(None, re.split(r"[\s,]+", text)):
        name, colon, value = word.partition(":")
        if colon:
            read[name] = value
        else:
            read[next(reversed(read))] += f" {word}"
    free = {name for name, option in offered.items() if option.check is not None}
    return {name: tidy_typed(offered[name], value) if name in free else value for name, value in read.items()}


async def _games(_: Any, current: str) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=game, value=game) for game in GAMES if game.startswith(current)]


async def _variants(interaction: Any, current: str) -> list[app_commands.Choice[str]]:
    game = GAMES.get(str(getattr(interaction.namespace, "game", "")))
    return [app_commands.Choice(name=one, value=one) for one in (game.variants if game else ()) if one.startswith(current)]


@app_commands.command(name="open", description="Open a table, in tests")
@app_commands.guild_only()
@app_commands.autocomplete(game=_games, variant=_variants)
async def open_(
    interaction: Any,
    game: str,
    variant: str | None = None,
    opponent: discord.Member | None = None,
    opponent2: discord.Member | None = None,
    opponent3: discord.Member | None = None,
    opponent4: discord.Member | None = None,
    opponent5: discord.Member | None = None,
    computer: str | None = None,
    seats: int | None = None,
    clock: str | None = None,
    strict: bool = False,
    thread: bool | None = None,
    private: bool = False,
    options: str = "",
) -> None:
    """Open a table, and answer with its lobby, or with the game if nobody else can see it."""
    invited = [one for one in (opponent, opponent2, opponent3, opponent4, opponent5) if one is not None]
    async with respond(interaction, public=not (private and computer is not None and not invited)) as context:
        setup = Setup(
            game=game, variant=variant, opponents=tuple(member.id for member in invited),
            computer=None if computer is None else read_level(computer), computers=1 if seats is None else 0,
            seats=seats, clock=clock, strict=strict, thread=thread, private=private,
            options=read_options(options, game),
        )  # fmt: skip
        await open_table(context, setup, answered=True, known=invited)


def have_open() -> None:
    """Every bot that this process makes from now on has `/open`, too."""
    if open_ not in vars(app)["COMMANDS"]:
        vars(app)["COMMANDS"] = (*COMMANDS, open_)
