"""Standing orders: answers that a player gives in advance, and that the game plays as the others act.

An order is a sequence of tokens, like an action: ``("whistle", "scores", "blue")``. Which orders are offered follows from
common knowledge and never from a hand, or else the offer would reveal the hand. After every action, the game is asked what each
seat with orders plays now (`Orders.respond`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engines.actions import Action, Choice
from engines.steps import Shortcut, Step
from engines.text import Text, plain

Order = Action
S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Happened(Generic[S]):
    """The last step of a game: its seat, its action (empty if the seat left the game), and the state before it.

    If an order played this action, `origin` is the earlier step that orders are still answering. Other seats may have an order
    for that step too. Every order that stands now already stood before `origin`.
    """

    seat: int
    action: Action
    before: S
    step: Step[S]
    origin: "Happened[S] | None" = None


@dataclass(frozen=True, slots=True)
class Response:
    """What a seat's orders do after a step: the legal action it plays now, if any, and the orders that stay, in order."""

    action: Action | None
    orders: tuple[Order, ...]


class Orders(Generic[S]):
    """The protocol of games whose players can give standing orders; see `engines.protocols`."""

    def order_choices(self, state: S, seat: int, prefix: Action = ()) -> list[Choice]:
        """Return the tokens that may follow `prefix` in an order. They depend on common knowledge alone."""
        return []

    def order_text(self, state: S, order: Order) -> Text:
        """Return an order, whole or not, in words ("Whistle if Blue scores"). The words depend on common knowledge alone."""
        return plain(" ".join(order))

    def respond(self, happened: Happened[S], seat: int, orders: Sequence[Order]) -> Response:
        """Return what a seat's orders do after a step. By default they do nothing, and all of them stay."""
        return Response(None, tuple(orders))

    def asked_in_turn(self, happened: Happened[S], seats: Sequence[int]) -> Sequence[int]:
        """Return the seats with orders, sorted by who may answer first: by default, as they sit after the seat that acted."""
        return seats

    def order_shortcuts(self, state: S, seat: int) -> tuple[Shortcut, ...]:
        """Return whole orders that need little thought, for buttons of their own. Only common knowledge decides which."""
        return ()

    def at_once(self, state: S, seat: int, orders: Sequence[Order]) -> Action | None:
        """Return the action, if any, with which orders that were just given answer a question already put to the seat."""
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
