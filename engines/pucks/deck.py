"""The cards: their kinds, their names and what each does, in words. How many there are of each is in box.toml."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from engines.text import Text, say, say_n

CardId = str
"""The id of a card, as it is written in actions: "take-3", "whistle"."""


class CardKind(StrEnum):
    """The four kinds of card."""

    DRAW = "draw"
    ACTION = "action"
    CHANGER = "changer"
    QUICK = "quick"


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it is printed.

    Attributes:
        id: how it is written in actions.
        kind: which kind of card it is.
        title: its name.
        effect: what it does, in a sentence or two.
        number: the number that a draw or an action card sets, otherwise 0.
        ongoing: whether it is an ongoing card, in force until another one replaces it.
        costs: how many actions it costs, 1 or 0.
    """

    id: CardId
    kind: CardKind
    title: Text
    effect: Text
    number: int = 0
    ongoing: bool = False
    costs: int = 1

    @property
    def stays(self) -> bool:
        """Whether it lies at the edge of the board while it is in force, instead of going to the discard pile at once."""
        return self.ongoing or bool(self.number)


def _changer(card: CardId, title: Text, effect: Text, ongoing: bool = False) -> Card:
    return Card(card, CardKind.CHANGER, title, effect, ongoing=ongoing)


def _quick(card: CardId, title: Text, effect: Text) -> Card:
    return Card(card, CardKind.QUICK, title, effect, costs=0)


_NAMED: Final = {
    card.id: card
    for card in (
        _changer("shift", say("Board Shift"), say("Move one mat that has a free side to another place; it is not turned.")),
        _changer("swap", say("Board Swap"), say("Two mats that have a free side each change places; they are not turned.")),
        _changer("twist", say("Board Twist"), say("Turn any one mat by a quarter, a half or three quarters, clockwise.")),
        _changer(
            "mix",
            say("Let's Mix Things Up"),
            say("Move up to three mats, one after the other. Only when you are done must the mats hang together again."),
        ),
        _changer(
            "borrow",
            say("I Like Your Pieces More"),
            say("Name a player: for the rest of this turn you may move that player's pieces as well as your own."),
        ),
        _changer("salvage", say("Second Wind"), say("Take one card of your choice from the discard pile into your hand.")),
        _changer("faceoff", say("Face-Off"), say("Two pucks on the board, of any colour, change places.")),
        _changer(
            "review",
            say("Video Review"),
            say("A puck that an opponent has scored goes back onto an empty puck start space of your choice."),
        ),
        _changer(
            "thin-ice",
            say("Thin Ice"),
            say("Ongoing: an ice block that a player moves slides until something stops it, as if it had been bumped."),
            ongoing=True,
        ),
        _changer(
            "slush",
            say("Slush"),
            say("Ongoing: no slide is longer than 4 spaces, and what lies beyond them is not hit."),
            ongoing=True,
        ),
        _changer("net-off", say("Net Off"), say("Ongoing: name a goal mat; no piece may enter its goal."), ongoing=True),
        _quick(
            "whistle",
            say("Whistle"),
            say("Undo the last action of another player. The action stays spent, and a card that was played is lost."),
        ),
        _quick("u-turn", say("U-Turn"), say("The turn ends at once, and play goes round the other way.")),
        _quick("double", say("Double Action"), say("In your own turn: its number of actions is doubled.")),
        _quick("extra", say("Extra Action"), say("In your own turn: one action more.")),
        _quick("quick-draw", say("Quick Draw"), say("Draw two cards.")),
        _quick("sweep", say("Clean Sweep"), say("The discard pile, with this card, is shuffled into the draw pile.")),
    )
}

_NUMBERED: Final = re.compile(r"(draw|take)-([1-9])")


@cache
def card(card_id: CardId) -> Card:
    """The card with an id. Raises KeyError if there is none. Draw and action cards exist for every number from 1 to 9."""
    if found := _NUMBERED.fullmatch(card_id):
        number = int(found[2])
        if found[1] == "draw":
            effect = say_n(
                "{n} card is drawn at the beginning of each turn, from the next turn on.",
                "{n} cards are drawn at the beginning of each turn, from the next turn on.",
                number,
            )
            return Card(card_id, CardKind.DRAW, say("Draw {n}", n=number), effect, number)
        effect = say_n(
            "{n} action a turn from now on, this turn included. Costs no action.",
            "{n} actions a turn from now on, this turn included. Costs no action.",
            number,
        )
        return Card(card_id, CardKind.ACTION, say("Take {n}", n=number), effect, number, costs=0)
    return _NAMED[card_id]


def draw_card(number: int) -> CardId:
    """The id of the draw card with this number."""
    return f"draw-{number}"


def take_card(number: int) -> CardId:
    """The id of the action card with this number."""
    return f"take-{number}"
