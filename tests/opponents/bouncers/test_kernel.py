"""The kernel plays Bouncers: the same moves as the game, and scores that follow them."""

from collections.abc import Iterator
from random import Random

import pytest

from engines.bouncers import Bouncers, State
from engines.bouncers.state import winner_on_board
from opponents.bouncers.evaluation import Position
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import line_of, paths_of, position_of, seen_twice
from opponents.search import IDLE, LOUD, WINNING
from tests.marks import quick_first

GAME = Bouncers()


def random_states(variant: str, games: int) -> Iterator[State]:
    rng = Random(variant)
    for _ in range(games):
        state = GAME.start(2, variant)
        while GAME.outcome(state) is None:
            yield state
            state = GAME.advance(state, state.to_move, rng.choice(list(GAME.legal_actions(state, state.to_move))))


def after_each(state: State) -> dict[Position, State]:
    seat = state.to_move
    after = (GAME.play(state, seat, action).state for action in GAME.legal_actions(state, seat))
    return {position_of(reached): reached for reached in after}


@pytest.mark.slow
@pytest.mark.parametrize("variant", quick_first(2, GAME.variants))
def test_its_moves_are_those_of_the_game(variant: str) -> None:
    kernel = Kernel(variant)
    for state in random_states(variant, games=3):
        reached, moves = after_each(state), kernel.moves(position_of(state))
        winning = {there for there, after in reached.items() if winner_on_board(after) == state.to_move}
        if winning:
            assert [(gain >= WINNING, after in winning) for gain, _, after in moves] == [(True, True)]
        else:
            assert len({(number, after) for _, number, after in moves}) == len(moves)
            assert {after for _, _, after in moves} == set(reached)
        for gain, number, after in moves:
            assert bool(number & IDLE and not number & LOUD) == (reached[after].quiet_plies > 0)
            assert state.sides[state.to_move] >> kernel.source(number) & 1
            if gain < WINNING:
                assert kernel.score(after) == -(kernel.score(position_of(state)) + gain)


def strikes(state: State, path: tuple[str, ...]) -> bool:
    return state.sides[1 - state.to_move] != GAME.advance(state, state.to_move, path).sides[1 - state.to_move]


@pytest.mark.slow
@pytest.mark.parametrize("variant", GAME.variants)
def test_loud_moves_capture_or_reach_the_last_rank(variant: str) -> None:
    kernel = Kernel(variant, Random(1))
    for state in random_states(variant, games=2):
        position = position_of(state)
        moves = kernel.moves(position)
        for gain, number, (left, moved, kings, _) in moves:
            fewer = left.bit_count() < position[1].bit_count()
            crowned = (kings & moved).bit_count() > (position[2] & position[0]).bit_count()
            assert bool(number & LOUD) == (fewer or crowned or gain >= WINNING)
        loud = [move for move in moves if move[1] & LOUD]
        assert kernel.every_loud(position) == loud
        found = kernel.loud(position)
        if any(gain >= WINNING for gain, _, _ in loud):
            continue
        assert [move for move in loud if move in found] == found
        direct = [path[:2] for path in GAME.legal_actions(state, state.to_move) if len(path) == 2 and strikes(state, path)]
        assert {kernel.source(number) for _, number, _ in found} >= {state.board.places[source] for source, _ in direct}


@pytest.mark.parametrize("variant", GAME.variants)
def test_a_side_has_lost_only_if_it_cannot_move(variant: str) -> None:
    kernel, rng = Kernel(variant), Random(7)
    stuck = 0
    for state in random_states(variant, games=2):
        own, enemy, kings, seat = position_of(state)
        kept = sum(1 << place for place in range(own.bit_length()) if own >> place & 1 and rng.random() < 0.2)
        position = (kept, enemy, kings & (kept | enemy), seat)
        value = kernel.evaluate(position, kernel.score(position))
        stuck += not kernel.moves(position)
        assert (value == -WINNING) == (not kernel.moves(position))
    assert stuck


def test_a_line_is_written_with_the_shortest_paths() -> None:
    state = next(iter(random_states("8x8-16", games=1)))
    paths = paths_of(state)
    for action in GAME.legal_actions(state, 0):
        after = GAME.advance(state, 0, action)
        shortest = paths[position_of(after)]
        assert len(shortest) <= len(action)
        assert GAME.advance(state, 0, shortest) == after
        assert list(line_of(state, [position_of(after)])) == [(0, shortest)]


def test_positions_that_came_twice_are_known() -> None:
    position = {"variant": "8x8-12", "to_move": 0, "red": ["a1"], "red_kings": ["d4"], "blue": ["h8"], "blue_kings": ["d8"]}
    state = GAME.from_position(position)
    for path in ("d4 c4", "d8 e8", "c4 d4", "e8 d8"):
        assert seen_twice(state) == frozenset()
        state = GAME.advance(state, state.to_move, tuple(path.split()))
    assert seen_twice(state) == {position_of(state)}
