"""Handles clicks that play: opening the panel, picking an action step by step, and playing it."""

from dataclasses import replace
from functools import partial
from typing import Final

import discord

from bot.core.play import Play, Played, not_your_turn
from bot.core.table.errors import Stale
from bot.core.table.players import stands_in
from bot.core.table.since import own_turn_on
from bot.core.table.snapshot import Snapshot
from bot.features.playing.messages import panel_message, waiting_message
from bot.features.playing.spending import CLOSING, spending_message, spending_of
from bot.interactions.context import Context
from bot.interactions.handlers import ACTION, Answer, Tokens, handles, is_word
from bot.interactions.reply import in_panel
from bot.interactions.tables import at_table, over_message
from bot.messages.board import heading, offered, own_story, private_story, without_parting
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.messages.more import call_off_buttons
from bot.messages.notices import board_button
from bot.messages.picking import Pick, action_picker, pick, preview_of
from bot.messages.players import names
from bot.messages.story import since_own_turn
from engines.game import Buttons, may_act, part_of
from engines.text import Text, join, say, seat_name
from storage.schema.records import Status


async def panel(context: Context, snapshot: Snapshot, picked: Pick, *, page: int = 0, note: str = "") -> MessageBuilder:
    """Return the user's panel. It previews a complete action if they want that; otherwise a button plays it at once."""
    preview = preview_of(snapshot, picked) if context.settings.preview else None
    repeat = bool(picked.again) and _has_preview(context, snapshot, pick(snapshot.position, picked.seat, picked.again))
    perspective = context.perspective(picked.seat)
    return await panel_message(snapshot, picked, perspective, page=page, note=note, preview=preview, repeat=repeat)


async def open_panel(context: Context, table_id: int, note: str = "") -> None:
    """Open the user's panel for the current board. Raises NotYourTurn if it would neither offer nor show them anything."""
    context.responder.reviews.stop(table_id, context.user.id)  # whoever goes back from its progress sees the result instead
    snapshot = await context.snapshot(table_id)
    shown = snapshot.history is not None and snapshot.seat_of(context.user.id) is not None
    if snapshot.table.solo and snapshot.table.is_over and shown:
        return await show_own(context, snapshot)
    snapshot, seat = await at_table(context, snapshot)
    history = snapshot.playing
    context.responder.following.stop(table_id, context.user.id)
    if snapshot.thinking and in_panel(context.interaction):
        return await show_next(context, snapshot, seat, _since_asked(context, snapshot, seat))
    if seat not in may_act(history.game, history.state) and not (history.game.secret or history.game.conditional):
        raise not_your_turn(snapshot)
    if snapshot.table.solo:
        note = note or _since_asked(context, snapshot, seat)
    await context.reply.show(await panel(context, snapshot, pick(snapshot.position, seat, ()), note=note))
    return None


@handles("move")
async def _move(context: Context, click: Click) -> None:
    await open_panel(context, click.table)


@handles("pick", "choose", "page", tokens=ACTION)
async def _pick(context: Context, click: Click) -> None:
    """Pick a token, and show what follows. A complete action is previewed, or played at once if its button named all of it."""
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    picked = pick(snapshot.position, seat, click.tokens)
    if click.version != snapshot.playing.version:
        await _show_changed(context, click, snapshot, seat)
    elif picked.whole and picked.prefix == click.tokens and not _has_preview(context, snapshot, picked):
        await _play(context, click)
    else:
        await context.reply.show(await panel(context, snapshot, picked, page=click.page))


def _has_preview(context: Context, snapshot: Snapshot, picked: Pick) -> bool:
    return context.settings.preview and preview_of(snapshot, picked) is not None


@handles("back", tokens=ACTION)
async def _back(context: Context, click: Click) -> None:
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    await context.reply.show(await panel(context, snapshot, action_picker(snapshot.position, seat).back(click.tokens)))


