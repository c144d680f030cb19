"""The rules of Bounce Bunny Bounce, sentence by sentence.

A test names the cards that matter; the rest of the deck lies face down on the other spaces.
"""

import random
from collections import Counter

import pytest

from engines.bunny import Bounce, Bunny, BunnyState, Landing, Spied, Swapped
from engines.bunny.field import CARROTS, DIRECTIONS, SHUFFLED, SPACES, all_carrots_within_reach, card_on, deal, next_card
from engines.chance import Fair
from engines.game import IllegalAction, IncompleteAction, MalformedAction, Outcome, Step

GAME = Bunny()


def field(cards: dict[str, str], taken: int = 0) -> dict[str, str]:
    """A whole field: the given cards, and the others of the deck on the other spaces, Carrots and empty spaces at the top."""
    rest = Counter({**Counter(SHUFFLED), "carrot": CARROTS - taken, "empty": taken})
    rest.subtract(cards.values())
    assert min(rest.values()) >= 0, "more cards than there are"
    order = [card for card in ("carrot", "empty", *dict.fromkeys(SHUFFLED)) for _ in range(rest[card])]
    free = [space for space in reversed(SPACES) if space not in cards]
    filled = {**cards, **dict(zip(free, order, strict=True))}
    return {space: filled[space] for space in SPACES}


def position(cards: dict[str, str], **changes):
    carrots = changes.get("carrots", [0, 0])
    turn = changes.get("turn", 0)
    return {
        "field": field(cards, sum(carrots)),
        "face_up": [],
        "bunnies": [None, None],
        "shocks": [3, 3],
        "carrots": carrots,
        "to_act": turn,
        "phase": "move",
        "turn": turn,
        "quiet_turns": 0,
        **changes,
    }


def table(cards: dict[str, str], **changes) -> BunnyState:
    """Seat 0 (Red) is to move unless `changes` say otherwise."""
    return GAME.from_position(position(cards, **changes))


def play(state: BunnyState, *actions: str) -> Step[BunnyState]:
    """Play actions one after the other, each by whoever must choose; the last step."""
    for action in actions:
        (seat,) = GAME.to_act(state)
        step = GAME.play(state, seat, tuple(action.split()))
        state = step.state
    return step


def offered(state: BunnyState, *prefix: str) -> list[str]:
    (seat,) = GAME.to_act(state)
    return [choice.token for choice in GAME.choices(state, seat, prefix)]


def told(step: Step[BunnyState]) -> list[str]:
    return [event.text for event in step.events]


def now(state: BunnyState) -> tuple[int, str, int]:
    """Whose turn it is, what there is to do, and who must do it."""
    return state.turn, state.phase, state.to_choose


# --- cards and setup ---------------------------------------------------------------------------------------------------


def test_the_deck_without_universal_shocks_bunnies_and_carrots_has_30_cards():
    assert Counter(SHUFFLED) == {"left": 5, "right": 5, "up": 5, "down": 5, "stop": 5, "spy": 2, "swap": 2, "bonus": 1}


def test_the_field_has_5_rows_of_7_and_a1_is_the_bottom_left():
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


def test_each_player_has_a_bunny_off_the_field_and_3_universal_shocks():
    state = GAME.start(2)
    assert (state.bunnies, state.shocks, state.carrots) == ((None, None), (3, 3), (0, 0))


def test_seat_1_begins():
    assert GAME.to_act(GAME.start(2)) == (1,)


def test_the_game_is_for_two():
    for seats in (1, 3):
        with pytest.raises(ValueError):
            GAME.start(seats)


def test_a_deal_in_which_not_all_carrots_are_within_reach_is_shuffled_again():
    for seed in range(20):
        assert all_carrots_within_reach(deal(Fair(bytes([seed]) * 32))[0])


def walled_in(gate: str) -> tuple[str, ...]:
    """A Carrot on d3 among shocks that lead away from it on three sides, with this card below it on d2."""
    walls = {"c3": "left", "e3": "right", "d4": "up", "d3": "carrot", "d1": "stop", "c2": "stop", "e2": "stop"}
    return tuple(field({**walls, "d2": gate}).values())


def test_a_carrot_that_all_shocks_around_lead_away_from_is_not_within_reach():
    assert not all_carrots_within_reach(walled_in("down"))
    assert all_carrots_within_reach(walled_in("up"))
    assert all_carrots_within_reach(walled_in("stop"))


