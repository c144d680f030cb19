"""Handles ladders: looking at one, joining and leaving it, and challenging people."""

from typing import Final

from discord import app_commands

from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.table.errors import Refused
from bot.core.table.request import TableRequest, require_game
from bot.core.table.settings import DAY
from bot.core.table.snapshot import User
from bot.features.ladders.messages import SURE, challenge_question, ladder_message
from bot.features.ladders.order import REASONS
from bot.features.ladders.rules import Refusal
from bot.features.ladders.service import Ladders, LadderView
from bot.interactions.checks import check_channel, check_permissions, check_seen, in_own_thread, place_here
from bot.interactions.context import Context, respond
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.reply import Command, Interaction
from bot.interactions.suggestions import game_choices
from bot.messages.builder import escape_name
from bot.messages.click import Click, is_number
from engines.text import Text, plain, say


async def show_ladder(context: Context, game: str) -> None:
    """Show the user the ladder of a game."""
    await _show(context, await context.core.service(Ladders).get(context.guild_id, game, context.user.id))


async def _show(context: Context, ladder: LadderView, note: Text | None = None) -> None:
    contrast = context.settings.high_contrast
    await context.reply.show(await ladder_message(ladder, context.user.id, context.language, high_contrast=contrast, note=note))


@handles("ladder-join", tokens=Tokens((is_word,)))
async def _join(context: Context, click: Click) -> None:
    ladder = await context.core.service(Ladders).join(context.guild_id, click.tokens[0], context.user)
    await _show(context, ladder, say("You’re on the ladder now."))


@handles("ladder-leave", tokens=Tokens((is_word,)))
async def _leave(context: Context, click: Click) -> None:
    ladder = await context.core.service(Ladders).leave(context.guild_id, click.tokens[0], context.user)
    await _show(context, ladder, say("You’ve left the ladder."))


@handles("ladder", tokens=Tokens((is_word,)))
async def _look(context: Context, click: Click) -> None:
    await show_ladder(context, require_game(click.tokens[0]).id)


@handles("ladder-challenge", tokens=Tokens((is_word, is_number), more=is_word))
async def _challenge(context: Context, click: Click) -> None:
    """Ask for confirmation, then open a table for a challenge. The tokens are the game, the person's id, and `SURE`."""
    game, challenged = click.tokens[0], int(click.tokens[1])
    ladder = await context.core.service(Ladders).get(context.guild_id, game, context.user.id)
    row = next((row for row in ladder.places if row.user_id == challenged), None)
    if row is None or context.user.id == challenged:
        raise Refused(REASONS[Refusal.NOT_ON_LADDER])
    if SURE not in click.tokens[2:]:
        await context.reply.show(challenge_question(ladder, row, context.language))
        return
    interaction, server = context.interaction, await context.core.service(Users).server(context.guild_id)
    own_thread = in_own_thread(interaction, server.threads)
    check_channel(server, interaction)
    check_permissions(interaction, place_here(interaction), thread=own_thread)
    await check_seen(context, interaction.channel_id or 0, [User(row.user_id, row.name)])
    wanted = TableRequest(
        guild_id=context.guild_id, channel_id=interaction.channel_id or 0, game=game, opponents=(User(row.user_id, row.name),),
        seats=2, clock=server.clock or DAY, most_tables=server.most_tables, threaded=own_thread, ladder=True,
        interaction_id=interaction.id,
    )  # fmt: skip
    snapshot = await context.core.service(Lobby).open(context.user, wanted)
    async with context.delivering(snapshot.table.id):
        told = say("You’ve challenged {who}: table #{n}. They have three days to accept.", who=plain(escape_name(row.name)),
                   n=snapshot.table.id)  # fmt: skip
        await _show(context, await context.core.service(Ladders).get(context.guild_id, game, context.user.id), told)


HANDLERS: Final = (_join, _leave, _look, _challenge)


@app_commands.command(name="ladder", description="See the ladder of a game, and challenge people on it")
@app_commands.guild_only()
@app_commands.describe(game="Which game")
@app_commands.choices(game=game_choices())
async def ladder(interaction: Interaction, game: str) -> None:
    """Show the user this server's ladder of a game."""
    async with respond(interaction) as context:
        await show_ladder(context, game)


COMMANDS: Final[tuple[Command, ...]] = (ladder,)