@handles("act", tokens=ACTION, answer=Answer.SILENT)
async def _act(context: Context, click: Click) -> None:
    """Play an action picked in the panel or named by a button on the board. In the latter case, preview it first."""
    if not in_panel(context.interaction):
        snapshot = await context.snapshot(click.table)
        picked = _pick_on_board(context, snapshot, click)
        if picked is not None and _has_preview(context, snapshot, picked):
            await context.reply.show(await panel(context, snapshot, picked))
            return
    await _play(context, click)


def _pick_on_board(context: Context, snapshot: Snapshot, click: Click) -> Pick | None:
    """Return the action of a button on a board, or None if the board is outdated or the user may not press it."""
    seat = snapshot.viewpoint(context.user.id)
    if seat is None or snapshot.table.status is not Status.PLAYING or click.version != snapshot.playing.version:
        return None
    picked = pick(snapshot.position, seat, click.tokens)
    return picked if picked.prefix == click.tokens else None


@handles("close", tokens=ACTION)
async def _close(context: Context, click: Click) -> None:
    await _play(context, click, closing=True)


@handles("rest")
async def _rest(context: Context, click: Click) -> None:
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    spending = spending_of(snapshot.position, seat)
    if click.version != snapshot.playing.version or spending is None:
        await _show_changed(context, click, snapshot, seat)
    else:
        await context.reply.show(await spending_message(snapshot, seat, spending, context.perspective(seat)))


@handles("spend", tokens=Tokens((is_word,), least=0))
async def _spend(context: Context, click: Click) -> None:
    clicked, closing = context.interaction.id, CLOSING in click.tokens
    try:
        played = await context.core.service(Play).spend(
            click.table, context.user, version=click.version, interaction_id=clicked, closing=closing
        )
    except Stale:
        snapshot, seat = await at_table(context, await context.fresh(click.table))
        return await _show_changed(context, replace(click, tokens=()), snapshot, seat)
    await show_played(context, played)
    return None


@handles("typed", tokens=ACTION)
async def _act_typed(context: Context, click: Click) -> None:
    typed = " ".join(click.tokens)
    await show_played(
        context, await context.core.service(Play).act(click.table, context.user, typed, interaction_id=context.interaction.id)
    )


async def _play(context: Context, click: Click, *, closing: bool = False) -> None:
    play, clicked = context.core.service(Play), context.interaction.id
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
    """Answer a click on an outdated board with the current one, keeping the click's tokens as far as they still work."""
    picked = pick(snapshot.position, seat, click.tokens)
    if click.tokens and picked.prefix[: len(click.tokens)] == click.tokens:
        note = say("The board has changed since. Your pick still works: have another look.")
    else:
        note = say("The board has changed since. Here’s how it stands now.")
    await context.reply.show(await panel(context, snapshot, picked, note=context.language(note)))


# --- after an action ------------------------------------------------------------------------------------------------------


async def show_played(context: Context, played: Played) -> None:
    """Answer an action. In a panel, show the next panel; on a board, show only what the board itself does not show."""
    snapshot = played.snapshot
    seat = snapshot.seat_of(context.user.id)
    assert seat is not None
    async with context.delivering(snapshot.table.id):
        if context.interaction.type is discord.InteractionType.component and not in_panel(context.interaction):
            await _answer_on_board(context, played, seat)
        else:
            done = _own_turn(context, snapshot, seat) or _story(context, played, seat)
            await show_next(context, snapshot, seat, "\n".join([done, *_reply_note(context, snapshot, seat)]))


async def show_next(context: Context, snapshot: Snapshot, seat: int, note: str, *, said: str = "") -> None:
    """Show the user what comes next at a table, below `note`. After computers have played, show it again, below `said`."""
    following, table_id = context.responder.following, snapshot.table.id
    following.stop(table_id, context.user.id)
    if snapshot.table.status is not Status.PLAYING:
        message = await over_message(snapshot, context.perspective(seat), note)
    elif seat in snapshot.playing.to_act:
        message = await panel(context, snapshot, pick(snapshot.position, seat, ()), note=note)
    else:
        message = await waiting_message(snapshot, seat, context.perspective(seat), note)
    await context.reply.show(message)
    if snapshot.thinking:
        following.wait(table_id, context.user.id, snapshot.table.version, partial(_go_on, context, table_id, said))


