"""What every computer opponent keeps to, in every variant of every game, with any hands and seats."""

import importlib
import os
import pkgutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any, NoReturn

import pytest

import opponents
from engines.chance import Chance, Fair
from engines.game import Action, Game, IllegalAction, check, may_act, resample
from engines.text import Text
from engines.values import replace
from opponents import LEVELS, Budget, Level, Memory, Opponent, Thought, opponent, seat_memory, shares
from opponents.dice import Dice
from tests.engines.contract_games import CASES, Case, every_case, played, random_action, spread

LITTLE = Budget(12)
"""So little thought that all states of many games can be looked at."""


class Forbidden(Chance):
    """The dice of the true game, from which no opponent may draw."""

    def randbelow(self, n: int) -> NoReturn:
        raise AssertionError("an opponent drew from the dice of the true game")

    def to_json(self) -> NoReturn:
        raise AssertionError("an opponent looked at the dice of the true game")


@dataclass(frozen=True)
class SeenState:
    """A state of a random game, and what each seat has seen of it."""

    case: Case
    state: Any
    number: int

    @property
    def game(self) -> Game[Any, Any]:
        return self.case.game

    def memory(self, seat: int | None) -> Memory:
        steps = [(turn.seat, turn.step) for turn in played(self.case).turns[: self.number]]
        return seat_memory(self.game, seat, steps)

    def player(self, level: Level) -> Opponent[Any]:
        return opponent(self.case.game_id, level, self.game.rules)


def moments(case: Case, number: int) -> list[SeenState]:
    """At most so many states of a random game that is not over, spread over it."""
    states = played(case).states
    going = [place for place, state in enumerate(states) if case.game.outcome(state) is None]
    return [SeenState(case, replace(states[place], chance=Forbidden()), place) for place in spread(going, number)]


def acting(moment: SeenState) -> Iterator[tuple[int, bool]]:
    waited_for = moment.game.to_act(moment.state)
    return ((seat, seat in waited_for) for seat in may_act(moment.game, moment.state))


def asked(moment: SeenState, level: Level, seat: int, *, waited_for: bool, stream: str = "a") -> Thought | None:
    player = moment.player(level)
    ask = player.choose if waited_for else player.interrupt
    return ask(moment.state, seat, LITTLE, moment.memory(seat), stream)


@every_case
def test_its_actions_are_legal_whoever_may_act(case: Case) -> None:
    game = case.game
    for number, moment in enumerate(moments(case, 8)):
        before = game.position(moment.state)
        for seat, waited_for in acting(moment):
            thought = asked(moment, LEVELS[number % 4], seat, waited_for=waited_for)
            if thought is not None:
                check(game, moment.state, seat, thought.action)
                assert 0 <= thought.chance_to_win <= 1
                assert not thought.line or thought.line[0] == (seat, thought.action)
            assert thought is not None or not waited_for
        assert game.position(moment.state) == before, "the state was changed"


@every_case
def test_the_same_stream_gives_the_same_thought(case: Case) -> None:
    for moment in moments(case, 3):
        for seat, waited_for in acting(moment):
            for level in (Level.EASY, Level.HARD):
                first, second = (asked(moment, level, seat, waited_for=waited_for, stream="b") for _ in range(2))
                assert first == second


def chosen_everywhere() -> None:
    """Write down the choices in some states of every game, in a process of its own."""
    for case in CASES[::4]:
        for moment in moments(case, 3):
            seat = moment.game.to_act(moment.state)[0]
            thought = asked(moment, Level.MEDIUM, seat, waited_for=True)
            sys.stdout.write(f"{case} {moment.number} {thought}\n")


