"""Clicks that play: opening the panel, picking an action in it step by step, and playing the action."""

from itertools import zip_longest
from typing import Final

import discord

from bot.interactions.context import Answered, Context
from bot.interactions.handler import Answer, handles
from bot.interactions.reply import in_panel
from bot.messages.ahead import ahead_buttons
from bot.messages.board import COLOURS, names, story
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from bot.messages.computers import waited_for
from bot.messages.panel import over_message, panel_message
from bot.messages.picking import Pick, foreseen, pick, stepped_back
from bot.sessions import Played, Snapshot
from bot.sessions.errors import Refused, Stale
from bot.sessions.logbook import is_over
from bot.sessions.play import not_your_turn
from engines.events import Event
from engines.text import say, seat_name
from storage.records import SeatStatus, Status


async def panel(context: Context, snapshot: Snapshot, picked: Pick, *, page: int = 0, note: str = "") -> MessageBuilder:
    """The panel, from the user's perspective; with a preview of a complete action, if there is one and the user wants it."""
    preview = foreseen(snapshot, picked) if context.settings.preview else None
    return await panel_message(snapshot, picked, context.perspective(picked.seat), page=page, note=note, preview=preview)


async def open_panel(context: Context, table_id: int, note: str = "") -> None:
    """Open the user's panel for the current board. Raises NotYourTurn where there is nothing to be done out of turn."""
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    history = snapshot.playing
    if seat not in history.game.may_act(history.state) and not (history.game.secret or history.game.conditional):
        raise not_your_turn(snapshot)
    await context.reply.show(await panel(context, snapshot, pick(snapshot, seat, ()), note=note))


@handles("move")
async def _move(context: Context, click: Click) -> None:
    await open_panel(context, click.table)


async def at_table(context: Context, snapshot: Snapshot) -> tuple[Snapshot, int]:
    """A table where a game is running, and the user's seat there.

    If the game is over, its last board is the answer, and nothing else happens. Raises WrongStage, NotSeated or Refused.
    """
    if is_over(snapshot.table) and snapshot.history is not None:
        await context.reply.show(await over_message(snapshot, context.perspective(snapshot.viewpoint(context.user.id))))
        raise Answered
    snapshot.require(Status.PLAYING)
    seat = snapshot.own_seat(context.user.id)
    if snapshot.players[seat].status is not SeatStatus.JOINED:
        raise Refused(say("You’ve left this game."))
    return snapshot, seat


@handles("pick", "choose", "page")
async def _pick(context: Context, click: Click) -> None:
    """A token was picked: show how the action may go on, or what it leads to if it is complete.

    If there is nothing to be shown of that, it is played at once, but only if the button said all of it: what was completed by
    itself is seen first.
    """
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    picked = pick(snapshot, seat, click.tokens)
    if click.version != snapshot.playing.version:
        await _show_changed(context, click, snapshot, seat)
    elif picked.whole and picked.prefix == click.tokens and not _previewed(context, snapshot, picked):
        await _play(context, click)
    else:
        await context.reply.show(await panel(context, snapshot, picked, page=click.page))


def _previewed(context: Context, snapshot: Snapshot, picked: Pick) -> bool:
    return context.settings.preview and foreseen(snapshot, picked) is not None


@handles("back")
async def _back(context: Context, click: Click) -> None:
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    await context.reply.show(await panel(context, snapshot, stepped_back(snapshot, seat, click.tokens)))


@handles("act", answer=Answer.SILENT)
async def _act(context: Context, click: Click) -> None:
    """Play an action: one that was picked in the panel, or that a button of the board stands for.

    What the latter leads to has not been seen; if it can be, the panel shows it first.
    """
    if not in_panel(context.interaction):
        snapshot = await context.snapshot(click.table)
        picked = _offered(context, snapshot, click)
        if picked is not None and _previewed(context, snapshot, picked):
            await context.reply.show(await panel(context, snapshot, picked))
            return
    await _play(context, click)


def _offered(context: Context, snapshot: Snapshot, click: Click) -> Pick | None:
    """What a button of a board stands for, if the board is the newest and the user may press it."""
    seat = snapshot.viewpoint(context.user.id)
    if seat is None or snapshot.table.status is not Status.PLAYING or click.version != snapshot.playing.version:
        return None
    picked = pick(snapshot, seat, click.tokens)
    return picked if picked.prefix == click.tokens else None


@handles("close")
async def _close(context: Context, click: Click) -> None:
    """Play a picked action, and with it what ends the turn."""
    await _play(context, click, closing=True)


@handles("typed")
async def _typed(context: Context, click: Click) -> None:
    """Play an action that was typed before it was clear at which table, on the current board."""
    typed = " ".join(click.tokens)
    await show_played(
        context, await context.sessions.play.act(click.table, context.user, typed, interaction_id=context.interaction.id)
    )