async def show_begun(context: Context, snapshot: Snapshot, said: str) -> None:
    """Answer the opening of a table with `said` and, if the user plays there without other people, with the game."""
    seat = snapshot.viewpoint(context.user.id)
    if seat is not None and snapshot.is_alone and snapshot.table.status is Status.PLAYING:
        await show_next(context, snapshot, seat, said, said=said)
    else:
        await context.reply.followup(MessageBuilder().text(said).buttons([board_button(snapshot, context.language)]))


async def _go_on(context: Context, table_id: int, said: str) -> int | None:
    """Show what computers have played and what comes next. If they are still thinking, only return the table's version."""
    if context.interaction.is_expired():
        return None
    snapshot = await context.fresh(table_id)
    if snapshot.thinking:
        return snapshot.table.version
    seat = snapshot.viewpoint(context.user.id)
    if seat is not None:
        before = said if snapshot.table.status is Status.PLAYING else ""
        await show_next(context, snapshot, seat, "\n".join(filter(None, [before, _since_asked(context, snapshot, seat)])))
    return None


def _since_asked(context: Context, snapshot: Snapshot, seat: int) -> str:
    """Return in words what has happened since the seat's own turn, followed by what players have offered to everybody."""
    told = [context.language(text, names(snapshot)) for text in offered(snapshot)]
    events = without_parting(since_own_turn(snapshot, seat), snapshot)
    return "\n".join(filter(None, [private_story(events, snapshot, seat, context.language), *told]))


async def show_own(context: Context, snapshot: Snapshot) -> None:
    """Show the user the current state of a game from which nothing is posted."""
    seat = snapshot.own_seat(context.user.id)
    await show_next(context, snapshot, seat, _since_asked(context, snapshot, seat) if snapshot.history is not None else "")


async def show_said(context: Context, snapshot: Snapshot, said: str) -> None:
    """Answer with a sentence about a table, shown above the game if the user plays it in this message."""
    own = snapshot.table.solo or (snapshot.is_alone and in_panel(context.interaction))
    seat = snapshot.seat_of(context.user.id) if own and snapshot.history is not None else None
    if seat is None:
        await context.reply.show(MessageBuilder().text(said))
    else:
        await show_next(context, snapshot, seat, said)


def follow_draw(context: Context, snapshot: Snapshot) -> None:
    """In a game that is not posted, replace the message about an offered draw with the computers' reply when it arrives."""
    following, table_id = context.responder.following, snapshot.table.id
    if snapshot.table.solo and snapshot.table.offers.draw is not None and not snapshot.thinking:
        following.wait(table_id, context.user.id, snapshot.table.version, partial(_show_answer, context, table_id))


async def _show_answer(context: Context, table_id: int) -> int | None:
    snapshot = await context.fresh(table_id)
    if snapshot.table.offers.draw is not None:
        return snapshot.table.version
    if snapshot.table.status is not Status.PLAYING:
        await show_own(context, snapshot)
    else:
        who = join([seat_name(seat) for seat in snapshot.computers], ", ")
        await show_said(context, snapshot, context.language(say("{who} declined the draw.", who=who), names(snapshot)))
    return None


def _own_turn(context: Context, snapshot: Snapshot, seat: int) -> str:
    """Return a short story of a solo turn that has just ended after several actions, or an empty string for any other turn."""
    history = snapshot.playing
    over = snapshot.table.status is not Status.PLAYING or seat in history.to_act
    if over or not snapshot.table.solo or history.version - own_turn_on(history, seat) < 2:
        return ""
    return own_story(since_own_turn(snapshot, seat), snapshot, seat, context.language)


