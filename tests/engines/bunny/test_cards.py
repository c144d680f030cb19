"""What each card does to the Bunny that stops on it, and the shock phase."""

import random

from engines.bunny import Bounce, Landing, Spied, Swapped
from engines.bunny.field import DIRECTIONS, SPACES, card_on
from engines.game import Outcome, passive_action
from tests.engines.bunny.cards import GAME, now, offered, play, shock_phase, table, told


def test_a_shock_bounces_the_bunny_on_at_once_and_so_on():
    step = play(table({"c1": "up", "c2": "right", "d2": "down", "d1": "right", "e1": "stop"}), "enter c")
    assert step.state.bunnies == ("e1", None)
    assert step.events[0].detail == Bounce(
        0,
        0,
        None,
        (
            Landing("c1", "up", None),
            Landing("c2", "right", "up"),
            Landing("d2", "down", "right"),
            Landing("d1", "right", "down"),
            Landing("e1", "stop", "right"),
        ),
    )
    assert told(step) == ["Red hops in on c1 (shock up) → c2 (shock right) → d2 (shock down) → d1 (shock right) → e1 (Stop)."]


def test_shocks_lie_face_down_again_once_the_bunny_has_stopped():
    state = play(table({"c1": "up", "c2": "right", "d2": "swap"}), "enter c").state
    assert now(state) == (0, "swap", 0)
    shown = dict(GAME.view(state).field)
    assert (shown["c1"], shown["c2"], shown["d2"]) == ("hidden", "hidden", "swap")


def test_a_chain_may_come_back_to_the_card_where_it_began():
    step = play(table({"c3": "stop", "d3": "left"}, bunnies=["c3", None]), "right")
    assert [landing.space for landing in step.events[0].detail.landings] == ["d3", "c3"]
    assert step.state.bunnies == ("c3", None)


def test_a_chain_that_comes_to_a_card_it_has_already_shown_puts_the_bunny_out():
    step = play(table({"c1": "right", "d1": "right", "e1": "left"}), "enter c")
    assert step.state.bunnies == (None, None)
    assert step.events[0].detail == Bounce(
        0,
        0,
        None,
        (Landing("c1", "right", None), Landing("d1", "right", "right"), Landing("e1", "left", "right")),
        looped=True,
        back_to="d1",
    )
    assert told(step)[1] == "Red is caught in a loop and flung off the field."
    assert now(step.state) == (1, "move", 1)


def test_after_a_loop_the_turn_goes_on_and_the_bunny_may_enter_again():
    state = play(table({"c1": "right", "d1": "left", "g5": "stop"}, bunnies=[None, "g5"]), "enter c").state
    assert state.bunnies == (None, "g5")
    assert now(state) == (0, "shock", 0)
    state = play(table({"c1": "right", "d1": "left", "a1": "stop"}), "enter c", "enter a").state
    assert now(state) == (0, "move", 0)
    assert offered(state) == ["enter"]


def test_a_stop_does_nothing_and_lies_face_up_until_the_end_of_the_turn():
    state = play(table({"c1": "stop", "g5": "stop"}, bunnies=[None, "g5"]), "enter c").state
    assert now(state) == (0, "shock", 0)
    assert dict(GAME.view(state).field)["c1"] == "stop"
    state = play(state, "pass").state
    assert dict(GAME.view(state).field)["c1"] == "hidden"


def test_a_carrot_is_taken_and_its_space_is_empty_from_now_on():
    step = play(table({"c3": "stop", "d3": "carrot"}, bunnies=["c3", None]), "right")
    assert card_on(step.state.field, "d3") == "empty"
    assert "d3" not in step.state.face_up
    assert step.state.carrots == (1, 0)
    assert step.state.bunnies == ("d3", None)
    assert told(step) == ["Red hops c3 → d3.", "Red takes a carrot: 1 of 3."]


def test_three_carrots_win_at_once():
    state = table({"c3": "stop", "d3": "carrot", "g5": "stop"}, carrots=[2, 0], bunnies=["c3", "g5"])
    state = play(state, "right").state
    assert GAME.outcome(state) == Outcome((0,), "Three carrots!")
    assert GAME.to_act(state) == ()
    assert GAME.choices(state, 0) == GAME.choices(state, 1) == []
    assert GAME.from_position(GAME.position(state)) == state


