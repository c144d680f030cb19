"""The fast engine finds the same paths as the slow one, which was written from the rules page alone."""

import random
from itertools import islice
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engines.bouncers import Bouncers, perft
from tests.engines.bouncers import slow

pytestmark = pytest.mark.slow

GAME = Bouncers()
CHECKED = settings(max_examples=250, deadline=None)
START_COUNTS = {"8x8-16": (70, 4948), "8x8-12": (22, 444), "10x10-20": (88, 7744)}


@st.composite
def positions(draw: st.DrawFn) -> dict[str, Any]:
    """Any board with up to 26 pieces, most of them close together so that there is something to bounce off."""
    variant = draw(st.sampled_from(GAME.variants))
    size, terminal = (10 if variant.startswith("10") else 8), variant.endswith("terminal")
    width = draw(st.sampled_from((4, 6, size)))
    left, bottom = draw(st.integers(0, size - width)), draw(st.integers(0, size - width))
    squares = st.integers(0, width * width - 1)
    position: dict[str, Any] = {"variant": variant, "to_move": draw(st.integers(0, 1))}
    position |= {"red": [], "red_kings": [], "blue": [], "blue_kings": []}
    for place in draw(st.sets(squares, min_size=draw(st.integers(2, 12)), max_size=26)):
        file, rank = left + place % width, bottom + place // width + 1
        colour = draw(st.sampled_from(("red", "blue")))
        arrived = rank == (size if colour == "red" else 1)
        if arrived and terminal:
            continue
        king = not terminal and (arrived or draw(st.integers(0, 5)) == 0)
        position[f"{colour}_kings" if king else colour].append(f"{'abcdefghij'[file]}{rank}")
    assume(any(position[key] for key in ("red", "red_kings", "blue", "blue_kings")))
    return position


def assert_same_moves(position: dict[str, Any]) -> None:
    state = GAME.from_position(position)
    expected = {result.squares: result.board for result in slow.moves(slow.read(position))}
    actions = list(GAME.legal_actions(state, state.to_move))
    assert sorted(actions) == sorted(expected)
    assert perft(state, 1) == len(expected)
    for action in random.Random(len(actions)).sample(actions, min(len(actions), 40)):
        after = GAME.play(state, state.to_move, action).state
        assert slow.read(GAME.position(after)) == expected[action]


@CHECKED
@given(positions())
def test_any_position_has_the_same_moves(position):
    state = GAME.from_position(position)
    assume(sum(1 for _ in islice(GAME.legal_actions(state, state.to_move), 3000)) < 3000)
    assert_same_moves(position)


@CHECKED
@given(positions())
def test_two_moves_ahead_there_are_the_same_number_of_moves(position):
    state = GAME.from_position(position)
    assume(perft(state, 1) < 60)
    assert perft(state, 2) == slow.perft(slow.read(position), 2)


@pytest.mark.parametrize("variant", GAME.variants)
def test_every_position_of_a_game_has_the_same_moves(variant):
    dice = random.Random(variant)
    for _ in range(3):
        state = GAME.start(2, variant)
        while GAME.outcome(state) is None:
            if dice.random() < 0.25:
                assert_same_moves(GAME.position(state))
            actions = list(GAME.legal_actions(state, state.to_move))
            state = GAME.play(state, state.to_move, dice.choice(actions)).state


@pytest.mark.parametrize("variant", GAME.variants)
def test_one_and_two_moves_from_the_start_are_as_many_as_the_rules_page_says(variant):
    state = GAME.start(2, variant)
    assert (perft(state, 1), perft(state, 2)) == START_COUNTS[variant.removesuffix("-terminal")]


@pytest.mark.parametrize("variant", ["8x8-16", "8x8-12", "8x8-12-terminal"])
def test_three_moves_from_the_start_are_as_many_as_the_slow_engine_counts(variant):
    state = GAME.start(2, variant)
    assert perft(state, 3) == slow.perft(slow.read(GAME.position(state)), 3)


@pytest.mark.parametrize("variant", ["8x8-16-terminal", "10x10-20", "10x10-20-terminal"])
def test_after_some_first_moves_two_more_are_as_many_as_the_slow_engine_counts(variant):
    state = GAME.start(2, variant)
    for action in random.Random(variant).sample(list(GAME.legal_actions(state, 0)), 8):
        after = GAME.play(state, 0, action).state
        assert perft(after, 2) == slow.perft(slow.read(GAME.position(after)), 2)


def test_no_move_leads_nowhere_in_no_moves_and_a_game_that_is_won_has_none():
    start = GAME.start(2)
    assert perft(start, 0) == 1
    won = GAME.from_position({"variant": "8x8-16", "to_move": 1, "red": ["c3"], "blue": []})
    assert [perft(won, depth) for depth in (0, 1, 2)] == [1, 0, 0]
