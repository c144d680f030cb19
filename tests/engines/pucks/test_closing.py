"""What one click can play together with the last action of a turn: its end."""

from functools import partial

import pytest

from engines.pucks.board.state import State
from tests.engines.pucks import tables
from tests.engines.pucks.drawing import PUCKS, play, seat_and_action

two = partial(tables.two, action_rule=1, pieces={"red m1": "e6", "red m2": "e10", "blue m1": "i6"})


def closing(state: State, text: str) -> tuple[str, ...] | None:
    found = PUCKS.closing(state, *seat_and_action(state, text))
    return None if found is None else found.action


@pytest.mark.parametrize("held", ["swap", "whistle", "quick-draw", "take-2"])
def test_the_last_action_can_be_played_with_the_end_whatever_is_in_the_hand(held):
    assert closing(two([held]), "m1 up") == ("end",)


def test_the_end_is_offered_with_the_last_action_only_and_only_if_a_card_is_left():
    assert closing(two(["swap"], action_rule=2), "m1 up") is None
    assert closing(two(["swap"], action_rule=2, taken=1), "m1 up") == ("end",)
    assert closing(two([]), "m1 up") is None, "without a card the turn ends by itself"
    state = two(["swap"], ["quick-draw", "swap"], taken=1)
    assert closing(state, "end") is None
    assert closing(state, "blue: play quick-draw") is None


def test_a_card_that_changes_the_number_of_actions_is_reckoned_with():
    assert closing(two(["take-1", "swap"], action_rule=2, taken=1), "play take-1") == ("end",)
    assert closing(two(["take-3", "swap"], taken=1), "play take-3") is None
    assert closing(two(["u-turn", "swap"], taken=1), "play u-turn") is None, "that ends the turn anyway"


def test_the_end_that_is_offered_is_legal_while_a_card_could_still_be_played():
    state = play(two(["whistle", "quick-draw"]), "m1 up")
    assert PUCKS.is_whole(state, 0, ("end",))