# --- going one bounce in a direction -----------------------------------------------------------------------------------


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


def test_spaces_whose_carrot_has_been_taken_are_passed_over_until_the_next_card():
    cards = {"c3": "stop", "d3": "empty", "e3": "empty", "f3": "stop"}
    assert play(table(cards, carrots=[1, 1], bunnies=["c3", None]), "right").state.bunnies[0] == "f3"


def test_passing_over_goes_round_the_edge_too():
    cards = {"f3": "stop", "g3": "empty", "a3": "empty", "b3": "stop"}
    step = play(table(cards, carrots=[1, 1], bunnies=["f3", None]), "right")
    assert step.events[0].detail.landings == (Landing("b3", "stop", "right", wrapped=True),)


LONELY = {"c1": "stop", "c2": "empty", "c3": "empty", "c4": "empty", "c5": "empty", "b1": "stop", "d1": "stop"}


def test_a_direction_with_no_other_card_in_its_line_does_not_exist():
    state = table(LONELY, carrots=[2, 2], bunnies=["c1", None])
    assert offered(state) == ["left", "right"]
    assert [shortcut.action for shortcut in GAME.shortcuts(GAME.view(state))] == [("left",), ("right",)]


def test_from_an_empty_space_the_only_card_of_the_line_is_another_card():
    state = table(LONELY, carrots=[2, 2], bunnies=["c3", None])
    assert next_card(state.field, "c3", "up") == "c1"
    assert next_card(state.field, "c3", "down") == "c1"


def test_a_shock_that_points_where_no_direction_exists_is_a_loop():
    cards = {**LONELY, "c1": "up"}
    step = play(table(cards, carrots=[2, 2], bunnies=["b1", None]), "right")
    assert step.state.bunnies == (None, None)
    assert step.events[0].detail.looped
    assert step.events[0].detail.back_to == "c1"


# --- movement ----------------------------------------------------------------------------------------------------------


def test_a_bunny_on_the_field_bounces_once():
    state = table({"c3": "stop"}, bunnies=["c3", None])
    assert list(GAME.legal_actions(state, 0)) == [("left",), ("right",), ("up",), ("down",)]


def test_a_bunny_off_the_field_enters_on_any_card_of_row_1():
    state = table({})
    assert list(GAME.legal_actions(state, 0)) == [("enter", column) for column in "abcdefg"]
    assert play(table({"c1": "stop"}), "enter c").state.bunnies == ("c1", None)


def test_it_may_not_enter_where_the_other_bunny_is():
    state = table({"c1": "stop"}, bunnies=[None, "c1"])
    assert offered(state, "enter") == ["a", "b", "d", "e", "f", "g"]


def test_it_may_not_enter_on_an_empty_space():
    state = table({"c1": "empty"}, carrots=[1, 0])
    assert offered(state, "enter") == ["a", "b", "d", "e", "f", "g"]


def test_there_is_an_entrance_even_if_four_spaces_of_row_1_are_empty_and_the_other_bunny_is_on_the_fifth():
    cards = {"a1": "empty", "b1": "empty", "c1": "empty", "d1": "empty", "e1": "stop"}
    assert offered(table(cards, carrots=[2, 2], bunnies=[None, "e1"]), "enter") == ["f", "g"]


def test_it_may_enter_on_a_carrot_that_was_swapped_into_row_1():
    step = play(table({"c1": "carrot"}), "enter c")
    assert step.state.carrots == (1, 0)
    assert step.state.bunnies == ("c1", None)


# --- action: shocks ----------------------------------------------------------------------------------------------------


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
    assert told(step) == ["Red enters: c1 (shock up) → c2 (shock right) → d2 (shock down) → d1 (shock right) → e1 (Stop)."]


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
    assert told(step)[1] == "The shocks go round and round: Red flies out of the field."
    assert now(step.state) == (1, "move", 1)


def test_who_was_put_out_by_a_loop_may_enter_again():
    state = play(table({"c1": "right", "d1": "left", "a1": "stop"}), "enter c", "enter a").state
    assert now(state) == (0, "move", 0)
    assert offered(state) == ["enter"]


