"""The computer player of Puck Bumpers: it answers everywhere, legally, and says why."""

from random import Random

import pytest

from engines.game import check, passive_action
from engines.pucks import FirstPucks, Pucks
from opponents import LEVELS, Budget, opponent
from tests.marks import quick_first
from tests.opponents.pucks.games import AT_RANDOM, PUCKS, random_game

TABLES = [
    (2, "standard", {}), (3, "standard", {"colours": "2", "to-win": "2"}), (4, "standard", {"board": "shuffled"}),
    (2, "standard", {"without": "mats+whistle", "board": "B.K/GeKB/BBB"}), (6, "standard", {"setup": "random"}),
    (2, "old-school", {"colours": "2"}), (5, "old-school", {"setup": "random"}),
]  # fmt: skip
LITTLE = Budget(60)


@pytest.mark.parametrize(("seats", "variant", "options"), quick_first(1, TABLES, several=True))
@pytest.mark.parametrize("level", LEVELS)
def test_it_answers_in_every_state(level: str, seats: int, variant: str, options: dict[str, str]) -> None:
    computer = opponent("pucks", level)
    for number, state in enumerate(random_game(seats, variant, 240, 3, options)):
        if number % 12 == 0:
            for seat in PUCKS.to_act(state):
                thought = computer.choose(state, seat, LITTLE, stream="a")
                check(PUCKS, state, seat, thought.action)
                assert 0 <= thought.chance_to_win <= 1
                assert computer.choose(state, seat, LITTLE, stream="a") == thought
                assert computer.reason(state, seat, thought) != ""
            for seat in set(PUCKS.may_act(state)) - set(PUCKS.to_act(state)):
                answer = computer.interrupt(state, seat, LITTLE, stream="a")
                if answer is not None:
                    check(PUCKS, state, seat, answer.action)


def test_it_plays_by_the_first_version_of_the_rules() -> None:
    game = FirstPucks()
    computer = opponent("pucks", "hard", rules=1)
    for number, state in enumerate(random_game(3, "standard", 300, 4, AT_RANDOM, game)):
        if number % 12 == 0:
            for seat in game.to_act(state):
                check(game, state, seat, computer.choose(state, seat, LITTLE, stream="a").action)


@pytest.mark.parametrize("seats", quick_first(1, [2, 4]))
def test_it_judges_what_others_play(seats: int) -> None:
    computer = opponent("pucks", "hard")
    rng, judged = Random(5), 0
    for number, state in enumerate(random_game(seats, "standard", 300, 5, AT_RANDOM)):
        seat = state.to_move
        if number % 10 == 0 and seat in PUCKS.to_act(state):
            action = passive_action(PUCKS, state, seat, rng)
            judgement = computer.judge(state, seat, action, LITTLE, stream="b")
            assert judgement.played.action == action
            assert judgement.best.chance_to_win >= judgement.played.chance_to_win
            judged += 1
            assert sum(computer.assess(state, LITTLE, stream="b")) == pytest.approx(1)
    assert judged > 10


def test_it_knows_both_versions_of_the_rules() -> None:
    assert type(opponent("pucks").game) is Pucks
    assert type(opponent("pucks", rules=1).game) is FirstPucks
