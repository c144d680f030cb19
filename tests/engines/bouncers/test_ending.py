"""How a game of Bouncers ends: wins, draws, and a player who resigns."""

import random

import pytest

from engines.game import Outcome, may_act, passive_action
from tests.engines.bouncers.squares import BLUE, CAPTURING, GAME, RED, TERMINAL, go, on, pieces


def test_whoever_captures_every_enemy_piece_wins():
    state = go(on("d4 d3", "d6"), "d4xd5")
    assert GAME.outcome(state) == Outcome((RED,), "All enemy pieces have been captured.")
    assert (GAME.to_act(state), may_act(GAME, state), GAME.choices(state, BLUE)) == ((), (), [])
    assert GAME.outcome(go(on("d3", "d5 d6", BLUE), "d5xd4")) == Outcome((BLUE,), "All enemy pieces have been captured.")


@pytest.mark.parametrize("variant", TERMINAL)
def test_in_a_terminal_variant_the_first_piece_on_the_last_rank_wins(variant):
    last = 10 if variant.startswith("10") else 8
    state = go(on(f"d{last - 1} d{last - 2}", f"h{last}", variant=variant), f"d{last - 1} d{last}")
    assert GAME.outcome(state) == Outcome((RED,), "Red reached the last rank.")
    assert pieces(state) == (f"d{last - 2} d{last}", f"h{last}")
    state = go(on("a1", "d2 d3", BLUE, variant), "d2 d1")
    assert GAME.outcome(state) == Outcome((BLUE,), "Blue reached the last rank.")
    assert pieces(state) == ("a1", "d1 d3")


@pytest.mark.parametrize("variant", TERMINAL)
def test_a_terminal_variant_can_be_won_by_capture_too(variant):
    assert GAME.outcome(go(on("d4 d3", "d6", variant=variant), "d4xd5")) == Outcome(
        (RED,), "All enemy pieces have been captured."
    )


@pytest.mark.parametrize("variant", CAPTURING)
def test_otherwise_the_last_rank_wins_nothing(variant):
    last = 10 if variant.startswith("10") else 8
    state = go(on(f"d{last - 1} d{last - 2}", f"h{last}", variant=variant), f"d{last - 1} d{last}")
    assert GAME.outcome(state) is None


def test_whoever_has_no_move_loses():
    state = go(on("d1", "d5"), "d1 d2")
    assert GAME.outcome(state) == Outcome((RED,), "Blue has no moves left: no piece can bounce.")
    assert GAME.to_act(state) == ()
    assert GAME.outcome(on("d4", "d8")) == Outcome((BLUE,), "Red has no moves left: no piece can bounce.")


def test_the_third_time_the_same_position_comes_with_the_same_side_to_move_is_a_draw():
    shuffle = ("a1-a2", "h8-h7", "a2-a1", "h7-h8")
    state = go(on("a1K", "h8K"), *shuffle, "a1-a2", "h8-h7", "a2-a1")
    assert GAME.outcome(state) is None
    state = go(state, "h7-h8")
    assert GAME.outcome(state) == Outcome((), "The same position came up three times.")
    assert GAME.to_act(state) == ()


def test_the_same_board_with_the_other_side_to_move_is_another_position():
    # Red comes back in three moves while Blue comes back in two, and then both in two.
    state = go(on("a1K", "h8K"), "a1-a2", "h8-h7", "a2-b1", "h7-h8", "b1-a1")
    assert state.to_move == BLUE
    state = go(state, "h8-h7", "a1-a2", "h7-h8", "a2-a1")
    assert pieces(state) == ("a1K", "h8K")
    assert GAME.outcome(state) is None
    assert [count for line, count in GAME.position(state)["seen"].items() if line.startswith("7B/8/8/8/8/8/8/R7")] == [1, 2]


def test_counters_that_only_go_sideways_can_repeat_a_position():
    # Two red counters on a rank bounce off each other: d4 to the right off c4, and back to the left off f4.
    state = on("c4 d4 f4", "h8K")
    shuffle = ("d4-e4", "h8-h7", "e4-d4", "h7-h8")
    state = go(state, *shuffle, *shuffle)
    assert GAME.outcome(state) == Outcome((), "The same position came up three times.")
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
    assert GAME.outcome(state) == Outcome((), "Nothing was captured for 50 moves each, and only kings moved.")


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
    assert GAME.outcome(state) == Outcome((RED,), "Blue has no moves left: no piece can bounce.")


@pytest.mark.parametrize("seat", [RED, BLUE])
def test_whoever_resigns_loses_no_matter_who_is_to_move(seat):
    name = ("Red", "Blue")[seat]
    step = GAME.withdraw(GAME.start(2), seat)
    assert GAME.outcome(step.state) == Outcome((1 - seat,), f"{name} left the game.")
    assert (GAME.to_act(step.state), GAME.view(step.state).out) == ((), (seat,))
    assert [(event.kind, event.seat, event.text) for event in step.events] == [("withdraw", seat, f"{name} leaves the game.")]
    assert GAME.position(step.state)["resigned"] == seat
    assert GAME.from_position(GAME.position(step.state)) == step.state


def test_nobody_resigns_twice_or_after_the_end_or_from_a_missing_seat():
    resigned = GAME.withdraw(GAME.start(2), RED).state
    for state, seat in ((resigned, RED), (resigned, BLUE), (go(on("d4 d3", "d6"), "d4xd5"), BLUE)):
        with pytest.raises(ValueError, match="The game is over"):
            GAME.withdraw(state, seat)
    with pytest.raises(ValueError, match="no seat 2"):
        GAME.withdraw(GAME.start(2), 2)


def test_whoever_is_away_makes_some_move():
    state = on("d4K", "h8")
    moves_made = {passive_action(GAME, state, RED, random.Random(number)) for number in range(100)}
    assert moves_made == set(GAME.legal_actions(state, RED))
