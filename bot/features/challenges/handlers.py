"""Handles challenges from the menu on a person's name: asks which game to play, and opens a table for the two."""

from typing import Final

import discord

from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.table.request import TableRequest, require_game
from bot.i18n.language import Language
from bot.interactions.checks import (
    check_channel,
    check_permissions,
    check_players,
    check_seen,
    fetch_member,
    in_own_thread,
    place_here,
)
from bot.interactions.context import Context, people
from bot.interactions.handlers import Tokens, handles, is_word
from bot.messages.builder import MessageBuilder, button, escape_name
from bot.messages.click import Click, is_number
from bot.messages.notices import board_button
from engines import GAMES
from engines.text import plain, say


def challenge_message(opponent_id: int, name: str, language: Language) -> MessageBuilder:
    """Return the question of which game to play with a person, with a button for each game that two can play."""
    builder, who = MessageBuilder(), plain(escape_name(name))
    builder.text(language(say("### Challenge {who}\nWhich game? It opens here, with the usual rules and clock.", who=who)))
    games = [game for game in GAMES.values() if 2 in game.seats]
    builder.text("\n".join(f"- **{language(game.title)}**: {language(game.summary)}" for game in games))
    clicks = [Click("challenge", tokens=(str(opponent_id), game.id)).custom_id for game in games]
    primary = discord.ButtonStyle.primary
    builder.buttons([button(language(game.title), click, primary) for game, click in zip(games, clicks, strict=True)])
    return builder.text(language(say("-# `/play` has variants, clocks, house rules and private games, too.")))


async def ask(context: Context, opponent: discord.Member) -> None:
    """Ask the user which game they want to play with a person. Raises Refused if they cannot play together here."""
    await _check(context, opponent)
    await context.reply.show(challenge_message(opponent.id, opponent.display_name, context.language))


async def _check(context: Context, opponent: discord.Member) -> None:
    interaction, server = context.interaction, await context.core.service(Users).server(context.guild_id)
    check_players([opponent], interaction)
    check_channel(server, interaction)
    check_permissions(interaction, place_here(interaction), thread=in_own_thread(interaction, server.threads))
    await check_seen(context, interaction.channel_id or 0, people([opponent]))


@handles("challenge", tokens=Tokens((is_number, is_word)))
async def _open(context: Context, click: Click) -> None:
    """Open a table with this server's usual rules and clock. The tokens are the opponent's id and the game."""
    game = require_game(click.tokens[1])
    opponent = await fetch_member(context, int(click.tokens[0]))
    await _check(context, opponent)
    interaction, server = context.interaction, await context.core.service(Users).server(context.guild_id)
    wanted = TableRequest(
        guild_id=context.guild_id, channel_id=interaction.channel_id or 0, game=game.id, opponents=people([opponent]),
        clock=server.clock, most_tables=server.most_tables, threaded=in_own_thread(interaction, server.threads),
        interaction_id=interaction.id,
    )  # fmt: skip
    snapshot = await context.core.service(Lobby).open(context.user, wanted)
    async with context.delivering(snapshot.table.id):
        asked = say("You’ve challenged {who} to {game}: table #{n}. It’s open in this channel.",
                    who=plain(escape_name(opponent.display_name)), game=game.title, n=snapshot.table.id)  # fmt: skip
        await context.reply.show(
            MessageBuilder().text(context.language(asked)).buttons([board_button(snapshot, context.language)])
        )


HANDLERS: Final = (_open,)
