"""Handles the panel of standing orders: showing, giving and removing them. Only their owner can see them."""

from typing import Final

from bot.core.play import Play
from bot.core.table.errors import Refused, SessionError, Stale
from bot.core.table.snapshot import Snapshot
from bot.features.plans.orders import OrdersPanel, confirm_order_message, orders_message, picking_orders_message
from bot.features.plans.service import Planned, Plans
from bot.features.playing.handlers import show_played
from bot.interactions.context import Context
from bot.interactions.handlers import ACTION, Tokens, handles
from bot.interactions.tables import at_table
from bot.messages.board import story
from bot.messages.click import Click, is_number
from bot.messages.picking import Pick
from engines.game import Orders, part_of
from engines.orders import Order
from engines.text import Text, say


async def show_orders(context: Context, snapshot: Snapshot) -> None:
    """Show a player their orders, and which orders they can give. Raises Refused if there are none to give."""
    panel = _panel(context, snapshot)
    if not panel.pick(()).choices:
        raise Refused(say("This game has no standing orders: nobody can respond out of turn."))
    await _show(context, panel)


async def _show(context: Context, panel: OrdersPanel, note: Text | None = None) -> None:
    await context.reply.show(orders_message(panel, note="" if note is None else panel.in_words(note)))


def _panel(context: Context, snapshot: Snapshot) -> OrdersPanel:
    seat = snapshot.own_seat(context.user.id)
    return OrdersPanel(snapshot, seat, context.perspective(seat))


async def _open_panel(context: Context, click: Click) -> OrdersPanel:
    """Return the panel for the click's table. If the game is over, answer with its last board instead."""
    snapshot, _ = await at_table(context, await context.snapshot(click.table))
    return _panel(context, snapshot)


@handles("orders")
async def _orders(context: Context, click: Click) -> None:
    await show_orders(context, (await _open_panel(context, click)).snapshot)


@handles("order", "order-choose", "order-page", tokens=ACTION)
async def _pick(context: Context, click: Click) -> None:
    panel = await _open_panel(context, click)
    await _show_picked(context, panel, panel.pick(click.tokens), page=click.page)


@handles("order-back", tokens=ACTION)
async def _back(context: Context, click: Click) -> None:
    panel = await _open_panel(context, click)
    await _show_picked(context, panel, panel.picker.back(click.tokens))


async def _show_picked(context: Context, panel: OrdersPanel, picked: Pick, *, page: int = 0) -> None:
    if picked.untouched:
        await _show(context, panel)
    elif not picked.whole:
        await context.reply.show(picking_orders_message(panel, picked, page=page))
    elif picked.prefix in panel.orders:
        await _show(context, panel, say("You’ve given that order already."))
    else:
        await context.reply.show(confirm_order_message(panel, picked))


@handles("order-keep", tokens=ACTION)
async def _keep(context: Context, click: Click) -> None:
    panel = await _open_panel(context, click)
    picked = panel.pick(click.tokens)
    if not picked.whole or picked.prefix != click.tokens or click.tokens in panel.orders:
        return await _show_picked(context, panel, picked)
    try:
        planned = await context.core.service(Plans).add_order(click.table, context.user, click.version, click.tokens)
    except Stale:
        panel = _panel(context, (await at_table(context, await context.fresh(click.table)))[0])
        await context.reply.show(confirm_order_message(panel, picked, note=panel.in_words(_CHANGED)))
        return None
    return await _show_kept_order(context, planned, click.tokens)


async def _show_kept_order(context: Context, planned: Planned, order: Order) -> None:
    """Show the orders including the new one. If they answer what the player is being asked now, play that answer first."""
    snapshot, history = planned.snapshot, planned.snapshot.playing
    panel = _panel(context, snapshot)
    kept = say("Saved: {order}.", order=panel.text(order))
    action = part_of(history.game, Orders).at_once(history.state, planned.seat, planned.plan.orders)
    if action is None:
        return await _show(context, panel, kept)
    try:
        played = await context.core.service(Play).act(
            snapshot.table.id, context.user, action, version=history.version, interaction_id=context.interaction.id
        )
    except SessionError:  # another player was faster, and the player is no longer asked anything
        fresh, _ = await at_table(context, await context.fresh(snapshot.table.id))
        return await _show(context, _panel(context, fresh), kept)
    if played.snapshot.table.is_over:
        return await show_played(context, played)
    panel = _panel(context, played.snapshot)
    async with context.delivering(snapshot.table.id):
        told = story(played.events, played.snapshot, context.language)
        await context.reply.show(orders_message(panel, note=f"{panel.in_words(kept)}\n{told}"))
    return None


@handles("order-drop", tokens=Tokens((is_number,)))
async def _drop(context: Context, click: Click) -> None:
    """Remove the order that was chosen from the menu, where it is identified by its number."""
    panel = await _open_panel(context, click)
    number = int(click.tokens[0])
    if click.version != panel.click.version or number >= len(panel.orders):
        return await _show(context, panel, _CHANGED)
    order = panel.orders[number]
    try:
        planned = await context.core.service(Plans).remove_order(click.table, context.user, click.version, order)
    except Stale:
        snapshot, _ = await at_table(context, await context.fresh(click.table))
        return await _show(context, _panel(context, snapshot), _CHANGED)
    return await _show(context, _panel(context, planned.snapshot), say("Removed: {order}.", order=panel.text(order)))


_CHANGED: Final = say("Your orders have changed since. Here’s how they stand now.")

HANDLERS: Final = (_orders, _pick, _back, _keep, _drop)