def test_after_a_loop_the_turn_goes_on_with_the_shock_phase():
    state = play(table({"c1": "right", "d1": "left", "g5": "stop"}, bunnies=[None, "g5"]), "enter c").state
    assert state.bunnies == (None, "g5")
    assert now(state) == (0, "shock", 0)


# --- action: the other cards -------------------------------------------------------------------------------------------


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
    assert told(step) == ["Red bounces: d3 (Carrot).", "Red takes a Carrot: 1 of 3."]


def test_three_carrots_win_at_once():
    state = table({"c3": "stop", "d3": "carrot", "g5": "stop"}, carrots=[2, 0], bunnies=["c3", "g5"])
    state = play(state, "right").state
    assert GAME.outcome(state) == Outcome((0,), "Red has three Carrots.")
    assert GAME.to_act(state) == ()
    assert GAME.choices(state, 0) == GAME.choices(state, 1) == []
    assert GAME.from_position(GAME.position(state)) == state


def test_the_bonus_shock_gives_a_universal_shock_and_stays_face_up():
    step = play(table({"c1": "bonus"}, shocks=[1, 3]), "enter c")
    assert step.state.shocks == (2, 3)
    assert dict(GAME.view(step.state).field)["c1"] == "bonus"
    assert told(step)[1] == "Red gets a Universal Shock: now 2."


def test_the_bonus_shock_gives_no_fourth_universal_shock():
    step = play(table({"c1": "bonus"}), "enter c")
    assert step.state.shocks == (3, 3)
    assert told(step)[1] == "Red has 3 Universal Shocks already."


def test_the_bonus_shock_works_every_time():
    state = table({"c1": "bonus", "b1": "stop"}, shocks=[0, 0], bunnies=["b1", None], face_up=["c1"])
    assert play(state, "right").state.shocks == (1, 0)


def test_a_bonus_shock_can_be_spent_in_the_same_turn():
    state = table({"c1": "bonus", "g5": "stop"}, shocks=[0, 0], bunnies=[None, "g5"])
    assert now(play(state, "enter c").state) == (0, "shock", 0)


def test_a_spy_looks_at_one_card_alone_and_stays_face_up():
    state = play(table({"c1": "spy", "d2": "stop"}), "enter c").state
    assert now(state) == (0, "spy", 0)
    step = play(state, "spy d2")
    assert [(event.kind, event.private_to, event.text, event.detail) for event in step.events] == [
        ("spy", None, "Red’s Spy looks at d2.", Spied(0, "d2", None)),
        ("spied", 0, "Your Spy sees on d2: Stop.", Spied(0, "d2", "stop")),
    ]
    assert dict(GAME.view(step.state).field)["c1"] == "spy"
    for seat in (None, 0, 1):
        assert dict(GAME.view(step.state, seat).field)["d2"] == "hidden"


def test_a_spy_may_look_at_any_face_down_card_and_at_no_other():
    state = play(table({"c1": "spy", "d2": "stop", "b1": "swap"}, bunnies=[None, "d2"], face_up=["b1"]), "enter c").state
    carrots = {space for space in SPACES if card_on(state.field, space) == "carrot"}
    assert set(offered(state, "spy")) == set(SPACES) - carrots - {"b1", "c1"}
    assert "d2" in offered(state, "spy")


def test_a_spy_with_no_face_down_card_left_does_nothing():
    state = table({"c1": "spy"}, face_up=list(SPACES))
    assert now(play(state, "enter c").state) == (1, "move", 1)


def test_a_spy_works_again():
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


def test_carrots_can_be_swapped_even_into_row_1():
    state = play(table({"c1": "swap", "b3": "carrot", "e1": "left"}), "enter c", "swap e1 b3").state
    shown = dict(GAME.view(state).field)
    assert (shown["e1"], shown["b3"]) == ("carrot", "hidden")


def test_cards_under_a_bunny_and_empty_spaces_cannot_be_swapped():
    state = table({"c1": "swap", "g5": "stop", "d3": "empty"}, carrots=[1, 0], bunnies=[None, "g5"])
    state = play(state, "enter c").state
    assert set(offered(state, "swap")) == set(SPACES) - {"c1", "g5", "d3"}
    assert set(offered(state, "swap", "a1")) == set(SPACES) - {"c1", "g5", "d3", "a1"}
    assert offered(state, "swap", "g5") == []


