"""The card index of the rules: a page for each sort of card, with a line for each card of the deck."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engines.pucks.board.box import box
from engines.pucks.board.deck import MAT_CARDS, CardId, CardKind, card
from engines.steps import figure
from engines.text import Text, join, plain, say, say_n


@dataclass(frozen=True, slots=True)
class _Sort:
    """The cards on one page: the page's title, a text about all of them, and a picture with its description."""

    title: Text
    about: Text
    picture: str
    seen: Text


_RULES = _Sort(
    say("Action and draw cards"),
    say("Action cards are free and take effect at once. Draw cards cost an action."),
    "take",
    say("Red plays Take 4 and has four actions this turn."),
)
_MATS = _Sort(
    say("Cards that move mats"),
    say("Game changers. They cost an action, and pieces ride along with their mats."),
    "shift",
    say("Red plays Board Shift: mat a goes to the other end of the board, puck and all."),
)
_PIECES = _Sort(
    say("Cards that help your pieces"),
    say("Game changers. They cost an action."),
    "faceoff",
    say("Red plays Face-Off: Red’s puck 1 and Blue’s puck 1 trade places."),
)
_ONGOING = _Sort(
    say("Ongoing cards"),
    say("Game changers. They cost an action and apply to everyone until the next ongoing card."),
    "thin-ice",
    say("Under Thin Ice, Red’s ice block slides and hits Blue’s puck 1, which slides into the goal."),
)
_QUICK = _Sort(
    say("Quick cards"),
    say("They’re free. Play them at any time, on anyone’s turn, once all pieces are placed."),
    "whistle",
    say("Red slides puck 1; Blue plays Whistle, and the puck is back where it was."),
)
_SORTS = (_RULES, _MATS, _PIECES, _ONGOING, _QUICK)


def _sort(card_id: CardId) -> _Sort:
    known = card(card_id)
    if known.kind is CardKind.QUICK:
        return _QUICK
    if known.number:
        return _RULES
    if known.ongoing:
        return _ONGOING
    return _MATS if card_id in MAT_CARDS else _PIECES


def _lines(sort: _Sort) -> Iterator[Text]:
    for card_id, count in Counter(box().deck).items():
        if _sort(card_id) is sort:
            known = card(card_id)
            name = say("**{title}** × {n} (`{id}`)", title=known.title, n=count, id=plain(card_id))
            yield say("- {name}: {effect}", name=name, effect=known.effect)


def index_pages() -> tuple[Text, ...]:
    """Return the pages of the card index, in Markdown."""
    return tuple(
        join([
            say("## {heading}", heading=sort.title),
            figure(sort.picture, sort.seen),
            say_n(
                "{about} There is {n} in the deck.",
                "{about} There are {n} in the deck.",
                sum(_sort(card_id) is sort for card_id in box().deck),
                about=sort.about,
            ),
            join(_lines(sort)),
        ], "\n\n")
        for sort in _SORTS
    )  # fmt: skip
