"""`/undo`, `/draw`, `/call-off`, `/substitute`: what the others have to agree to."""

from typing import Final

import discord
from discord import app_commands

from bot.core.table.errors import Refused
from bot.features.offers.handlers import call_off as call_off_or_agree
from bot.features.offers.handlers import hand_over, propose
from bot.features.offers.kinds import Seating
from bot.interactions.context import Context
from bot.interactions.reply import Command
from bot.interactions.tables import table_command, which_table
from bot.messages.click import Click
from bot.messages.players import LEVEL_WORDS, read_level
from engines.text import say
from storage.schema.records import OfferKind


@table_command("undo", description="Ask to take back your last move, or agree to it")
async def undo(context: Context, game: str | None = None) -> None:
    """Ask to undo, or agree to it."""
    await propose(context, await which_table(context, game, Click("undo")), OfferKind.UNDO)


@table_command("substitute", description="Hand your seat to somebody else, or an abandoned one to a computer")
@app_commands.describe(
    newcomer="Who takes over, if they accept",
    leaver="Whose seat: yours, or that of somebody who just left",
    computer="Have a computer of this strength take a seat that somebody just left",
)
@app_commands.choices(computer=[app_commands.Choice(name=str(words), value=level) for level, words in LEVEL_WORDS.items()])
async def substitute(
    context: Context,
    newcomer: discord.Member | None = None,
    leaver: discord.User | None = None,
    computer: str | None = None,
    game: str | None = None,
) -> None:
    """Offer a seat to a person who does not play yet, or propose a computer for a seat that was left."""
    leaver_id = context.user.id if leaver is None else leaver.id
    if computer is not None:
        level = read_level(computer)
        if newcomer is not None:
            raise Refused(say("Either a person or a computer takes over the seat: pick one of them."))
        if leaver is None:
            raise Refused(say("A computer can take the seat of somebody who’s just left: use `leaver` to say who."))
        table_id = await which_table(context, game, Click("relieve", tokens=(str(leaver_id), level)))
        await propose(context, table_id, OfferKind.COMPUTER, Seating(leaver_id, level))
        return
    if newcomer is None:
        raise Refused(say("Who takes over? Name a `newcomer`, or a `computer` for a seat that somebody has left."))
    table_id = await which_table(context, game, Click("hand-over", tokens=(str(newcomer.id), str(leaver_id))))
    await hand_over(context, table_id, newcomer, leaver_id)


@table_command("draw", description="Offer a draw, or accept one")
async def draw(context: Context, game: str | None = None) -> None:
    """Offer a draw, or agree to the one on offer."""
    await propose(context, await which_table(context, game, Click("draw")), OfferKind.DRAW)


@table_command("call-off", description="End a game that has only just begun, with no result, if all agree")
async def call_off(context: Context, game: str | None = None) -> None:
    """Propose to call the game off, or agree to that."""
    await call_off_or_agree(context, await which_table(context, game, Click("call-off")))


COMMANDS: Final[tuple[Command, ...]] = (undo, substitute, draw, call_off)
