"""The cards of Bounce Bunny Bounce and how they are dealt, how a Bunny bounces, enters, and bumps the other one."""

from collections import Counter

import pytest

from engines.bunny import Bounce, Landing
from engines.bunny.field import SHUFFLED, SPACES, all_carrots_within_reach, card_on, deal, next_card
from engines.chance import Fair
from engines.game import legal_actions
from tests.engines.bunny.cards import GAME, field, now, offered, play, shock_phase, table, told


def test_the_field_has_5_rows_of_7_and_30_shuffled_cards():
    assert Counter(SHUFFLED) == {"left": 5, "right": 5, "up": 5, "down": 5, "stop": 5, "spy": 2, "swap": 2, "bonus": 1}
    assert len(SPACES) == 35
    assert (SPACES[0], SPACES[6], SPACES[7], SPACES[34]) == ("a1", "g1", "a2", "g5")


def test_five_carrots_lie_face_up_in_rows_2_to_5_and_the_rest_face_down():
    for seed in range(20):
        state = GAME.start(2, chance=Fair(bytes([seed]) * 32))
        carrots = {space for space in SPACES if card_on(state.field, space) == "carrot"}
        assert len(carrots) == 5
        assert state.face_up == carrots
        assert {space[1] for space in carrots} <= set("2345")
        assert Counter(state.field) == {**Counter(SHUFFLED), "carrot": 5}


def test_each_of_the_two_players_begins_with_a_bunny_off_the_field_and_3_universal_shocks():
    state = GAME.start(2)
    assert (state.bunnies, state.shocks, state.carrots) == ((None, None), (3, 3), (0, 0))
    assert GAME.to_act(GAME.start(2)) == (1,)
    for seats in (1, 3):
        with pytest.raises(ValueError):
            GAME.start(seats)


def test_a_deal_in_which_not_all_carrots_are_within_reach_is_shuffled_again():
    for seed in range(20):
        assert all_carrots_within_reach(deal(Fair(bytes([seed]) * 32))[0])
    assert not all_carrots_within_reach(walled_in("down"))
    assert all_carrots_within_reach(walled_in("up"))
    assert all_carrots_within_reach(walled_in("stop"))


def walled_in(gate: str) -> tuple[str, ...]:
    """A Carrot on d3 among shocks that lead away from it on three sides, with this card below it on d2."""
    walls = {"c3": "left", "e3": "right", "d4": "up", "d3": "carrot", "d1": "stop", "c2": "stop", "e2": "stop"}
    return tuple(field({**walls, "d2": gate}).values())


@pytest.mark.parametrize(
    ("start", "direction", "end"),
    [
        ("c3", "left", "b3"),
        ("c3", "right", "d3"),
        ("c3", "up", "c4"),
        ("c3", "down", "c2"),
        ("a3", "left", "g3"),
        ("g3", "right", "a3"),
        ("c5", "up", "c1"),
        ("c1", "down", "c5"),
    ],
)
def test_off_one_edge_means_on_at_the_opposite_edge_of_the_same_line(start, direction, end):
    state = table({start: "stop", end: "stop"}, bunnies=[start, None])
    step = play(state, direction)
    assert step.state.bunnies == (end, None)
    wrapped = start[0] in "ag" or start[1] in "15"
    assert step.events[0].detail == Bounce(0, 0, start, (Landing(end, "stop", direction, wrapped),))


def test_empty_spaces_are_passed_over_until_the_next_card_also_round_the_edge():
    cards = {"c3": "stop", "d3": "empty", "e3": "empty", "f3": "stop"}
    assert play(table(cards, carrots=[1, 1], bunnies=["c3", None]), "right").state.bunnies[0] == "f3"
    cards = {"f3": "stop", "g3": "empty", "a3": "empty", "b3": "stop"}
    step = play(table(cards, carrots=[1, 1], bunnies=["f3", None]), "right")
    assert step.events[0].detail.landings == (Landing("b3", "stop", "right", wrapped=True),)


LONELY = {"c1": "stop", "c2": "empty", "c3": "empty", "c4": "empty", "c5": "empty", "b1": "stop", "d1": "stop"}


