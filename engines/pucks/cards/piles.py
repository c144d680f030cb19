"""Moving cards between hands and piles: drawing, discarding, laying them at the edge of the board, shuffling."""

from collections.abc import Sequence

from engines.game import Event, deed
from engines.pucks.board.deck import CardId, CardKind, card, draw_card, take_card
from engines.pucks.board.state import State, with_hand, without
from engines.pucks.board.views import CardDiscarded, CardsDrawn
from engines.text import Text, join, say, say_n
from engines.values import replace

_EDGE = (CardKind.DRAW, CardKind.ACTION, CardKind.CHANGER)
"""The kinds of card that can lie at the edge of the board, in this order. There is at most one card of each kind."""


def titles(cards: Sequence[CardId]) -> Text:
    """Return the names of cards, for use in a sentence."""
    return join([card(card_id).title for card_id in cards], ", ")


def draw_cards(state: State, seat: int, count: int, events: list[Event], announced: bool = True) -> State:
    """Return the state after a seat has drawn `count` cards, or as many as there are.

    The discard pile is shuffled into a new draw pile as soon as the last card has been drawn or, if it is empty then, when the
    next card has to be drawn. If `announced`, a public event says how many cards were drawn. The seat that drew is always told
    which cards they are.
    """
    drawn: list[CardId] = []
    for _ in range(count):
        state = _refill(state, events)
        if not state.draw_pile:
            break
        drawn.append(state.draw_pile[-1])
        state = _refill(replace(state, draw_pile=state.draw_pile[:-1]), events)
    if announced:
        phrase = say_n("draws {n} card", "draws {n} cards", len(drawn)) if drawn else say("finds no cards left to draw")
        events.append(deed("draw", seat, phrase, detail=CardsDrawn(len(drawn)), routine=True))
    if drawn:
        phrase = say("draws {cards}", cards=titles(drawn)) if announced else say("gets {cards}", cards=titles(drawn))
        detail = CardsDrawn(len(drawn), tuple(drawn))
        events.append(Event("draw", seat, phrase, private_to=seat, detail=detail, phrased=True))
    return with_hand(state, seat, (*state.hands[seat], *drawn))


def _refill(state: State, events: list[Event]) -> State:
    if state.draw_pile or not state.discard:
        return state
    pile, chance = state.chance.shuffle(state.discard)
    events.append(Event("shuffle", None, say("The discard pile is shuffled into a new draw pile.")))
    return replace(state, draw_pile=pile, discard=(), chance=chance)


def sweep(state: State) -> State:
    """Return the state after the whole discard pile has been shuffled into the draw pile."""
    pile, chance = state.chance.shuffle((*state.draw_pile, *state.discard))
    return replace(state, draw_pile=pile, discard=(), chance=chance)


def discard_from_hand(state: State, seat: int, card_id: CardId) -> State:
    """Return the state after a card has gone from a hand to the discard pile."""
    state = with_hand(state, seat, without(state.hands[seat], card_id))
    last = state.last
    if last is not None and (last.seat, last.taken) == (seat, card_id) and not state.looks_into_hands:
        state = replace(state, last=replace(last, kept=False))
    return replace(state, discard=(*state.discard, card_id))


def discard(state: State, seat: int, card_id: CardId, events: list[Event]) -> State:
    """Return the state after a player with too many cards has discarded one openly."""
    phrase = say("discards {card} (more than {limit} in hand)", card=card(card_id).title, limit=state.hand_limit)
    events.append(deed("discard", seat, phrase, detail=CardDiscarded(card_id), routine=True))
    return discard_from_hand(state, seat, card_id)


def lay_at_edge(state: State, seat: int, card_id: CardId) -> tuple[State, CardId | None]:
    """Lay a card from a hand at the edge of the board. Return the state, and the card of its kind discarded for it, or None."""
    state = with_hand(state, seat, without(state.hands[seat], card_id))
    kind = card(card_id).kind
    replaced = next((lying for lying in state.edge if card(lying).kind is kind), None)
    if replaced is not None:
        state = replace(state, edge=without(state.edge, replaced), discard=(*state.discard, replaced))
    return replace(state, edge=in_order((*state.edge, card_id))), replaced


def in_order(edge: Sequence[CardId]) -> tuple[CardId, ...]:
    """Return cards in the order in which they lie at the edge of the board."""
    return tuple(sorted(edge, key=lambda lying: _EDGE.index(card(lying).kind)))


def edge_of(draw_rule: int, action_rule: int, ongoing: CardId | None, least_actions: int) -> tuple[CardId, ...]:
    """Return the cards that lie at the edge if every rule in force, unless it is an initial one, was set by its own card."""
    drawn = (draw_card(draw_rule),) if draw_rule != 1 else ()
    taken = (take_card(action_rule),) if action_rule != least_actions else ()
    return (*drawn, *taken, *((ongoing,) if ongoing else ()))
