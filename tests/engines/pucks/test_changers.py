"""The draw and action cards, and the game changers for pieces, cards and ongoing effects: what may be named, what they do."""

import pytest

from engines.pucks.board.views import PiecePlaced, PucksSwapped
from tests.engines.pucks.drawing import PUCKS, SMALL, assert_board, by_name, drawn, events, offered, play, scored, told
from tests.engines.pucks.tables import small, turns_of_mats


@pytest.mark.parametrize("number", [2, 3, 4])
def test_a_draw_card_costs_an_action_and_counts_from_the_next_players_turn_on(number):
    state = small(f"draw-{number}", draw_pile=["swap", "twist", "shift", "extra", "sweep"], action_rule=1)
    after = play(state, f"play draw-{number}")
    assert (after.to_move, PUCKS.view(after).phase.value) == (1, "draw")
    assert (after.table.draw_rule, after.edge) == (number, (f"draw-{number}", "take-1")[:1])
    assert len(play(after, "draw").hands[1]) == number


def test_a_draw_card_replaces_the_one_in_force_and_only_the_first_action_card_replaces_none():
    after = play(small("draw-2", draw_rule=4), "play draw-2")
    assert (after.table.draw_rule, after.discard) == (2, ("draw-4",))
    assert "draw-4" not in after.edge
    after = play(small("take-3", "swap", action_rule=1), "play take-3")
    assert (after.edge, after.discard) == (("take-3",), ())


@pytest.mark.parametrize("number", range(1, 7))
def test_an_action_card_costs_nothing_and_counts_at_once(number):
    state = small(f"take-{number}", "swap", action_rule=2)
    after = play(state, f"play take-{number}")
    assert (after.taken, after.allowed, after.table.action_rule) == (0, number, number)
    assert (after.edge, after.discard) == ((f"take-{number}",), ("take-2",))


def test_fewer_actions_than_are_taken_end_the_turn_but_an_action_card_may_add_some():
    state = play(small("take-1", action_rule=3), "p1 up", "p1 left")
    after = play(state, "play take-1")
    assert (after.to_move, after.phase.value) == (1, "draw")
    state = play(small("take-2", action_rule=1), "p1 up")
    assert offered(state) == ["play", "end"]
    after = play(state, "play take-2")
    assert (after.to_move, after.taken, after.allowed) == (0, 1, 2)


def test_game_changers_are_no_use_in_other_players_turns():
    state = small(hands=[[], ["take-3", "draw-2", "shift", "thin-ice"]])
    assert offered(state, "blue: play") == []
    assert PUCKS.may_act(state) == (0,)


def test_borrowed_pieces_may_be_moved_until_the_end_of_the_turn():
    state = small("borrow", pieces={"red p1": "e1", "blue m1": "e16", "blue p1": "a1"}, draw_pile=["swap", "whistle"])
    after = play(state, "play borrow blue")
    assert offered(after) == ["p1", "blue"]
    assert offered(after, "blue") == ["m1", "p1"]
    moved = play(after, "blue m1 right")
    assert by_name(moved)["blue m1"] == "f16"
    over = play(moved, "p1 right", "draw")
    assert (over.to_move, over.table.borrowed) == (1, ())
    assert offered(over) == ["m1", "p1"]


def test_borrowed_pieces_of_two_players_may_be_moved_and_their_pucks_count_for_their_owners():
    state = drawn("", SMALL, seats=3, hands=[["borrow", "borrow"], [], []], action_rule=4,
                  pieces={"red p1": "e1", "blue p1": "e4", "green p1": "e16"})  # fmt: skip
    after = play(state, "play borrow green")
    assert offered(after, "play borrow") == ["blue"]
    assert offered(play(after, "play borrow blue")) == ["p1", "green", "blue"]
    state = drawn("", ["Gs"], pieces={"red p1": "a16", "blue p1": "a14"}, hands=[["borrow"], []], action_rule=2)
    assert scored(play(state, "play borrow blue", "blue p1 up")) == ["blue p1"]


def test_nobody_can_borrow_their_own_pieces_or_those_of_a_player_who_left():
    state = drawn("", SMALL, seats=3, hands=[["borrow"], [], []], out=[2], pieces={"red p1": "e1", "green p1": "a1"})
    assert offered(state, "play borrow") == ["blue"]


def test_second_wind_takes_any_card_of_the_discard_pile_if_there_is_one():
    state = small("salvage", discard=["whistle", "shift", "whistle", "take-3"])
    assert offered(state, "play salvage") == ["take-3", "whistle", "shift"]
    after = play(state, "play salvage whistle")
    assert (after.hands[0], after.discard) == (("whistle",), ("whistle", "shift", "take-3", "salvage"))
    after = play(small("twist", "salvage"), "play twist a 90", "play salvage twist", "play twist a 90")
    assert turns_of_mats(after)["a"] == 180
    assert "play" not in offered(small("salvage"))


def test_a_face_off_lets_any_two_pucks_on_the_board_change_places():
    state = small("faceoff", pieces={"red p1": "a1", "red p2": "b9", "blue p3": "c4", "red m1": "e1"}, scored=["blue p1"])
    assert offered(state, "play faceoff") == ["red", "blue"]
    assert offered(state, "play faceoff red") == ["p1", "p2"]
    assert offered(state, "play faceoff red p1") == ["red", "blue"]
    assert offered(state, "play faceoff red p1 red") == ["p2"]
    assert offered(state, "play faceoff red p1 blue") == ["p3"]
    after = play(state, "play faceoff red p1 blue p3")
    assert by_name(after) == {"red p1": "c4", "red p2": "b9", "blue p3": "a1", "red m1": "e1"}
    event = events(state, "play faceoff red p1 blue p3")[1]
    assert isinstance(event.detail, PucksSwapped)
    assert event.detail.points == ((0, 0), (11, 0))


