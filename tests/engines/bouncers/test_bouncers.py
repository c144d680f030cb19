"""The rules of Bouncers, sentence by sentence.

A position is written as the two sides' squares, kings with a K: ``on("c2 d4K", "e5")``.
"""

import json
import random
from collections import defaultdict

import pytest

from engines.bouncers import Bouncers, BouncersView, Path, Piece, State
from engines.chance import Fair
from engines.game import IllegalAction, IncompleteAction, MalformedAction, Outcome
from engines.text import Text

GAME = Bouncers()
RED, BLUE = 0, 1
CAPTURING = ("8x8-16", "8x8-12", "10x10-20")
TERMINAL = ("8x8-16-terminal", "8x8-12-terminal", "10x10-20-terminal")


def position(red, blue, to_move=RED, variant="8x8-16", **more):
    lists = {"red": [], "red_kings": [], "blue": [], "blue_kings": []}
    for colour, squares in (("red", red), ("blue", blue)):
        for square in squares.split():
            lists[colour + "_kings" if square.endswith("K") else colour].append(square.removesuffix("K"))
    return {"variant": variant, "to_move": to_move, **lists, **more}


def on(red, blue, to_move=RED, variant="8x8-16", **more) -> State:
    return GAME.from_position(position(red, blue, to_move, variant, **more))


def pieces(state):
    """Both sides' squares as `on` takes them."""
    sides = {RED: [], BLUE: []}
    for piece in GAME.view(state).pieces:
        sides[piece.seat].append(piece.square + "K" * piece.king)
    return " ".join(sides[RED]), " ".join(sides[BLUE])


def moves(state):
    """Every legal move, as it is written."""
    seat = state.to_move
    return {GAME.notate(state, seat, action) for action in GAME.legal_actions(state, seat)}


def moves_of(state, square):
    return {move for move in moves(state) if move.startswith(square)}


def go(state, *texts):
    """The state after moves of alternating sides."""
    for text in texts:
        state = GAME.play(state, state.to_move, GAME.parse(state, state.to_move, text)).state
    return state


# --- the board and its variants ---------------------------------------------------------------------------------------------


def test_red_moves_first_and_sits_at_the_bottom():
    state = GAME.start(2)
    assert GAME.to_act(state) == (RED,)
    assert {move[:2] for move in moves(state)} == {f"{file}2" for file in "abcdefgh"}


def test_turns_alternate():
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
    assert GAME.variants == (
        "8x8-16",
        "8x8-16-terminal",
        "8x8-12",
        "8x8-12-terminal",
        "10x10-20",
        "10x10-20-terminal",
    )
    assert GAME.start(2) == GAME.start(2, "8x8-16")


def test_the_game_is_for_two():
    with pytest.raises(ValueError, match="Bouncers is for 2 players, not 3"):
        GAME.start(3)
    with pytest.raises(ValueError, match="no variant 9x9"):
        GAME.start(2, "9x9")


# --- a counter's step -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behind", "move"),
    [("e4", "d4-c4"), ("c4", "d4-e4"), ("d3", "d4-d5"), ("e3", "d4-c5"), ("c3", "d4-e5")],
)
def test_a_red_counter_bounces_left_right_forward_and_diagonally_forward_off_what_is_behind_it(behind, move):
    # A red king as springboard does not care where it stands and can be told from the counter.
    assert moves_of(on(f"d4 {behind}K", "h8"), "d4") == {move}


@pytest.mark.parametrize(
    ("behind", "move"),
    [("e5", "d5-c5"), ("c5", "d5-e5"), ("d6", "d5-d4"), ("e6", "d5-c4"), ("c6", "d5-e4")],
)
def test_forward_for_blue_is_down(behind, move):
    assert moves_of(on("h1", f"d5 {behind}K", BLUE), "d5") == {move}


@pytest.mark.parametrize("ahead", ["c5", "d5", "e5"])
def test_a_counter_never_moves_backward(ahead):
    assert moves_of(on(f"d4 {ahead}K", "h8"), "d4") == set()


@pytest.mark.parametrize("red_and_blue", [("d4 d3", "h8"), ("d4 d3K", "h8"), ("d4", "d3 h8"), ("d4", "d3K h8")])
def test_a_springboard_may_be_a_counter_or_a_king_of_either_colour(red_and_blue):
    assert moves_of(on(*red_and_blue), "d4") == {"d4-d5"}


