"""Clicks that show something: the board in a picture or in words, the hand, the recap, the rules, games, the day."""

from contextlib import suppress
from typing import Final

from bot.core.listing import Lists
from bot.core.table.errors import Refused, SessionError
from bot.core.table.settings import DAY
from bot.features.help.messages import rules_message
from bot.features.matchmaking.service import Seeks
from bot.features.playing.handlers import panel, show_own, way_back, with_way_back
from bot.features.playing.messages import hand_message
from bot.features.puzzles.daily import Dailies, Span
from bot.features.replays.messages import animation, drawn
from bot.features.replays.recap import anything_in, nothing_message, past_of, recap_message
from bot.features.today.messages import today_message
from bot.features.today.service import Today
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.heavy import in_turn_once
from bot.interactions.tables import at_table
from bot.messages.board import board_in_words, more_message, private_board_message
from bot.messages.click import Click, is_number
from bot.messages.listing import MINE, list_message
from bot.messages.picking import pick
from bot.messages.pictures import has_hand_picture, looking_back
from bot.outbox.permissions import explain_unshown
from engines.game import hand_of
from engines.text import say


@handles("words")
async def _words(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    await context.tell(board_in_words(snapshot, snapshot.viewpoint(context.user.id), context.language))


async def show_board(context: Context, table_id: int) -> None:
    """Show the user privately the current board, as a picture with a description; of a game of their own, what comes next."""
    snapshot = await context.snapshot(table_id)
    if snapshot.table.solo and snapshot.seat_of(context.user.id) is not None:
        return await show_own(context, snapshot)
    perspective = context.perspective(snapshot.viewpoint(context.user.id))
    await context.reply.show(await private_board_message(snapshot, perspective))
    return None


@handles("board")
async def _board(context: Context, click: Click) -> None:
    await show_board(context, click.table)


async def show_hand(context: Context, table_id: int) -> None:
    """Show the user their hand, and what they can do now.

    On their own turn it is a picture of the hand alone, if there is one; while others are waited for, the panel shows it.
    """
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    history, note = snapshot.playing, ""
    if not history.game.secret:
        raise Refused(say("{game} has no secrets: everybody sees the same board.", game=history.game.title))
    if hand_of(history.game, history.view(seat)) is None:
        note = context.language(say("No secrets just now: you see what everybody sees."))
    if seat in history.to_act and has_hand_picture(snapshot, seat):
        await context.reply.show(await hand_message(snapshot, seat, context.perspective(seat)))
        return
    await context.reply.show(await panel(context, snapshot, pick(snapshot, seat, ()), note=note))


async def show_recap(context: Context, table_id: int) -> None:
    """Show the user privately what has happened since their last action."""
    snapshot = await context.snapshot(table_id)
    wanted = context.settings
    perspective = looking_back(
        snapshot, context.user.id, context.language, high_contrast=wanted.high_contrast, turned=wanted.turn_board
    )
    past, playing = past_of(snapshot, perspective, context.user.id), snapshot.viewpoint(context.user.id) is not None
    if not anything_in(past):
        await context.reply.show(with_way_back(context, snapshot, nothing_message(past, playing=playing)))
        return
    made = drawn(past)
    if made is None and past.steps:
        made = await in_turn_once(context, past.key(), lambda: animation(past))
    await context.reply.show(with_way_back(context, snapshot, recap_message(past, made, playing=playing)))


@handles("happened")
async def _happened(context: Context, click: Click) -> None:
    await show_recap(context, click.table)


@handles("hand")
async def _hand(context: Context, click: Click) -> None:
    await show_hand(context, click.table)


@handles("more")
async def _more(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    message = more_message(snapshot, context.user.id, context.language)
    panel = snapshot.table.solo or snapshot.table.is_over
    await context.reply.show(with_way_back(context, snapshot, message) if panel else message)


async def show_rules(context: Context, game_id: str, page: int = 0, table_id: int = 0) -> None:
    """Show the user a page of a game's rules, from 0, with the picture in the user's palette.

    `table_id` is the table from whose *More* they were opened, or 0. *Back* leads there, or, where that took the place of the
    game itself, to the game.
    """
    contrast, back = context.settings.high_contrast, await _back_from_rules(context, table_id) if table_id else None
    message = await rules_message(game_id, page, context.language, table=table_id, back=back, high_contrast=contrast)
    await context.reply.show(message)


async def _back_from_rules(context: Context, table_id: int) -> Click:
    with suppress(SessionError):  # the rules can be read whatever has become of the table
        snapshot = await context.snapshot(table_id)
        if snapshot.table.solo and (way := way_back(context, snapshot)) is not None:
            return way
    return Click("more", table_id)


@handles("rules", tokens=Tokens((is_word,)))
async def _rules(context: Context, click: Click) -> None:
    await show_rules(context, click.tokens[0], click.page, click.table)


@handles("rules-page", tokens=Tokens((is_word, is_number)))
async def _rules_page(context: Context, click: Click) -> None:
    """Show the page that was chosen from the list of titles. The last token is its number."""
    game_id, number = click.tokens
    await show_rules(context, game_id, int(number), click.table)


async def show_list(context: Context, *, mine: bool, page: int = 0) -> None:
    """List the tables of the server, those that wait for the user first."""
    found = await context.core.service(Lists).page(
        context.guild_id, context.user.id, mine=mine, manages=context.interaction.permissions.manage_guild, number=page
    )
    unshown = {
        snapshot.table.id: explain_unshown(context.responder.client, snapshot, found.refused[snapshot.table.id])
        for snapshot in found.snapshots
        if snapshot.table.id in found.refused
    }
    await context.reply.show(list_message(found, context.user.id, context.language, mine=mine, unshown=unshown))


@handles("games", tokens=Tokens((is_word,), least=0))
async def _games(context: Context, click: Click) -> None:
    await show_list(context, mine=MINE in click.tokens, page=max(0, click.page))


async def show_today(context: Context) -> None:
    """Show the user privately what goes on at the public tables of the server, and what has ended within a day."""
    core = context.core
    found = await core.service(Today).of_server(context.guild_id, core.now() - DAY)
    week = await core.service(Dailies).table(context.guild_id, Span.WEEK)
    waiting = await core.service(Seeks).waiting(context.guild_id)
    await context.reply.show(await today_message(found, week, waiting, context.perspective(None), context.user.id))


@handles("today")
async def _today(context: Context, _click: Click) -> None:
    await show_today(context)


HANDLERS: Final = (_games, _today, _board, _words, _happened, _hand, _more, _rules, _rules_page)