def test_both_orders_of_a_swap_are_the_same():
    state = play(table({"c1": "swap"}), "enter c").state
    assert play(state, "swap b3 e5").state == play(state, "swap e5 b3").state


def test_a_swap_and_a_spy_have_to_be_carried_out():
    assert offered(play(table({"c1": "swap"}), "enter c").state) == ["swap"]
    assert offered(play(table({"c1": "spy"}), "enter c").state) == ["spy"]


# --- the shock phase ---------------------------------------------------------------------------------------------------


def shock_phase(cards: dict[str, str], other: str, **changes) -> BunnyState:
    """Red has entered on a Stop on a1; Blue's Bunny is on `other`."""
    return table({"a1": "stop", other: "stop", **cards}, bunnies=["a1", other], phase="shock", **changes)


def test_a_universal_shock_bounces_the_other_bunny_once():
    state = shock_phase({"d4": "stop"}, "d3")
    assert offered(state) == ["shock", "pass"]
    assert offered(state, "shock") == list(DIRECTIONS)
    step = play(state, "shock up")
    assert step.state.bunnies == ("a1", "d4")
    assert step.state.shocks == (2, 3)
    assert told(step) == ["Red spends a Universal Shock on Blue: d4 (Stop)."]
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


def test_what_it_lands_on_acts_at_once_for_its_owner():
    assert play(shock_phase({"d4": "carrot"}, "d3"), "shock up").state.carrots == (0, 1)
    assert play(shock_phase({"d4": "bonus"}, "d3", shocks=[3, 1]), "shock up").state.shocks == (2, 2)
    assert play(shock_phase({"d4": "right", "e4": "stop"}, "d3"), "shock up").state.bunnies == ("a1", "e4")


def test_a_third_carrot_wins_on_anybodys_turn():
    state = play(shock_phase({"d4": "carrot"}, "d3", carrots=[1, 2]), "shock up").state
    assert GAME.outcome(state) == Outcome((1,), "Blue has three Carrots.")


def test_a_swap_is_its_owners_to_choose_before_their_own_movement_and_the_turn_is_still_the_spenders():
    state = play(shock_phase({"d4": "swap", "b3": "left", "e5": "down"}, "d3"), "shock up").state
    assert now(state) == (0, "swap", 1)
    assert GAME.to_act(state) == (1,)
    assert GAME.choices(state, 0) == []
    step = play(state, "swap b3 e5")
    assert told(step) == ["Blue swaps b3 and e5."]
    assert now(step.state) == (1, "move", 1)


def test_a_spy_is_its_owners_too():
    state = play(shock_phase({"d4": "spy", "b3": "left"}, "d3"), "shock up").state
    assert now(state) == (0, "spy", 1)
    step = play(state, "spy b3")
    assert step.events[1].private_to == 1
    assert GAME.view(step.state, 1).known == ("b3", "left")
    assert GAME.view(step.state, 0).known is None
    assert now(step.state) == (1, "move", 1)


def test_without_a_bunny_to_bounce_the_phase_is_skipped():
    assert now(play(table({"c1": "stop"}), "enter c").state) == (1, "move", 1)


def test_without_a_universal_shock_the_phase_is_skipped():
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
    assert GAME.absent_action(shock_phase({}, "d3"), 0, random.Random(1)) == ("pass",)


# --- bumping -----------------------------------------------------------------------------------------------------------


def test_a_bunny_that_moves_onto_the_other_puts_it_out_and_the_card_acts_for_it():
    state = table({"c3": "stop", "d3": "bonus"}, bunnies=["c3", "d3"], shocks=[1, 1], face_up=["d3"])
    step = play(state, "right")
    assert step.state.bunnies == ("d3", None)
    assert step.state.shocks == (2, 1)
    assert told(step) == [
        "Red bounces: d3 (Bonus Shock).",
        "Red bumps Blue out of the field!",
        "Red gets a Universal Shock: now 2.",
    ]
    assert now(step.state) == (1, "move", 1)


def test_a_shock_card_may_lead_to_a_bump():
    step = play(table({"c1": "right", "d1": "stop"}, bunnies=[None, "d1"]), "enter c")
    assert step.state.bunnies == ("d1", None)
    assert step.events[0].detail.landings[1] == Landing("d1", "stop", "right", bumped=True)


