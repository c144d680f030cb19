"""The private panel that lists a player's standing orders and adds further ones."""

from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ui

from bot.core.table.position import Position
from bot.core.table.snapshot import Snapshot
from bot.messages.board import COLOURS, heading
from bot.messages.builder import OPTION_LIMIT, Button, MessageBuilder, button, clip
from bot.messages.click import Click
from bot.messages.menus import Verbs
from bot.messages.orders import order_text, orders_story
from bot.messages.panel import Picking
from bot.messages.picking import Pick, Picker
from bot.messages.pictures import InWords, Perspective
from engines.game import Orders, part_of
from engines.orders import Order
from engines.text import Text, say


@dataclass(frozen=True)
class OrdersPanel(InWords):
    """The panel of standing orders for one seat at a table, from its player's perspective."""

    snapshot: Snapshot
    seat: int
    perspective: Perspective

    @property
    def orders(self) -> tuple[Order, ...]:
        """The seat's standing orders."""
        return self.snapshot.plan_of(self.seat).orders

    @property
    def position(self) -> Position:
        """The table's position."""
        return self.snapshot.position

    @property
    def click(self) -> Click:
        """A click in the panel. Its version is the revision of the player's plan, not the version of the board."""
        return Click("orders", self.snapshot.table.id, self.snapshot.plan_of(self.seat).revision)

    def pick(self, tokens: Order) -> Pick:
        """Pick an order as far as its tokens go."""
        return self.picker.pick(tokens)

    @property
    def picker(self) -> Picker:
        """The picker of orders."""
        history = self.snapshot.playing
        return Picker(self.seat, lambda prefix: part_of(history.game, Orders).order_choices(history.state, self.seat, prefix))

    def picking(self, picked: Pick, page: int = 0) -> Picking:
        """Return the order as far as it has been picked."""
        verbs = Verbs("order", "order-choose", "order-page", back="order-back")
        return Picking(
            position=self.position, picked=picked, perspective=self.perspective, click=self.click_on, verbs=verbs,
            page=page, picker=self.picker,
        )  # fmt: skip

    def click_on(self, verb: str, tokens: Order = (), page: int = 0) -> Click:
        """Return a click in the panel with the tokens of an order."""
        return replace(self.click, verb=verb, tokens=tokens, page=page)

    def text(self, order: Order) -> Text:
        """Return an order in words."""
        return order_text(self.snapshot, order)


def orders_message(panel: OrdersPanel, *, note: str = "") -> MessageBuilder:
    """Return the standing orders, what they have played since their owner last acted, and a menu of further orders."""
    builder = _builder(panel, note)
    builder.text(orders_story(panel.snapshot, panel.seat, panel.perspective))
    lines = [f"{number}. {panel.in_words(panel.text(order))}" for number, order in enumerate(panel.orders, 1)]
    title = say("Your standing orders") if lines else say("You haven’t given any standing orders.")
    builder.text("\n".join([f"**{panel.in_words(title)}**", *lines]))
    if lines:
        builder.select(_removing(panel))
    builder.line().text(panel.in_words(say("**Add an order.** It answers the others for you while you’re away.")))
    panel.picking(panel.pick(())).add_to(builder)
    builder.buttons(_shortcuts(panel))
    return builder.text("-# " + panel.in_words(_fine_print()))


def picking_orders_message(panel: OrdersPanel, picked: Pick, *, page: int = 0) -> MessageBuilder:
    """Return an order as far as it has been picked, with a menu of its next tokens."""
    builder = _builder(panel).text(f"**{panel.in_words(panel.text(picked.prefix))}**")
    picking = panel.picking(picked, page)
    picking.add_to(builder)
    return builder.buttons([picking.take_back()])


def confirm_order_message(panel: OrdersPanel, picked: Pick, *, note: str = "") -> MessageBuilder:
    """Return a complete order in words, to be confirmed before it is saved."""
    builder = _builder(panel, note)
    asked = say("Save this order?")
    builder.text(f"{panel.in_words(asked)}\n### {panel.in_words(panel.text(picked.prefix))}")
    history = panel.snapshot.playing
    if part_of(history.game, Orders).at_once(history.state, panel.seat, (*panel.orders, picked.prefix)) is not None:
        builder.text(panel.in_words(say("It also answers what you’re being asked now.")))
    elif panel.seat in history.to_act:
        builder.text(
            panel.in_words(say("It’s for what happens from now on. What you’re being asked now is still yours to answer."))
        )
    keep = button(
        panel.on_button(say("Save")), panel.click_on("order-keep", picked.prefix).custom_id, discord.ButtonStyle.success
    )
    return builder.buttons([keep, panel.picking(picked).take_back()]).text("-# " + panel.in_words(_fine_print()))


def _fine_print() -> Text:
    return say(
        "Only you see this. An order plays its card at once, without asking you again, and is then used up. Everybody can "
        "give the same orders, whatever they hold: an order waits until you have its card."
    )


def _builder(panel: OrdersPanel, note: str = "") -> MessageBuilder:
    return MessageBuilder(colour=COLOURS[panel.seat]).text(heading(panel.snapshot, panel.perspective.language)).text(note)


def _shortcuts(panel: OrdersPanel) -> list[Button]:
    """Return buttons that give an order with one click. Orders that have already been given are left out."""
    history = panel.snapshot.playing
    offered = part_of(history.game, Orders).order_shortcuts(history.state, panel.seat)
    return [
        button(panel.on_button(shortcut.label), panel.click_on("order-keep", shortcut.action).custom_id)
        for shortcut in offered
        if shortcut.action not in panel.orders
    ]


def _removing(panel: OrdersPanel) -> "ui.Select[Any]":
    options = [
        discord.SelectOption(label=clip(panel.on_button(panel.text(order)), OPTION_LIMIT), value=str(number))
        for number, order in enumerate(panel.orders)
    ]
    placeholder = panel.on_button(say("Remove an order"))
    return ui.Select(custom_id=panel.click_on("order-drop").custom_id, placeholder=placeholder, options=options)
