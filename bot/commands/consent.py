"""`/undo`, `/rematch`, `/substitute`, `/nudge`, `/watch`: what needs the agreement of others at a table, or concerns them."""

from typing import Final

import discord
from discord import app_commands

from bot.commands.which_table import own_finished_games, own_games, running_games, table_number, which_table
from bot.interactions import consent, watching
from bot.interactions.context import respond
from bot.interactions.reply import Command, Interaction
from bot.messages.click import Click
from bot.messages.computers import LEVEL_WORDS, read_level
from bot.sessions.errors import Refused
from engines.text import say


@app_commands.command(name="undo", description="Ask to take back your last move, or agree to it")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if you’re in several here")
@app_commands.autocomplete(game=own_games)
async def undo(interaction: Interaction, game: str | None = None) -> None:
    """Ask to undo, or agree to it."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("undo"))
        await consent.ask_undo(context, snapshot.table.id)


@app_commands.command(name="nudge", description="Nudge whoever’s turn it is (once a turn)")
@app_commands.guild_only()
@app_commands.describe(game="Which game, if you’re in several here")
@app_commands.autocomplete(game=own_games)
async def nudge(interaction: Interaction, game: str | None = None) -> None:
    """Remind the players whose turn it is."""
    async with respond(interaction) as context:
        snapshot = await which_table(context, game, Click("nudge"))
        await consent.nudge(context, snapshot.table.id)


@app_commands.command(name="substitute", description="Hand your seat to somebody else, or one that was left to a computer")
@app_commands.guild_only()
@app_commands.describe(
    newcomer="Who takes over, if they accept",
    leaver="Whose seat: yours, or that of somebody who just left",
    computer="A computer for a seat that somebody just left, and how well it plays",
    game="Which game, if you’re in several here",
)
@app_commands.choices(computer=[app_commands.Choice(name=str(words), value=level) for level, words in LEVEL_WORDS.items()])
@app_commands.autocomplete(game=own_games)
async def substitute(
    interaction: Interaction,
    newcomer: discord.Member | None = None,
    leaver: discord.Member | None = None,
    computer: str | None = None,
    game: str | None = None,
) -> None:
    """Offer a seat to somebody who does not play yet, or propose a computer for one that was left."""
    async with respond(interaction) as context:
        leaver_id = context.user.id if leaver is None else leaver.id
        if computer is not None:
            level = read_level(computer)
            if newcomer is not None:
                raise Refused(say("Either somebody takes over the seat or a computer does: leave one of them out."))
            if leaver is None:
                raise Refused(say("A computer takes the seat of somebody who just left: say with `leaver` who it was."))
            snapshot = await which_table(context, game, Click("relieve", tokens=(str(leaver_id), level)))
            await consent.relieve(context, snapshot, leaver_id, level)
            return
        if newcomer is None:
            raise Refused(say("Who takes over? Name a `newcomer`, or for a seat that was left a `computer`."))
        snapshot = await which_table(context, game, Click("hand-over", tokens=(str(newcomer.id), str(leaver_id))))
        await consent.hand_over(context, snapshot, newcomer, leaver_id)


@app_commands.command(name="rematch", description="Play again with the same people")
@app_commands.guild_only()
@app_commands.describe(game="Which finished game, if there’s more than one here")
@app_commands.autocomplete(game=own_finished_games)
async def rematch(interaction: Interaction, game: str | None = None) -> None:
    """Open another table like a finished one; if none is named, like the one that the user finished last in this channel."""
    async with respond(interaction) as context:
        if game is not None:
            table_id = (await which_table(context, game, Click("rematch"))).table.id
        else:
            last = await context.sessions.lists.last_finished(context.guild_id, context.user.id, interaction.channel_id)
            if last is None:
                raise Refused(say("You haven’t finished a game in this channel yet. Start one with `/play`."))
            table_id = last.id
        await consent.open_rematch(context, table_id)


@app_commands.command(name="watch", description="Follow a game you’re not in")
@app_commands.guild_only()
@app_commands.describe(what="What you want to hear about", game="Which game, if there’s more than one here")
@app_commands.choices(
    what=[
        app_commands.Choice(name="when it ends", value="end"),
        app_commands.Choice(name="every turn", value="turn"),
        app_commands.Choice(name="stop watching", value="off"),
    ]
)
@app_commands.autocomplete(game=running_games)
async def watch(interaction: Interaction, what: str = "end", game: str | None = None) -> None:
    """Start or stop notifying a spectator about a game."""
    async with respond(interaction) as context:
        if what == "off" and game is not None:
            # Whoever has left a private table is still let go of it, with the same words as at any other number.
            table_id = table_number(game)
        else:
            table_id = (await which_table(context, game, Click("watch-for", tokens=(what,)), own=False)).table.id
        await watching.watch(context, table_id, what)


COMMANDS: Final[tuple[Command, ...]] = (undo, nudge, substitute, rematch, watch)
