"""Handles clicks that make an offer or answer one."""

from typing import Final

import discord

from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot
from bot.core.turns import too_late_to_call_off
from bot.features.offers.kinds import OFFERS, ComputerReply, Seating
from bot.features.offers.messages import (
    AGREED,
    DECLINED,
    SETTLED,
    WITHDRAWN,
    agreed,
    filled,
    offer_notice,
    proposed,
    seats_message,
)
from bot.features.offers.service import GONE, Consent
from bot.features.playing.handlers import follow_draw, show_said
from bot.interactions.checks import check_newcomer, fetch_member
from bot.interactions.context import Context, person
from bot.interactions.handlers import Answer, Tokens, handles, is_word
from bot.interactions.reply import in_panel
from bot.interactions.tables import at_table, with_way_back
from bot.messages.board import heading
from bot.messages.builder import MessageBuilder, button, escape_name
from bot.messages.click import Click, is_number
from bot.messages.notices import acceptance, refusal
from bot.messages.players import names, read_level
from bot.outbox.jobs import Jobs
from engines.text import Text, plain, say, seat_name
from storage.schema.records import JobKind, OfferKind


async def propose(
    context: Context, table_id: int, kind: OfferKind, seating: Seating | None = None, *, done: Text | None = None
) -> None:
    """Make an offer, or agree to the open one, and tell the user the result, or `done` if it is carried out at once."""
    await context.snapshot(table_id)
    answered = await context.core.service(Consent).propose(table_id, context.user, kind, seating)
    snapshot = answered.snapshot
    waits = not answered.carried_out and answered.offer.by != snapshot.own_seat(context.user.id)
    text = AGREED if waits else done if answered.carried_out and done is not None else proposed(kind, answered)
    said = context.language(text, names(snapshot))
    async with context.delivering(table_id):
        if seating is not None:
            await context.reply.show(MessageBuilder().text(said))
            return
        await show_said(context, snapshot, said)
        if OFFERS[kind].computers is ComputerReply.DECIDE:
            follow_draw(context, snapshot)


async def hand_over(context: Context, table_id: int, newcomer: discord.Member, leaver_id: int) -> None:
    """Offer a seat to a person who does not play yet."""
    if newcomer.bot:
        raise Refused(say("{name} is a bot. Bots don’t play here.", name=plain(escape_name(newcomer.display_name))))
    await check_newcomer(context, (await context.snapshot(table_id)).table, person(newcomer))
    await propose(context, table_id, OfferKind.SUBSTITUTE, Seating(leaver_id, person(newcomer)))


async def call_off(context: Context, table_id: int) -> None:
    """Propose to call the game off, or agree to it. A game against only computers would end at once, so ask first."""
    snapshot, language = await context.snapshot(table_id), context.language
    with_computers_alone = {snapshot.viewpoint(context.user.id)} == set(snapshot.persons)
    known = snapshot.table.offers.call_off is not None or too_late_to_call_off(snapshot) is not None
    if known or not with_computers_alone:
        await propose(context, table_id, OfferKind.CALL_OFF)
        return
    question = language(say("Call the game off? It ends without a result."))
    yes = button(language(say("Call off")), Click("call-off-now", table_id).custom_id, discord.ButtonStyle.danger)
    no = button(language(say("Play on")), Click("never-mind", table_id).custom_id)
    await context.reply.show(MessageBuilder().text(heading(snapshot, language)).text(question).buttons([yes, no]))


@handles("draw")
async def _draw(context: Context, click: Click) -> None:
    await propose(context, click.table, OfferKind.DRAW)


@handles("draw-back")
async def _draw_back(context: Context, click: Click) -> None:
    """Take back the user's own offer of a draw. Raises Refused if there is none. Other players' offers can only be declined."""
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    offer = snapshot.table.offers.draw
    if offer is None or offer.by != seat:
        raise Refused(GONE)
    answered = await context.core.service(Consent).refuse(click.table, context.user, OfferKind.DRAW)
    async with context.delivering(click.table):
        await show_said(context, answered.snapshot, context.language(say("You took your offer of a draw back.")))


@handles("call-off")
async def _call_off(context: Context, click: Click) -> None:
    await call_off(context, click.table)