def test_a_counter_that_hangs_in_the_air_cannot_move():
    assert moves_of(on("d4 a2", "h8"), "d4") == set()


def test_a_springboard_must_be_directly_behind():
    assert moves_of(on("d4 d2", "h8"), "d4") == set()


def test_a_step_goes_to_an_empty_square():
    assert moves_of(on("d4 d3 d5", "h8"), "d4") == set()
    assert moves_of(on("d4 d3", "d5 h8"), "d4") == set()


def test_on_its_first_rank_a_counter_bounces_off_the_rim_in_the_three_forward_directions():
    assert moves(on("d1", "h8")) == {"d1-c2", "d1-d2", "d1-e2"}
    assert moves(on("a1", "d8", BLUE)) == {"d8-c7", "d8-d7", "d8-e7"}


def test_on_a_side_file_a_counter_bounces_off_the_rim_diagonally_forward_away_from_that_side():
    assert moves(on("a4", "d8")) == {"a4-b5"}
    assert moves(on("h4", "d8")) == {"h4-g5"}
    assert moves(on("d1", "a5", BLUE)) == {"a5-b4"}
    assert moves(on("d1", "h5", BLUE)) == {"h5-g4"}


def test_on_the_larger_board_the_side_file_is_j():
    assert moves(on("j4", "a10", variant="10x10-20")) == {"j4-i5"}
    assert moves(on("h4", "a10", variant="10x10-20")) == set()


def test_in_a_corner_both_kinds_of_rim_are_there():
    assert moves(on("a1", "h8")) == {"a1-a2", "a1-a2-b3", "a1-b2"}


def test_nothing_bounces_sideways_off_the_side_nor_straight_forward():
    # From a1 there would be b1, and from a4 there would be a5 and b4.
    assert "a1-b1" not in moves(on("a1", "h8"))
    assert moves(on("a4", "d8")) == {"a4-b5"}


# --- a king's step ----------------------------------------------------------------------------------------------------------


def test_a_king_steps_in_all_eight_directions_without_a_springboard_and_one_square_only():
    assert moves(on("d4K", "h8")) == {"d4-c5", "d4-d5", "d4-e5", "d4-c4", "d4-e4", "d4-c3", "d4-d3", "d4-e3"}
    assert moves(on("a1", "d4K", BLUE)) == {"d4-c5", "d4-d5", "d4-e5", "d4-c4", "d4-e4", "d4-c3", "d4-d3", "d4-e3"}


def test_a_king_stays_on_the_board_and_goes_to_empty_squares():
    assert moves_of(on("a1K a2", "b2 h8"), "a1") == {"a1-b1"}


# --- capture by approach ----------------------------------------------------------------------------------------------------


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


def test_kings_are_captured_like_counters():
    assert pieces(go(on("d4 d3", "d6K h8"), "d4 d5")) == ("d3 d5", "h8")


def test_only_an_enemy_is_captured():
    state = on("d4 d3 d6", "h8")
    assert pieces(go(state, "d4 d5")) == ("d3 d5 d6", "h8")


def test_enemies_beside_the_direction_or_further_off_are_safe():
    assert pieces(go(on("d4 d3", "c6 e6 c5 e5 d7 h8"), "d4 d5")) == ("d3 d5", "c5 e5 c6 e6 d7 h8")


def test_one_step_captures_one_piece_at_the_most():
    assert pieces(go(on("d4 d3", "d6 d7 d8"), "d4 d5")) == ("d3 d5", "d7 d8")


def test_capture_is_automatic():
    event = GAME.play(on("d4 d3", "d6 h8"), RED, ("d4", "d5")).events[0]
    assert event.detail == Path(("d4", "d5"), (("d6", BLUE, False),), promoted=False)


def test_nobody_is_obliged_to_choose_a_move_that_captures():
    assert {"d4xd5", "a1-a2"} <= moves(on("d4 d3 a1", "d6 h8"))


def test_later_steps_cannot_bounce_off_what_was_captured():
    # The last step, from e5 to d6, needs something on f4, which the first one captures if it is an enemy.
    assert "d4-e4-e5-d6" in moves(on("d4 c4 e3 f4", "h8"))
    enemy = moves(on("d4 c4 e3", "f4 h8"))
    assert "d4xe4-e5" in enemy
    assert "d4xe4-e5-d6" not in enemy


