"""The cards: their kinds, names and effects, in words. The number of copies of each is in box.toml."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from engines.text import Text, say, say_n

CardId = str


class CardKind(StrEnum):
    """The four kinds of card."""

    DRAW = "draw"
    ACTION = "action"
    CHANGER = "changer"
    QUICK = "quick"


@dataclass(frozen=True, slots=True)
class Card:
    """A printed card. `number` is what a draw or action card sets, or else 0. An `ongoing` card lasts until it is replaced."""

    id: CardId
    kind: CardKind
    title: Text
    effect: Text
    number: int = 0
    ongoing: bool = False
    costs: int = 1

    @property
    def stays(self) -> bool:
        """Whether the card lies at the edge of the board while it is in force, instead of being discarded at once."""
        return self.ongoing or bool(self.number)


def _changer(card: CardId, title: Text, effect: Text, ongoing: bool = False) -> Card:
    return Card(card, CardKind.CHANGER, title, effect, ongoing=ongoing)


def _quick(card: CardId, title: Text, effect: Text) -> Card:
    return Card(card, CardKind.QUICK, title, effect, costs=0)


_NAMED: Final = {
    card.id: card
    for card in (
        _changer("shift", say("Board Shift"), say("Move a mat that has a free side, without turning it.")),
        _changer("swap", say("Board Swap"), say("Swap two mats that have a free side, without turning them.")),
        _changer("twist", say("Board Twist"), say("Turn any mat by 90, 180 or 270 degrees.")),
        _changer("mix", say("Let’s Mix Things Up"), say("Move up to three mats. In the end, all mats must be connected.")),
        _changer("borrow", say("I Like Your Pieces More"), say("Pick a player. This turn you may move their pieces too.")),
        _changer("salvage", say("Second Wind"), say("Take any card from the discard pile.")),
        _changer("faceoff", say("Face-Off"), say("Swap any two pucks on the board.")),
        _changer("review", say("Video Review"), say("Put an opponent’s scored puck back on a free puck start.")),
        _changer("thin-ice", say("Thin Ice"), say("Ongoing: ice blocks slide when you move them."), ongoing=True),
        _changer("slush", say("Slush"), say("Ongoing: every slide ends after 4 spaces."), ongoing=True),
        _changer("net-off", say("Net Off"), say("Ongoing: close a goal. No piece may enter it."), ongoing=True),
        _quick("whistle", say("Whistle"), say("Undo another player’s last action. It stays spent, and its card is lost.")),
        _quick("u-turn", say("U-Turn"), say("The turn ends now, and play goes the other way.")),
        _quick("double", say("Double Action"), say("On your turn: double your actions.")),
        _quick("extra", say("Extra Action"), say("On your turn: take one more action.")),
        _quick("quick-draw", say("Quick Draw"), say("Draw 2 cards.")),
        _quick("sweep", say("Clean Sweep"), say("Shuffle the discard pile and this card into the draw pile.")),
    )
}

MAT_CARDS: Final = ("shift", "swap", "twist", "mix")
"""The cards that move or turn mats."""

_NUMBERED: Final = re.compile(r"(draw|take)-([1-9])")


@cache
def card(card_id: CardId) -> Card:
    """Return the card with an id. Raises KeyError if there is none. Draw and action cards exist for every number 1 to 9."""
    if found := _NUMBERED.fullmatch(card_id):
        number = int(found[2])
        if found[1] == "draw":
            effect = say_n(
                "From the next turn on, everyone draws {n} card a turn.",
                "From the next turn on, everyone draws {n} cards a turn.",
                number,
            )
            return Card(card_id, CardKind.DRAW, say("Draw {n}", n=number), effect, number)
        effect = say_n(
            "From now on, everyone takes {n} action a turn.", "From now on, everyone takes {n} actions a turn.", number
        )
        return Card(card_id, CardKind.ACTION, say("Take {n}", n=number), effect, number, costs=0)
    return _NAMED[card_id]


def draw_card(number: int) -> CardId:
    """Return the id of the draw card with this number."""
    return f"draw-{number}"


def take_card(number: int) -> CardId:
    """Return the id of the action card with this number."""
    return f"take-{number}"
