"""Handles clicks that only show something: the board as a picture or in words, the hand, *More*, and the list of games."""

from typing import Final

from bot.core.listing import Lists
from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot
from bot.core.undoing import may_undo
from bot.features.playing.handlers import panel, show_own
from bot.features.playing.hints import may_take_hint
from bot.features.playing.messages import hand_message
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.tables import at_table, with_way_back
from bot.messages.board import board_in_words, private_board_message
from bot.messages.click import Click
from bot.messages.listing import MINE, list_message
from bot.messages.more import Possible, board_buttons, more_message
from bot.messages.picking import pick
from bot.messages.pictures import has_hand_picture
from bot.outbox.permissions import explain_unshown
from engines.game import hand_of
from engines.text import say
from storage.schema.records import Status


@handles("words")
async def _words(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    await context.tell(board_in_words(snapshot, snapshot.viewpoint(context.user.id), context.language))


async def show_board(context: Context, table_id: int) -> None:
    """Show the user the current board privately. In a game that nobody else can see, show what comes next."""
    snapshot = await context.snapshot(table_id)
    if snapshot.table.solo and snapshot.seat_of(context.user.id) is not None:
        return await show_own(context, snapshot)
    perspective = context.perspective(snapshot.viewpoint(context.user.id))
    buttons = board_buttons(snapshot, context.user.id, context.language, _possible(snapshot, context.user.id))
    await context.reply.show(await private_board_message(snapshot, perspective, buttons))
    return None


def _possible(snapshot: Snapshot, user_id: int) -> Possible:
    """Return whether a user may now ask for an undo, and whether they may take a hint, at a table."""
    seat = snapshot.viewpoint(user_id) if snapshot.table.status is Status.PLAYING else None
    return Possible() if seat is None else Possible(undo=may_undo(snapshot, seat), hint=may_take_hint(snapshot, seat))


@handles("board")
async def _board(context: Context, click: Click) -> None:
    await show_board(context, click.table)


async def show_hand(context: Context, table_id: int) -> None:
    """Show the user their hand. On their own turn it is shown alone, and otherwise in the panel with what they can do now."""
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    history, note = snapshot.playing, ""
    if not history.game.secret:
        raise Refused(say("{game} has no secrets: everybody sees the same board.", game=history.game.title))
    if hand_of(history.game, history.view(seat)) is None:
        note = context.language(say("No secrets just now: you see what everybody sees."))
    if seat in history.to_act and has_hand_picture(snapshot.position, seat):
        await context.reply.show(await hand_message(snapshot, seat, context.perspective(seat)))
        return
    await context.reply.show(await panel(context, snapshot, pick(snapshot.position, seat, ()), note=note))


@handles("hand")
async def _hand(context: Context, click: Click) -> None:
    await show_hand(context, click.table)


@handles("more")
async def _more(context: Context, click: Click) -> None:
    snapshot = await context.snapshot(click.table)
    message = more_message(snapshot, context.user.id, context.language, _possible(snapshot, context.user.id))
    panel = snapshot.is_alone or snapshot.table.is_over
    await context.reply.show(with_way_back(context, snapshot, message) if panel else message)


async def show_list(context: Context, *, mine: bool, page: int = 0) -> None:
    """List the server's tables, with those waiting for the user first."""
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


HANDLERS: Final = (_games, _board, _words, _hand, _more)
