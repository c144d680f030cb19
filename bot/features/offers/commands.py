"""`/undo`, `/rematch`, `/substitute`, `/nudge`, `/watch`: requests that others have to agree to, or that concern them."""

from typing import Final

import discord
from discord import app_commands

from bot.core.listing import Lists
from bot.core.table.errors import Refused
from bot.features.offers import handlers as consent
from bot.features.watching import handlers as watching
from bot.interactions.context import Context
from bot.interactions.reply import Command
from bot.interactions.tables import OWN_FINISHED_GAMES, RUNNING_GAMES, table_command, table_number, which_table
from bot.messages.click import Click
from bot.messages.players import LEVEL_WORDS, read_level
from engines.text import say


@table_command("undo", description="Ask to take back your last move, or agree to it")
async def undo(context: Context, game: str | None = None) -> None:
    """Ask to undo, or agree to it."""
    await consent.ask_undo(context, await which_table(context, game, Click("undo")))


@table_command("nudge", description="Nudge whoever’s turn it is (once a turn)")
async def nudge(context: Context, game: str | None = None) -> None:
    """Remind the players whose turn it is."""
    await consent.nudge(context, await which_table(context, game, Click("nudge")))


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
            raise Refused(say("Either somebody takes over the seat or a computer does: leave one of them out."))
        if leaver is None:
            raise Refused(say("A computer takes the seat of somebody who just left: say with `leaver` who it was."))
        table_id = await which_table(context, game, Click("relieve", tokens=(str(leaver_id), level)))
        await consent.relieve(context, table_id, leaver_id, level)
        return
    if newcomer is None:
        raise Refused(say("Who takes over? Name a `newcomer`, or for a seat that was left a `computer`."))
    table_id = await which_table(context, game, Click("hand-over", tokens=(str(newcomer.id), str(leaver_id))))
    await consent.hand_over(context, table_id, newcomer, leaver_id)


@table_command("rematch", description="Play again with the same people", games=OWN_FINISHED_GAMES)
async def rematch(context: Context, game: str | None = None) -> None:
    """Open another table like a finished one; if none is named, like the one that the user finished last in this channel."""
    if game is None:
        channel_id = context.interaction.channel_id
        last = await context.core.service(Lists).last_finished(context.guild_id, context.user.id, channel_id)
        if last is None:
            raise Refused(say("You haven’t finished a game in this channel yet. Start one with `/play`."))
        await consent.open_rematch(context, last.id)
    else:
        await consent.open_rematch(context, table_number(game))


@table_command("watch", description="Follow a game you’re not in", games=RUNNING_GAMES)
@app_commands.describe(what="What you want to hear about")
@app_commands.choices(
    what=[
        app_commands.Choice(name="when it ends", value="end"),
        app_commands.Choice(name="every turn", value="turn"),
        app_commands.Choice(name="stop watching", value="off"),
    ]
)
async def watch(context: Context, what: str = "end", game: str | None = None) -> None:
    """Start or stop notifying a spectator about a game."""
    if what == "off" and game is not None:
        # A spectator who may not look at a private table any more can still stop watching it.
        table_id = table_number(game)
    else:
        table_id = await which_table(context, game, Click("watch-for", tokens=(what,)), own=False)
    await watching.watch(context, table_id, what)


COMMANDS: Final[tuple[Command, ...]] = (undo, nudge, substitute, rematch, watch)
