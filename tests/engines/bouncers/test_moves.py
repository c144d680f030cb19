"""How the pieces of Bouncers stand, step, capture and move, sentence by sentence."""

from collections import defaultdict

import pytest

from engines.bouncers import Path
from tests.engines.bouncers.squares import BLUE, GAME, RED, go, moves, moves_of, on, pieces


def test_red_moves_first_and_turns_alternate():
    state = GAME.start(2)
    assert GAME.to_act(state) == (RED,)
    assert {move[:2] for move in moves(state)} == {f"{file}2" for file in "abcdefgh"}
    state = go(GAME.start(2), "c2-c3")
    assert GAME.to_act(state) == (BLUE,)
    assert GAME.choices(state, RED) == []
    assert GAME.to_act(go(state, "c7-c6")) == (RED,)


@pytest.mark.parametrize(
    ("variant", "red", "blue"),
    [
        ("8x8-16", "a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2", "a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8 f8 g8 h8"),
        ("8x8-12", "a1 c1 e1 g1 b2 d2 f2 h2 a3 c3 e3 g3", "b6 d6 f6 h6 a7 c7 e7 g7 b8 d8 f8 h8"),
        (
            "10x10-20",
            "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 a2 b2 c2 d2 e2 f2 g2 h2 i2 j2",
            "a9 b9 c9 d9 e9 f9 g9 h9 i9 j9 a10 b10 c10 d10 e10 f10 g10 h10 i10 j10",
        ),
    ],
)
def test_each_variant_begins_with_its_own_array(variant, red, blue):
    for each in (variant, f"{variant}-terminal"):
        state = GAME.start(2, each)
        assert pieces(state) == (red, blue)
        assert GAME.view(state).scores == (str(len(red.split())), str(len(blue.split())))


def test_the_first_variant_is_eight_by_eight_with_sixteen_pieces():
    assert GAME.variants == ("8x8-16", "8x8-16-terminal", "8x8-12", "8x8-12-terminal", "10x10-20", "10x10-20-terminal")
    assert GAME.start(2) == GAME.start(2, "8x8-16")


def test_the_game_is_for_two():
    with pytest.raises(ValueError, match="Bouncers is for 2 players, not 3"):
        GAME.start(3)
    with pytest.raises(ValueError, match="no variant 9x9"):
        GAME.start(2, "9x9")


@pytest.mark.parametrize(
    ("behind", "move"), [("e4", "d4-c4"), ("c4", "d4-e4"), ("d3", "d4-d5"), ("e3", "d4-c5"), ("c3", "d4-e5")]
)
def test_a_red_counter_bounces_left_right_forward_and_diagonally_forward_off_what_is_behind_it(behind, move):
    # A red king as springboard does not care where it stands and can be told from the counter.
    assert moves_of(on(f"d4 {behind}K", "h8"), "d4") == {move}


@pytest.mark.parametrize(
    ("behind", "move"), [("e5", "d5-c5"), ("c5", "d5-e5"), ("d6", "d5-d4"), ("e6", "d5-c4"), ("c6", "d5-e4")]
)
def test_forward_for_blue_is_down(behind, move):
    assert moves_of(on("h1", f"d5 {behind}K", BLUE), "d5") == {move}


@pytest.mark.parametrize("ahead", ["c5", "d5", "e5"])
def test_a_counter_never_moves_backward(ahead):
    assert moves_of(on(f"d4 {ahead}K", "h8"), "d4") == set()


@pytest.mark.parametrize("red_and_blue", [("d4 d3", "h8"), ("d4 d3K", "h8"), ("d4", "d3 h8"), ("d4", "d3K h8")])
def test_a_springboard_may_be_a_counter_or_a_king_of_either_colour(red_and_blue):
    assert moves_of(on(*red_and_blue), "d4") == {"d4-d5"}


def test_a_counter_needs_a_springboard_directly_behind_it_and_an_empty_square():
    assert moves_of(on("d4 a2", "h8"), "d4") == set()
    assert moves_of(on("d4 d2", "h8"), "d4") == set()
    assert moves_of(on("d4 d3 d5", "h8"), "d4") == set()
    assert moves_of(on("d4 d3", "d5 h8"), "d4") == set()


def test_on_its_first_rank_a_counter_bounces_off_the_rim_in_the_three_forward_directions():
    assert moves(on("d1", "h8")) == {"d1-c2", "d1-d2", "d1-e2"}
    assert moves(on("a1", "d8", BLUE)) == {"d8-c7", "d8-d7", "d8-e7"}