def test_a_bumped_bunny_enters_again_from_row_1():
    state = play(table({"c3": "stop", "d3": "stop"}, bunnies=["c3", "d3"]), "right").state
    assert offered(state) == ["enter"]


def test_a_universal_shock_onto_the_spenders_own_bunny_puts_that_out():
    state = shock_phase({}, "b1")
    step = play(state, "shock left")
    assert step.state.bunnies == (None, "a1")
    assert told(step) == ["Red spends a Universal Shock on Blue: a1 (Stop).", "Blue bumps Red out of the field!"]
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


# --- the end -----------------------------------------------------------------------------------------------------------


def test_a_turn_without_a_carrot_is_counted_and_one_with_a_carrot_starts_the_count_again():
    state = table({"c1": "stop", "d3": "carrot"}, quiet_turns=7)
    assert play(state, "enter c").state.quiet_turns == 8
    state = table({"c3": "stop", "d3": "carrot", "g5": "stop"}, quiet_turns=7, bunnies=["c3", "g5"])
    state = play(state, "right").state
    assert state.carrot_taken
    assert play(state, "pass").state.quiet_turns == 0
    state = play(table({"c3": "stop", "d3": "carrot", "c1": "spy", "a1": "left"}, bunnies=["c3", None]), "right").state
    assert play(state, "enter c", "spy a1", "pass").state.quiet_turns == 1


def test_a_carrot_taken_by_a_universal_shock_starts_the_count_again():
    assert play(shock_phase({"d4": "carrot"}, "d3", quiet_turns=79), "shock up").state.quiet_turns == 0


@pytest.mark.parametrize(
    ("carrots", "outcome"),
    [
        ([2, 1], Outcome((0,), "80 turns without a Carrot; Red has more of them.")),
        ([1, 2], Outcome((1,), "80 turns without a Carrot; Blue has more of them.")),
        ([1, 1], Outcome((), "80 turns without a Carrot, and both have as many.")),
    ],
)
def test_after_80_turns_without_a_carrot_more_carrots_win_and_equal_is_a_draw(carrots, outcome):
    state = play(table({"c1": "stop"}, carrots=carrots, quiet_turns=78), "enter c").state
    assert GAME.outcome(state) is None
    state = table({"c1": "stop"}, carrots=carrots, quiet_turns=79)
    state = play(state, "enter c").state
    assert GAME.outcome(state) == outcome
    assert GAME.to_act(state) == ()


def test_who_leaves_loses():
    for seat in (0, 1):
        state = GAME.withdraw(GAME.start(2), seat).state
        assert GAME.outcome(state).winners == (1 - seat,)
        assert GAME.view(state).out == (seat,)
        assert GAME.from_position(GAME.position(state)) == state
        with pytest.raises(ValueError, match="over"):
            GAME.withdraw(state, 1 - seat)


# --- who knows what ----------------------------------------------------------------------------------------------------


def test_face_down_cards_are_hidden_from_both():
    state = GAME.start(2)
    for seat in (None, 0, 1):
        shown = [face for _, face in GAME.view(state, seat).field]
        assert Counter(shown) == {"hidden": 30, "carrot": 5}


def test_what_a_spy_saw_is_in_its_players_hand_until_the_next_movement():
    state = play(table({"c1": "spy", "d2": "stop", "a1": "stop"}), "enter c", "spy d2").state
    assert GAME.hand(GAME.view(state, 0)) == "Your Spy saw the card that lies on d2: Stop."
    assert GAME.hand(GAME.view(state, 1)) is None
    assert GAME.hand(GAME.view(state)) is None
    state = play(state, "enter a").state
    assert GAME.hand(GAME.view(state, 0)) is None


def test_a_card_that_a_spy_saw_is_followed_when_it_is_swapped_in_the_same_turn():
    cards = {"c1": "spy", "g3": "stop", "g4": "swap", "d2": "bonus", "e5": "left"}
    state = play(table(cards, bunnies=[None, "g3"]), "enter c", "spy d2", "shock up", "swap e5 d2").state
    assert GAME.view(state, 0).known == ("e5", "bonus")
    assert GAME.view(state, 1).known is None


