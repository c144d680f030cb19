"""Random games of every registered kind, played once and examined by many tests."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from engines import EARLIER, GAMES, rules_of
from engines.chance import Fair
from engines.game import Action, Game, Step, may_act, normal_options

OTHER_SEED = bytes(range(32, 64))

TURNS_AT_MOST = 500
"""Players leave a random game that is not over by then."""


@dataclass(frozen=True)
class Case:
    """A way to set up a table; `rules` is an earlier version of the game's rules, or None for the current one."""

    game_id: str
    variant: str
    seats: int
    options: tuple[tuple[str, str], ...] = ()
    rules: int | None = None

    @property
    def game(self) -> Game[Any, Any]:
        return GAMES[self.game_id] if self.rules is None else rules_of(self.game_id, self.rules)

    @property
    def seed(self) -> bytes:
        return sha256(str(self).encode()).digest()

    def __str__(self) -> str:
        version = () if self.rules is None else ("rules", str(self.rules))
        return "-".join((self.game_id, self.variant, str(self.seats), *(value for _, value in self.options), *version))

    def start(self) -> Any:
        return self.game.start(self.seats, self.variant, Fair(self.seed), **dict(self.options))


def possible(game: Game[Any, Any], variant: str, seats: int, **options: str) -> bool:
    try:
        normal_options(game, variant, seats, options)
    except ValueError:
        return False
    return True


def cases() -> Iterator[Case]:
    """Every variant of every game with every number of seats, and with every value of every option that goes with it.

    Of earlier versions of the rules, every variant with the fewest and the most seats.
    """
    for game_id, game in GAMES.items():
        for variant in game.variants:
            for seats in game.seats:
                yield Case(game_id, variant, seats)
            for name, option in game.options.items():
                for value in (*option.values[1:], *option.suggestions):
                    if possible(game, variant, game.seats[0], **{name: value}):
                        yield Case(game_id, variant, game.seats[0], ((name, value),))
    for game in EARLIER:
        for variant in game.variants:
            for seats in (game.seats[0], game.seats[-1]):
                yield Case(game.id, variant, seats, rules=game.rules)


CASES = tuple(cases())

QUICK = frozenset(
    {
        "bouncers-10x10-20-terminal-2",
        "bouncers-8x8-16-2",
        "bunny-standard-2",
        "pucks-old-school-2-2",
        "pucks-standard-2-2",
        "pucks-standard-2-B.K/GeKB",
        "pucks-standard-2-mats",
        "pucks-standard-2-shuffled",
        "pucks-standard-6-rules-1",
        "trampoline-standard-1",
        "trampoline-standard-2",
        "trampoline-standard-3",
    }
)
"""The cases with which the quick tests reach every branch of the engines that all cases reach together."""


def marked(cases: Iterable[Case]) -> list[ParameterSet]:
    """The cases as parameters of a test; those not in `QUICK` are slow."""
    return [pytest.param(case, id=str(case), marks=() if str(case) in QUICK else pytest.mark.slow) for case in cases]


every_case = pytest.mark.parametrize("case", marked(CASES))
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@dataclass(frozen=True)
class Turn:
    """A state, and what somebody did then; `action` is None for a seat that left."""

    before: Any
    seat: int
    action: Action | None
    step: Step[Any]


@dataclass(frozen=True)
class Played:
    case: Case
    start: Any
    turns: tuple[Turn, ...]

    @property
    def end(self) -> Any:
        return self.turns[-1].step.state

    @property
    def states(self) -> list[Any]:
        return [self.start, *(turn.step.state for turn in self.turns)]

    def some_states(self, number: int) -> list[Any]:
        """At most so many states, spread over the game, including the first and the last."""
        return spread(self.states, number)

    def some_turns(self, number: int) -> list[Turn]:
        """At most so many turns in which somebody acted, spread over the game."""
        return spread([turn for turn in self.turns if turn.action is not None], number)


def spread(items: list[Any], number: int) -> list[Any]:
    if len(items) <= number:
        return items
    return [items[round(place * (len(items) - 1) / (number - 1))] for place in range(number)]


def random_action(game: Game[Any, Any], state: Any, seat: int, dice: random.Random) -> Action:
    """An action found by walking the choices, stopping half of the times where it may stop or go on."""
    action: Action = ()
    offered = game.choices(state, seat)
    while True:
        choice = dice.choice(offered)
        action = (*action, choice.token)
        offered = game.choices(state, seat, action)
        assert choice.final or offered, f"{action} is not whole, and nothing can follow"
        if choice.final and (not offered or dice.random() < 0.5):
            return action


@cache
def played(case: Case, leaving: bool = False) -> Played:
    """A random game of this case, with cards out of turn now and then, and, if `leaving`, with players who leave midway."""
    game, state = case.game, case.start()
    dice = random.Random(f"{case} {leaving}")
    start = state
    turns: list[Turn] = []
    leaves_at = dice.randrange(1, 30) if leaving else TURNS_AT_MOST
    while game.outcome(state) is None:
        if len(turns) >= leaves_at:
            seat, action = dice.choice(still_in(game, state)), None
            step = game.withdraw(state, seat)
            leaves_at += dice.randrange(1, 15) if leaving else 1
        else:
            seats = may_act(game, state) if dice.random() < 0.2 else game.to_act(state)
            seat = dice.choice(seats)
            action = random_action(game, state, seat, dice)
            step = game.play(state, seat, action)
        turns.append(Turn(state, seat, action, step))
        state = step.state
    return Played(case, start, tuple(turns))


def everybody(case: Case) -> list[int | None]:
    """Every seat, and None for a spectator."""
    return [None, *range(case.seats)]


def still_in(game: Game[Any, Any], state: Any) -> list[int]:
    view = game.view(state)
    return [seat for seat in range(view.seats) if seat not in view.out]