async def _play(context: Context, click: Click, *, closing: bool = False) -> None:
    """Play an action, answer the click, and then have the board updated."""
    play, clicked = context.sessions.play, context.interaction.id
    try:
        played = await play.act(
            click.table, context.user, click.tokens, version=click.version, interaction_id=clicked, closing=closing
        )
    except Stale:
        snapshot, seat = await at_table(context, await context.fresh(click.table))
        return await _show_changed(context, click, snapshot, seat)
    await show_played(context, played)
    return None


async def _show_changed(context: Context, click: Click, snapshot: Snapshot, seat: int) -> None:
    """Answer a click on an outdated board with the current one, and go on with what still holds of the pick."""
    picked = pick(snapshot, seat, click.tokens)
    if click.tokens and picked.prefix[: len(click.tokens)] == click.tokens:
        note = say("The board has changed since. Your pick still works: have another look.")
    else:
        note = say("The board has changed since. Here’s how it stands now.")
    await context.reply.show(await panel(context, snapshot, picked, note=context.language(note)))


# --- after an action ------------------------------------------------------------------------------------------------------


async def show_played(context: Context, played: Played) -> None:
    """Answer an action: in a panel with what can be done next; on a board with what the board itself does not show.

    That is what the player alone has learned, and the panel if the turn goes on in a way for which the board has no button.
    """
    snapshot = played.snapshot
    seat = snapshot.seat_of(context.user.id)
    assert seat is not None
    async with context.delivering(snapshot.table.id):
        if context.interaction.type is discord.InteractionType.component and not in_panel(context.interaction):
            await _answer_on_board(context, played, seat)
        elif snapshot.table.status is Status.PLAYING and seat in snapshot.playing.to_act:
            note = "\n".join([_told(context, played), *_answered(context, snapshot, seat)])
            await context.reply.show(await panel(context, snapshot, pick(snapshot, seat, ()), note=note))
        else:
            await context.reply.show(_finished(context, played, seat))


def _answered(context: Context, snapshot: Snapshot, seat: int) -> list[str]:
    """Why it is the player's turn again, if that is because somebody had planned a reply. Everybody sees that they had."""
    history = snapshot.playing
    last = history.log[-1].entry
    if not (last.fired and history.game.conditional) or last.seat == seat:
        return []
    planned = say("{who} had planned that reply. It’s your turn again.", who=seat_name(last.seat))
    return ["-# " + context.language(planned, names(snapshot))]


async def _answer_on_board(context: Context, played: Played, seat: int) -> None:
    snapshot = played.snapshot
    secret = _told(context, played, private=True)
    if _needs_panel(snapshot, seat) and not played.repeated:
        await context.reply.show(await panel(context, snapshot, pick(snapshot, seat, ()), note=secret))
    elif secret:
        await context.tell(secret)
    else:
        await context.reply.acknowledge()


def _needs_panel(snapshot: Snapshot, seat: int) -> bool:
    """Whether a seat has to go on, and the board has no button for it. All can see that."""
    if snapshot.table.status is not Status.PLAYING:
        return False
    history = snapshot.playing
    return seat in history.to_act and not history.game.shortcuts(history.view(None))


def _told(context: Context, played: Played, *, private: bool = False) -> str:
    """What happened, in words; if `private`, only what nobody else has learned."""
    events = tuple(event for event in played.events if event.private_to is not None or not private)
    return story(_once(events), played.snapshot, context.language)


def _once(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events without what is told to everybody where the same is told next to the player alone, who learns more of it."""
    followed = zip_longest(events, events[1:])
    return tuple(event for event, told in followed if told is None or not _tells_more(told, event))


def _tells_more(told: Event, event: Event) -> bool:
    """Whether the first of two events is the second one, as its player alone knows it."""
    if told.private_to is None or event.private_to is not None or event.detail is None:
        return False
    return told.seat == event.seat and type(told.detail) is type(event.detail)


def _finished(context: Context, played: Played, seat: int) -> MessageBuilder:
    """The answer to an action after which the player has nothing to do: what happened, and how it goes on."""
    snapshot = played.snapshot
    goes_on = snapshot.table.status is Status.PLAYING
    now = waited_for(snapshot) if goes_on else snapshot.result() or say("This game is over.")
    builder = MessageBuilder(colour=COLOURS[seat]).text(_told(context, played) or context.language(say("Done.")))
    builder.text("-# " + context.language(now, names(snapshot)))
    return builder.buttons(ahead_buttons(snapshot, context.user.id, context.language))


HANDLERS: Final = (_move, _pick, _back, _act, _close, _typed)
