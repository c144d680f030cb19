"""Standing orders: what a player has the game play for them, in answer to what others do, without being asked again.

An order is a sequence of tokens, like an action: ``("whistle", "scores", "blue")``. Which orders there are follows from what
everybody knows, never from a hand, or the offer would tell of it. After everything that is played, by whomever, the game is
asked for each seat with orders what the seat plays now (`Orders.respond`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engines.actions import Action, Choice
from engines.results import Shortcut, Step
from engines.text import Text, plain

Order = Action
"""A whole order, for example ("pass", "otherwise")."""

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Happened(Generic[S]):
    """What has just been played.

    Attributes:
        seat: the seat that acted.
        action: its action; empty if the seat has left the game instead.
        before: the state that it acted in.
        step: the state after it, and what happened.
        origin: what orders have been answering since, if an order played this; None if no order did. Others may still have an
            order for it, too, and every order that stands now stood before it.
    """

    seat: int
    action: Action
    before: S
    step: Step[S]
    origin: "Happened[S] | None" = None


@dataclass(frozen=True, slots=True)
class Response:
    """What the orders of a seat make of something that has happened.

    Attributes:
        action: what the seat plays now, a legal action; None: nothing.
        orders: the orders that stay, in their order.
    """

    action: Action | None
    orders: tuple[Order, ...]


class Orders(Generic[S]):
    """The protocol of games whose players can give standing orders; see `engines.protocols`."""

    def order_choices(self, state: S, seat: int, prefix: Action = ()) -> list[Choice]:
        """The tokens of an order that may follow `prefix`; empty if the seat can give none, or nothing can follow.

        Made from what everybody knows: in states that a spectator cannot tell apart, the same is offered.
        """
        return []

    def order_text(self, state: S, order: Order) -> Text:
        """What an order, or the beginning of one, says: "Whistle if Blue scores". Made from what everybody knows."""
        return plain(" ".join(order))

    def respond(self, happened: Happened[S], seat: int, orders: Sequence[Order]) -> Response:
        """What a seat plays by its orders after something has happened, and which of its orders stay.

        By default it plays nothing, and all of them stay.
        """
        return Response(None, tuple(orders))

    def asked_in_turn(self, happened: Happened[S], seats: Sequence[int]) -> Sequence[int]:
        """The seats with orders in the order in which they may answer: the first of them that plays something goes first.

        They are given as they sit after the one that acted, which itself comes last; play may go another way.
        """
        return seats

    def order_shortcuts(self, state: S, seat: int) -> tuple[Shortcut, ...]:
        """Whole orders that the panel of orders may offer as buttons of their own, because they need little thought.

        Made from what everybody knows, like `order_choices`.
        """
        return ()

    def at_once(self, state: S, seat: int, orders: Sequence[Order]) -> Action | None:
        """What a seat that is waited for plays as soon as it has given its last order; None: nothing.

        Orders answer later events. This method is about a question that is open already.
        """
        return None

    def is_order(self, state: S, seat: int, order: Order) -> bool:
        """Whether the tokens are a whole order that this seat can give."""
        final = False
        for index, token in enumerate(order):
            found = [choice for choice in self.order_choices(state, seat, order[:index]) if choice.token == token]
            if not found:
                return False
            final = found[0].final
        return final