def test_on_a_side_file_and_in_a_corner_a_counter_bounces_off_the_rim_diagonally_forward():
    assert moves(on("a4", "d8")) == {"a4-b5"}
    assert moves(on("h4", "d8")) == {"h4-g5"}
    assert moves(on("d1", "a5", BLUE)) == {"a5-b4"}
    assert moves(on("d1", "h5", BLUE)) == {"h5-g4"}
    assert moves(on("j4", "a10", variant="10x10-20")) == {"j4-i5"}
    assert moves(on("h4", "a10", variant="10x10-20")) == set()
    assert moves(on("a1", "h8")) == {"a1-a2", "a1-a2-b3", "a1-b2"}


def test_nothing_bounces_sideways_off_the_side_nor_straight_forward():
    # From a1 there would be b1, and from a4 there would be a5 and b4.
    assert "a1-b1" not in moves(on("a1", "h8"))
    assert moves(on("a4", "d8")) == {"a4-b5"}


def test_a_king_steps_in_all_eight_directions_one_square_only_onto_empty_squares_of_the_board():
    assert moves(on("d4K", "h8")) == {"d4-c5", "d4-d5", "d4-e5", "d4-c4", "d4-e4", "d4-c3", "d4-d3", "d4-e3"}
    assert moves(on("a1", "d4K", BLUE)) == {"d4-c5", "d4-d5", "d4-e5", "d4-c4", "d4-e4", "d4-c3", "d4-d3", "d4-e3"}
    assert moves_of(on("a1K a2", "b2 h8"), "a1") == {"a1-b1"}


def test_a_step_captures_the_enemy_on_the_very_next_square_in_its_direction():
    state = on("d4 d3K", "d6 h8")
    assert moves_of(state, "d4") == {"d4xd5"}
    assert pieces(go(state, "d4 d5")) == ("d3K d5", "h8")


@pytest.mark.parametrize(
    ("behind", "enemy", "move"),
    [("e4", "b4", "d4xc4"), ("c4", "f4", "d4xe4"), ("d3", "d6", "d4xd5"), ("e3", "b6", "d4xc5"), ("c3", "f6", "d4xe5")],
)
def test_a_counter_captures_in_each_of_its_directions(behind, enemy, move):
    assert move in moves(on(f"d4 {behind}K", f"{enemy} h8"))


@pytest.mark.parametrize("enemy", ["b6", "d6", "f6", "b4", "f4", "b2", "d2", "f2"])
def test_a_king_captures_in_all_eight_directions(enemy):
    to = f"{chr((ord(enemy[0]) + ord('d')) // 2)}{(int(enemy[1]) + 4) // 2}"
    state = on("d4K", f"{enemy} h8")
    assert {move for move in moves(state) if "x" in move and move.count("-") == 0} == {f"d4x{to}"}
    assert pieces(go(state, f"d4 {to}")) == (f"{to}K", "h8")


def test_only_one_enemy_on_the_very_next_square_is_captured_counter_or_king():
    assert pieces(go(on("d4 d3", "d6K h8"), "d4 d5")) == ("d3 d5", "h8")
    state = on("d4 d3 d6", "h8")
    assert pieces(go(state, "d4 d5")) == ("d3 d5 d6", "h8")
    assert pieces(go(on("d4 d3", "c6 e6 c5 e5 d7 h8"), "d4 d5")) == ("d3 d5", "c5 e5 c6 e6 d7 h8")
    assert pieces(go(on("d4 d3", "d6 d7 d8"), "d4 d5")) == ("d3 d5", "d7 d8")


def test_capture_is_automatic_but_nobody_has_to_choose_a_move_that_captures():
    event = GAME.play(on("d4 d3", "d6 h8"), RED, ("d4", "d5")).events[0]
    assert event.detail == Path(("d4", "d5"), (("d6", BLUE, False),), promoted=False)
    assert {"d4xd5", "a1-a2"} <= moves(on("d4 d3 a1", "d6 h8"))


def test_a_captured_piece_is_gone_at_once_so_later_steps_cannot_bounce_off_it():
    # The last step, from e5 to d6, needs something on f4, which the first one captures if it is an enemy.
    assert "d4-e4-e5-d6" in moves(on("d4 c4 e3 f4", "h8"))
    enemy = moves(on("d4 c4 e3", "f4 h8"))
    assert "d4xe4-e5" in enemy
    assert "d4xe4-e5-d6" not in enemy
    assert "d4xe4-f4" in moves(on("d4K", "f4 h8"))


