"""The options of Puck Bumpers in words: as terms that players agree on, and as hints for choosing them."""

from collections.abc import Mapping
from typing import Final

from engines.pucks.board.box import box
from engines.pucks.board.deck import CardId, CardKind, card
from engines.text import Text, join, plain, say

CARD_SETS: Final[Mapping[str, Text]] = {"mats": say("all cards that move mats"), "quick": say("all quick cards")}

_TOLD_AT_MOST: Final = 6
"""The most cards that are named. If there are more, only their number is told."""


def setup_told(value: str, _options: Mapping[str, str]) -> Text:
    """Return, in words, how pieces are placed."""
    return say("pieces placed at random") if value == "random" else say("pieces placed in turn")


def board_told(value: str, _options: Mapping[str, str]) -> Text:
    """Return the board at the start in words."""
    match value:
        case "standard":
            return say("the usual board")
        case "shuffled":
            return say("a shuffled board")
        case _:
            return say("board {code}", code=plain(value))


def colours_told(value: str, _options: Mapping[str, str]) -> Text:
    """Return the number of each player's colours in words."""
    return say("two colours each") if value == "2" else say("one colour each")


def to_win_told(value: str, options: Mapping[str, str]) -> Text:
    """Return, in words, how many pucks win. With two colours each, twice as many are needed, of either colour."""
    return say("{n} pucks to win", n=int(value) * int(options.get("colours", "1")))


def without_told(value: str, _options: Mapping[str, str]) -> Text:
    """Return the cards left out, in words."""
    if value == "none":
        return say("all cards")
    words = value.split("+")
    named = [CARD_SETS[word] if word in CARD_SETS else card(word).title for word in words[:_TOLD_AT_MOST]]
    if len(words) > _TOLD_AT_MOST:
        named.append(say("{n} more", n=len(words) - _TOLD_AT_MOST))
    return say("without {cards}", cards=join(named, ", "))


BOARD_HINT: Final = say(
    "A code has one letter for each mat, row by row from the north, with `/` between rows and `.` where there’s no "
    "mat. `B` is a basic mat, `K` a block mat with a pool, `k` one without; `e`, `s` or `w` after it turns it. `Gn`, "
    "`Ge`, `Gs` and `Gw` are goals that open to that side. `B.K/GeKB` is a board of five mats."
)
"""Explains how to write the code of a board."""


def card_words() -> tuple[Mapping[str, Text], ...]:
    """Return the words for leaving cards out, with explanations: first sets and played cards, then cards that set a number."""
    deck: tuple[CardId, ...] = tuple(dict.fromkeys(box().deck))
    told = {card_id: say("{card}: {effect}", card=card(card_id).title, effect=card(card_id).effect) for card_id in deck}
    numbered = {CardKind.DRAW, CardKind.ACTION}
    played = {card_id: words for card_id, words in told.items() if card(card_id).kind not in numbered}
    return ({**CARD_SETS, **played}, {card_id: words for card_id, words in told.items() if card(card_id).kind in numbered})
