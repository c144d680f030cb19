"""The computers of Bouncers make headway instead of going to and fro."""

from collections.abc import Callable

import pytest

from engines.bouncers import Bouncers, State
from engines.bouncers.state import SETUPS
from opponents import LEVELS, Level, opponent
from opponents.bouncers.evaluation import Position
from opponents.bouncers.kernel import Kernel
from opponents.bouncers.paths import position_of, seen_in, side_of, stood_before
from opponents.search import WIN, Search, SearchResult
from tests.marks import quick_first

GAME = Bouncers()

TO_AND_FRO = (
    "f2 e3, b7 c6, a2 b3 a4 b5, d7 c6, b2 b3 a4 b5, e7 d7 c6, c1 b2 b3 a4 b5, f7 e7, g2 f2, a8 b7 b6, b1 c1, c7 d6 c5 d4, "
    "d2 d3, g7 f7, e2 d2, e7 d7, c1 b1, b8 a8, b1 c1, c8 b8, c2 b2, b8 c8, c1 b1, c8 b8"
)
"""A game in which easy computers moved to and fro until it was a draw. The next move was b1–c1, once more."""


def played(moves: str) -> State:
    state = GAME.start(2, "8x8-16")
    for move in moves.split(", "):
        state = GAME.advance(state, state.to_move, tuple(move.split()))
    return state


def goes_back(state: State, action: tuple[str, ...]) -> bool:
    """Whether the mover's pieces stand after an action as they have stood before."""
    return side_of(position_of(GAME.advance(state, state.to_move, action)), state.to_move) in stood_before(state)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_no_level_goes_on_moving_to_and_fro(level: Level) -> None:
    state = played(TO_AND_FRO)
    assert goes_back(state, ("b1", "c1"))
    tries = {Level.EASY: 40, Level.MEDIUM: 20, Level.HARD: 4, Level.EXPERT: 1}[level]
    for stream in range(tries):
        assert not goes_back(state, opponent("bouncers", level).choose(state, 0, stream=str(stream)).action)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("variant", quick_first(3, SETUPS))
def test_easy_computers_play_to_a_win(variant: str, seed: int) -> None:
    state, player, known = GAME.start(2, variant), opponent("bouncers", Level.EASY), set[Position]()
    number = back = 0
    while (outcome := GAME.outcome(state)) is None:
        known.add(position_of(state))
        state = GAME.advance(state, state.to_move, player.choose(state, state.to_move, stream=f"{seed} {number}").action)
        back += position_of(state) in known
        number += 1
    assert outcome.winners
    assert back <= number / 50


def test_a_beginner_brings_counters_forward_and_kings_close() -> None:
    easy = opponent("bouncers", Level.EASY)
    for stream in range(20):
        state = GAME.start(2, "8x8-16")
        path = easy.choose(state, 0, stream=str(stream)).action
        assert path[-1][1] > path[0][1]
        hunt = GAME.from_position({"variant": "8x8-16", "to_move": 0, "red_kings": ["a1"], "blue": ["h8"], "red": []})
        assert easy.choose(hunt, 0, stream=str(stream)).action == ("a1", "b2")


def test_how_the_pieces_stood_is_forgotten_with_a_step_that_nobody_can_take_back() -> None:
    state = played(TO_AND_FRO)
    assert side_of(position_of(state), 0) in stood_before(state)
    assert len(stood_before(state)) > 1
    forward = next(action for action in GAME.legal_actions(state, 0) if action[-1][1] > action[0][1])
    assert len(list(seen_in(GAME.advance(state, 0, forward)))) == 1


def search(stale: Callable[[Position], bool] | None = None, reluctance: int = 0) -> SearchResult[Position]:
    kernel, root = Kernel("8x8-16"), position_of(GAME.start(2, "8x8-16"))
    return Search(kernel, root, nodes=2_000, seconds=60, stale=stale, reluctance=reluctance).best(3)


def test_a_stale_move_gives_way_to_others_about_as_good_and_its_value_stays() -> None:
    plain = search()
    best = plain.line[0]
    assert search(lambda after: after == best) == plain
    assert search(lambda after: after == best, WIN // 4).line[0] != best
    assert search(lambda _: True, 30).value == plain.value, "where all moves are stale, none is worth less"
