"""`/match`: waiting for people to play with."""

from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.core.table.errors import Refused
from bot.core.table.request import require_game, variant_of
from bot.core.table.settings import CLOCKS
from bot.features.matchmaking.handlers import open_seeks, seek
from bot.features.matchmaking.wishes import DAYS, SEATS
from bot.interactions.context import respond
from bot.interactions.games import game_choices, suggest_variants
from bot.interactions.reply import Command, Interaction
from bot.messages.lobby import CLOCK_WORDS
from engines.text import say
from storage.schema.structures import Wishes


@app_commands.command(name="match", description="Wait for people to play with")
@app_commands.guild_only()
@app_commands.describe(
    game="What you’d like to play; leave it empty to choose several",
    variant="Which variant; leave it empty for the usual one",
    clock="Time for each turn",
    players="How many players",
    rated="Whether the result counts for the ratings",
    days="For how many days you would wait",
)
@app_commands.choices(
    game=game_choices(),
    clock=[app_commands.Choice(name=str(CLOCK_WORDS[seconds]), value=word) for word, seconds in CLOCKS.items() if seconds],
)
@app_commands.autocomplete(variant=suggest_variants)
async def match(
    interaction: Interaction,
    game: str | None = None,
    variant: str | None = None,
    clock: str | None = None,
    players: app_commands.Range[int, SEATS[0], SEATS[-1]] | None = None,
    rated: bool | None = None,
    days: app_commands.Range[int, 1, DAYS[-1]] | None = None,
) -> None:
    """Have the user wait for the game that they name, or show them the panel to choose."""
    async with respond(interaction) as context:
        plays = _plays(game, variant)

        def change(wishes: Wishes) -> Wishes:
            return replace(
                wishes,
                plays=plays or wishes.plays,
                clocks=wishes.clocks if clock is None else (CLOCKS.get(clock, 0),),
                seats=wishes.seats if players is None else (players,),
                rated=wishes.rated if rated is None else rated,
                days=wishes.days if days is None else days,
            )

        if all(option is None for option in (game, variant, clock, players, rated, days)):
            await open_seeks(context)
        else:
            await seek(context, change)


def _plays(game_id: str | None, variant: str | None) -> tuple[str, ...]:
    """Return what can be played of a game, or of a variant; nothing without a game. Raises Refused for what there is not."""
    if game_id is None and variant is not None:
        raise Refused(say("Pick a game, too: each has variants of its own."))
    if game_id is None:
        return ()
    return (f"{game_id}/{variant_of(require_game(game_id), variant)}",)


COMMANDS: Final[tuple[Command, ...]] = (match,)
