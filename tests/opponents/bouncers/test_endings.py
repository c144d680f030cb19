"""The strongest level wins proved endings."""

import json
from typing import Any

import pytest

from opponents import opponent
from tests.opponents.bouncers.proving import ENDINGS, GAME, LONGEST, EndingProver

WON: list[dict[str, Any]] = json.loads(ENDINGS.read_text())


def test_there_are_endings_of_every_variant() -> None:
    assert len(WON) >= 50
    assert {ending["position"]["variant"] for ending in WON} == set(GAME.variants)
    assert sum(ending["plies"] > 3 for ending in WON) >= 30


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(WON)))
def test_it_wins_what_is_won(number: int) -> None:
    player, state = opponent("bouncers", "expert"), GAME.from_position(WON[number]["position"])
    winner, plies = state.to_move, 0
    while (outcome := GAME.outcome(state)) is None:
        state = GAME.advance(state, state.to_move, player.choose(state, state.to_move, stream="a").action)
        plies += 1
    assert outcome.winners == (winner,)
    assert plies <= WON[number]["plies"]


@pytest.mark.proof
@pytest.mark.parametrize("variant", GAME.variants)
def test_each_ending_is_won_by_the_rules_alone(variant: str) -> None:
    for ending in WON:
        if ending["position"]["variant"] == variant:
            assert EndingProver().plies(GAME.from_position(ending["position"]), LONGEST) == ending["plies"]
