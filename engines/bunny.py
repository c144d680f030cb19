"""Bounce Bunny Bounce: two Bunnies on a field of hidden cards, after three Carrots."""

from dataclasses import dataclass
from typing import Literal

from engines.bunny_field import Bounce, Card, Direction, Landing, Space
from engines.game import View

__all__ = ["Bounce", "BunnyView", "Card", "Direction", "Landing", "Space", "Spied", "Swapped"]

Phase = Literal["move", "swap", "spy", "shock"]


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two cards of the field that changed places; the faces are None where the cards lie face down."""

    seat: int
    first: Space
    second: Space
    first_face: Card | None
    second_face: Card | None


@dataclass(frozen=True, slots=True)
class Spied:
    """A Spy looking at a card, which stands in the event for the Spy's player only; in the one for everybody it is None."""

    seat: int
    space: Space
    card: Card | None


@dataclass(frozen=True, kw_only=True)
class BunnyView(View):
    """What one seat may know of a game of Bounce Bunny Bounce.

    Attributes:
        field: for each of the 35 spaces, row by row from the bottom, the space and what it shows: "left", "right", "up",
            "down", "stop", "spy", "swap", "bonus" or "carrot" for a card that lies face up, "hidden" for one that lies face
            down, "empty" where a Carrot was taken. A card that only this seat knows, from its Spy, is "hidden" here and
            stands in `known`.
        bunnies: for each seat the space of its Bunny, or None if it is off the field.
        shocks: for each seat how many Universal Shocks it has, 0 to 3.
        carrots: for each seat how many Carrots it has won.
        turn: whose turn it is.
        phase: what the seat to act must do: "move" its Bunny, choose two cards to "swap" or one to "spy", or "shock" the
            other Bunny (or pass). The seat that swaps or spies may be the other one, in the spender's turn.
        quiet_turns: how many turns in a row have gone by without a Carrot; the game ends at 80.
        known: the space and the card that this seat's Spy saw in this turn, or None.
    """

    field: tuple[tuple[Space, str], ...]
    bunnies: tuple[Space | None, Space | None]
    shocks: tuple[int, int]
    carrots: tuple[int, int]
    turn: int
    phase: Phase
    quiet_turns: int
    known: tuple[Space, Card] | None
