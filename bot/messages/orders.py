"""Standing orders in words, for their player alone: what the orders have done, and which are waiting."""

import itertools
from typing import Final

from bot.core.table.snapshot import Snapshot
from bot.messages.pictures import Perspective
from bot.messages.players import marks, names
from bot.messages.story import whole, words
from engines.game import Orders, part_of
from engines.orders import Order
from engines.steps import Event
from engines.text import Text, join, say

NAMED_IN_HAND: Final = 3
"""The most orders that the line in the hand names. Any others are only counted."""

PLAYED_CHARACTERS: Final = 900
"""The most characters of the story of what orders have done, which leaves room for all orders."""


def order_text(snapshot: Snapshot, order: Order) -> Text:
    """Put an order into words."""
    history = snapshot.playing
    said: Text = part_of(history.game, Orders).order_text(history.state, order)
    return said


def orders_line(snapshot: Snapshot, seat: int, perspective: Perspective) -> str:
    """Tell what a seat's orders have done and, in one short line, its standing orders. Return nothing if there are none."""
    lines = (orders_story(snapshot, seat, perspective), _standing(snapshot, seat, perspective))
    return "\n".join(line for line in lines if line)


def orders_story(snapshot: Snapshot, seat: int, perspective: Perspective) -> str:
    """Tell, under a title, what orders have done since their owner acted. Return nothing if they have done nothing."""
    events: list[Event] = []
    own = [logged for logged in snapshot.playing.log if logged.entry.seat == seat]
    for logged in itertools.takewhile(lambda logged: logged.entry.fired, reversed(own)):
        events[:0] = [event for event in logged.events if event.known_to(seat) and not logged.undone]
    language, called = perspective.language, names(snapshot)
    told = words(events, language, called, marks(snapshot), whole(PLAYED_CHARACTERS))
    title = language(say("Played on your orders:"), called)
    return f"{title}\n{told}" if told else ""


def _standing(snapshot: Snapshot, seat: int, perspective: Perspective) -> str:
    orders = snapshot.plan_of(seat).orders
    if not orders:
        return ""
    named = join([order_text(snapshot, order) for order in orders[:NAMED_IN_HAND]], " · ")
    more = len(orders) - NAMED_IN_HAND
    if more > 0:
        named = say("{some} and {n} more", some=named, n=more)
    return "-# " + perspective.language(say("Your orders: {orders}", orders=named), names(snapshot))
