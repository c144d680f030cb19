"""Offers of an undo, or of a seat, and the answers to all offers."""

from typing import Final

import discord

from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.players import stands_in
from bot.core.table.snapshot import Snapshot
from bot.features.offers.ending import AGREED
from bot.features.offers.relieving import Relieving
from bot.features.offers.service import Consent
from bot.features.playing.handlers import show_said
from bot.interactions.checks import check_newcomer, fetch_member
from bot.interactions.context import Context, person
from bot.interactions.handlers import Answer, Tokens, handles, is_word
from bot.interactions.reply import in_panel
from bot.interactions.tables import with_way_back
from bot.messages.board import heading
from bot.messages.builder import MessageBuilder, escape_name
from bot.messages.click import Click, is_number
from bot.messages.players import former_name, names, names_with_levels, read_level
from engines.text import Text, join, plain, say, seat_name
from storage.schema.records import Level, OfferKind


async def ask_undo(context: Context, table_id: int) -> None:
    """Ask to take back the user's last action, or agree to the request of another player."""
    await context.snapshot(table_id)
    snapshot, what, undone = await context.core.service(Consent).undo(table_id, context.user)
    standing = snapshot.table.offers.undo
    if undone:
        text: Text = say("Taken back! {what}", what=what)
    elif standing is not None and standing.by != snapshot.own_seat(context.user.id):
        text = AGREED
    else:
        asked = [seat_name(seat) for seat in snapshot.present if standing is None or seat not in standing.agreed]
        text = say("Asked {who} to let you take this back. {what}", who=join(asked, ", "), what=what)
    async with context.delivering(table_id):
        await show_said(context, snapshot, context.language(text, names(snapshot)))


async def hand_over(context: Context, table_id: int, newcomer: discord.Member, leaver_id: int) -> None:
    """Offer a seat to a person who does not play yet."""
    if newcomer.bot:
        raise Refused(say("{name} is a bot. Bots don’t play here.", name=plain(escape_name(newcomer.display_name))))
    await check_newcomer(context, (await context.snapshot(table_id)).table, person(newcomer))
    snapshot = await context.core.service(Consent).hand_over(table_id, context.user, leaver_id, person(newcomer))
    text: Text = say("Asked {who} to take over the seat.", who=plain(newcomer.mention))
    mine = snapshot.own_seat(leaver_id)
    if snapshot.table.rated and leaver_id == context.user.id and not stands_in(snapshot, mine):
        text = say("{asked} It’s a rated game: once they accept, it counts as your loss, however it ends.", asked=text)
    async with context.delivering(snapshot.table.id):
        await context.reply.show(MessageBuilder().text(context.language(text, names(snapshot))))


async def relieve(context: Context, table_id: int, leaver_id: int, level: Level) -> None:
    """Propose a computer for the seat of a player who has left. It takes the seat at once if nobody has to agree."""
    snapshot, seated = await context.core.service(Relieving).propose(table_id, context.user, leaver_id, level)
    text = say("A computer has taken the seat.") if seated else say("Asked the others to let a computer take the seat.")
    async with context.delivering(snapshot.table.id):
        await context.reply.show(MessageBuilder().text(context.language(text, names(snapshot))))


@handles("hand-over", tokens=Tokens((is_number, is_number)))
async def _hand_over(context: Context, click: Click) -> None:
    """Carry out a `/substitute` once its table is chosen. The tokens are the ids of the newcomer and the leaver."""
    newcomer, leaver = (int(token) for token in click.tokens)
    await hand_over(context, click.table, await fetch_member(context, newcomer), leaver)


@handles("relieve", tokens=Tokens((is_number, is_word)))
async def _relieve(context: Context, click: Click) -> None:
    """Carry out a `/substitute` by a computer once its table is chosen. The tokens are the id of the leaver, and the level."""
    leaver, level = click.tokens
    await relieve(context, click.table, int(leaver), read_level(level))


@handles("undo")
async def _undo(context: Context, click: Click) -> None:
    """Ask for an undo. If it has become impossible since the button was shown, that is said in the panel it stands in."""
    try:
        await ask_undo(context, click.table)
    except Refused as refused:
        if not in_panel(context.interaction):
            raise
        said = context.language(refused.text, [escape_name(name) for name in refused.names])
        await _show_refused(context, await context.fresh(click.table), said)


async def _show_refused(context: Context, snapshot: Snapshot, said: str) -> None:
    """Show in the user's panel what cannot be done: above their own game, or with the way back to it."""
    if snapshot.table.solo:
        await show_said(context, snapshot, said)
    else:
        await context.reply.show(with_way_back(context, snapshot, MessageBuilder().text(said)))


