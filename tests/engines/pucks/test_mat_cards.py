"""The game changer cards that move mats: which mats may be named, where they may go, and what rides along."""

import pytest

from engines.pucks.board.views import CardPlayed, MatsMoved
from tests.engines.pucks.drawing import PUCKS, by_name, drawn, events, legal, offered, play, scored
from tests.engines.pucks.tables import places_of_mats, small, turns_of_mats


def test_a_shift_lays_a_mat_elsewhere_with_everything_on_it():
    state = small("shift", pieces={"red p1": "c4", "blue m1": "c16", "red m1": "e1"})
    after = play(state, "play shift c east-of f")
    assert places_of_mats(after)["c"] == (3, 1)
    assert turns_of_mats(after) == turns_of_mats(state)
    assert by_name(after) == by_name(state)
    assert PUCKS.view(after).pieces[1].point == (15, 4)
    assert (after.discard, after.hands[0], after.taken) == (("shift",), (), 1)


def test_a_shift_is_told_with_how_the_mat_lay_before_and_lies_now():
    card, shift = events(small("shift"), "play shift c east-of f")
    assert card.detail == CardPlayed("shift", quick=False)
    assert isinstance(shift.detail, MatsMoved)
    assert ([mat.at for mat in shift.detail.before], [mat.at for mat in shift.detail.after]) == ([(2, 0)], [(3, 1)])
    assert [card.text, shift.text] == ["Red plays Board Shift.", "Red moves mat c to the right of mat f."]


def test_a_mat_is_shifted_only_from_an_open_side_to_another_place_with_all_mats_connected():
    assert offered(small("shift"), "play shift") == list("abcdfghi")
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift"], []], action_rule=2)
    assert offered(state, "play shift") == ["a", "c"], "without b between them, a and c would lie apart"
    assert not legal(state, "play shift b north-of a")
    assert legal(state, "play shift a north-of b")
    state = drawn("", ["B B"], pieces={"red p1": "a1"}, hands=[["shift"], []])
    assert not legal(state, "play shift a west-of b")
    assert legal(state, "play shift a east-of b")


def test_a_mat_may_be_shifted_to_every_free_place_beside_another_mat_and_nowhere_else():
    state = small("shift")
    names = {
        (relation, other) for relation in offered(state, "play shift a") for other in offered(state, f"play shift a {relation}")
    }
    assert names == {
        ("north-of", "b"), ("north-of", "c"), ("east-of", "c"), ("east-of", "f"), ("east-of", "i"), ("south-of", "i"),
        ("south-of", "h"), ("south-of", "g"), ("west-of", "g"), ("west-of", "d"),
    }  # fmt: skip


def test_an_illegal_layout_is_allowed_for_a_while_if_another_shift_and_an_action_are_left():
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "shift"], []], action_rule=2)
    broken = play(state, "play shift b north-of a")
    assert not broken.whole
    assert not PUCKS.view(broken).whole
    assert offered(broken) == ["play"], "no piece can be moved, and the turn cannot end"
    mended = play(broken, "play shift c east-of b")
    assert (mended.whole, mended.table.settled, mended.to_move) == (True, None, 1)


@pytest.mark.parametrize(("hand", "actions", "possible"), [
    (["shift"], 3, False), (["shift", "shift"], 1, False), (["shift", "shift"], 2, True), (["shift", "mix"], 2, True),
    (["shift", "swap", "twist"], 3, False), (["shift", "shift", "extra"], 1, False),
])  # fmt: skip
def test_it_depends_on_the_cards_and_actions_that_are_left(hand, actions, possible):
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[hand, []], action_rule=actions)
    assert legal(state, "play shift b north-of a") == possible


def test_while_the_layout_is_illegal_nothing_may_be_done_that_takes_away_the_repair():
    state = drawn(
        "",
        ["B B B"],
        pieces={"red p1": "a1", "blue p1": "b1"},
        scored=["blue p2"],
        hands=[
            ["shift", "shift", "twist", "swap", "faceoff", "review", "take-1", "take-2", "take-4", "borrow", "u-turn"],
            ["u-turn"],
        ],
        action_rule=3,
        discard=["extra"],
    )
    broken = play(state, "play shift b north-of a")
    assert offered(broken, "play") == ["shift", "twist", "swap", "take-2", "take-4", "borrow"]
    assert offered(broken, "blue: play") == []
    later = play(broken, "play twist a 90")
    assert offered(later, "play") == ["shift", "take-4"], "the last action has to be the repair"
    assert legal(later, "play shift b west-of c")
    assert not legal(later, "play shift a west-of b"), "this would repair nothing"


