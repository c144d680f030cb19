"""The reasons that a computer player of Puck Bumpers gives for what it would play."""

from typing import Any

import pytest

from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from opponents import Budget, opponent
from opponents.pucks.saying import reason
from tests.engines.pucks.drawing import PUCKS, drawn, play
from tests.opponents.pucks.games import AT_RANDOM, random_game

LITTLE = Budget(300)

GOAL = ["Gs", "B"]
"""A mat with a goal, and one below it."""


def why(state: State, *actions: str) -> str | None:
    """The reason for the first of Red's actions, which is to be followed by the others."""
    states = [state]
    for action in actions:
        states.append(play(states[-1], action))
    return reason(state, states[1:], 0, tuple(actions[0].split()))


def board(**keys: Any) -> State:
    """Red's puck 1 is two slides from the goal above: left against the meeple, then up."""
    pieces = {"red m1": "b5", "red p1": "b8", "red m2": "b16"}
    return drawn("", GOAL, **{"pieces": pieces, "action_rule": 4, "hands": [["whistle"], []], **keys})


def test_a_move_that_gains_nothing_by_itself_is_for_what_follows() -> None:
    state = board()
    assert why(state, "p1 left") == "It brings puck 1 within one slide of a goal."
    assert why(state, "m2 left", "p1 left", "p1 up") == "It sets up a goal for puck 1 2 actions later."
    assert why(state, "m2 left", "p1 left") == "It helps puck 1 on its way to a goal."
    assert why(state, "m2 left") == "It uses up a spare action."


def test_a_piece_that_makes_way_opens_it_for_the_puck() -> None:
    blocked = drawn("", GOAL, pieces={"red m1": "b2", "red p1": "b6"}, action_rule=2, hands=[["whistle"], []])
    assert why(blocked, "m1 right") == "It opens the way for puck 1: now it’s one slide from a goal."


def test_a_turn_is_ended_to_save_the_cards_that_could_still_be_played() -> None:
    done = board(action_rule=1, taken=1)
    assert why(done, "end") == "There’s nothing more to gain this turn."
    one = board(action_rule=1, taken=1, hands=[["extra", "whistle"], []])
    assert why(one, "end") == "Save your card: Extra Action can do more for you in a later turn."
    several = board(action_rule=1, taken=1, hands=[["take-6", "extra", "extra"], []])
    assert why(several, "end") == "Save your cards: Take 6, Extra Action can do more for you in a later turn."


def test_a_card_that_sets_a_number_says_for_whom_it_is_more_or_fewer() -> None:
    state = board(hands=[["take-5", "take-2", "take-4", "draw-2"], []], draw_rule=3)
    assert why(state, "play take-5") == "It gives you more actions this turn."
    assert why(state, "play take-2") == "It leaves the others fewer actions."
    assert why(state, "play draw-2") == "It leaves the others fewer cards."
    assert why(state, "play take-4") == "It costs no action, and makes room in your hand."


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_whatever_is_advised_in_a_turn_has_a_reason(seats: int) -> None:
    computer, asked = opponent("pucks", "expert"), 0
    for number, state in enumerate(random_game(seats, "standard", 240, 7, AT_RANDOM)):
        if number % 8 == 0 and state.phase is not Phase.PLACE:
            for seat in PUCKS.to_act(state):
                thought = computer.choose(state, seat, LITTLE, stream="a")
                assert computer.reason(state, seat, thought), thought.action
                asked += 1
    assert asked > 20
