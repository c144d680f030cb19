"""`/match`, with which people wait for others to play with."""

from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.core.table.request import require_game, variant_of
from bot.core.table.settings import CLOCKS
from bot.features.matchmaking.handlers import open_seeks, seek
from bot.features.matchmaking.wishes import SEATS
from bot.interactions.context import respond
from bot.interactions.reply import Command, Interaction
from bot.interactions.suggestions import game_choices
from bot.messages.lobby import CLOCK_WORDS
from storage.schema.structures import Wishes


@app_commands.command(name="match", description="Wait for people to play with")
@app_commands.guild_only()
@app_commands.describe(
    game="What you’d like to play; leave it empty to choose several", clock="Time for each turn", players="How many players"
)
@app_commands.choices(
    game=game_choices(),
    clock=[app_commands.Choice(name=str(CLOCK_WORDS[seconds]), value=word) for word, seconds in CLOCKS.items() if seconds],
)
async def match(
    interaction: Interaction,
    game: str | None = None,
    clock: str | None = None,
    players: app_commands.Range[int, SEATS[0], SEATS[-1]] | None = None,
) -> None:
    """Have the user wait for a game with the given options. Without any, show the panel, which has all choices."""
    async with respond(interaction) as context:
        plays = () if game is None else (f"{game}/{variant_of(require_game(game), None)}",)

        def change(wishes: Wishes) -> Wishes:
            return replace(
                wishes,
                plays=plays or wishes.plays,
                clocks=wishes.clocks if clock is None else (CLOCKS.get(clock, 0),),
                seats=wishes.seats if players is None else (players,),
            )

        if all(option is None for option in (game, clock, players)):
            await open_seeks(context)
        else:
            await seek(context, change)


COMMANDS: Final[tuple[Command, ...]] = (match,)
