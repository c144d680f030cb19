"""Standing orders: a player's answers in advance, which the game plays as the others act.

An order is a sequence of tokens, like an action: ``("whistle", "scores", "blue")``. The orders on offer follow from common
knowledge, never from a hand, or the offer would tell of it. After every action, of any seat, the game is asked for each seat
with orders what the seat plays now (`Orders.respond`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engines.actions import Action, Choice
from engines.steps import Shortcut, Step
from engines.text import Text, plain

Order = Action
"""A whole order, for example ("pass", "otherwise")."""

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Happened(Generic[S]):
    """The last step of a game.

    Attributes:
        seat: the seat that acted.
        action: its action; empty if the seat has left the game instead.
        before: the state before it.
        step: the state after it, and its events.
        origin: the step that orders have answered since, if an order played this, else None. Other seats may still have an
            order for it, too, and every order that stands now stood before it.
    """

    seat: int
    action: Action
    before: S
    step: Step[S]
    origin: "Happened[S] | None" = None


@dataclass(frozen=True, slots=True)
class Response:
    """The answer of a seat's orders to a step.

    Attributes:
        action: the legal action that the seat plays now, if any.
        orders: the orders that stay, in their order.
    """

    action: Action | None
    orders: tuple[Order, ...]


class Orders(Generic[S]):
    """The protocol of games whose players can give standing orders; see `engines.protocols`."""

    def order_choices(self, state: S, seat: int, prefix: Action = ()) -> list[Choice]:
        """Return the tokens of an order that may follow `prefix`; empty if the seat can give none, or nothing can follow.

        Made from common knowledge: in states that a spectator cannot tell apart, the same is offered.
        """
        return []

    def order_text(self, state: S, order: Order) -> Text:
        """Return an order, or the beginning of one, in words: "Whistle if Blue scores". Made from common knowledge."""
        return plain(" ".join(order))

    def respond(self, happened: Happened[S], seat: int, orders: Sequence[Order]) -> Response:
        """Return the action of a seat by its orders after a step, and the orders that stay.

        By default there is no action, and all orders stay.
        """
        return Response(None, tuple(orders))

    def asked_in_turn(self, happened: Happened[S], seats: Sequence[int]) -> Sequence[int]:
        """Return the seats with orders in the order in which they may answer: the first one that plays an action goes first.

        They are given as they sit after the one that acted, which itself comes last; play may go another way.
        """
        return seats

    def order_shortcuts(self, state: S, seat: int) -> tuple[Shortcut, ...]:
        """Return whole orders that the panel of orders may offer as buttons of their own, because they need little thought.

        Made from common knowledge, like `order_choices`.
        """
        return ()

    def at_once(self, state: S, seat: int, orders: Sequence[Order]) -> Action | None:
        """Return the action of a seat that is waited for, played as soon as it has given its last order, or None for no action.

        Orders answer later events. This method is about a question that is open already.
        """
        return None

    def is_order(self, state: S, seat: int, order: Order) -> bool:
        """Return whether the tokens are a whole order that this seat can give."""
        final = False
        for index, token in enumerate(order):
            found = [choice for choice in self.order_choices(state, seat, order[:index]) if choice.token == token]
            if not found:
                return False
            final = found[0].final
        return final
