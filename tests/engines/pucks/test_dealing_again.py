"""States that a seat cannot tell apart are dealt again in the same way, however unlucky the deals are."""

import pytest

from engines.chance import Fair
from engines.game import resample
from engines.pucks.board.state import State
from engines.pucks.play import knowledge
from tests.engines.contract_games import Case, everybody, played
from tests.engines.pucks.drawing import PUCKS, drawn, play

STREAM = Fair(bytes(32))


@pytest.fixture(autouse=True)
def unlucky(monkeypatch: pytest.MonkeyPatch) -> None:
    """No deal at random agrees with what everybody knows."""
    monkeypatch.setattr(knowledge, "_TRIES", 0)


def torn(held: str, drawn_later: str) -> State:
    """A player has left mats apart, and holds a card that mends them."""
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", held, "swap"], ["extra"]], action_rule=2,
                  draw_pile=[drawn_later, "take-1", "twist", "slush"])  # fmt: skip
    return play(state, "play shift b north-of a")


@pytest.mark.parametrize("seat", [None, 1])
def test_the_card_that_a_hand_must_hold_tells_nothing_of_the_one_that_it_holds(seat):
    dealt = [PUCKS.resample(state, seat, STREAM) for state in (torn("shift", "mix"), torn("mix", "shift"))]
    assert dealt[0] == dealt[1]
    assert {"shift", "mix"} & set(dealt[0].hands[0])


@pytest.mark.parametrize("rules", [1, None])
def test_a_deal_agrees_with_what_everybody_knows(rules):
    case = Case("pucks", "standard", 3, rules=rules)
    for number, state in enumerate(played(case).some_states(12)):
        for seat in everybody(case):
            dealt = resample(case.game, state, seat, STREAM)
            assert case.game.view(dealt, seat) == case.game.view(state, seat)
            assert case.game.from_position(case.game.position(dealt)) == dealt, "somebody is waited for in the same way"
            other = resample(case.game, state, seat, Fair(bytes([number] * 32)))
            assert resample(case.game, other, seat, STREAM) == dealt


def test_a_hand_that_no_rule_explains_is_dealt_again_all_the_same():
    state = drawn("", ["B _ B"], pieces={"red p1": "a1"}, hands=[["swap"], ["extra"]],
                  draw_pile=["take-1", "twist"], settled={"a": [0, 0], "b": [1, 0]})  # fmt: skip
    dealt = PUCKS.resample(state, None, STREAM)
    assert PUCKS.view(dealt) == PUCKS.view(state)