@pytest.mark.slow
def test_the_same_stream_gives_the_same_thought_in_every_process() -> None:
    """Sets of words have another order in each."""
    code = "from tests.opponents.test_every_opponent import chosen_everywhere; chosen_everywhere()"
    written = [
        subprocess.run(
            [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert written[0] == written[1]
    assert len(written[0].splitlines()) > 10


@every_case
def test_a_seat_that_cannot_act_is_refused(case: Case) -> None:
    moment = moments(case, 3)[-1]
    may = may_act(moment.game, moment.state)
    for seat in set(range(case.seats)) - set(may):
        with pytest.raises(IllegalAction):
            moment.player(Level.MEDIUM).choose(moment.state, seat, LITTLE)


CLOCKS = ("process_time", "thread_time", "perf_counter", "monotonic", "time")


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["bouncers", "bunny", "trampoline", "pucks"])
def test_no_move_takes_more_than_its_time(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that advances a hundredth of a second with each look."""
    looked = 0

    def clock() -> float:
        nonlocal looked
        looked += 1
        return looked / 100

    for module in pkgutil.walk_packages(opponents.__path__, "opponents."):
        loaded = importlib.import_module(module.name)
        for name in CLOCKS:
            if callable(getattr(loaded, name, None)):
                monkeypatch.setattr(loaded, name, clock)
    case = next(case for case in CASES if case.game_id == game_id and case.seats > 1)
    for moment in moments(case, 4):
        seat = moment.game.to_act(moment.state)[0]
        looked = 0
        thought = moment.player(Level.EXPERT).choose(moment.state, seat, Budget(10**7, seconds=1.0), moment.memory(seat), "a")
        check(moment.game, moment.state, seat, thought.action)
        assert looked <= 150


def distance(one: Sequence[Action], other: Sequence[Action]) -> float:
    """By how many standard deviations the chi-square of two samples of equal size exceeds what is expected."""
    counts = Counter(one), Counter(other)
    seen = sorted(set(one) | set(other), key=lambda action: counts[0][action] + counts[1][action])
    rare = [action for action in seen if counts[0][action] + counts[1][action] < 10]
    pairs = [(counts[0][action], counts[1][action]) for action in seen if action not in rare]
    if rare:
        pairs.append((sum(counts[0][action] for action in rare), sum(counts[1][action] for action in rare)))
    freedom = len(pairs) - 1
    if not freedom:
        return 0.0
    return (sum((here - there) ** 2 / (here + there) for here, there in pairs if here + there) - freedom) / sqrt(2 * freedom)


class Cheat:
    """Looks at the state before it is replaced, to show that this is found out."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game

    def choose(self, state: Any, seat: int, budget: Budget, memory: Memory, stream: str) -> Thought:
        rng = Random(f"{self.game.position(state)} {stream[-1]}")
        return Thought(random_action(self.game, state, seat, rng), 0.5)


def samples(
    moment: SeenState, player: Opponent[Any] | Cheat, seat: int, states: Sequence[Any], number: int
) -> list[list[Action]]:
    """The choices in each of several states, by so many streams."""
    memory = moment.memory(seat)
    return [
        [player.choose(state, seat, LITTLE, memory, f"{place} {n}").action for n in range(number)]
        for place, state in enumerate(states)
    ]


def indistinguishable(moment: SeenState, seat: int) -> list[Any]:
    """The state, and another one that the seat cannot tell from it."""
    game = moment.game
    other = next(
        other
        for n in range(50)
        if game.position(other := resample(game, moment.state, seat, Fair(bytes([n]) * 32))) != game.position(moment.state)
    )
    return [moment.state, replace(other, chance=Forbidden())]


def secret_moments(game_id: str, number: int) -> list[tuple[SeenState, int]]:
    """States of games with secrets in which a seat has several things to choose from."""
    found = [
        (moment, seat)
        for case in CASES
        if case.game_id == game_id and not case.options
        for moment in moments(case, 12)
        for seat in moment.game.to_act(moment.state)
        if len(moment.game.choices(moment.state, seat)) > 1 and hides(moment, seat)
    ]
    return spread(found, number)


def hides(moment: SeenState, seat: int) -> bool:
    game = moment.game
    others = (resample(game, moment.state, seat, Fair(bytes([n]) * 32)) for n in range(10))
    return any(game.position(other) != game.position(moment.state) for other in others)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game_id", ["bunny", "pucks"])
def test_it_chooses_alike_in_states_that_its_seat_cannot_tell_apart(game_id: str, level: Level) -> None:
    """Chi-square of what is chosen by many streams in each. The streams are fixed: what passes once always does."""
    distances = []
    for moment, seat in secret_moments(game_id, 6):
        one, other = samples(moment, moment.player(level), seat, indistinguishable(moment, seat), 80)
        distances.append(distance(one, other))
    assert max(distances) < 5
    assert sum(distances) / sqrt(len(distances)) < 4


@pytest.mark.slow
@pytest.mark.parametrize("game_id", ["bunny", "pucks"])
def test_a_cheat_would_be_found_out(game_id: str) -> None:
    distances = []
    for moment, seat in secret_moments(game_id, 6):
        one, other = samples(moment, Cheat(moment.game), seat, indistinguishable(moment, seat), 80)
        distances.append(distance(one, other))
    assert max(distances) > 5


def test_samples_of_the_same_distribution_are_seldom_far_apart() -> None:
    rng = Random("samples")
    far = 0
    for _ in range(400):
        one, other = ([(str(min(rng.randrange(6), rng.randrange(9))),) for _ in range(80)] for _ in range(2))
        far += distance(one, other) > 2.5
    assert far <= 16
    assert distance([("a",)] * 80, [("a",)] * 40 + [("b",)] * 40) > 10


@pytest.mark.slow
@every_case
def test_no_action_is_judged_better_than_the_best(case: Case) -> None:
    for number, moment in enumerate(moments(case, 4)):
        for seat, waited_for in acting(moment):
            if waited_for:
                action = random_action(moment.game, moment.state, seat, Random(number))
                player = moment.player(LEVELS[number % 4])
                judgement = player.judge(moment.state, seat, action, LITTLE, moment.memory(seat), "a")
                check(moment.game, moment.state, seat, judgement.best.action)
                assert judgement.played.action == action
                assert 0 <= judgement.played.chance_to_win <= judgement.best.chance_to_win <= 1
                best = player.judge(moment.state, seat, judgement.best.action, LITTLE, moment.memory(seat), "a")
                assert best.lost < 0.35, "what was found best is no blunder when it is looked at again"


@every_case
def test_a_rival_is_another_legal_action(case: Case) -> None:
    for number, moment in enumerate(moments(case, 3)):
        for seat in moment.game.to_act(moment.state):
            player = moment.player(LEVELS[number % 4])
            action = random_action(moment.game, moment.state, seat, Random(number))
            rival = player.rival(moment.state, seat, action, LITTLE, moment.memory(seat), "a")
            if rival is not None:
                check(moment.game, moment.state, seat, rival.action)
                assert rival.action != action
                assert 0 <= rival.chance_to_win <= 1


@pytest.mark.slow
@every_case
def test_two_actions_are_compared_the_same_way_each_time(case: Case) -> None:
    for moment in moments(case, 3)[1:2]:
        for seat in moment.game.to_act(moment.state):
            one, other = (random_action(moment.game, moment.state, seat, Random(number)) for number in range(2))
            player = moment.player(Level.EXPERT)
            if one != other:
                found = [player.compare(moment.state, seat, (one, other), LITTLE, moment.memory(seat), "a") for _ in range(2)]
                assert found[0] == found[1]
                assert -1 <= found[0].mean <= 1
                assert found[0].least <= found[0].mean


@every_case
def test_the_chances_of_all_seats_make_one(case: Case) -> None:
    """In BOUNCE nobody need win, so they make one at most."""
    game = case.game
    for number, moment in enumerate(moments(case, 4)):
        player = moment.player(LEVELS[number % 4])
        chances = player.assess(moment.state, LITTLE, moment.memory(None), "a")
        assert len(chances) == case.seats
        assert all(0 <= chance <= 1 for chance in chances)
        assert all(chances[seat] == 0 for seat in game.view(moment.state).out)
        assert sum(chances) == pytest.approx(1, abs=0.02) or (case.game_id == "trampoline" and sum(chances) < 1)
    end = played(case).end
    assert opponent(case.game_id, rules=game.rules).assess(end) == shares(game, end)


@every_case
def test_it_gives_a_reason_that_its_seat_can_know(case: Case) -> None:
    for number, moment in enumerate(moments(case, 5)):
        player = moment.player(LEVELS[number % 4])
        other = resample(moment.game, moment.state, moment.game.to_act(moment.state)[0], Dice(Random(number)))
        for seat in moment.game.to_act(moment.state)[:1]:
            thought = asked(moment, LEVELS[number % 4], seat, waited_for=True)
            assert thought is not None
            memory = moment.memory(seat)
            reason = player.reason(moment.state, seat, thought, memory)
            assert reason is None or (isinstance(reason, Text) and reason.endswith("."))
            assert player.reason(replace(other, chance=Forbidden()), seat, thought, memory) == reason
            assert not player.hopeless(moment.state, Thought(thought.action, 0.6))
