"""Clicks that show something: the board, as a picture or in words, the hand, the rules, and further actions."""

from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.interactions.heavy import in_turn_once
from bot.interactions.playing import at_table, panel
from bot.messages.click import Click
from bot.messages.listing import MINE, list_message
from bot.messages.pages import rules_message
from bot.messages.perspective import looking_back
from bot.messages.picking import pick
from bot.messages.private_board import board_in_words, more_message, private_board_message
from bot.messages.recap import anything_in, nothing_message, past_of, recap_message
from bot.messages.replays import animation, drawn
from bot.sessions.errors import Refused
from engines.text import say


@handles("words")
async def _words(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    await context.tell(board_in_words(snapshot, snapshot.viewpoint(context.user.id), context.language))


async def show_board(context: Context, table_id: int) -> None:
    """Show the user, privately, the current board as a picture with a description."""
    snapshot = await context.snapshot(table_id)
    perspective = context.perspective(snapshot.viewpoint(context.user.id))
    await context.reply.show(await private_board_message(snapshot, perspective))


@handles("board")
async def _board(context: Context, click: Click) -> None:
    await show_board(context, click.table)


async def show_hand(context: Context, table_id: int) -> None:
    """Show the user what only they may know, and what they can do now."""
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    history, note = snapshot.playing, ""
    if not history.game.secret:
        raise Refused(say("{game} has no secrets: everybody sees the same board.", game=history.game.title))
    if history.game.hand(history.view(seat)) is None:
        note = context.language(say("No secrets just now: you see what everybody sees."))
    await context.reply.show(await panel(context, snapshot, pick(snapshot, seat, ()), note=note))


@handles("happened")
async def _happened(context: Context, click: Click) -> None:
    """Show the user, privately, what has happened since they acted."""
    snapshot = await context.snapshot(click.table)
    wanted = context.settings
    perspective = looking_back(
        snapshot, context.user.id, context.language, high_contrast=wanted.high_contrast, turned=wanted.turn_board
    )
    past, playing = past_of(snapshot, perspective, context.user.id), snapshot.viewpoint(context.user.id) is not None
    if not anything_in(past):
        await context.reply.show(nothing_message(past, playing=playing))
        return
    made = drawn(past)
    if made is None and past.steps:
        made = await in_turn_once(context, past.key(), lambda: animation(past))
    await context.reply.show(recap_message(past, made, playing=playing))


@handles("hand")
async def _hand(context: Context, click: Click) -> None:
    await show_hand(context, click.table)


@handles("more")
async def _more(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    await context.reply.show(more_message(snapshot, context.user.id, context.language))


async def show_rules(context: Context, game_id: str, page: int = 0) -> None:
    """Show the user a page of a game's rules, from 0, with the picture in the user's palette."""
    contrast = context.settings.high_contrast
    await context.reply.show(await rules_message(game_id, page, context.language, high_contrast=contrast))


@handles("rules")
async def _rules(context: Context, click: Click) -> None:
    await show_rules(context, " ".join(click.tokens), click.page)


@handles("rules-page")
async def _rules_page(context: Context, click: Click) -> None:
    """A page was chosen from the list of titles: its number is the last token."""
    *game_id, number = click.tokens or ("",)
    await show_rules(context, " ".join(game_id), int(number) if number.isdecimal() else click.page)


async def show_list(context: Context, *, mine: bool, page: int = 0) -> None:
    """Show the tables of the server, those that wait for the user first."""
    found = await context.sessions.lists.page(
        context.guild_id, context.user.id, mine=mine, manages=context.interaction.permissions.manage_guild, number=page
    )
    await context.reply.show(list_message(found, context.user.id, context.language, mine=mine))


@handles("games")
async def _games(context: Context, click: Click) -> None:
    await show_list(context, mine=MINE in click.tokens, page=max(0, click.page))


HANDLERS: Final = (_games, _board, _words, _happened, _hand, _more, _rules, _rules_page)
