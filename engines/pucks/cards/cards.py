"""Playing cards: when each can be played, the tokens that name its targets, and the pile to which it goes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from engines.game import Action, Choice, Event, deed
from engines.pucks.board.deck import CardId, CardKind, card
from engines.pucks.board.motion import SLUSH_REACH
from engines.pucks.board.state import LastAction, State, Table, can_mend, is_quick, with_hand, without
from engines.pucks.board.views import CardPlayed, Phase
from engines.pucks.cards import changers, quick
from engines.pucks.cards.piles import discard_from_hand, lay_at_edge
from engines.steps import others
from engines.text import Text, say, say_n
from engines.values import replace

Offer = Callable[[State, int, Action], Iterable[Choice]]
"""A function that returns the tokens that may follow, from the state, the seat, and the tokens after ``play <card>``."""

Effect = Callable[[State, int, Action, list[Event]], State]
"""A function that returns the state after the effect of a card, which has left the hand already. It adds events to a list."""


@dataclass(frozen=True, slots=True)
class _Play:
    """How to play a card. `offer` is None if the card has no targets."""

    effect: Effect
    offer: Offer | None = None


def _on_table(effect: Callable[[State, int, Action, list[Event]], Table]) -> Effect:
    return lambda state, seat, rest, events: state.with_table(effect(state, seat, rest, events))


def _salvage_choices(state: State, _seat: int, rest: Action) -> list[Choice]:
    """Return the choices for Second Wind: any card of the discard pile, the topmost first."""
    if rest:
        return []
    return [Choice(found, card(found).title, final=True) for found in dict.fromkeys(reversed(state.discard))]


def _salvage(state: State, seat: int, rest: Action, events: list[Event]) -> State:
    found = rest[0]
    events.append(deed("salvage", seat, say("takes {card} from the discard pile", card=card(found).title)))
    state = replace(state, discard=without(state.discard, found))
    return with_hand(state, seat, (*state.hands[seat], found))


def _ongoing(card_id: CardId) -> _Play:
    return _Play(lambda state, _seat, _rest, _events: state.with_table(changers.play_ongoing(state, card_id)))


_CHANGERS: Final = {
    "shift": _Play(_on_table(changers.play_shift), changers.shift_choices),
    "swap": _Play(_on_table(changers.play_swap), changers.swap_choices),
    "twist": _Play(_on_table(changers.play_twist), changers.twist_choices),
    "mix": _Play(_on_table(changers.play_mix), changers.mix_choices),
    "borrow": _Play(_on_table(changers.play_borrow), changers.borrow_choices),
    "salvage": _Play(_salvage, _salvage_choices),
    "faceoff": _Play(_on_table(changers.play_faceoff), changers.faceoff_choices),
    "review": _Play(_on_table(changers.play_review), changers.review_choices),
    "thin-ice": _ongoing("thin-ice"),
    "slush": _ongoing("slush"),
    "net-off": _Play(_on_table(changers.play_net_off), changers.net_off_choices),
}


def _set_number(state: State, card_id: CardId) -> State:
    known = card(card_id)
    if known.kind is CardKind.DRAW:
        return state.with_table(replace(state.table, draw_rule=known.number))
    return state.with_table(replace(state.table, action_rule=known.number))


def in_time(state: State, seat: int, card_id: CardId) -> bool:
    """Whether a card in the hand can be played at this time, whatever its targets."""
    known = card(card_id)
    if known.kind is CardKind.QUICK:
        return quick.possible(state, seat, card_id)
    if state.phase is not Phase.ACT or seat != state.to_move or state.winning or state.closed:
        return False
    if not known.costs:
        fewer = _set_number(state, card_id)
        return state.whole or fewer.allowed > state.taken
    if state.taken >= state.allowed:
        return False
    return state.whole or card_id in {"shift", "mix"} or can_mend(state, without(state.hands[seat], card_id), state.taken + 1)


def playable(state: State, seat: int, card_id: CardId) -> bool:
    """Whether a seat that holds this card can play it now. If the card needs a target, there must be one."""
    if not in_time(state, seat, card_id):
        return False
    offer = _CHANGERS[card_id].offer if card_id in _CHANGERS else None
    return offer is None or any(True for _ in offer(state, seat, ()))


def is_playable_alone(state: State, seat: int, card_id: CardId) -> bool:
    """Whether a seat holds this card and can play it now without targets."""
    return card_id in state.hands[seat] and not _names_something(card_id) and playable(state, seat, card_id)


def playable_cards(state: State, seat: int) -> list[CardId]:
    """Return the different cards of a hand that can be played now, in the order of the hand."""
    return [held for held in dict.fromkeys(state.hands[seat]) if playable(state, seat, held)]


def can_play_any(state: State, seat: int) -> bool:
    """Whether a seat can play any card now."""
    return any(playable(state, seat, held) for held in dict.fromkeys(state.hands[seat]))


def can_play_for_action(state: State, seat: int) -> bool:
    """Whether a seat can play a card that costs an action."""
    return any(card(held).costs and playable(state, seat, held) for held in dict.fromkeys(state.hands[seat]))


def can_play_for_free(state: State, seat: int) -> bool:
    """Whether a seat can play a card that costs no action."""
    return any(not card(held).costs and playable(state, seat, held) for held in dict.fromkeys(state.hands[seat]))


def choices(state: State, seat: int, rest: Action) -> list[Choice]:
    """Return the tokens that may follow "play" and `rest`."""
    if not rest:
        held_cards = playable_cards(state, seat)
        return [Choice(held, _offered(state, seat, held), final=not _names_something(held)) for held in held_cards]
    held, named = rest[0], rest[1:]
    if held not in state.hands[seat] or not _names_something(held) or not in_time(state, seat, held):
        return []
    offer = _CHANGERS[held].offer
    assert offer is not None, "something is to be named with this card"
    return list(offer(state, seat, named))


def _offered(state: State, seat: int, card_id: CardId) -> Text:
    """Return the label of a playable card. While the seat takes the actions of its turn, the label includes the card's cost."""
    title = card(card_id).title
    if state.phase is not Phase.ACT or seat != state.to_move or state.winning:
        return title
    return say("{card} · 1 action", card=title) if card(card_id).costs else say("{card} · free", card=title)


