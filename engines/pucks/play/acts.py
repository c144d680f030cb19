"""The effect of each action, by its first token."""

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


def play(state: State, seat: int, action: Action, events: list[Event]) -> State:
    """Return the state after a legal action, before its automatic consequences. Append the events to `events`."""
    match action[0]:
        case "play":
            after = _card(state, seat, action, events)
        case "draw":
            after = turns.begin_turn(state, events)
        case "end":
            events.append(deed("end", seat, say("ends the turn"), routine=True))
            after = turns.end_actions(state)
        case "pass":
            events.append(deed("pass", seat, say("lets the win stand"), routine=True))
            after = replace(state, passed=(*state.passed, seat))
        case "place" | "auto":
            after = placing.play(state, action, events)
        case "discard":
            after = discard(state, seat, action[1], events)
        case _:  # a piece to move, or its colour
            moved = state.with_table(moves.play(state, action, events))
            after = turns.after_action(moved, LastAction(seat, action, state.table), 1, events)
    return after