def test_a_captured_pieces_square_is_empty_at_once():
    assert "d4xe4-f4" in moves(on("d4K", "f4 h8"))


# --- a move -----------------------------------------------------------------------------------------------------------------


def test_a_counter_goes_on_as_long_as_it_can_and_may_stop_after_any_step():
    state = on("c1 c2", "h8")
    assert moves_of(state, "c1-b2") == {"c1-b2", "c1-b2-a2", "c1-b2-a2-b3", "c1-b2-a2-b3-a4", "c1-b2-a2-b3-a4-b5"}
    assert pieces(go(state, "c1 b2 a2")) == ("a2 c2", "h8")
    assert pieces(go(state, "c1 b2 a2 b3 a4 b5")) == ("c2 b5", "h8")


def test_a_counter_may_not_return_to_the_square_it_just_left():
    # d4 goes right to e4 off c4; f4 would be its springboard back to d4.
    state = on("c4 d4 f4", "h8")
    assert moves_of(state, "d4") == {"d4-e4"}
    # A counter that comes to e4 from e3 does go on to d4 off f4.
    assert "e3-e4-d4" in moves(on("e2 e3 f4", "h8"))


def test_a_counter_cannot_go_on_in_the_same_direction_for_the_square_behind_it_is_empty():
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


def test_a_counter_that_arrives_on_the_last_rank_is_promoted_and_its_move_ends():
    # The king on c8 would be a springboard for going on to e8.
    state = on("d7 d6 c8K h1", "h5")
    assert moves_of(state, "d7") == {"d7-d8"}
    assert pieces(go(state, "d7 d8")) == ("h1 d6 c8K d8K", "h5")
    step = GAME.play(state, RED, ("d7", "d8"))
    assert step.events[0].detail == Path(("d7", "d8"), (), promoted=True)
    assert step.events[0].text == "Red plays d7-d8. The counter becomes a king."


def test_blue_is_promoted_on_the_first_rank():
    assert pieces(go(on("h8K", "d2 d3", BLUE), "d2 d1")) == ("h8K", "d1K d3")


def test_a_new_king_moves_as_a_king_from_the_next_move_on():
    state = go(on("d7 d6 h1", "a5K"), "d7 d8", "a5 a4")
    assert {"d8-c7", "d8-d7", "d8-e7", "d8-c8", "d8-e8"} == moves_of(state, "d8")


def test_a_king_on_its_last_rank_goes_on_capturing():
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


# --- the end ----------------------------------------------------------------------------------------------------------------


def test_whoever_captures_every_enemy_piece_wins():
    state = go(on("d4 d3", "d6"), "d4xd5")
    assert GAME.outcome(state) == Outcome((RED,), "Red has captured every piece.")
    assert (GAME.to_act(state), GAME.may_act(state), GAME.choices(state, BLUE)) == ((), (), [])
    assert GAME.outcome(go(on("d3", "d5 d6", BLUE), "d5xd4")) == Outcome((BLUE,), "Blue has captured every piece.")


@pytest.mark.parametrize("variant", TERMINAL)
def test_in_a_terminal_variant_the_first_piece_on_the_last_rank_wins(variant):
    last = 10 if variant.startswith("10") else 8
    state = go(on(f"d{last - 1} d{last - 2}", f"h{last}", variant=variant), f"d{last - 1} d{last}")
    assert GAME.outcome(state) == Outcome((RED,), "Red has reached the last rank.")
    assert pieces(state) == (f"d{last - 2} d{last}", f"h{last}")
    state = go(on("a1", "d2 d3", BLUE, variant), "d2 d1")
    assert GAME.outcome(state) == Outcome((BLUE,), "Blue has reached the last rank.")
    assert pieces(state) == ("a1", "d1 d3")


@pytest.mark.parametrize("variant", TERMINAL)
def test_a_terminal_variant_can_be_won_by_capture_too(variant):
    assert GAME.outcome(go(on("d4 d3", "d6", variant=variant), "d4xd5")) == Outcome((RED,), "Red has captured every piece.")


@pytest.mark.parametrize("variant", CAPTURING)
def test_otherwise_the_last_rank_wins_nothing(variant):
    last = 10 if variant.startswith("10") else 8
    state = go(on(f"d{last - 1} d{last - 2}", f"h{last}", variant=variant), f"d{last - 1} d{last}")
    assert GAME.outcome(state) is None