def test_the_bonus_shock_gives_a_universal_shock_and_stays_face_up():
    step = play(table({"c1": "bonus"}, shocks=[1, 3]), "enter c")
    assert step.state.shocks == (2, 3)
    assert dict(GAME.view(step.state).field)["c1"] == "bonus"
    assert told(step)[1] == "Red gets a shock and has 2 now."


def test_a_bonus_shock_works_every_time_and_can_be_spent_at_once_but_there_is_no_fourth():
    step = play(table({"c1": "bonus"}), "enter c")
    assert step.state.shocks == (3, 3)
    assert told(step)[1] == "Red already has 3 shocks, and that’s the limit."
    state = table({"c1": "bonus", "b1": "stop"}, shocks=[0, 0], bunnies=["b1", None], face_up=["c1"])
    assert play(state, "right").state.shocks == (1, 0)
    state = table({"c1": "bonus", "g5": "stop"}, shocks=[0, 0], bunnies=[None, "g5"])
    assert now(play(state, "enter c").state) == (0, "shock", 0)


def test_a_spy_looks_at_one_card_alone_and_stays_face_up():
    state = play(table({"c1": "spy", "d2": "stop"}), "enter c").state
    assert now(state) == (0, "spy", 0)
    step = play(state, "spy d2")
    assert [(event.kind, event.private_to, event.text, event.detail) for event in step.events] == [
        ("spy", None, "Red peeks at d2.", Spied(0, "d2", None)),
        ("spied", 0, "Red peeks at d2: Stop.", Spied(0, "d2", "stop")),
    ]
    assert dict(GAME.view(step.state).field)["c1"] == "spy"
    for seat in (None, 0, 1):
        assert dict(GAME.view(step.state, seat).field)["d2"] == "hidden"


def test_a_spy_may_look_at_any_face_down_card_and_at_no_other():
    state = play(table({"c1": "spy", "d2": "stop", "b1": "swap"}, bunnies=[None, "d2"], face_up=["b1"]), "enter c").state
    carrots = {space for space in SPACES if card_on(state.field, space) == "carrot"}
    assert set(offered(state, "spy")) == set(SPACES) - carrots - {"b1", "c1"}
    assert "d2" in offered(state, "spy")


def test_a_spy_works_again_but_does_nothing_with_no_face_down_card_left():
    state = table({"c1": "spy"}, face_up=list(SPACES))
    assert now(play(state, "enter c").state) == (1, "move", 1)
    state = table({"c1": "spy", "b1": "stop"}, bunnies=["b1", None], face_up=["c1"])
    assert now(play(state, "right").state) == (0, "spy", 0)


def test_a_swap_exchanges_two_cards_and_stays_face_up():
    state = play(table({"c1": "swap", "b3": "left", "e5": "down"}), "enter c").state
    assert now(state) == (0, "swap", 0)
    step = play(state, "swap b3 e5")
    assert (card_on(step.state.field, "b3"), card_on(step.state.field, "e5")) == ("down", "left")
    assert dict(GAME.view(step.state).field)["c1"] == "swap"
    assert [(event.text, event.detail) for event in step.events] == [
        ("Red swaps b3 and e5.", Swapped(0, "b3", "e5", None, None))
    ]


def test_swapped_cards_keep_the_side_that_was_up():
    state = play(table({"c1": "swap", "b3": "left", "e5": "bonus"}, face_up=["e5"]), "enter c").state
    step = play(state, "swap b3 e5")
    shown = dict(GAME.view(step.state).field)
    assert (shown["b3"], shown["e5"]) == ("bonus", "hidden")
    assert told(step) == ["Red swaps b3 and e5 (Bonus Shock)."]


def test_any_two_cards_but_those_under_a_bunny_can_be_swapped_in_either_order():
    state = play(table({"c1": "swap", "b3": "carrot", "e1": "left"}), "enter c", "swap e1 b3").state
    shown = dict(GAME.view(state).field)
    assert (shown["e1"], shown["b3"]) == ("carrot", "hidden")
    state = table({"c1": "swap", "g5": "stop", "d3": "empty"}, carrots=[1, 0], bunnies=[None, "g5"])
    state = play(state, "enter c").state
    assert set(offered(state, "swap")) == set(SPACES) - {"c1", "g5", "d3"}
    assert set(offered(state, "swap", "a1")) == set(SPACES) - {"c1", "g5", "d3", "a1"}
    assert offered(state, "swap", "g5") == []
    state = play(table({"c1": "swap"}), "enter c").state
    assert play(state, "swap b3 e5").state == play(state, "swap e5 b3").state