def test_a_counter_goes_on_as_long_as_it_can_and_may_stop_after_any_step():
    state = on("c1 c2", "h8")
    assert moves_of(state, "c1-b2") == {"c1-b2", "c1-b2-a2", "c1-b2-a2-b3", "c1-b2-a2-b3-a4", "c1-b2-a2-b3-a4-b5"}
    assert pieces(go(state, "c1 b2 a2")) == ("a2 c2", "h8")
    assert pieces(go(state, "c1 b2 a2 b3 a4 b5")) == ("c2 b5", "h8")


def test_a_counter_may_neither_return_to_the_square_it_just_left_nor_go_on_in_the_same_direction():
    # d4 goes right to e4 off c4; f4 would be its springboard back to d4.
    state = on("c4 d4 f4", "h8")
    assert moves_of(state, "d4") == {"d4-e4"}
    # A counter that comes to e4 from e3 does go on to d4 off f4.
    assert "e3-e4-d4" in moves(on("e2 e3 f4", "h8"))
    assert moves_of(on("d1 d2", "h8K"), "d2") == {"d2-d3"}


def test_a_king_goes_on_only_after_a_step_that_captured_and_need_not():
    state = on("d4K", "d6 h8K")
    assert "d4xd5" in moves(state)
    assert {move for move in moves(state) if move.count("-") > 1} == set()
    after = {"d5-c6", "d5-d6", "d5-e6", "d5-c5", "d5-e5", "d5-c4", "d5-d4", "d5-e4"}
    assert moves_of(state, "d4xd5") == {"d4xd5"} | {f"d4x{step}" for step in after}
    assert {move for move in moves(state) if not move.startswith("d4xd5")} == {
        "d4-c5",
        "d4-e5",
        "d4-c4",
        "d4-e4",
        "d4-c3",
        "d4-d3",
        "d4-e3",
    }


def test_a_king_captures_on_and_on():
    state = on("d4K", "d6 f5 g3 h8")
    assert "d4xd5xe5xf4-g3" in moves(state)
    assert pieces(go(state, "d4xd5xe5xf4")) == ("f4K", "h8")


def test_a_kings_bonus_step_may_go_back_and_over_squares_visited_before():
    state = on("d4K", "d6 d2 h8")
    assert "d4xd5-d4" in moves(state)
    # d4xd5, back to d4 (no capture: d3 is empty), and that is the end of it.
    assert "d4xd5-d4xd3" not in moves(state)
    # With an enemy on d3 the way back captures, and the king may even set out again.
    assert {"d4xd5xd4", "d4xd5xd4-d5", "d4xd5xd4-d3"} <= moves(on("d4K", "d6 d3 h8"))


def test_a_counter_that_arrives_on_its_last_rank_is_promoted_and_its_move_ends():
    # The king on c8 would be a springboard for going on to e8.
    state = on("d7 d6 c8K h1", "h5")
    assert moves_of(state, "d7") == {"d7-d8"}
    assert pieces(go(state, "d7 d8")) == ("h1 d6 c8K d8K", "h5")
    step = GAME.play(state, RED, ("d7", "d8"))
    assert step.events[0].detail == Path(("d7", "d8"), (), promoted=True)
    assert step.events[0].text == "Red bounces d7 → d8 and makes a king."
    assert pieces(go(on("h8K", "d2 d3", BLUE), "d2 d1")) == ("h8K", "d1K d3")


def test_a_new_king_moves_as_a_king_from_the_next_move_on_and_goes_on_capturing_on_its_last_rank():
    state = go(on("d7 d6 h1", "a5K"), "d7 d8", "a5 a4")
    assert {"d8-c7", "d8-d7", "d8-e7", "d8-c8", "d8-e8"} == moves_of(state, "d8")
    assert "d8xe8-f8" in moves(on("d8K", "f8 h2"))


def test_a_move_ends_when_the_last_enemy_piece_is_captured():
    assert moves_of(on("d4K", "d6"), "d4xd5") == {"d4xd5"}
    assert moves_of(on("b4 b3 a5", "b6"), "b4xb5") == {"b4xb5"}
    assert "b4xb5-c5" in moves(on("b4 b3 a5", "b6 h8"))


def test_two_paths_over_different_squares_are_two_moves_even_with_the_same_result():
    state = GAME.start(2)
    results = defaultdict(set)
    for action in GAME.legal_actions(state, RED):
        results[GAME.play(state, RED, action).state].add(GAME.notate(state, RED, action))
    assert {"d2-c3-c4", "d2-d3-c4"} <= {move for moves in results.values() for move in moves if len(moves) > 1}