def test_whoever_has_no_move_loses():
    state = go(on("d1", "d5"), "d1 d2")
    assert GAME.outcome(state) == Outcome((RED,), "Blue has no move left.")
    assert GAME.to_act(state) == ()
    assert GAME.outcome(on("d4", "d8")) == Outcome((BLUE,), "Red has no move left.")


def test_the_third_time_the_same_position_comes_with_the_same_side_to_move_is_a_draw():
    shuffle = ("a1-a2", "h8-h7", "a2-a1", "h7-h8")
    state = go(on("a1K", "h8K"), *shuffle, "a1-a2", "h8-h7", "a2-a1")
    assert GAME.outcome(state) is None
    state = go(state, "h7-h8")
    assert GAME.outcome(state) == Outcome((), "The same position has come for the third time.")
    assert GAME.to_act(state) == ()


def test_the_same_board_with_the_other_side_to_move_is_another_position():
    # Red comes back in three moves while Blue comes back in two, and then both in two.
    state = go(on("a1K", "h8K"), "a1-a2", "h8-h7", "a2-b1", "h7-h8", "b1-a1")
    assert state.to_move == BLUE
    state = go(state, "h8-h7", "a1-a2", "h7-h8", "a2-a1")
    assert pieces(state) == ("a1K", "h8K")
    assert GAME.outcome(state) is None
    assert [count for line, count in state.seen if line.startswith("7B/8/8/8/8/8/8/R7")] == [1, 2]


def test_counters_that_only_go_sideways_can_repeat_a_position():
    # Two red counters on a rank bounce off each other: d4 to the right off c4, and back to the left off f4.
    state = on("c4 d4 f4", "h8K")
    shuffle = ("d4-e4", "h8-h7", "e4-d4", "h7-h8")
    state = go(state, *shuffle, *shuffle)
    assert GAME.outcome(state) == Outcome((), "The same position has come for the third time.")
    assert state.quiet_plies == 1


def test_a_capture_or_a_counters_step_forward_forgets_the_positions_before():
    state = go(on("a1K d2 d1", "h8K c3"), "a1-a2", "h8-h7", "a2-a1", "h7-h8")
    assert sorted(count for _, count in state.seen) == [1, 1, 1, 2]
    assert [count for _, count in go(state, "d2-d3").seen] == [1]
    assert [count for _, count in go(state, "a1xb2").seen] == [1]


def test_fifty_moves_by_each_side_without_a_capture_or_a_counters_step_are_a_draw():
    files, there_and_back = "abcdefghij", (1, -1)
    snake = [f"{file}{rank}" for rank in range(1, 6) for file in files[:: there_and_back[rank % 2 == 0]]]
    above = [f"{square[0]}{int(square[1]) + 5}" for square in snake]
    state = on(f"{snake[0]}K", f"{above[0]}K", variant="10x10-20")
    walk = [*range(1, 50), 48]
    for number, place in enumerate(walk):
        assert GAME.outcome(state) is None
        before = walk[number - 1] if number else 0
        state = go(state, f"{snake[before]} {snake[place]}")
        assert GAME.outcome(state) is None
        state = go(state, f"{above[before]} {above[place]}")
    assert state.quiet_plies == 100
    assert GAME.outcome(state) == Outcome((), "Both sides have made 50 moves without a capture or a counter's step.")


def test_a_capture_and_a_counters_step_begin_the_count_anew():
    assert go(on("a1K", "h8K", quiet_plies=98), "a1-a2").quiet_plies == 99
    assert go(on("a1K", "h8K a4", quiet_plies=99), "a1-b2").quiet_plies == 100
    assert go(on("a1K", "h8K a3", quiet_plies=99), "a1xa2").quiet_plies == 0
    assert go(on("a1K d1", "h8K", quiet_plies=99), "d1-d2").quiet_plies == 0
    assert go(on("a1K c4 d4", "h8K", quiet_plies=99), "d4-e4").quiet_plies == 0


def test_a_win_comes_before_a_draw():
    # Blue's counter has no springboard once the king has left: the hundredth quiet move leaves Blue without a move.
    state = go(on("d6K", "d5", quiet_plies=99), "d6-c7")
    assert state.quiet_plies == 100
    assert GAME.outcome(state) == Outcome((RED,), "Blue has no move left.")


