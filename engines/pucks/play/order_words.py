"""Standing orders in words, also while they are being put together."""

from collections.abc import Callable, Mapping
from typing import Final

from engines.orders import Order
from engines.pucks.board.deck import CardId, card
from engines.pucks.board.names import piece_name
from engines.pucks.board.pieces import COLOURS
from engines.pucks.board.state import State
from engines.text import Text, plain, say, seat_name

_FIXED: Final[Mapping[Order, Text]] = {
    ("whistle",): say("Whistle if …"),
    ("whistle", "wins"): say("Whistle if … wins"),
    ("whistle", "wins", "anyone"): say("Whistle if anyone else wins"),
    ("whistle", "scores"): say("Whistle if … scores"),
    ("whistle", "scores", "anyone"): say("Whistle if anyone else scores"),
    ("whistle", "moves"): say("Whistle if anyone moves my …"),
    ("whistle", "moves", "any"): say("Whistle if anyone moves a piece of mine"),
    ("whistle", "plays"): say("Whistle if anyone plays …"),
    ("u-turn",): say("U-Turn if …"),
    ("u-turn", "scores"): say("U-Turn if … scores"),
    ("u-turn", "scores", "anyone"): say("U-Turn if anyone else scores"),
    ("u-turn", "moves"): say("U-Turn if anyone moves my …"),
    ("u-turn", "moves", "any"): say("U-Turn if anyone moves a piece of mine"),
    ("u-turn", "plays"): say("U-Turn if anyone plays …"),
    ("pass",): say("Let a win stand …"),
    ("pass", "otherwise"): say("Let a win stand unless another order stops it"),
    ("pass", "until-turn"): say("Let every win stand until my next turn"),
}

_ABOUT: Final[Mapping[Order, Callable[[Text], Text]]] = {
    ("whistle", "wins"): lambda who: say("Whistle if {who} wins", who=who),
    ("whistle", "scores"): lambda who: say("Whistle if {who} scores", who=who),
    ("whistle", "moves"): lambda piece: say("Whistle if anyone moves my {piece}", piece=piece),
    ("whistle", "plays"): lambda title: say("Whistle if anyone plays {card}", card=title),
    ("u-turn", "scores"): lambda who: say("U-Turn if {who} scores", who=who),
    ("u-turn", "moves"): lambda piece: say("U-Turn if anyone moves my {piece}", piece=piece),
    ("u-turn", "plays"): lambda title: say("U-Turn if anyone plays {card}", card=title),
}


def order_text(state: State, order: Order) -> Text:
    """Return a whole or unfinished order in words for its owner: "Whistle if Blue scores", "Whistle if … scores"."""
    if order in _FIXED:
        return _FIXED[order]
    named = _target_name(state, order[1], order[2:]) if order[:2] in _ABOUT else None
    return plain(" ".join(order)) if named is None else _ABOUT[order[:2]](named)


def _target_name(state: State, trigger: str, named: Order) -> Text | None:
    if trigger == "moves":
        pieces = (piece for piece in state.pieces if named in {(piece.word,), (piece.shade, piece.word)})
        return next((piece_name(state.owners, piece) for piece in pieces), None)
    if len(named) != 1:
        return None
    if trigger == "plays":
        return _title(named[0])
    return seat_name(COLOURS.index(named[0])) if named[0] in COLOURS else None


def _title(card_id: CardId) -> Text | None:
    try:
        return card(card_id).title
    except KeyError:
        return None
