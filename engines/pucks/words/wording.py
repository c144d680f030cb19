"""Whole actions in words, as orders: "Slide puck 2 up"."""

from collections.abc import Iterator

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.names import called_by, direction_name, relation_name, turn_name
from engines.pucks.board.pieces import COLOURS, PieceKind
from engines.pucks.board.state import State
from engines.pucks.cards import cards
from engines.pucks.play import moves, placing
from engines.text import Text, join, plain, say


def wording(state: State, seat: int, action: Action) -> Text | None:
    """Return a legal action in words, or None if the labels of its tokens say it."""
    first, rest = action[0], action[1:]
    if first == "play":
        return _playing(state, seat, rest[0], rest[1:])
    if first == "discard":
        return say("Discard {card}", card=card(rest[0]).title)
    if first == "place":
        return _placing(state, seat, rest)
    return _moving(state, seat, action) if action[-1] in DIRECTIONS else None


def _playing(state: State, seat: int, card_id: CardId, named: Action) -> Text:
    title = card(card_id).title
    if not named:
        return say("Play {card}", card=title)
    if card_id == "borrow":
        return say("Play {card} and move {pieces} too", card=title, pieces=next(_labels(state, seat, card_id, named)))
    return say("Play {card}: {targets}", card=title, targets=_targets(state, seat, card_id, named))


def _targets(state: State, seat: int, card_id: CardId, named: Action) -> Text:
    """Return what is named with a card (mats, pucks, a goal) in words for the middle of a sentence."""
    match card_id:
        case "shift" | "mix":
            shifts = len(named) // 3
            return join([_shift(*named[3 * number : 3 * number + 3]) for number in range(shifts)], ", ")
        case "swap":
            return say("mats {first} and {second}", first=named[0], second=named[1])
        case "twist":
            return say("mat {letter}, {way}", letter=named[0], way=turn_name(named[1]))
        case "faceoff":
            one, two = (_puck(state, seat, *named[at : at + 2]) for at in (0, 2))
            return say("{one} and {two}", one=one, two=two)
        case "net-off":
            return say("the goal on mat {letter}", letter=named[0])
    return join(_labels(state, seat, card_id, named), " · ")


def _shift(letter: str, relation: str, other: str) -> Text:
    return say("mat {letter} {where} mat {other}", letter=letter, where=relation_name(relation), other=other)


def _puck(state: State, seat: int, colour: str, word: str) -> Text:
    return called_by(state.owners, seat, state.pieces[state.of_colour(COLOURS.index(colour))[word]])


def _labels(state: State, seat: int, card_id: CardId, named: Action) -> Iterator[str]:
    """Yield those labels of players, cards and spaces that read the same in a sentence."""
    for number, token in enumerate(named):
        offered = cards.choices(state, seat, (card_id, *named[:number]))
        yield next((choice.label for choice in offered if choice.token == token), plain(token))


def _placing(state: State, seat: int, rest: Action) -> Text | None:
    colour, named = placing.split(state, seat, rest)
    if colour is None:
        return None
    piece = state.pieces[state.of_colour(colour)[named[0]]]
    return say("Place {piece} on {space}", piece=called_by(state.owners, seat, piece), space=plain(named[1]))


def _moving(state: State, seat: int, action: Action) -> Text | None:
    colour, rest = moves.split(state, action)
    if colour is None:
        return None
    piece = state.pieces[state.of_colour(colour)[rest[0]]]
    known = {"piece": called_by(state.owners, seat, piece), "way": direction_name(rest[1])}
    return say("Slide {piece} {way}", **known) if piece.kind is PieceKind.PUCK else say("Move {piece} {way}", **known)
