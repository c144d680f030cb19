"""The old-school variant: no cards, no meeples, no bumping, two actions a turn, two pucks to win."""

from typing import Any

import pytest

from engines.chance import Fair
from engines.game import Outcome
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from tests.engines.pucks.drawing import PUCKS, SMALL, assert_board, by_name, drawn, offered, play


def old(drawing: str = "", mats: list[str] | None = None, **keys: Any) -> State:
    usual: dict[str, Any] = {"variant": "old-school", "hands": []}
    return drawn(drawing, mats, **{**usual, **keys})


@pytest.mark.parametrize("seats", range(2, 7))
def test_each_player_has_two_pucks_two_ice_blocks_and_no_cards(seats):
    state = PUCKS.start(seats, "old-school", Fair(bytes(32)))
    view = PUCKS.view(state, 0)
    assert (view.hand, view.hand_sizes, view.draw_pile, view.discard) == ((), (0,) * seats, 0, ())
    assert sorted(piece.word for piece in view.beside if piece.colour == 0) == ["i1", "i2", "p1", "p2"]
    assert PUCKS.hand(view) is None


def test_a_turn_has_two_actions_and_nothing_is_drawn():
    state = PUCKS.start(3, "old-school", Fair(bytes(32)), setup="random")
    assert (state.phase, state.to_move, state.allowed) == (Phase.ACT, 0, 2)
    first = play(state, f"{offered(state)[0]} {offered(state, offered(state)[0])[0]}")
    assert (first.to_move, first.taken) == (0, 1)
    second = play(first, f"{offered(first)[0]} {offered(first, offered(first)[0])[0]}")
    assert (second.to_move, second.taken, second.phase) == (1, 0, Phase.ACT)


def test_a_hit_sets_nothing_sliding_and_ice_goes_one_space():
    assert_board(play(old("rp1 . bp1 .", pieces={"blue p2": "a16"}), "p1 right"), ". rp1 bp1 .\n.\n.\n. . . bp2")
    assert by_name(play(old("ri1 . . ."), "i1 right"))["red i1"] == "a2"


def test_two_scored_pucks_win():
    state = old("", ["Gs"], pieces={"red p2": "a14", "blue p1": "a16"}, scored=["red p1"])
    after = play(state, "p2 up")
    assert PUCKS.outcome(after) == Outcome((0,), "All 2 pucks are in!")


def test_no_move_may_take_the_one_before_back_even_if_its_player_is_passed_over():
    assert offered(play(old("ri1 . . .", pieces={"blue i1": "a16"}), "i1 right"), "i1") == ["right", "down"]
    boxed = old("", ["B"], pieces={"red i1": "a1", "blue i1": "a2", "blue i2": "a6", "blue p1": "a9"})
    after = play(boxed, "i1 down")
    assert (after.to_move, after.taken) == (1, 0)


def test_players_who_cannot_move_are_passed_over_and_nobody_wins_if_nobody_can():
    state = old("", ["B"], seats=4, pieces={"red i1": "a16", "yellow i1": "a1"})
    after = play(state, "i1 up", "i1 up")
    assert after.to_move == 3
    stuck = old("", ["K"], seats=2, pieces={})
    assert PUCKS.outcome(stuck) == Outcome((), "No piece can move any more.")
    assert PUCKS.from_position(PUCKS.position(stuck)) == stuck


def test_a_player_may_leave_in_mid_turn():
    state = old("", SMALL, seats=3, pieces={"red i1": "e6", "blue i1": "a6", "green i1": "i6"})
    after = PUCKS.withdraw(play(state, "i1 up"), 0).state
    assert (after.to_move, after.taken, after.phase) == (1, 0, Phase.ACT)