# --- answers to offers ----------------------------------------------------------------------------------------------------
# These buttons are on a public message, which the answer replaces.


@handles("undo-yes", answer=Answer.UPDATE)
async def _undo_yes(context: Context, click: Click) -> None:
    snapshot, what, undone = await context.core.service(Consent).undo(click.table, context.user, answering=True)
    if undone:
        await _show_settled(context, snapshot, say("{who} agreed: taken back. {what}", who=_who(context, snapshot), what=what))
    else:
        await _confirm_agreed(context)


@handles("draw-yes", answer=Answer.UPDATE)
async def _draw_yes(context: Context, click: Click) -> None:
    snapshot, drawn = await context.core.service(Play).draw(click.table, context.user, answering=True)
    if drawn:
        await _show_settled(context, snapshot, say("{who} agreed: it’s a draw!", who=_who(context, snapshot)))
    else:
        await _confirm_agreed(context)


@handles("call_off-yes", answer=Answer.UPDATE)
async def _call_off_yes(context: Context, click: Click) -> None:
    snapshot, called_off = await context.core.service(Consent).call_off(click.table, context.user, answering=True)
    if called_off:
        await _show_settled(context, snapshot, say("{who} agreed: the game is called off.", who=_who(context, snapshot)))
    else:
        await _confirm_agreed(context)


@handles("substitute-yes", answer=Answer.UPDATE)
async def _substitute_yes(context: Context, click: Click) -> None:
    snapshot = await context.core.service(Consent).take_over(click.table, context.user)
    text: Text = say("{who} takes over the seat. Good luck!", who=_who(context, snapshot))
    left = snapshot.departures[-1]
    if left.lost:
        text = say("{news} For the rating, {name} has lost this game.", news=text, name=plain(former_name(left)))
    await _show_settled(context, snapshot, text)


@handles("computer-yes", answer=Answer.UPDATE)
async def _computer_yes(context: Context, click: Click) -> None:
    relief = (await context.snapshot(click.table)).table.offers.computer
    snapshot, seated = await context.core.service(Relieving).agree(click.table, context.user)
    if seated and relief is not None:
        computer = names_with_levels(snapshot, names(snapshot))[relief.seat]
        text = say("{who} agreed: {computer} takes over the seat.", who=_who(context, snapshot), computer=computer)
        await _show_settled(context, snapshot, text)
    else:
        await _confirm_agreed(context)


@handles("computer-no", answer=Answer.UPDATE)
async def _computer_no(context: Context, click: Click) -> None:
    await _refuse(context, click, OfferKind.COMPUTER)


@handles("undo-no", answer=Answer.UPDATE)
async def _undo_no(context: Context, click: Click) -> None:
    await _refuse(context, click, OfferKind.UNDO)


@handles("draw-no", answer=Answer.UPDATE)
async def _draw_no(context: Context, click: Click) -> None:
    await _refuse(context, click, OfferKind.DRAW)


@handles("call_off-no", answer=Answer.UPDATE)
async def _call_off_no(context: Context, click: Click) -> None:
    await _refuse(context, click, OfferKind.CALL_OFF)


@handles("substitute-no", answer=Answer.UPDATE)
async def _substitute_no(context: Context, click: Click) -> None:
    await _refuse(context, click, OfferKind.SUBSTITUTE)


async def _refuse(context: Context, click: Click, kind: OfferKind) -> None:
    before = await context.snapshot(click.table)
    snapshot = await context.core.service(Consent).refuse(click.table, context.user, kind)
    offer = before.table.offers.of(kind)
    if offer is not None and offer.by == snapshot.seat_of(context.user.id):
        text = say("{who} withdrew the offer. On with the game!", who=_who(context, snapshot))
    else:
        text = say("{who} declined. On with the game!", who=_who(context, snapshot))
    await _show_settled(context, snapshot, text)


def _who(context: Context, snapshot: Snapshot) -> Text:
    seat = snapshot.seat_of(context.user.id)
    return plain(escape_name(context.user.name)) if seat is None else seat_name(seat)


async def _show_settled(context: Context, snapshot: Snapshot, text: Text) -> None:
    """Replace the offer, for everybody, with its outcome."""
    language = await context.public_language(snapshot)
    async with context.settling(snapshot.table.id):
        await context.reply.show(MessageBuilder().text(heading(snapshot, language)).text(language(text, names(snapshot))))


async def _confirm_agreed(context: Context) -> None:
    await context.tell(context.language(AGREED))


HANDLERS: Final = (
    _undo_yes,
    _undo_no,
    _draw_yes,
    _draw_no,
    _substitute_yes,
    _substitute_no,
    _undo,
    _hand_over,
    _relieve,
    _computer_yes,
    _computer_no,
    _call_off_yes,
    _call_off_no,
)
