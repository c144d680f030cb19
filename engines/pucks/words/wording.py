"""Whole actions in words, as orders: "Slide puck 2 up"."""

from collections.abc import Iterator

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS
from engines.pucks.board.deck import card
from engines.pucks.board.names import called_by, direction_name
from engines.pucks.board.pieces import PieceKind
from engines.pucks.board.state import State
from engines.pucks.cards import cards
from engines.pucks.play import moves, placing
from engines.text import Text, join, plain, say


def wording(state: State, seat: int, action: Action) -> Text | None:
    """Return a legal action in words; None for one whose label says it."""
    first, rest = action[0], action[1:]
    if first == "play":
        return _playing(state, seat, rest[0], rest[1:])
    if first == "discard":
        return say("Discard {card}", card=card(rest[0]).title)
    if first == "place":
        return _placing(state, seat, rest)
    return _moving(state, seat, action) if action[-1] in DIRECTIONS else None


def _playing(state: State, seat: int, card_id: str, named: Action) -> Text:
    title = card(card_id).title
    if not named:
        return say("Play {card}", card=title)
    return say("Play {card}: {targets}", card=title, targets=join(_targets(state, seat, card_id, named), " · "))


def _targets(state: State, seat: int, card_id: str, named: Action) -> Iterator[str]:
    """Yield the labels of the things that are named with a card."""
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