# --- resigning --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [RED, BLUE])
def test_who_resigns_loses_whoever_is_to_move(seat):
    name = ("Red", "Blue")[seat]
    step = GAME.withdraw(GAME.start(2), seat)
    assert GAME.outcome(step.state) == Outcome((1 - seat,), f"{name} has left the game.")
    assert (GAME.to_act(step.state), GAME.view(step.state).out) == ((), (seat,))
    assert [(event.kind, event.seat, event.text) for event in step.events] == [("withdraw", seat, f"{name} leaves the game.")]
    assert GAME.position(step.state)["resigned"] == seat
    assert GAME.from_position(GAME.position(step.state)) == step.state


def test_nobody_resigns_twice_or_after_the_end_or_from_a_seat_that_is_not_there():
    resigned = GAME.withdraw(GAME.start(2), RED).state
    for state, seat in ((resigned, RED), (resigned, BLUE), (go(on("d4 d3", "d6"), "d4xd5"), BLUE)):
        with pytest.raises(ValueError, match="The game is over"):
            GAME.withdraw(state, seat)
    with pytest.raises(ValueError, match="no seat 2"):
        GAME.withdraw(GAME.start(2), 2)


def test_whoever_is_away_makes_some_move():
    state = on("d4K", "h8")
    moves_made = {GAME.absent_action(state, RED, random.Random(number)) for number in range(100)}
    assert moves_made == set(GAME.legal_actions(state, RED))


# --- notation ---------------------------------------------------------------------------------------------------------------


def test_a_move_is_written_with_a_dash_for_a_step_and_an_x_for_a_step_that_captured():
    state = on("c2 c1 b3", "e5 h8")
    assert GAME.notate(state, RED, ("c2", "c3", "d3")) == "c2-c3-d3"
    assert GAME.notate(on("c2 c1 b2", "e5 h8"), RED, ("c2", "c3", "d4")) == "c2-c3xd4"
    assert GAME.notate(on("j4", "h6 a10", variant="10x10-20"), RED, ("j4", "i5")) == "j4xi5"


@pytest.mark.parametrize(
    "text",
    [
        "c2 c3 d4",
        "c2-c3xd4",
        "c2-c3-d4",
        "C2 C3 D4",
        "C2-c3Xd4",
        "  c2   c3  d4 ",
        "c2, c3, d4",
        "c2 - c3 x d4",
        "c2→c3→d4",
        "c2–c3×d4",
        "c2>c3>d4",
        "c2c3d4",
        "c2 c3 d4 stop",
        "c2-c3xd4 STOP",
    ],
)
def test_a_move_can_be_typed_in_many_ways(text):
    assert GAME.parse(GAME.start(2), RED, text) == ("c2", "c3", "d4")


def test_two_figures_of_a_rank_stay_together():
    state = GAME.start(2, "10x10-20")
    assert GAME.parse(state, BLUE, "j10-i9xh8") == GAME.parse(state, BLUE, "J10I9H8") == ("j10", "i9", "h8")


def test_stop_is_dropped_only_at_the_end():
    state = GAME.start(2)
    assert GAME.parse(state, RED, "c2 stop c3") == ("c2", "stop", "c3")
    assert GAME.parse(state, RED, "stop") == ()


def test_a_path_that_does_not_exist_has_no_notation():
    for state, seat, action in (
        (GAME.start(2), RED, ("c2", "c5")),
        (GAME.start(2), BLUE, ("c7", "c6")),
        (GAME.start(2), RED, ()),
    ):
        with pytest.raises(IllegalAction):
            GAME.notate(state, seat, action)