def test_a_swap_and_a_spy_have_to_be_carried_out():
    assert offered(play(table({"c1": "swap"}), "enter c").state) == ["swap"]
    assert offered(play(table({"c1": "spy"}), "enter c").state) == ["spy"]


def test_a_universal_shock_bounces_the_other_bunny_once():
    state = shock_phase({"d4": "stop"}, "d3")
    assert offered(state) == ["shock", "pass"]
    assert offered(state, "shock") == list(DIRECTIONS)
    step = play(state, "shock up")
    assert step.state.bunnies == ("a1", "d4")
    assert step.state.shocks == (2, 3)
    assert told(step) == ["Red spends a shock on Blue: d3 → d4 (Stop)."]
    assert step.events[0].detail == Bounce(1, 0, "d3", (Landing("d4", "stop", "up"),))
    assert now(step.state) == (1, "move", 1)


def test_passing_ends_the_turn_and_costs_nothing():
    step = play(shock_phase({}, "d3"), "pass")
    assert step.state.shocks == (3, 3)
    assert now(step.state) == (1, "move", 1)


def test_only_directions_that_exist_can_be_shocked():
    cards = {"c1": "stop", "c2": "empty", "c3": "empty", "c4": "empty", "c5": "empty"}
    state = table({**cards, "a1": "stop"}, carrots=[2, 2], bunnies=["a1", "c1"], phase="shock")
    assert offered(state, "shock") == ["left", "right"]


def test_a_card_turned_up_by_a_universal_shock_acts_at_once_for_its_owner_and_may_win():
    assert play(shock_phase({"d4": "carrot"}, "d3"), "shock up").state.carrots == (0, 1)
    assert play(shock_phase({"d4": "bonus"}, "d3", shocks=[3, 1]), "shock up").state.shocks == (2, 2)
    assert play(shock_phase({"d4": "right", "e4": "stop"}, "d3"), "shock up").state.bunnies == ("a1", "e4")
    state = play(shock_phase({"d4": "carrot"}, "d3", carrots=[1, 2]), "shock up").state
    assert GAME.outcome(state) == Outcome((1,), "Three carrots!")


def test_after_a_universal_shock_onto_a_swap_its_owner_chooses_first_in_the_spenders_turn():
    state = play(shock_phase({"d4": "swap", "b3": "left", "e5": "down"}, "d3"), "shock up").state
    assert now(state) == (0, "swap", 1)
    assert GAME.to_act(state) == (1,)
    assert GAME.choices(state, 0) == []
    step = play(state, "swap b3 e5")
    assert told(step) == ["Blue swaps b3 and e5."]
    assert now(step.state) == (1, "move", 1)


def test_after_a_universal_shock_onto_a_spy_its_owner_looks_first():
    state = play(shock_phase({"d4": "spy", "b3": "left"}, "d3"), "shock up").state
    assert now(state) == (0, "spy", 1)
    step = play(state, "spy b3")
    assert step.events[1].private_to == 1
    assert GAME.view(step.state, 1).known == ("b3", "left")
    assert GAME.view(step.state, 0).known is None
    assert now(step.state) == (1, "move", 1)


def test_without_a_bunny_to_shock_or_a_universal_shock_the_phase_is_skipped():
    assert now(play(table({"c1": "stop"}), "enter c").state) == (1, "move", 1)
    state = table({"c1": "stop", "g5": "stop"}, bunnies=[None, "g5"], shocks=[0, 3])
    assert now(play(state, "enter c").state) == (1, "move", 1)


def test_after_a_swap_or_a_spy_in_the_action_phase_comes_the_shock_phase():
    cards = {"c1": "swap", "g5": "stop", "d1": "spy"}
    state = table(cards, bunnies=[None, "g5"])
    assert now(play(state, "enter c", "swap a1 b1").state) == (0, "shock", 0)
    assert now(play(state, "enter d", "spy a1").state) == (0, "shock", 0)


def test_a_stop_that_a_universal_shock_turned_up_lies_face_down_in_the_next_turn():
    state = play(shock_phase({"d4": "stop"}, "d3"), "shock up").state
    assert dict(GAME.view(state).field)["d4"] == "hidden"


def test_whoever_is_away_spends_no_universal_shock():
    assert passive_action(GAME, shock_phase({}, "d3"), 0, random.Random(1)) == ("pass",)