def test_a_direction_exists_if_its_line_has_another_card():
    state = table(LONELY, carrots=[2, 2], bunnies=["c1", None])
    assert offered(state) == ["left", "right"]
    assert [shortcut.action for shortcut in GAME.shortcuts(GAME.view(state))] == [("left",), ("right",)]
    state = table(LONELY, carrots=[2, 2], bunnies=["c3", None])
    assert next_card(state.field, "c3", "up") == "c1"
    assert next_card(state.field, "c3", "down") == "c1"


def test_a_shock_that_points_where_no_direction_exists_is_a_loop():
    cards = {**LONELY, "c1": "up"}
    step = play(table(cards, carrots=[2, 2], bunnies=["b1", None]), "right")
    assert step.state.bunnies == (None, None)
    assert step.events[0].detail.looped
    assert step.events[0].detail.back_to == "c1"


def test_a_bunny_on_the_field_bounces_once():
    state = table({"c3": "stop"}, bunnies=["c3", None])
    assert list(legal_actions(GAME, state, 0)) == [("left",), ("right",), ("up",), ("down",)]


def test_a_bunny_off_the_field_enters_on_any_card_of_row_1():
    state = table({})
    assert list(legal_actions(GAME, state, 0)) == [("enter", column) for column in "abcdefg"]
    assert play(table({"c1": "stop"}), "enter c").state.bunnies == ("c1", None)


def test_a_bunny_enters_only_on_a_card_in_row_1_without_the_other_bunny():
    state = table({"c1": "stop"}, bunnies=[None, "c1"])
    assert offered(state, "enter") == ["a", "b", "d", "e", "f", "g"]
    state = table({"c1": "empty"}, carrots=[1, 0])
    assert offered(state, "enter") == ["a", "b", "d", "e", "f", "g"]
    cards = {"a1": "empty", "b1": "empty", "c1": "empty", "d1": "empty", "e1": "stop"}
    assert offered(table(cards, carrots=[2, 2], bunnies=[None, "e1"]), "enter") == ["f", "g"]
    step = play(table({"c1": "carrot"}), "enter c")
    assert step.state.carrots == (1, 0)
    assert step.state.bunnies == ("c1", None)


def test_a_bunny_that_moves_onto_the_other_puts_it_out_and_the_card_acts_for_it():
    state = table({"c3": "stop", "d3": "bonus"}, bunnies=["c3", "d3"], shocks=[1, 1], face_up=["d3"])
    step = play(state, "right")
    assert step.state.bunnies == ("d3", None)
    assert step.state.shocks == (2, 1)
    assert told(step) == ["Red hops c3 → d3 (Bonus Shock).", "Red bumps Blue off the field.", "Red gets a shock and has 2 now."]
    assert now(step.state) == (1, "move", 1)


def test_a_shock_card_may_lead_to_a_bump_and_the_bumped_bunny_enters_again():
    step = play(table({"c1": "right", "d1": "stop"}, bunnies=[None, "d1"]), "enter c")
    assert step.state.bunnies == ("d1", None)
    assert step.events[0].detail.landings[1] == Landing("d1", "stop", "right", bumped=True)
    state = play(table({"c3": "stop", "d3": "stop"}, bunnies=["c3", "d3"]), "right").state
    assert offered(state) == ["enter"]


def test_a_universal_shock_onto_the_spenders_own_bunny_bumps_that():
    state = shock_phase({}, "b1")
    step = play(state, "shock left")
    assert step.state.bunnies == (None, "a1")
    assert told(step) == ["Red spends a shock on Blue: b1 → a1 (Stop).", "Blue bumps Red off the field."]
    assert now(step.state) == (1, "move", 1)


def test_a_bunny_on_an_empty_space_is_passed_over_and_not_bumped():
    cards = {"c3": "stop", "d3": "empty", "e3": "stop"}
    step = play(table(cards, carrots=[0, 1], bunnies=["c3", "d3"]), "right")
    assert step.state.bunnies == ("e3", "d3")


def test_a_chain_that_leads_to_the_other_bunny_ends_on_its_card_which_acts():
    # A Bunny never rests on a shock, so wherever the other one is, the chain stops.
    state = table({"c1": "right", "d1": "up", "d2": "swap"}, bunnies=[None, "d2"], face_up=["d2"])
    step = play(state, "enter c")
    assert step.state.bunnies == ("d2", None)
    assert now(step.state) == (0, "swap", 0)
    assert now(play(step.state, "swap a1 b1").state) == (1, "move", 1)