def test_a_face_off_needs_two_pucks():
    assert "play" not in offered(small("faceoff", pieces={"red p1": "a1", "red i1": "e1"}))


def test_a_video_review_puts_a_scored_puck_of_an_opponent_back_on_a_start_space():
    state = small("review", pieces={"red p1": "e1", "blue p1": "c3"}, scored=["red p2", "blue p3", "blue p4"])
    assert offered(state, "play review") == ["blue"]
    spaces = offered(state, "play review blue")
    assert spaces == ["a1", "a4", "a13", "a16", "e4", "e13", "e16", "g3", "i1", "i4", "i13", "i16"], "c3 and e1 are taken"
    after = play(state, "play review blue g3")
    assert (by_name(after)["blue p3"], scored(after)) == ("g3", ["red p2", "blue p4"])
    event = events(state, "play review blue g3")[1]
    assert isinstance(event.detail, PiecePlaced)
    assert (event.detail.piece.name, event.detail.space, event.detail.point) == ("blue p3", "g3", (1, 11))


def test_a_video_review_needs_an_opponent_who_has_scored_and_its_puck_no_longer_counts():
    assert "play" not in offered(small("review", scored=["red p2"]))
    left = drawn("", SMALL, seats=3, out=[1], scored=["blue p1"], hands=[["review"], [], []], pieces={"red p1": "e1"})
    assert "play" not in offered(left)
    state = small("review", scored=["blue p1", "blue p2", "blue p3"])
    after = play(state, "play review blue a1")
    assert PUCKS.view(after).scores == ("0 of 4", "2 of 4")


def test_on_thin_ice_an_ice_block_even_a_borrowed_one_slides_when_moved_and_sets_pucks_sliding():
    state = drawn("ri1 . . bp1  . . . .", hands=[["thin-ice"], []], action_rule=2)
    after = play(state, "play thin-ice", "i1 right")
    assert_board(after, ". . ri1 .  . . . bp1")
    assert (after.edge, after.discard) == (("take-2", "thin-ice"), ())
    state = drawn("bi1 . . .", ongoing="thin-ice", hands=[["borrow"], []], action_rule=2, pieces={"red p1": "a16"})
    assert by_name(play(state, "play borrow blue", "blue i1 right"))["blue i1"] == "a4"


def test_in_slush_each_slide_of_a_chain_covers_four_spaces_and_does_not_hit_the_fifth():
    state = drawn("rp1 . . .  . . . .", hands=[["slush"], []], action_rule=2)
    assert_board(play(state, "play slush", "p1 right"), ". . . .  rp1 . . .")
    fifth = drawn("rp1 . . .  . bp1 . .", ongoing="slush")
    assert_board(play(fifth, "p1 right"), ". . . .  rp1 bp1 . .")
    fourth = drawn("rp1 . . .  bp1 . . .", ongoing="slush")
    assert_board(play(fourth, "p1 right"), ". . . rp1  . . . bp1")
    state = drawn("rm1 rp1 . bp1  . . . .  . . . .", ongoing="slush")
    assert_board(play(state, "m1 right"), ". rm1 rp1 .  . . . bp1  . . . .")
    bumped = drawn("rm1 bi1 . .  . . . .", ongoing="slush")
    assert_board(play(bumped, "m1 right"), ". rm1 . .  . bi1 . .")


def test_net_off_closes_one_goal_to_all_pieces():
    state = drawn(
        "", ["Gs Gs"], pieces={"red p1": "a14", "red p2": "b14", "red m1": "a7"}, hands=[["net-off"], []], action_rule=3
    )
    assert offered(state, "play net-off") == ["a", "b"]
    after = play(state, "play net-off a")
    assert by_name(play(after, "p1 up"))["red p1"] == "a6"
    assert "up" not in offered(after, "m1")
    assert scored(play(after, "p2 up")) == ["red p2"]


def test_net_off_closes_only_goals_but_lets_pieces_out_and_across():
    state = drawn("", ["Gs"], pieces={"red m1": "a2"}, ongoing="net-off", net_off="a")
    assert offered(state, "m1") == ["right", "down"]
    assert offered(small("net-off"), "play net-off") == ["b", "d", "f", "h"]


@pytest.mark.parametrize("first", ["thin-ice", "slush", "net-off b"])
@pytest.mark.parametrize("second", ["thin-ice", "slush", "net-off d"])
def test_a_new_ongoing_card_replaces_the_old_one(first, second):
    one, two = first.split()[0], second.split()[0]
    if one == two:
        return
    state = play(small(one, two), f"play {first}", f"play {second}")
    assert (state.table.ongoing, state.table.net_off) == (two, "d" if two == "net-off" else None)
    assert (state.edge, state.discard) == (("take-3", two), (one,))


def test_cards_are_told_to_all_in_a_sentence():
    assert told(small("slush"), "play slush") == ["Red plays Slush: from now on, slides end after 4 spaces."]
    assert told(small("borrow"), "play borrow blue")[1] == "Red may move Blue’s pieces too this turn."
