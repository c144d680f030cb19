"""The context menus on people and messages, opened by a right click on a computer, or by a long press and *Apps* on a phone.

Each menu does what a command or a button does, for people who do not know the command. Discord shows the menus' names in its
own language.
"""

from collections.abc import Awaitable, Callable
from typing import Final

import discord
from discord import app_commands

from bot.core.table.audience import Unseen
from bot.core.table.errors import Refused
from bot.features.challenges import handlers as challenges
from bot.features.playing import looking
from bot.features.replays.handlers import show_recap
from bot.features.stats.handlers import show_results
from bot.interactions.context import Context, person, respond
from bot.interactions.reply import Interaction, Menu
from bot.messages.board import WHAT_HAPPENED
from bot.messages.marks import table_of
from bot.messages.unseen import unseen_words
from engines.text import Text, say


def _named(name: Text) -> app_commands.locale_str:
    """Return the name of a menu, which has at most 32 characters in every language."""
    return app_commands.locale_str(str(name), text=name)


@app_commands.context_menu(name=_named(say("Challenge to a game")))
@app_commands.guild_only()
async def challenge(interaction: Interaction, user: discord.Member | discord.User) -> None:
    """Ask which game to play with a person. The menu can also be opened on messages of people who have left."""
    async with respond(interaction) as context:
        if isinstance(user, discord.User):
            raise Refused(unseen_words({user.id: Unseen.LEFT}, {user.id: user.display_name}))
        await challenges.ask(context, user)


@app_commands.context_menu(name=_named(say("Stats")))
@app_commands.guild_only()
async def stats(interaction: Interaction, user: discord.Member | discord.User) -> None:
    """Show the results of a person on this server, as `/stats` does."""
    async with respond(interaction) as context:
        await show_results(context, person(user), None)


def _on_table(name: Text, show: Callable[[Context, int], Awaitable[None]]) -> Menu:
    """Return a menu that shows something about the table to which a message belongs."""

    async def show_table(interaction: Interaction, message: discord.Message) -> None:
        async with respond(interaction) as context:
            own = context.responder.client.user
            table_id = table_of(message) if own is not None and message.author.id == own.id else None
            if table_id is None:
                raise Refused(
                    say("That message doesn’t belong to any of my tables. Try it on a board, or find yours with `/games`.")
                )
            await context.snapshot(table_id)
            await show(context, table_id)

    return app_commands.context_menu(name=_named(name))(app_commands.guild_only(show_table))


what_happened: Final = _on_table(WHAT_HAPPENED, show_recap)
my_hand: Final = _on_table(say("My hand"), looking.show_hand)

MENUS: Final[tuple[Menu, ...]] = (challenge, stats, what_happened, my_hand)
"""Every menu. Discord allows five on people, and five on messages."""
