"""The computer player of Bounce Bunny Bounce: what it chooses, what it remembers, and what it says."""

from random import Random

import pytest

from engines.bunny import Bunny, BunnyState
from engines.chance import Fair
from opponents import LEVELS, Budget, Level, Seen, opponent, remembered
from opponents.bunny.kernel import CARD, SPACE
from opponents.bunny.knowledge import Belief
from tests.engines.bunny.cards import position

GAME = Bunny()

SHORT = Budget(400)

NEXT_TO_A_CARROT = {"a1": "stop", "b1": "carrot", "g1": "left", "a2": "left", "a5": "left"}


def test_a_carrot_that_lies_next_to_it_is_taken_before_the_other_gets_it() -> None:
    cards = NEXT_TO_A_CARROT | {"c1": "stop"}
    state = GAME.from_position(position(cards, bunnies=["a1", "c1"], shocks=[0, 0], carrots=[1, 2]))
    for level in LEVELS:
        thought = opponent("bunny", level).choose(state, 0, SHORT, stream="a")
        assert thought.action == ("right",)
        assert 0.2 < thought.chance_to_win < 0.95
        assert thought.line[0] == (0, ("right",))


def test_the_third_carrot_wins() -> None:
    state = GAME.from_position(position(NEXT_TO_A_CARROT, bunnies=["a1", None], carrots=[2, 0]))
    thought = opponent("bunny", Level.HARD).choose(state, 0, stream="a")
    assert thought.chance_to_win == 1
    assert opponent("bunny", Level.HARD).reason(state, 0, thought) == "It takes the Carrot on b1 and wins."


def test_a_bunny_about_to_win_is_sent_away() -> None:
    """Whatever lies around it is better than a sure loss. *Easy* does not see it coming."""
    cards = NEXT_TO_A_CARROT | {"g1": "stop", "e3": "stop"}
    state = GAME.from_position(position(cards, bunnies=["a1", "e3"], carrots=[2, 2], turn=1, phase="shock"))
    for level in LEVELS[1:]:
        thought = opponent("bunny", level).choose(state, 1, SHORT, stream="a")
        assert thought.action[0] == "shock"
        assert thought.action[1] != "right"
        assert thought.chance_to_win > 0.1
        passing = opponent("bunny", level).judge(state, 1, ("pass",), SHORT, stream="a")
        assert passing.played.chance_to_win == 0
        assert passing.lost == passing.best.chance_to_win > 0.1


def played(seed: int, actions: int) -> tuple[BunnyState, tuple[Seen, ...], tuple[Seen, ...]]:
    """A random game, and what each seat has seen of it."""
    rng = Random(seed)
    state = GAME.start(2, None, Fair(seed.to_bytes(32, "big")))
    steps = []
    for _ in range(actions):
        if seats := GAME.to_act(state):
            action = rng.choice(list(GAME.legal_actions(state, seats[0])))
            step = GAME.play(state, seats[0], action)
            steps.append((seats[0], step))
            state = step.state
    return state, remembered(GAME, 0, steps), remembered(GAME, 1, steps)


@pytest.mark.parametrize("seed", range(30))
def test_what_is_remembered_is_true(seed: int) -> None:
    """Whatever happened since: bounces, Swaps and Spies of both."""
    state, *memories = played(seed, 25)
    for seat, memory in enumerate(memories):
        belief = Belief(GAME.resample(state, seat, Fair(bytes(32))), seat, memory)
        assert len(belief.known) > 3
        world = belief.world(Random(1))
        for space, card in belief.known.items():
            assert state.field[SPACE[space]] == card
            assert world.cards[SPACE[space]] == CARD[card]
        assert sorted(world.cards) == sorted(CARD[card] for card in state.field)


def test_a_memory_of_another_game_does_no_harm() -> None:
    for seed in range(20):
        state, _, _ = played(seed, 10)
        _, _, memory = played(seed + 100, 30)
        if GAME.to_act(state):
            seat = state.to_choose
            world = Belief(state, seat, memory).world(Random(1))
            assert sorted(world.cards) == sorted(CARD[card] for card in state.field)
            action = opponent("bunny", Level.MEDIUM).choose(state, seat, memory=memory, stream="a").action
            GAME.check(state, seat, action)


def test_forgetting() -> None:
    state, memory, _ = played(3, 25)
    spans = [len(Belief(state, 0, memory, span).known) for span in (0, 1, 8, None)]
    assert spans == sorted(spans)
    assert spans[0] < spans[-1]
