"""The effect of each action, by its first token."""

from typing import Final

from engines.game import Action, Event, deed
from engines.pucks.board.deck import card
from engines.pucks.board.state import LastAction, State, is_quick
from engines.pucks.cards import cards
from engines.pucks.cards.piles import discard
from engines.pucks.play import moves, placing, turns
from engines.text import say
from engines.values import replace


def _card(state: State, seat: int, action: Action, events: list[Event]) -> State:
    if is_quick(action[1]):
        return cards.play_quick(state, seat, action[1], events)
    after, last = cards.play_action(state, action, events)
    return turns.after_action(after, last, card(action[1]).costs, events)


def _move(state: State, seat: int, action: Action, events: list[Event]) -> State:
    table = moves.play(state, action, events)
    return turns.after_action(state.with_table(table), LastAction(seat, action, state.table), 1, events)


def _draw(state: State, _seat: int, _action: Action, events: list[Event]) -> State:
    return turns.begin_turn(state, events)


def _end(state: State, seat: int, _action: Action, events: list[Event]) -> State:
    events.append(deed("end", seat, say("ends the turn"), routine=True))
    return turns.end_actions(state)


def _pass(state: State, seat: int, _action: Action, events: list[Event]) -> State:
    events.append(deed("pass", seat, say("lets the win stand"), routine=True))
    return replace(state, passed=(*state.passed, seat))


def _place(state: State, _seat: int, action: Action, events: list[Event]) -> State:
    return placing.play(state, action, events)


def _discard(state: State, seat: int, action: Action, events: list[Event]) -> State:
    return discard(state, seat, action[1], events)


_BY_TOKEN: Final = {
    "play": _card,
    "draw": _draw,
    "end": _end,
    "pass": _pass,
    "place": _place,
    "auto": _place,
    "discard": _discard,
}
"""The function that plays each action, by its first token. Any other first token names a piece to move, or its colour."""


def play(state: State, seat: int, action: Action, events: list[Event]) -> State:
    """Return the state after a legal action, before its automatic consequences. Append the events to `events`."""
    return _BY_TOKEN.get(action[0], _move)(state, seat, action, events)