def _reply_note(context: Context, snapshot: Snapshot, seat: int) -> list[str]:
    """Return a note if a planned reply has returned the turn to the player. Everybody sees that it was planned."""
    history = snapshot.playing
    if snapshot.table.status is not Status.PLAYING or seat not in history.to_act:
        return []
    last = history.log[-1].entry
    if not (last.fired and history.game.conditional) or last.seat == seat:
        return []
    planned = say("{who} had planned that reply. It’s your turn again.", who=seat_name(last.seat))
    return ["-# " + context.language(planned, names(snapshot))]


async def _answer_on_board(context: Context, played: Played, seat: int) -> None:
    snapshot = played.snapshot
    secret = _story(context, played, seat, private=True)
    if _needs_panel(snapshot, seat) and not played.repeated:
        await context.reply.show(await panel(context, snapshot, pick(snapshot.position, seat, ()), note=secret))
    elif secret:
        await context.tell(secret)
    else:
        await context.reply.acknowledge()


def _needs_panel(snapshot: Snapshot, seat: int) -> bool:
    """Whether a seat has to go on, and the public board has no button for that."""
    if snapshot.table.status is not Status.PLAYING:
        return False
    history = snapshot.playing
    return seat in history.to_act and not part_of(history.game, Buttons).shortcuts(history.view(None))


def _story(context: Context, played: Played, seat: int, *, private: bool = False) -> str:
    """Return what happened in words. If `private`, tell only what nobody else has learned."""
    events = tuple(event for event in played.events if event.private_to is not None or not private)
    return private_story(events, played.snapshot, seat, context.language)


async def nudge_players(context: Context, table_id: int) -> None:
    """Remind the players whose turn it is."""
    await context.core.service(Play).nudge(table_id, context.user)
    async with context.delivering(table_id):
        await context.reply.show(MessageBuilder().text(context.language(say("Nudged! They’ve been pinged once more."))))


@handles("nudge")
async def _nudge(context: Context, click: Click) -> None:
    await nudge_players(context, click.table)


async def ask_resign(context: Context, table_id: int) -> None:
    """Ask the user to confirm that they resign."""
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    builder = MessageBuilder().text(heading(snapshot, context.language))
    builder.text(context.language(_warning(snapshot, seat)))
    yes = button(context.language(say("Resign")), Click("resign-yes", table_id).custom_id, discord.ButtonStyle.danger)
    no = button(context.language(say("Play on")), Click("never-mind", table_id).custom_id)
    off = call_off_buttons(snapshot, seat, context.language)
    if off:
        builder.text(context.language(say("-# The game has only just begun: *Call off* ends it with no result, if all agree.")))
    await context.reply.show(builder.buttons([yes, *off, no]))


def _warning(snapshot: Snapshot, seat: int) -> Text:
    text = say("Resign? You can’t take that back.")
    if not snapshot.table.rated:
        return text
    if stands_in(snapshot, seat):
        return say("{asked} It’s a rated game, but you’re a stand-in: your rating stays as it is.", asked=text)
    return say("{asked} It counts as a rated loss, even if somebody takes over your seat.", asked=text)


@handles("resign")
async def _resign(context: Context, click: Click) -> None:
    await ask_resign(context, click.table)


@handles("resign-yes")
async def _resign_yes(context: Context, click: Click) -> None:
    played = await context.core.service(Play).resign(click.table, context.user, context.interaction.id)
    async with context.delivering(played.snapshot.table.id):
        await show_said(context, played.snapshot, context.language(say("You resigned. Good game!")))


@handles("never-mind")
async def _never_mind(context: Context, click: Click) -> None:
    await show_said(context, await context.snapshot(click.table), context.language(say("All right, nothing’s changed.")))


HANDLERS: Final = (_move, _pick, _back, _act, _close, _rest, _spend, _act_typed, _nudge, _resign, _resign_yes, _never_mind)