@handles("call-off-now")
async def _call_off_now(context: Context, click: Click) -> None:
    done = say("You called the game off. It has no result.")
    await propose(context, click.table, OfferKind.CALL_OFF, done=done)


@handles("hand-over", tokens=Tokens((is_number, is_number)))
async def _hand_over(context: Context, click: Click) -> None:
    """Hand a seat over, from a button of an earlier version. The tokens are the ids of the newcomer and the leaver."""
    newcomer, leaver = (int(token) for token in click.tokens)
    await hand_over(context, click.table, await fetch_member(context, newcomer), leaver)


@handles("substitute")
async def _substitute(context: Context, click: Click) -> None:
    snapshot, seat = await at_table(context, await context.snapshot(click.table))
    if snapshot.table.solo:
        raise Refused(say("You’re playing this game alone: nobody else can see it."))
    await context.reply.show(seats_message(snapshot, seat, context.language))


@handles("seat-to", tokens=Tokens((is_number, is_number)))
async def _seat_to(context: Context, click: Click) -> None:
    """Offer a seat to the person chosen from a menu. The tokens are the ids of the leaver and the newcomer."""
    leaver, newcomer = (int(token) for token in click.tokens)
    await hand_over(context, click.table, await fetch_member(context, newcomer), leaver)


@handles("relieve", tokens=Tokens((is_number, is_word)))
async def _relieve(context: Context, click: Click) -> None:
    """Propose that a computer takes a seat whose player has left. The tokens are the leaver's id and the level."""
    leaver, level = click.tokens
    await propose(context, click.table, OfferKind.COMPUTER, Seating(int(leaver), read_level(level)))


@handles("undo")
async def _undo(context: Context, click: Click) -> None:
    """Ask for an undo. If it is no longer possible, say so above the user's own game, or with a button that leads to it."""
    try:
        await propose(context, click.table, OfferKind.UNDO)
    except Refused as refused:
        if not in_panel(context.interaction):
            raise
        said = context.language(refused.text, [escape_name(name) for name in refused.names])
        snapshot = await context.fresh(click.table)
        if snapshot.table.solo:
            await show_said(context, snapshot, said)
        else:
            await context.reply.show(with_way_back(context, snapshot, MessageBuilder().text(said)))


# The buttons of an offer are on a public message, which the answer replaces.

YES: Final = {acceptance(kind): kind for kind in OfferKind}
NO: Final = {refusal(kind): kind for kind in OfferKind}


@handles(*YES, answer=Answer.UPDATE)
async def _agree(context: Context, click: Click) -> None:
    kind = YES[click.verb]
    await context.snapshot(click.table)
    answered = await context.core.service(Consent).agree(click.table, context.user, kind)
    if answered.carried_out:
        await _show_settled(context, answered.snapshot, agreed(kind, answered, _who(context, answered.snapshot)))
    else:
        await context.tell(context.language(AGREED))


@handles(*NO, answer=Answer.UPDATE)
async def _refuse(context: Context, click: Click) -> None:
    await context.snapshot(click.table)
    answered = await context.core.service(Consent).refuse(click.table, context.user, NO[click.verb])
    own = answered.offer.by == answered.snapshot.seat_of(context.user.id)
    who = _who(context, answered.snapshot)
    await _show_settled(context, answered.snapshot, filled(WITHDRAWN if own else DECLINED, who=who))


def _who(context: Context, snapshot: Snapshot) -> Text:
    seat = snapshot.seat_of(context.user.id)
    return plain(escape_name(context.user.name)) if seat is None else seat_name(seat)


async def _show_settled(context: Context, snapshot: Snapshot, text: Text) -> None:
    language = await context.public_language(snapshot)
    async with context.settling(snapshot.table.id):
        await context.reply.show(MessageBuilder().text(heading(snapshot, language)).text(language(text, names(snapshot))))


HANDLERS: Final = (
    _draw, _draw_back, _call_off, _call_off_now, _hand_over, _substitute, _seat_to, _relieve, _undo, _agree, _refuse,
)  # fmt: skip

JOBS: Final = Jobs(notices={JobKind.OFFER: offer_notice}, settled=SETTLED)
