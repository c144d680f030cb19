"""The piece that was just moved and may go on, and the steps that use up the rest of a turn."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Action
from engines.pucks.board.board import DIRECTIONS
from engines.pucks.board.state import State
from tests.engines.contract_games import random_action
from tests.engines.pucks.drawing import PUCKS, SMALL, by_name, drawn, play
from tests.engines.pucks.random_games import KINDS, begun, chosen


def following(state: State, last: str, seat: int = 0) -> Action:
    return PUCKS.following(state, seat, tuple(last.split()))


def rest(state: State, seat: int = 0) -> list[str]:
    return [" ".join(action) for action in PUCKS.rest(state, seat)]


FREE = {"red m1": "e6", "red m2": "e11", "red i1": "e1", "red p1": "i1", "blue m1": "i6"}


def turn(**keys: Any) -> State:
    return drawn("", SMALL, **{"pieces": FREE, "action_rule": 6, "hands": [["whistle"], []], **keys})


def test_the_piece_just_moved_goes_on_if_it_can_move_again():
    assert following(play(turn(), "m1 up"), "m1 up") == ("m1",)
    borrowed = turn(hands=[["borrow"], []])
    assert following(play(borrowed, "play borrow blue", "blue m1 up"), "blue m1 up") == ("blue", "m1")
    own = turn(colours=2, pieces={"red m1": "e6", "green m1": "i6"})
    assert following(play(own, "green m1 up"), "green m1 up") == ("green", "m1")


def test_nothing_goes_on_after_a_card_a_draw_or_the_last_action_nor_in_another_turn():
    assert following(play(turn(hands=[["take-5"], []]), "play take-5"), "play take-5") == ()
    assert following(play(turn(phase="draw", draw_pile=["swap"]), "draw"), "draw") == ()
    assert following(play(turn(action_rule=1), "m1 up"), "m1 up") == ()
    assert following(turn(), "m1 up") == (), "of this turn nothing has been played"
    assert following(play(turn(), "m1 up"), "m1 up", seat=1) == ()


def test_a_piece_that_is_stuck_or_scored_does_not_go_on():
    into_a_goal = drawn("", ["Gs"], pieces={"red p1": "a14", "blue m1": "a16"}, action_rule=3, hands=[["whistle"], ["whistle"]])
    assert following(play(into_a_goal, "p1 up"), "p1 up") == ()
    # In the corner only the way back is free, which would take the move back.
    boxed = drawn("ri1 bi1 . .\n. bi2 . .", action_rule=3, pieces={"red m1": "a16"})
    assert following(play(boxed, "i1 down"), "i1 down") == ("i1",)
    boxed = drawn("ri1 bi1 . .\n. bi2 . .\nbp1", action_rule=3, pieces={"red m1": "a16"})
    assert following(play(boxed, "i1 down"), "i1 down") == ()


@pytest.mark.parametrize(
    ("left", "steps"),
    [
        (1, ["m1 up"]),
        (2, ["m1 up", "m2 up"]),
        (3, ["m1 up", "m2 up", "m1 down"]),
        (4, ["m1 up", "m2 up", "m1 down", "m2 down"]),
        (5, ["m1 up", "m2 up", "m1 down", "m2 down", "m1 up"]),
        (6, ["m1 up", "m2 up", "i1 down", "m1 down", "m2 down", "i1 up"]),
    ],
)
def test_two_or_three_pieces_step_aside_and_back_until_no_action_is_left(left, steps):
    state = play(turn(action_rule=left, extra=1), "p1 right")
    assert rest(state) == steps
    assert (after := play(state, *steps)).taken == left + 1
    if left in {4, 6}:
        assert by_name(after) == by_name(state)


def test_there_is_no_rest_before_the_first_action_after_the_last_or_for_others():
    assert rest(turn()) == []
    assert rest(play(turn(action_rule=1), "p1 right")) == []
    assert rest(play(turn(), "p1 right"), seat=1) == []


def test_a_player_with_only_pucks_or_with_one_piece_for_several_actions_cannot_spend_them():
    assert rest(play(turn(pieces={"red p1": "i1", "red p2": "e1"}), "p1 right")) == []
    alone = {"red p1": "i1", "red m1": "e6"}
    assert rest(play(turn(pieces=alone, action_rule=3), "p1 right")) == []
    assert rest(play(turn(pieces=alone, action_rule=2), "p1 right")) == ["m1 up"]


def test_ice_that_slides_and_pieces_in_goals_stay_where_they_are():
    on_thin_ice = turn(pieces={"red p1": "i1", "red i1": "e6", "red i2": "e11"}, ongoing="thin-ice", action_rule=2)
    assert rest(play(on_thin_ice, "p1 right")) == []
    in_a_goal = drawn("", ["Gs", "B"], pieces={"red m1": "a2", "red p1": "b1"}, action_rule=2, hands=[["whistle"], []])
    assert rest(play(in_a_goal, "p1 right")) == []


def test_a_mat_is_left_only_if_there_is_no_other_way():
    state = drawn("", ["B B"], pieces={"red m1": "a1", "red p1": "b16", "blue i1": "a2", "blue i2": "a5"}, action_rule=2)
    assert rest(play(state, "p1 up")) == []
    at_the_edge = drawn("", ["B B"], pieces={"red m1": "a8", "red p1": "b16"}, action_rule=2)
    assert rest(play(at_the_edge, "p1 up")) == ["m1 up"]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(KINDS), st.integers(2, 4), st.integers(1, 6), st.integers(0, 10**9))
@pytest.mark.slow
def test_in_random_games_the_rest_is_legal_to_the_end_and_moves_at_most_two_pieces_by_a_step(kind, seats, actions, seed):
    dice = random.Random(seed)
    state = begun(kind, seats, dice)
    for _ in range(dice.randrange(20)):
        if PUCKS.outcome(state) is not None:
            return
        seat = PUCKS.to_act(state)[0]
        state = PUCKS.play(state, seat, chosen(kind, state, seat, dice)).state
    if state.phase != "act" or PUCKS.outcome(state) is not None or state.winning:
        return
    position = PUCKS.position(state, secret=True)
    state = PUCKS.from_position(position | {"extra": actions})
    check_rest(state, dice)


def check_rest(state: State, dice: random.Random) -> None:
    """Play one action, then the rest, and compare the places before and after."""
    seat = state.to_move
    action = random_action(PUCKS, state, seat, dice)
    state = PUCKS.play(state, seat, action).state
    begun_with = PUCKS.following(state, seat, action)
    assert not begun_with or (begun_with == action[:-1] and PUCKS.choices(state, seat, begun_with))
    steps = PUCKS.rest(state, seat)
    assert len(steps) in {0, max(0, state.allowed - state.taken)}
    before, after = state.table.places, state
    for step in steps:
        assert PUCKS.is_whole(after, seat, step)
        assert step[-1] in DIRECTIONS
        assert PUCKS.foresee(after, seat, step) is not None
        played = PUCKS.play(after, seat, step)
        assert all(event.routine for event in played.events)
        after = played.state
    elsewhere = [piece for piece, place in enumerate(after.table.places) if place != before[piece]]
    assert len(elsewhere) <= (0, 1, 2, 1)[len(steps) % 4]
    assert set(elsewhere) <= set(state.pieces_of(seat))