def test_resampling_keeps_what_the_spy_saw_and_the_cards_under_bunnies():
    cards = {"c1": "spy", "g3": "stop", "d2": "bonus"}
    state = play(table(cards, bunnies=[None, "g3"]), "enter c", "spy d2").state
    for seed in range(10):
        chance = Fair(bytes([seed]) * 32)
        assert card_on(GAME.resample(state, 0, chance).field, "d2") == "bonus"
        assert card_on(GAME.resample(state, None, chance).field, "g3") == "stop"
    seen = {card_on(GAME.resample(state, 1, Fair(bytes([seed]) * 32)).field, "d2") for seed in range(30)}
    assert len(seen) > 3


def test_the_revealed_view_shows_every_card():
    state = GAME.start(2)
    assert GAME.revealed(state).field == tuple(zip(SPACES, state.field, strict=True))


def test_only_what_turned_nothing_up_can_be_taken_back():
    def reversible(state, action):
        return GAME.reversible(state, tuple(action.split()), play(state, action))

    cards = {"c3": "stop", "d3": "carrot", "b3": "spy", "c4": "swap", "c2": "up", "g5": "stop"}
    state = table(cards, bunnies=["c3", "g5"], face_up=["b3", "c4"])
    assert reversible(state, "right")
    assert reversible(state, "left")
    assert reversible(state, "up")
    assert not reversible(state, "down")
    assert not reversible(play(state, "left").state, "spy a1")
    assert reversible(play(state, "up").state, "swap a1 b1")
    assert reversible(play(state, "right").state, "pass")
    assert not reversible(play(state, "right").state, "shock up")


# --- what is typed, and what is shown ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("enter c", ("enter", "c")),
        ("LEFT", ("left",)),
        ("swap  b3 e5", ("swap", "b3", "e5")),
        ("spy d2", ("spy", "d2")),
        ("shock left", ("shock", "left")),
        ("pass", ("pass",)),
    ],
)
def test_actions_are_typed_as_they_are_written(text, tokens):
    state = GAME.start(2)
    assert GAME.parse(state, 1, text) == tokens
    assert GAME.parse(state, 1, GAME.notate(state, 1, tokens)) == tokens


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (("left",), IllegalAction, "“left” is not possible now; possible: enter."),
        (("enter", "c1"), IllegalAction, "“c1” is not possible after enter; possible: a, b, c, d, e, f, g."),
        (("enter",), IncompleteAction, "There is something missing after enter; possible: a, b, c, d, e, f, g."),
        (("?",), MalformedAction, "“?” is no word of this game; possible here: enter."),
        (("enter", "c", "d"), IllegalAction, "The action ends at enter c; “d” is too much."),
    ],
)
def test_an_action_that_cannot_be_is_refused_with_what_could(action, error, message):
    with pytest.raises(error) as raised:
        GAME.play(table({}), 0, action)
    assert raised.value.message == message


def test_nobody_acts_out_of_turn():
    with pytest.raises(IllegalAction, match="Blue cannot act now"):
        GAME.play(table({}), 1, ("enter", "a"))


def test_the_labels_say_where_a_bounce_leads_and_what_lies_there_face_up():
    state = table({"c3": "stop", "d3": "carrot", "b3": "left"}, bunnies=["c3", None])
    labels = [choice.label for choice in GAME.choices(state, 0)]
    assert labels == ["Left, to b3", "Right, to d3 (Carrot)", "Up, to c4", "Down, to c2"]


def test_the_shortcuts_are_the_directions_or_passing():
    def words(state):
        return [" ".join(shortcut.action) for shortcut in GAME.shortcuts(GAME.view(state))]

    assert words(GAME.start(2)) == []
    assert words(table({"c3": "stop"}, bunnies=["c3", None])) == ["left", "right", "up", "down"]
    assert words(shock_phase({}, "d3")) == ["pass"]
    assert words(GAME.withdraw(GAME.start(2), 0).state) == []