def _names_something(card_id: CardId) -> bool:
    return card_id in _CHANGERS and _CHANGERS[card_id].offer is not None


def play_quick(state: State, seat: int, card_id: CardId, events: list[Event]) -> State:
    """Return the state after a quick play card, which goes to the discard pile and has its effect."""
    return quick.play(discard_from_hand(state, seat, card_id), seat, card_id, events)


def play_action(state: State, action: Action, events: list[Event]) -> tuple[State, LastAction]:
    """Play any other card in turn. Return the state after it, and the action that a Whistle would undo."""
    seat, card_id, named = state.to_move, action[1], action[2:]
    before, known, replaced = state.table, card(card_id), None
    events.append(_played(state, seat, card_id))
    if known.stays:
        state, replaced = lay_at_edge(state, seat, card_id)
    else:
        state = discard_from_hand(state, seat, card_id)
    state = _set_number(state, card_id) if known.number else _CHANGERS[card_id].effect(state, seat, named, events)
    return state, LastAction(seat, action, before, replaced)


def _played(state: State, seat: int, card_id: CardId) -> Event:
    """Return the event of playing a card, which is routine if another event tells the effect. Any other card sets a rule."""
    told = not card(card_id).stays or card_id == "net-off"
    affected = () if told else others(state.live, seat)
    detail = CardPlayed(card_id, quick=False)
    return deed("card", seat, _plays(card_id), detail=detail, major=not told, routine=told, affects=affected)


def _plays(card_id: CardId) -> Text:
    """Return the phrase for playing a card. It includes the card's effect, unless another event tells the effect."""
    known = card(card_id)
    if known.kind is CardKind.DRAW:
        return say_n(
            "plays {card}: {n} card a turn from the next turn on",
            "plays {card}: {n} cards a turn from the next turn on",
            known.number,
            card=known.title,
        )
    if known.kind is CardKind.ACTION:
        return say_n(
            "plays {card}: {n} action a turn from now on",
            "plays {card}: {n} actions a turn from now on",
            known.number,
            card=known.title,
        )
    if card_id == "thin-ice":
        return say("plays {card}: from now on, ice blocks slide", card=known.title)
    if card_id == "slush":
        return say("plays {card}: from now on, slides end after {n} spaces", card=known.title, n=SLUSH_REACH)
    return say("plays {card}", card=known.title)


def is_known(card_id: CardId) -> bool:
    """Whether a card exists and the engine knows how to play it."""
    try:
        known = card(card_id)
    except KeyError:
        return False
    return bool(known.number) or card_id in _CHANGERS or is_quick(card_id)


def card_label(card_id: CardId) -> Text:
    """Return the label of a card, with its effect."""
    known = card(card_id)
    return say("{card}: {effect}", card=known.title, effect=known.effect)
