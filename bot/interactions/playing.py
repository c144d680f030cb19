"""Clicks that play: opening the panel, picking an action in it token by token, and playing the action."""

from typing import Final

import discord

from bot.interactions.context import Context
from bot.interactions.handler import Answer, handles
from bot.interactions.reply import in_panel
from bot.messages.board import COLOURS, names, story
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from bot.messages.panel import Pick, panel_message, pick, stepped_back
from bot.sessions import Played, Snapshot
from bot.sessions.errors import Refused, SessionError, Stale
from bot.sessions.play import not_your_turn
from engines.text import say
from storage.records import SeatStatus, Status


async def panel(context: Context, snapshot: Snapshot, picked: Pick, *, page: int = 0, note: str = "") -> MessageBuilder:
    """The panel, from the user's perspective."""
    return await panel_message(snapshot, picked, context.perspective(picked.seat), page=page, note=note)


async def open_panel(context: Context, table_id: int, note: str = "") -> None:
    """Open the user's panel for the current board. Raises NotYourTurn."""
    snapshot, seat = await at_table(context, table_id)
    history = snapshot.playing
    if seat not in history.game.may_act(history.state) and not history.game.secret:
        raise not_your_turn(snapshot)
    await context.reply.show(await panel(context, snapshot, pick(snapshot, seat, ()), note=note))


@handles("move")
async def _move(context: Context, click: Click) -> None:
    await open_panel(context, click.table)


async def at_table(context: Context, table_id: int) -> tuple[Snapshot, int]:
    """A running game, and the user's seat in it. Raises NoSuchTable, WrongStage, NotSeated or Refused."""
    snapshot = await context.snapshot(table_id)
    snapshot.require(Status.PLAYING)
    seat = snapshot.own_seat(context.user.id)
    if snapshot.players[seat].status is not SeatStatus.JOINED:
        raise Refused(say("You have left this game."))
    return snapshot, seat


@handles("pick", "choose", "page")
async def _pick(context: Context, click: Click) -> None:
    """A token was picked: play the action if it is complete, otherwise show how it may go on.

    An action that was completed automatically is not played at once. The button did not show the rest of it, so the player sees
    the whole action first.
    """
    snapshot, seat = await at_table(context, click.table)
    note = ""
    picked = pick(snapshot, seat, click.tokens)
    if click.version != snapshot.playing.version:
        note = context.language(say("The board has moved on since; this is the present one."))
        picked = pick(snapshot, seat, ())
    elif picked.final and not picked.choices and picked.prefix == click.tokens:
        return await _play(context, click, picked.prefix)
    await context.reply.show(await panel(context, snapshot, picked, page=click.page, note=note))
    return None


@handles("back")
async def _back(context: Context, click: Click) -> None:
    snapshot, seat = await at_table(context, click.table)
    await context.reply.show(await panel(context, snapshot, stepped_back(snapshot, seat, click.tokens)))


@handles("act", answer=Answer.SILENT)
async def _act(context: Context, click: Click) -> None:
    await _play(context, click, click.tokens)


@handles("typed")
async def _typed(context: Context, click: Click) -> None:
    """Play an action that was typed before it was clear at which table, on the current board."""
    typed = " ".join(click.tokens)
    await show_played(
        context, await context.sessions.play.act(click.table, context.user, typed, interaction_id=context.interaction.id)
    )


async def _play(context: Context, click: Click, tokens: tuple[str, ...]) -> None:
    """Play an action, answer the click, and then have the board updated."""
    play = context.sessions.play
    try:
        played = await play.act(click.table, context.user, tokens, version=click.version, interaction_id=context.interaction.id)
    except Stale as stale:
        return await _show_current(context, click, stale)
    await show_played(context, played)
    return None


async def _show_current(context: Context, click: Click, stale: SessionError) -> None:
    """Answer a click on an outdated board with the current one, and what can be done there."""
    snapshot, seat = await at_table(context, click.table)
    note = context.language(stale.text)
    builder = await panel(context, snapshot, pick(snapshot, seat, ()), note=note)
    await context.reply.show(builder)


async def show_played(context: Context, played: Played) -> None:
    """Answer an action: in a panel with what can be done next; on a board with nothing, unless the player learned a secret."""
    snapshot = played.snapshot
    table_id = snapshot.table.id
    who = names(snapshot)
    told = story(played.events, context.language, who)
    secret = [event for event in played.events if event.private_to is not None]
    seat = snapshot.seat_of(context.user.id)
    assert seat is not None
    history = snapshot.playing
    async with context.delivering(table_id):
        if context.interaction.type is discord.InteractionType.component and not in_panel(context.interaction):
            if secret:
                await context.tell(story(tuple(secret), context.language, who))
            else:
                await context.reply.acknowledge()
        elif snapshot.table.status is Status.PLAYING and seat in history.to_act:
            await context.reply.show(await panel(context, snapshot, pick(snapshot, seat, ()), note=told))
        else:
            await context.reply.show(MessageBuilder(colour=COLOURS[seat]).text(told or context.language(say("Done."))))


HANDLERS: Final = (_move, _pick, _back, _act, _typed)
