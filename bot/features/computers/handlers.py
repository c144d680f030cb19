"""Handles clicks for practising alone and for adding computers to a table."""

from collections.abc import Coroutine
from functools import partial
from typing import Any, Final

from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.table.request import SETUPS, TableRequest, require_game, variant_of
from bot.core.table.snapshot import Snapshot
from bot.core.terms import terms_mark
from bot.features.computers.messages import ASKED, OPENLY, computers_message, practice_message, practice_words
from bot.features.computers.service import Computers
from bot.features.playing.handlers import show_begun
from bot.interactions.checks import check_channel, check_permissions, in_own_thread, place_here
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click, is_number
from bot.messages.players import read_level
from storage.schema.records import Level, Status


async def open_practice(context: Context, game_id: str, level: Level, variant: str | None = None) -> Snapshot:
    """Begin a game against a computer. The caller answers the interaction. Raises Refused if the game can't be played here."""
    interaction, server = context.interaction, await context.core.service(Users).server(context.guild_id)
    solo = not context.settings.practise_openly
    own_thread = not solo and in_own_thread(interaction, server.threads)
    check_channel(server, interaction)
    if not solo:
        check_permissions(interaction, place_here(interaction), thread=own_thread)
    wanted = TableRequest(
        guild_id=context.guild_id, channel_id=interaction.channel_id or 0, game=game_id, variant=variant,
        options=SETUPS.get(game_id, {}), computers=(level,), most_tables=server.most_tables, threaded=own_thread, solo=solo,
        interaction_id=interaction.id,
    )  # fmt: skip
    return await context.core.service(Lobby).open(context.user, wanted)


@handles("practise", tokens=Tokens((is_word, is_word, is_word), least=0))
async def _practise(context: Context, click: Click) -> None:
    """Open the practice game, or ask for a missing game or level. The tokens are the game, level (or `ASKED`) and variant."""
    game_id, level, variant = (*click.tokens, None, None, None)[:3]
    if game_id is not None:
        variant_of(require_game(game_id), variant)
    if game_id is None or level is None or level == ASKED:
        await context.reply.show(_question(context, game_id, variant, openly=context.settings.practise_openly))
        return
    snapshot = await open_practice(context, game_id, read_level(level), variant)
    async with context.delivering(snapshot.table.id):
        await show_begun(context, snapshot, practice_words(snapshot, context.language))


@handles("practise-openly", tokens=Tokens((is_word, is_word, is_word), least=1))
async def _practise_openly(context: Context, click: Click) -> None:
    """Change whether practice games are posted, and show the question again. The tokens are the choice, game and variant."""
    chosen, game_id, variant = (*click.tokens, None, None)[:3]
    openly = chosen == OPENLY
    if game_id is not None:
        variant_of(require_game(game_id), variant)
    await context.core.service(Users).change(context.user.id, practise_openly=openly)
    await context.reply.show(_question(context, game_id, variant, openly=openly))


def _question(context: Context, game_id: str | None, variant: str | None, *, openly: bool) -> MessageBuilder:
    return practice_message(context.language, game_id, variant=variant, openly=openly)


@handles("computers")
async def _computers(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    snapshot.require(Status.OPEN)
    await _show_computers(context, snapshot)


@handles("add-computer", tokens=Tokens((is_word,)))
async def _add_computer(context: Context, click: Click) -> None:
    level = read_level(click.tokens[0])
    added = context.core.service(Computers).add(click.table, context.user, level, context.interaction.id, terms=click.version)
    await _change_computers(context, added)


@handles("remove-computer", tokens=Tokens((is_number,)))
async def _remove_computer(context: Context, click: Click) -> None:
    await _change_computers(context, context.core.service(Computers).remove(click.table, context.user, int(click.tokens[0])))


async def _change_computers(context: Context, change: Coroutine[Any, Any, Snapshot]) -> None:
    snapshot = await change
    async with context.delivering(snapshot.table.id):
        await _show_computers(context, snapshot)


async def _show_computers(context: Context, snapshot: Snapshot) -> None:
    """Show the panel of a table's computers. It is updated with the lobby until the game begins or the table closes."""
    following, table = context.responder.following, snapshot.table
    following.stop(table.id, context.user.id)
    await context.reply.show(computers_message(snapshot, context.language))
    if table.status is Status.OPEN:
        following.wait(table.id, context.user.id, table.version, partial(_follow_lobby, context, table.id, terms_mark(table)))


async def _follow_lobby(context: Context, table_id: int, terms: int) -> int | None:
    """Update the panel of a table's computers. Return the table's version, or None once the panel needs no more updates."""
    if context.interaction.is_expired():
        return None
    snapshot = await context.fresh(table_id)
    await context.reply.show(computers_message(snapshot, context.language, terms=terms))
    return snapshot.table.version if snapshot.table.status is Status.OPEN else None


HANDLERS: Final = (_practise, _practise_openly, _computers, _add_computer, _remove_computer)