def test_cards_can_be_played_while_mats_are_being_moved():
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "shift", "extra", "twist"], []], action_rule=2)
    after = play(state, "play shift b north-of a", "play extra", "play twist a 180", "play shift b west-of c")
    assert (after.whole, after.discard) == (True, ("shift", "extra", "twist", "shift"))


def test_a_mix_shifts_up_to_three_mats_one_after_the_other_for_one_action_and_then_ends():
    after = play(small("mix"), "play mix c east-of f a west-of g i north-of b done")
    assert {letter: places_of_mats(after)[letter] for letter in "cai"} == {"c": (3, 1), "a": (-1, 2), "i": (1, -1)}
    assert (after.taken, after.discard) == (1, ("mix",))
    state = small("mix")
    assert offered(state, "play mix c east-of f a west-of g i north-of b") == ["done"]
    assert offered(state, "play mix c east-of f a west-of g i north-of b done") == []


@pytest.mark.parametrize("shifts", ["c east-of f", "c east-of f a west-of g"])
def test_a_mix_may_end_after_one_or_two_shifts_but_not_before(shifts):
    assert legal(small("mix"), f"play mix {shifts} done")
    assert not legal(small("mix"), f"play mix {shifts}")
    assert not legal(small("mix"), "play mix done")


def test_a_mat_may_lie_illegally_between_two_shifts_of_a_mix_to_free_another():
    # e cannot be moved before f is; f goes away and leaves i hanging on h only.
    state = small("mix")
    assert "e" not in offered(state, "play mix")
    assert "e" in offered(state, "play mix f east-of c")
    row = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["mix"], []])
    assert "done" not in offered(row, "play mix b north-of a")
    assert legal(row, "play mix b north-of a c east-of b done")


def test_the_last_shift_of_a_mix_must_leave_all_mats_together_and_can_repair_a_layout():
    row = drawn("", ["B B B B"], pieces={"red p1": "a1"}, hands=[["mix"], []])
    first_two = "play mix b north-of a d north-of c"
    assert offered(row, first_two) == ["a", "b", "c", "d"]
    assert legal(row, f"{first_two} d west-of c done"), "d joins a to c"
    assert not legal(row, f"{first_two} a west-of c done"), "b would lie alone"
    assert offered(row, f"{first_two} a west-of") == ["d"]
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "mix"], []], action_rule=2)
    broken = play(state, "play shift b north-of a")
    assert play(broken, "play mix c east-of b a east-of c done").whole


def test_two_movable_mats_change_places_and_keep_their_turns():
    state = small("swap", pieces={"red p1": "c4", "blue p1": "g1"})
    after = play(state, "play swap c g")
    assert (places_of_mats(after)["c"], places_of_mats(after)["g"]) == ((0, 2), (2, 0))
    assert turns_of_mats(after) == turns_of_mats(state)
    assert by_name(after) == by_name(state)


def test_a_mat_without_an_open_side_cannot_be_swapped():
    state = small("swap")
    assert "e" not in offered(state, "play swap")
    assert "e" not in offered(state, "play swap a")
    assert "a" not in offered(state, "play swap a")


@pytest.mark.parametrize(("degrees", "point"), [(90, (3, 0)), (180, (3, 3)), (270, (0, 3))])
def test_a_twist_turns_a_mat_clockwise_with_everything_on_it(degrees, point):
    state = small("twist", pieces={"red p1": "a1", "red p2": "e1"})
    after = play(state, f"play twist a {degrees}")
    assert turns_of_mats(after)["a"] == degrees
    assert PUCKS.view(after).pieces[0].point == point


def test_any_mat_can_be_turned_and_its_walls_turn_with_it():
    assert offered(small("twist"), "play twist") == list("abcdefghi")
    state = drawn("", ["Gs B"], pieces={"red p1": "a14", "red m1": "b16"}, hands=[["twist"], []], action_rule=2)
    after = play(state, "play twist a 90")
    assert PUCKS.view(after).pieces[1].point == (0, 1)
    assert offered(after, "p1") == ["up", "right", "down"]
    assert scored(play(after, "p1 right")) == ["red p1"]
