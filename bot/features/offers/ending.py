"""Clicks that end a game before its rules do, if all agree: a draw, and calling off."""

from typing import Final

import discord

from bot.core.play import Play
from bot.core.table.snapshot import REASONS, Snapshot
from bot.core.turns import too_late_to_call_off
from bot.features.offers.service import Consent
from bot.features.playing.handlers import follow_draw, show_said
from bot.interactions.context import Context
from bot.interactions.handlers import handles
from bot.messages.board import heading
from bot.messages.builder import MessageBuilder, button
from bot.messages.click import Click
from bot.messages.players import names
from engines.text import Text, join, say, say_n, seat_name
from storage.schema.records import Ending

AGREED: Final = say("You agreed. I’m still waiting for the others.")
"""The answer to a player who has agreed while others still have to."""


async def offer_draw(context: Context, table_id: int) -> None:
    """Offer a draw, or agree to one."""
    await context.snapshot(table_id)
    snapshot, drawn = await context.core.service(Play).draw(table_id, context.user)
    text = say("It’s a draw!") if drawn else _offer_words(snapshot, snapshot.own_seat(context.user.id))
    async with context.delivering(snapshot.table.id):
        await show_said(context, snapshot, context.language(text, names(snapshot)))
        follow_draw(context, snapshot)


def _offer_words(snapshot: Snapshot, seat: int) -> Text:
    """Tell a seat that has offered or agreed to a draw who still has to agree. Computers answer at once."""
    offer = snapshot.table.offers.draw
    if offer is not None and offer.by != seat:
        return AGREED
    agreed = () if offer is None else offer.agreed
    asked = [seat for seat in snapshot.present if seat not in agreed]
    who = join([seat_name(seat) for seat in asked], ", ")
    if set(asked) <= set(snapshot.computers):
        return say("You offered {who} a draw.", who=who)
    return say_n("You offered {who} a draw. It stands until {who} moves or declines.",
                 "You offered {who} a draw. It stands until one of them moves or declines.", len(asked), who=who)  # fmt: skip


@handles("draw")
async def _draw(context: Context, click: Click) -> None:
    await offer_draw(context, click.table)


async def call_off(context: Context, table_id: int, *, sure: bool = False) -> None:
    """Propose to call the game off, or agree to that. Unless the user is sure, ask first if it would end at once."""
    snapshot = await context.snapshot(table_id)
    if not sure and snapshot.table.offers.call_off is None and _with_computers_alone(snapshot, context.user.id):
        await _ask_call_off(context, snapshot)
        return
    snapshot, called_off = await context.core.service(Consent).call_off(table_id, context.user)
    offer = snapshot.table.offers.call_off
    if called_off:
        text: Text = say("You called the game off. It has no result.") if sure else REASONS[Ending.CALLED_OFF]
    elif offer is not None and offer.by != snapshot.own_seat(context.user.id):
        text = AGREED
    else:
        asked = [seat_name(seat) for seat in snapshot.persons if offer is None or seat not in offer.agreed]
        text = say("I’ve asked {who} whether to call the game off. Until then, it goes on.", who=join(asked, ", "))
    async with context.delivering(snapshot.table.id):
        await show_said(context, snapshot, context.language(text, names(snapshot)))


def _with_computers_alone(snapshot: Snapshot, user_id: int) -> bool:
    """Whether a user plays against computers only, who agree to everything at once."""
    if too_late_to_call_off(snapshot) is not None:
        return False  # they are told so
    return {snapshot.viewpoint(user_id)} == set(snapshot.persons)


async def _ask_call_off(context: Context, snapshot: Snapshot) -> None:
    language, table_id = context.language, snapshot.table.id
    builder = (
        MessageBuilder().text(heading(snapshot, language)).text(language(say("Call the game off? It ends without a result.")))
    )
    yes = button(language(say("Call off")), Click("call-off-now", table_id).custom_id, discord.ButtonStyle.danger)
    await context.reply.show(builder.buttons([yes, button(language(say("Play on")), Click("never-mind", table_id).custom_id)]))


@handles("call-off")
async def _call_off(context: Context, click: Click) -> None:
    await call_off(context, click.table)


@handles("call-off-now")
async def _call_off_now(context: Context, click: Click) -> None:
    await call_off(context, click.table, sure=True)


HANDLERS: Final = (_draw, _call_off, _call_off_now)
