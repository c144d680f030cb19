"""A game tells truly whether anything is left to luck."""

import random
from typing import Any

import pytest

from engines import GAMES
from engines.chance import Fair
from engines.game import Game
from tests.engines.contract_games import random_action


def drawn_in(game_id: str, variant: str, seed: int) -> bool:
    game, rng = GAMES[game_id], random.Random(seed)
    state = game.start(game.seats[-1], variant, Fair(bytes([seed]) * 32))
    before = game.position(game.start(game.seats[-1], variant, Fair(bytes([seed]) * 32)), secret=True)["chance"]
    fresh = Fair(bytes([seed]) * 32)
    began = game.position(game.from_position(game.position(state), fresh), secret=True)["chance"]
    if began != before:
        return True
    for _ in range(60):
        if game.outcome(state) is not None:
            break
        seat = game.to_act(state)[0]
        state = game.play(state, seat, random_action(game, state, seat, rng)).state
        if game.position(state, secret=True)["chance"] != before:
            return True
    return False


@pytest.mark.parametrize(("game_id", "variant"), [(game.id, variant) for game in GAMES.values() for variant in game.variants])
def test_a_game_draws_something_if_and_only_if_it_says_so(game_id: str, variant: str) -> None:
    assert any(drawn_in(game_id, variant, seed) for seed in (1, 2, 3)) is GAMES[game_id].chance


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_luck_alone_decides_only_where_something_is_drawn(game: Game[Any, Any]) -> None:
    assert game.chance or not game.luck_alone
