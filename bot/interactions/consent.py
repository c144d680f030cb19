"""Clicks that need the agreement of others: undo, handing over a seat, a rematch; and the answers to offers."""

from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import Answer, handles
from bot.messages.board import heading, names
from bot.messages.builder import MessageBuilder, escaped
from bot.messages.click import Click
from bot.sessions import Snapshot
from engines.text import Text, plain, say, seat_name
from storage.records import OfferKind


async def ask_undo(context: Context, table_id: int) -> None:
    """Ask to take back one's own last action, or agree to somebody else's request."""
    await context.snapshot(table_id)
    snapshot, what, undone = await context.sessions.consent.undo(table_id, context.user)
    if undone:
        text: Text = say("Taken back. {what}", what=what)
    else:
        text = say("The others are asked whether this may be taken back. {what}", what=what)
    async with context.delivering(table_id):
        await context.reply.show(MessageBuilder().text(context.language(text, names(snapshot))))


async def open_rematch(context: Context, table_id: int) -> None:
    """Open a table for another game of the same people, or join the one that is open already."""
    await context.snapshot(table_id)
    snapshot = await context.sessions.consent.rematch(table_id, context.user, context.interaction.id)
    async with context.delivering(snapshot.table.id):
        await context.reply.followup(
            MessageBuilder().text(context.language(say("You sit at table #{n}.", n=snapshot.table.id)))
        )


@handles("undo")
async def _undo(context: Context, click: Click) -> None:
    await ask_undo(context, click.table)


# --- answers to offers ----------------------------------------------------------------------------------------------------
# These buttons are on a public message, which the answer replaces.


@handles("undo-yes", answer=Answer.UPDATE)
async def _undo_yes(context: Context, click: Click) -> None:
    snapshot, what, undone = await context.sessions.consent.undo(click.table, context.user, answering=True)
    if undone:
        await _show_settled(
            context, snapshot, say("{who} has agreed, and it is taken back. {what}", who=_who(context, snapshot), what=what)
        )
    else:
        await _confirm_agreed(context)


@handles("draw-yes", answer=Answer.UPDATE)
async def _draw_yes(context: Context, click: Click) -> None:
    snapshot, drawn = await context.sessions.play.draw(click.table, context.user, answering=True)
    if drawn:
        await _show_settled(context, snapshot, say("{who} has agreed, and the game is drawn.", who=_who(context, snapshot)))
    else:
        await _confirm_agreed(context)


@handles("substitute-yes", answer=Answer.UPDATE)
async def _substitute_yes(context: Context, click: Click) -> None:
    snapshot = await context.sessions.consent.take_over(click.table, context.user)
    await _show_settled(context, snapshot, say("{who} has taken the seat over. Good luck!", who=_who(context, snapshot)))


@handles("undo-no", answer=Answer.UPDATE)
async def _undo_no(context: Context, click: Click) -> None:
    await _refuse(context, click, OfferKind.UNDO)


@handles("draw-no", answer=Answer.UPDATE)
async def _draw_no(context: Context, click: Click) -> None:
    await _refuse(context, click, OfferKind.DRAW)


@handles("substitute-no", answer=Answer.UPDATE)
async def _substitute_no(context: Context, click: Click) -> None:
    await _refuse(context, click, OfferKind.SUBSTITUTE)


async def _refuse(context: Context, click: Click, kind: OfferKind) -> None:
    before = await context.snapshot(click.table)
    snapshot = await context.sessions.consent.refuse(click.table, context.user, kind)
    offer = before.table.offers.of(kind)
    if offer is not None and offer.by == snapshot.seat_of(context.user.id):
        text = say("{who} has taken the offer back; the game goes on.", who=_who(context, snapshot))
    else:
        text = say("{who} has declined; the game goes on.", who=_who(context, snapshot))
    await _show_settled(context, snapshot, text)


def _who(context: Context, snapshot: Snapshot) -> Text:
    seat = snapshot.seat_of(context.user.id)
    return plain(escaped(context.user.name)) if seat is None else seat_name(seat)


async def _show_settled(context: Context, snapshot: Snapshot, text: Text) -> None:
    """Replace the offer, for everybody, with what has become of it."""
    language = await context.public_language()
    async with context.delivering(snapshot.table.id):
        await context.reply.show(MessageBuilder().text(heading(snapshot, language)).text(language(text, names(snapshot))))


async def _confirm_agreed(context: Context) -> None:
    await context.tell(context.language(say("You have agreed. The others are still asked.")))


@handles("rematch")
async def _rematch(context: Context, click: Click) -> None:
    await open_rematch(context, click.table)


HANDLERS: Final = (_undo_yes, _undo_no, _draw_yes, _draw_no, _substitute_yes, _substitute_no, _undo, _rematch)