def test_the_board_in_words_says_all_that_can_be_seen():
    cards = {"a2": "carrot", "b2": "carrot", "c2": "carrot", "d2": "carrot", "c1": "spy", "e4": "empty", "f4": "stop"}
    state = table(cards, carrots=[1, 0], bunnies=["f4", None], shocks=[2, 3], face_up=["c1"], quiet_turns=40)
    assert GAME.describe(GAME.view(state)) == (
        "Carrot: a2, b2, c2, d2.\n"
        "Spy: c1.\n"
        "Empty spaces: e4.\n"
        "All other cards of the field, a1 to g5, lie face down.\n"
        "Red: Bunny on f4, Carrots 1, Universal Shocks 2.\n"
        "Blue: Bunny off the field, Carrots 0, Universal Shocks 3.\n"
        "40 turns in a row without a Carrot; at 80 the game ends.\n"
        "Red bounces left, right, up or down."
    )
    assert GAME.view(state).scores == ("1 of 3", "0 of 3")


# --- positions as JSON -------------------------------------------------------------------------------------------------


def test_a_position_is_read_as_it_is_written():
    written = position({"c1": "swap", "g5": "stop"}, bunnies=["c1", "g5"], phase="swap", face_up=["c1"])
    state = GAME.from_position(written)
    carrots = [space for space in SPACES if written["field"][space] == "carrot"]
    assert GAME.position(state) == {**written, "face_up": ["c1", *carrots]}


def test_a_position_carries_its_stream_only_when_asked_to():
    state = GAME.start(2, chance=Fair(b"k" * 32))
    assert "chance" not in GAME.position(state)
    assert GAME.from_position(GAME.position(state, secret=True)).chance == state.chance


def test_a_position_need_not_have_the_cards_of_a_real_game():
    stops = {**dict.fromkeys(SPACES, "stop"), "a1": "up", "c3": "empty"}
    state = GAME.from_position({**position({}), "field": stops, "bunnies": ["a1", "d3"]})
    assert offered(state) == ["left", "right", "up", "down"]
    assert GAME.position(play(state, "up").state)["bunnies"] == ["a2", "d3"]


CROSS = {space: "empty" if (space[0] == "d") is not (space[1] == "3") else "stop" for space in SPACES}
"""A field on which nothing but empty spaces lies in the row and the column of d3."""


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"field": {"a1": "left"}}, "“field” must say what lies on each of the 35 spaces a1 to g5."),
        ({"field": {**field({}), "a1": None}}, "On a1 lies no card: None."),
        ({"field": {**field({}), "a1": "wall"}}, "There is no card wall."),
        ({"field": {**field({}), **dict.fromkeys(SPACES[1:7], "empty")}}, "Row 1 must have a card for each Bunny."),
        ({"carrots": [4, 0]}, "“carrots” must be 0 to 3, not 4."),
        ({"shocks": [3]}, "“shocks” must have a value for each of the two seats, not [3]."),
        ({"shocks": [3, True]}, "“shocks” must be 0 to 3, not True."),
        ({"face_up": ["h9"]}, "“face_up” must list spaces that have a card, not ['h9']."),
        ({"bunnies": ["c9", None]}, "“bunnies” must have a space or null for each of the two seats, not ['c9', None]."),
        ({"field": field({"c1": "stop"}), "bunnies": ["c1", "c1"]}, "Both Bunnies cannot be on c1."),
        ({"field": field({"c3": "carrot"}), "bunnies": ["c3", None]}, "The Bunny of Red cannot rest on c3: a Carrot."),
        ({"field": CROSS, "bunnies": ["d3", None]}, "The Bunny of Red has nowhere to go from d3."),
        ({"phase": "sleep"}, "“phase” must be move, swap, spy or shock, not sleep."),
        ({"to_act": 1}, "It cannot be up to Blue in the phase “move” now."),
        ({"phase": "shock"}, "It cannot be up to Red in the phase “shock” now."),
        ({"phase": "swap"}, "It cannot be up to Red in the phase “swap” now."),
        ({"turn": 2}, "“turn” must be 0 to 1, not 2."),
        ({"quiet_turns": 81}, "“quiet_turns” must be 0 to 80, not 81."),
        ({"carrot_taken": 1}, "“carrot_taken” must be true or false, not 1."),
        ({"field": field({"c3": "carrot"}), "spied": ["c3", None]}, "The Spy of Red has no card to look at on c3."),
        (
            {"field": field({"a1": "stop", "b1": "stop"}), "bunnies": ["a1", "b1"], "phase": "shock", "quiet_turns": 80},
            "The game is over; its phase must be “move”.",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(ValueError) as raised:
        GAME.from_position({**position({}), **wrong})
    assert str(raised.value) == message
