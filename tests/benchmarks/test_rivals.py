"""The simple players that the opponents are measured against do what they are said to do."""

from random import Random
from typing import Any

import pytest

from benchmarks.matches import Request
from benchmarks.rivals import RIVALS
from benchmarks.rivals.flat import FlatMonteCarlo
from benchmarks.rivals.greedy import FARTHEST, slides_to_goal
from benchmarks.rivals.material import WON, AlphaBeta, material
from engines import GAMES
from engines.chance import Fair
from engines.game import foresee, legal_actions
from engines.pucks.board.motion import SCORED
from engines.pucks.board.pieces import PieceKind
from engines.pucks.board.state import State as PucksState
from engines.pucks.board.state import scored_by
from opponents.playouts import random_action

BOUNCERS, BUNNY, PUCKS = (GAMES[game_id] for game_id in ("bouncers", "bunny", "pucks"))


def asked(game: Any, state: Any, seat: int, stream: str = "a") -> Request:
    return Request(game, state, seat, (), stream, waited_for=True)


def bouncers_after(variant: str, plies: int, seed: int) -> Any:
    state, rng = BOUNCERS.start(2, variant), Random(seed)
    for _ in range(plies):
        if seats := BOUNCERS.to_act(state):
            state = BOUNCERS.advance(state, seats[0], random_action(BOUNCERS, state, seats[0], rng))
    return state


def minimax(state: Any, depth: int) -> int:
    """What a position is worth for the side to move, without any cut-offs."""
    outcome = BOUNCERS.outcome(state)
    if outcome is not None:
        return 0 if not outcome.winners else WON + depth if outcome.winners == (state.to_move,) else -WON - depth
    if depth == 0:
        return material(state, state.to_move) - material(state, 1 - state.to_move)
    actions = legal_actions(BOUNCERS, state, state.to_move)
    return max(-minimax(BOUNCERS.advance(state, state.to_move, action), depth - 1) for action in actions)


@pytest.mark.parametrize("variant", ["8x8-16", "8x8-12-terminal"])
def test_alpha_beta_finds_what_looking_at_everything_finds(variant: str) -> None:
    for seed in range(6):
        state = bouncers_after(variant, 12 + 8 * seed, seed)
        if BOUNCERS.outcome(state) is None:
            worth = minimax(state, 2)
            assert AlphaBeta(2).value(BOUNCERS, state, 2) == worth
            action = AlphaBeta(2)(asked(BOUNCERS, state, state.to_move))
            assert action is not None
            assert -minimax(BOUNCERS.advance(state, state.to_move, action), 1) == worth


def test_flat_monte_carlo_takes_the_third_carrot_that_lies_open() -> None:
    taken = 0
    for seed in range(16):
        state, rng = BUNNY.start(2, None, Fair(bytes([seed]) * 32)), Random(seed)
        while seats := BUNNY.to_act(state):
            action = random_action(BUNNY, state, seats[0], rng)
            wins = foresee(BUNNY, state, seats[0], action)
            if state.carrots[seats[0]] == 2 and wins is not None and BUNNY.outcome(wins.state) is not None:
                chosen = FlatMonteCarlo(60)(asked(BUNNY, state, seats[0]))
                assert chosen is not None
                assert BUNNY.outcome(BUNNY.advance(state, seats[0], chosen)) is not None
                taken += 1
                break
            state = BUNNY.advance(state, seats[0], action)
    assert taken >= 2


def test_the_slides_to_a_goal_are_those_that_the_engine_makes() -> None:
    state, compared = pucks_after(30), 0
    for place, piece in zip(state.table.places, state.pieces, strict=True):
        if piece.kind is PieceKind.PUCK and place >= 0 and piece.colour == state.to_move:
            actions = [action for action in moves(state) if action[0] == piece.word]
            scores = any(
                after.table.places[state.of_colour(piece.colour)[piece.word]] == SCORED
                for after in (PUCKS.advance(state, state.to_move, action) for action in actions)
            )
            assert (slides_to_goal(state).get(place, FARTHEST) == 1) == scores
            compared += 1
    assert compared


def test_the_greedy_player_scores_a_puck_when_it_can() -> None:
    state, rng, scored = pucks_after(1), Random("greedy"), 0
    while scored < 3:
        seat = PUCKS.to_act(state)[0]
        before = scored_by(state, seat)
        if any(scored_by(PUCKS.advance(state, seat, action), seat) > before for action in moves(state)):
            action = RIVALS["greedy"](asked(PUCKS, state, seat))
            assert action is not None
            assert scored_by(PUCKS.advance(state, seat, action), seat) > before or action[0] == "play"
            scored += 1
        state = PUCKS.advance(state, seat, random_action(PUCKS, state, seat, rng))


def pucks_after(actions: int, seed: int = 0) -> PucksState:
    """A state in which somebody may move a piece, after random actions."""
    state, rng = PUCKS.start(2, None, Fair(bytes([seed]) * 32), setup="random"), Random(seed)
    played = 0
    while played < actions or not any(moves(state)):
        state = PUCKS.advance(state, PUCKS.to_act(state)[0], random_action(PUCKS, state, PUCKS.to_act(state)[0], rng))
        played += 1
    assert isinstance(state, PucksState)
    return state


def moves(state: Any) -> list[Any]:
    seat = state.to_move
    first = [choice.token for choice in PUCKS.choices(state, seat) if not choice.final and choice.token != "play"]
    return [(word, onward.token) for word in first for onward in PUCKS.choices(state, seat, (word,)) if onward.final]


def test_rivals_do_nothing_out_of_turn() -> None:
    state = pucks_after(10)
    for name in ("random", "greedy", "flat-200"):
        assert RIVALS[name](Request(PUCKS, state, 1 - state.to_move, (), "a", waited_for=False)) is None