@pytest.mark.parametrize(
    ("text", "error", "index", "message"),
    [
        ("", IncompleteAction, 0, "There is something missing to begin with; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c2", IncompleteAction, 1, "There is something missing after c2; possible: b3, c3, d3."),
        ("hello", MalformedAction, 0, "“hello” is no word of this game; possible here: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c2 c3 ??", MalformedAction, 2, "“??” is no word of this game; possible here: b4, d4."),
        ("c2 stop c3", MalformedAction, 1, "“stop” is no word of this game; possible here: b3, c3, d3."),
        ("c22 c3", MalformedAction, 0, "“c22” is no word of this game; possible here: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("j2 j3", IllegalAction, 0, "“j2” is not possible now; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c1 c2", IllegalAction, 0, "“c1” is not possible now; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c7 c6", IllegalAction, 0, "“c7” is not possible now; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c4 c5", IllegalAction, 0, "“c4” is not possible now; possible: a2, b2, c2, d2, e2, f2, g2, h2."),
        ("c2 c4", IllegalAction, 1, "“c4” is not possible after c2; possible: b3, c3, d3."),
        ("c2-c3-c2", IllegalAction, 2, "“c2” is not possible after c2 c3; possible: b4, d4."),
        ("a2 b3 c3", IllegalAction, 2, "“c3” is not possible after a2 b3; possible: a4, b4."),
    ],
)
def test_a_move_typed_wrongly_says_which_word_is_wrong_and_what_is_possible(text, error, index, message):
    state = GAME.start(2)
    with pytest.raises(IllegalAction) as caught:
        GAME.play(state, RED, GAME.parse(state, RED, text))
    assert (type(caught.value), caught.value.index, str(caught.value)) == (error, index, message)


def test_a_path_that_has_come_to_its_end_says_so():
    state = on("d7 d6", "h5")
    with pytest.raises(IllegalAction, match="The action ends at d7 d8; “c8” is too much"):
        GAME.play(state, RED, ("d7", "d8", "c8"))


def test_who_is_not_to_move_is_told():
    with pytest.raises(IllegalAction, match="Blue cannot act now") as caught:
        GAME.play(GAME.start(2), BLUE, ("c7", "c6"))
    assert (caught.value.index, caught.value.possible) == (0, ())


def test_choices_say_in_words_what_a_step_does():
    def labels(state, *prefix):
        return {choice.token: (choice.label, choice.final) for choice in GAME.choices(state, state.to_move, prefix)}

    state = on("d4 d3K b7 b6", "d6 h8")
    assert labels(state) == {"d4": ("d4", False), "d3": ("d3, king", False), "b7": ("b7", False)}
    assert labels(state, "d4") == {"d5": ("d5, capturing d6", True)}
    assert labels(state, "b7") == {"b8": ("b8, becoming a king", True)}
    assert labels(on("b7 b6", "h8", variant="8x8-16-terminal"), "b7") == {"b8": ("b8, winning", True)}
    assert labels(state, "d4", "d6") == labels(state, "zzz") == labels(state, "h8") == {}


# --- what is told and shown -------------------------------------------------------------------------------------------------


def test_a_move_is_one_event_with_its_path():
    step = GAME.play(on("c2 c1 b2", "e5K h8"), RED, ("c2", "c3", "d4"))
    assert [(event.kind, event.seat, event.private_to) for event in step.events] == [("move", RED, None)]
    assert step.events[0].text == "Red plays c2-c3xd4. One piece is captured."
    assert step.events[0].detail == Path(("c2", "c3", "d4"), (("e5", BLUE, True),), promoted=False)


def test_the_event_is_told_with_the_players_name():
    event = GAME.play(GAME.start(2), RED, ("c2", "c3")).events[0]
    assert isinstance(event.text, Text)
    assert event.text.render(name={RED: "Ann"}.get) == "Ann plays c2-c3."


def test_a_view_shows_the_whole_board_to_everybody():
    state = on("d4K c2", "h8", BLUE)
    expected = BouncersView(
        variant="8x8-16",
        seats=2,
        seat=None,
        to_act=(BLUE,),
        scores=("2", "1"),
        size=8,
        pieces=(Piece("c2", RED, king=False), Piece("d4", RED, king=True), Piece("h8", BLUE, king=False)),
    )
    assert GAME.view(state) == expected
    assert {GAME.view(state, seat).pieces for seat in (None, RED, BLUE)} == {expected.pieces}


def test_the_board_in_words_names_every_piece_and_who_is_to_move():
    assert GAME.describe(GAME.view(on("d4K c2 c1", "h8", BLUE))).splitlines() == [
        "Bouncers, 8×8, 16 pieces each.",
        "Red, moving up: 2 counters on c1, c2; 1 king on d4.",
        "Blue, moving down: 1 counter on h8.",
        "Blue is to move.",
    ]


def test_the_board_in_words_says_how_a_game_ended():
    won = GAME.describe(GAME.view(go(on("d4 d3", "d6"), "d4xd5"))).splitlines()
    assert won[2:] == ["Blue, moving down: nothing left.", "Red has captured every piece. Red wins."]
    drawn = GAME.describe(GAME.view(on("d4K", "h8K", quiet_plies=100))).splitlines()
    assert drawn[3] == "Both sides have made 50 moves without a capture or a counter's step. The game is drawn."


# --- positions as JSON ------------------------------------------------------------------------------------------------------


def test_a_position_is_plain_json():
    state = go(on("a1K c2 c1", "h8K b8"), "a1-a2")
    written = GAME.position(state)
    assert written == {
        "variant": "8x8-16",
        "to_move": 1,
        "red": ["c1", "c2"],
        "red_kings": ["a2"],
        "blue": ["b8"],
        "blue_kings": ["h8"],
        "quiet_plies": 1,
        "seen": {"1b5B/8/8/8/8/8/2r5/R1r5 0": 1, "1b5B/8/8/8/8/8/R1r5/2r5 1": 1},
    }
    assert GAME.from_position(json.loads(json.dumps(written))) == state


def test_quiet_plies_and_positions_seen_may_be_left_out():
    written = GAME.position(GAME.start(2, "10x10-20"))
    del written["quiet_plies"], written["seen"]
    assert GAME.from_position(written) == GAME.start(2, "10x10-20")


def test_a_position_remembers_what_the_draw_rules_need():
    shuffle = ("a1-a2", "h8-h7", "a2-a1", "h7-h8")
    state = GAME.from_position(GAME.position(go(on("a1K", "h8K"), *shuffle)))
    assert GAME.outcome(go(state, *shuffle)) == Outcome((), "The same position has come for the third time.")


def test_a_position_carries_its_stream_only_when_asked_to():
    chance = Fair(bytes(range(32)), 7)
    state = GAME.start(2, chance=chance)
    assert "chance" not in GAME.position(state)
    assert GAME.from_position(GAME.position(state, secret=True)).chance == chance
    assert GAME.from_position(GAME.position(state), chance).chance == chance
    assert GAME.from_position(GAME.position(state)) == state


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "9x9"}, "There is no variant “9x9”."),
        ({"variant": None}, "There is no variant “None”."),
        ({"to_move": 2}, "“to_move” must be a whole number from 0 to 1."),
        ({"to_move": True}, "“to_move” must be a whole number from 0 to 1."),
        ({"red": "c2"}, "“red” must be a list of squares."),
        ({"red": None}, "“red” must be a list of squares."),
        ({"red": ["j10"]}, "There is no square “j10” on this board."),
        ({"red": [7]}, "There is no square “7” on this board."),
        ({"red": ["c2", "c2"]}, "Two pieces stand on c2."),
        ({"red": ["e5"]}, "Two pieces stand on e5."),
        ({"red_kings": ["c2"]}, "Two pieces stand on c2."),
        ({"red": [], "blue": []}, "There is no piece on the board."),
        ({"red": ["c8"]}, "Red's piece on c8 must be a king."),
        ({"blue": ["c1"]}, "Blue's piece on c1 must be a king."),
        ({"variant": "8x8-16-terminal", "red_kings": ["c3"]}, "There are no kings in this variant."),
        ({"variant": "8x8-16-terminal", "red": ["c8"], "blue": ["c1"]}, "Both sides have reached the last rank."),
        ({"quiet_plies": -1}, "“quiet_plies” must be a whole number from 0 to 100."),
        ({"quiet_plies": "3"}, "“quiet_plies” must be a whole number from 0 to 100."),
        ({"seen": ["8/8"]}, "“seen” must give a number for each position."),
        ({"seen": {"nonsense": 1}}, "“nonsense” in “seen” is no position."),
        ({"seen": {"8/8/8/8/8/8/8/R7 0": 3}}, "“8/8/8/8/8/8/8/R7 0” cannot have been seen 3 times."),
        ({"resigned": 2}, "“resigned” must be a whole number from 0 to 1."),
        ({"red_king": ["c3"]}, "A position has no “red_king”."),
    ],
)
def test_a_position_that_cannot_be_says_what_is_wrong(change, message):
    with pytest.raises(ValueError) as caught:
        GAME.from_position(position("c2", "e5") | change)
    assert str(caught.value) == message


def test_a_list_that_is_missing_is_asked_for():
    written = position("c2", "e5")
    del written["red"]
    with pytest.raises(ValueError, match="“red” must be a list of squares"):
        GAME.from_position(written)
