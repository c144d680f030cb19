"""Version 1 of the rules, for games that began under it: how hidden cards decided things then."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines import EARLIER, GAMES, rules_of
from engines.chance import Fair
from engines.game import may_act, resample
from engines.pucks import FirstPucks
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from engines.values import replace
from tests.engines.contract_games import random_action
from tests.engines.pucks.drawing import PUCKS, all_cards, offered, play, seat_and_action
from tests.engines.pucks.tables import four, last_puck, outcome, row, two

FIRST = rules_of("pucks", 1)


def first(state: State) -> State:
    return replace(state, edition=1)


def test_old_and_new_games_are_told_apart_by_their_version():
    assert [type(game) for game in EARLIER] == [FirstPucks]
    assert (FIRST.rules, GAMES["pucks"].rules) == (1, 2)
    for game in (FIRST, GAMES["pucks"]):
        state: Any = game.start(3, chance=Fair(bytes(32)), setup="random")
        assert state.edition == game.rules
        assert game.from_position(game.position(state)) == state


@pytest.mark.parametrize(("held", "goes_on"), [("extra", True), ("sweep", True), ("shift", False), ("whistle", False)])
def test_a_turn_ended_by_itself_unless_a_card_could_be_played_for_free(held, goes_on):
    state = play(first(two([held], action_rule=1)), "m1 up")
    assert (state.to_move == 0) is goes_on


def test_a_win_waited_only_while_somebody_held_a_whistle_and_then_for_all():
    assert outcome(play(first(last_puck([], ["swap"])), "p4 up")) == (0,)
    waiting = play(first(last_puck([], ["whistle"])), "p4 up")
    assert PUCKS.to_act(waiting) == (1, 2, 3)
    assert outcome(play(waiting, "green: pass")) is None
    assert outcome(play(waiting, "blue: pass")) == (0,)


def test_the_cards_of_a_player_who_left_went_to_the_discard_pile():
    left = PUCKS.withdraw(first(four(["swap"], ["take-3", "shift"])), 1).state
    assert (left.hands[1], left.discard) == ((), ("take-3", "shift"))


def test_a_whistle_left_mats_apart_that_could_still_be_mended():
    moves = ("play shift b north-of a", "play shift c east-of b", "blue: play whistle")
    state = play(first(row("shift", "shift", "shift", actions=3)), *moves)
    assert (state.whole, state.taken, offered(state)) == (False, 2, ["play"])
    assert play(state, "play shift c east-of b").whole
    assert play(first(row("shift", "shift", actions=3)), *moves).whole


def test_another_card_like_the_one_that_second_wind_took_went_back():
    state = first(two(["salvage", "quick-draw"], ["whistle"], discard=["quick-draw"], draw_pile=["swap", "twist", "shift"]))
    after = play(state, "red: play salvage quick-draw", "red: play quick-draw", "blue: play whistle")
    assert after.hands[0] == ("shift", "twist")
    assert after.discard == ("salvage", "quick-draw", "whistle", "quick-draw")


def test_what_depended_on_hidden_cards_was_not_foreseen():
    win = first(last_puck([], ["sweep"]))
    assert PUCKS.foresee(win, *seat_and_action(win, "p4 up")) is None
    moved = play(first(two(["twist"], ["whistle"], taken=1)), "m1 up")
    assert PUCKS.foresee(moved, *seat_and_action(moved, "blue: play whistle")) is None


@settings(max_examples=12, deadline=None)
@given(st.integers(2, 6), st.sampled_from(["standard", "old-school"]), st.integers(0, 10**9))
@pytest.mark.slow
def test_old_games_go_on_as_before_and_nobody_sees_another_hand(seats, variant, seed):
    dice = random.Random(seed)
    state = FIRST.start(seats, variant, Fair(dice.randbytes(32)), setup="random")
    deck = all_cards(state)
    for number in range(100):
        if FIRST.outcome(state) is not None:
            return
        if number % 7 == 0:
            assert all_cards(state) == deck
            assert FIRST.from_position(FIRST.position(state)) == state
            for seat in (None, *range(seats)):
                other = resample(FIRST, state, seat, Fair(dice.randbytes(32)))
                assert (FIRST.view(other, seat), FIRST.to_act(other)) == (FIRST.view(state, seat), FIRST.to_act(state))
                assert FIRST.from_position(FIRST.position(other)) == other, "somebody is waited for in the same way"
        if dice.random() < 0.01 and len(state.live) > 2:
            state = FIRST.withdraw(state, dice.choice(state.live)).state
            assert not any(state.hands[seat] for seat in state.out)
            continue
        seat = dice.choice(may_act(FIRST, state) if dice.random() < 0.2 else FIRST.to_act(state))
        action = random_action(FIRST, state, seat, dice)
        state = FIRST.play(state, seat, action).state
        free = {"extra", "double", "sweep", "quick-draw", "u-turn", *(f"take-{n}" for n in range(1, 7))}
        waiting = state.phase is Phase.ACT and not state.winning and state.whole and state.taken >= state.allowed
        assert not waiting or free & set(state.hands[state.to_move]), "the turn would have ended by itself"
