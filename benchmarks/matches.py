"""Games between computer players, and what their results say: Elo with error bars, and a test that ends as soon as it can.

`play_match` plays one game; `pair` plays two of them with the seats swapped. Nobody can cheat, because a player is given
imagined dice and a state that its seat cannot tell from the true one.

The test is the generalised sequential probability ratio test (M. Van den Bergh, "A practical introduction to the GSPRT", and
"Comments on normalized Elo"), which testers of chess programs use, too. The results may have any number of values. Their
likelihood under a mean is their likelihood under the likeliest distribution that has this mean.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import inf, log, log10, sqrt
from random import Random
from statistics import fmean, variance
from time import process_time
from typing import Any, Final, Literal

from engines.chance import Fair
from engines.game import Action, Game, Step, may_act, resample
from engines.values import replace
from opponents.contract import Budget, Memory, Opponent, Seen, seat_memory, shares
from opponents.dice import Dice
from opponents.playouts import random_action

NINETY_FIVE: Final = 1.96
"""The number of standard errors on each side of a mean that contain it in 95 of 100 cases."""
_NEVER_SEEN: Final = 1e-3
"""The count that is assumed for a loss or a win that has not happened yet, because nothing is quite impossible."""


# --- players -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """The question that a player is asked.

    Attributes:
        game: the rules.
        state: a state that the seat cannot tell from the true one, with dice of its own.
        seat: the seat that may act.
        memory: what the seat has seen; see `opponents.seat_memory`.
        stream: a name for the player's own random draws, which is the same each time the same game is played.
        waited_for: whether the game waits for this seat. If not, the seat may act out of turn.
    """

    game: Game[Any, Any]
    state: Any
    seat: int
    memory: Memory
    stream: str
    waited_for: bool


Player = Callable[[Request], Action | None]
"""A player, which returns the action that it plays. If the game does not wait for it, it may return None to do nothing."""


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """A computer opponent in the role of a player."""

    opponent: Opponent[Any]
    budget: Budget | None = None

    def __call__(self, asked: Request) -> Action | None:
        ask = self.opponent.choose if asked.waited_for else self.opponent.interrupt
        thought = ask(asked.state, asked.seat, self.budget, asked.memory, asked.stream)
        return None if thought is None else thought.action


def random_player(asked: Request) -> Action | None:
    """Return a random action, or None out of turn."""
    return random_action(asked.game, asked.state, asked.seat, Random(asked.stream)) if asked.waited_for else None


# --- games -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The terms of a game.

    Attributes:
        game: the rules.
        seats: the number of players.
        variant: the variant, or None for the first.
        options: the options of the table.
        opening: the number of actions drawn at random at the beginning, for games that would otherwise all be the same.
        longest: the number of actions after which the game counts as a draw.
        turn: tells whose turn it is in a state, or None before the first turn. The default is the seat that the game waits for.
    """

    game: Game[Any, Any]
    seats: int = 2
    variant: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    opening: int = 0
    longest: int = 1_000
    turn: Callable[[Any], Any] | None = None

    def start(self, seed: str) -> Any:
        """Return the state before the first action, which is the same for the same seed."""
        return self.game.start(self.seats, self.variant, Fair(sha256(seed.encode()).digest()), **self.options)

    def turn_in(self, state: Any) -> Any:
        return self.turn(state) if self.turn is not None else next(iter(self.game.to_act(state)), None)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The course of a game between players.

    Attributes:
        shares: each seat's share, as `opponents.shares` gives it. All are the same in a game that was cut short.
        actions: the number of actions that were played, including those of the opening.
        turns: the number of turns that were begun.
        cut: whether the game was ended because it was too long.
        seconds: for each seat, the seconds of this processor that each of its choices took.
    """

    shares: tuple[float, ...]
    actions: int
    turns: int
    cut: bool
    seconds: tuple[tuple[float, ...], ...]


def play_match(
    terms: MatchRules, players: Sequence[Player], seed: str, watch: Callable[[int, Step[Any]], None] | None = None
) -> MatchResult:
    """Play a whole game.

    Args:
        terms: the terms of the game.
        players: the players, by seat.
        seed: the same seed gives the same game, if the players play the same each time.
        watch: called after each action after the opening with its seat and its result.

    Raises:
        IllegalAction: a player has chosen an action that is not legal.
        TypeError: a player that the game waits for has chosen nothing.
    """
    return _Going(terms, players, seed, watch).to_its_end()


class _Going:
    def __init__(
        self, terms: MatchRules, players: Sequence[Player], seed: str, watch: Callable[[int, Step[Any]], None] | None
    ) -> None:
        self.terms, self.game, self.players, self.seed, self.watch = terms, terms.game, players, seed, watch
        self.state = self._opening()
        self.actions = terms.opening
        self.turn = terms.turn_in(self.state)
        self.turns = 0 if self.turn is None else 1
        self.last_acted = -1
        self.memories: list[list[Seen]] = [[] for _ in players]
        self.seconds: list[list[float]] = [[] for _ in players]

    def to_its_end(self) -> MatchResult:
        while self.actions < self.terms.longest and (waited_for := self.game.to_act(self.state)):
            if not self._interrupt(waited_for):
                self._in_turn(waited_for[0])
        ended = shares(self.game, self.state)
        even = (1 / len(self.players),) * len(self.players)
        seconds = tuple(map(tuple, self.seconds))
        return MatchResult(ended or even, self.actions, self.turns, ended is None, seconds)

    def _opening(self) -> Any:
        """Return the first state, after an opening that does not end the game."""
        terms, tries = self.terms, 0
        while True:
            rng = Random(f"{self.seed} opening {tries}")
            state = terms.start(self.seed)
            for _ in range(terms.opening):
                if seats := self.game.to_act(state):
                    state = self.game.advance(state, seats[0], random_action(self.game, state, seats[0], rng))
            if self.game.outcome(state) is None:
                return state
            tries += 1

    def _in_turn(self, seat: int) -> None:
        action = self._ask(seat, waited_for=True)
        if action is None:
            raise TypeError(f"{self.players[seat]} has chosen nothing in its turn")
        self._act(seat, action)

    def _interrupt(self, waited_for: Sequence[int]) -> bool:
        """Return whether somebody has acted out of turn. The seat after the one that acted last is asked first."""
        others = [seat for seat in may_act(self.game, self.state) if seat not in waited_for]
        for seat in sorted(others, key=lambda seat: (seat - self.last_acted - 1) % len(self.players)):
            action = self._ask(seat, waited_for=False)
            if action is not None:
                self._act(seat, action)
                return True
        return False

    def _ask(self, seat: int, *, waited_for: bool) -> Action | None:
        stream = f"{self.seed} {self.actions} {seat}"
        dice = Dice(Random(stream))
        imagined = replace(resample(self.game, self.state, seat, dice), chance=dice)
        began = process_time()
        action = self.players[seat](Request(self.game, imagined, seat, self.memories[seat], stream, waited_for))
        self.seconds[seat].append(process_time() - began)
        return action

    def _act(self, seat: int, action: Action) -> None:
        """Play an action, and let every player remember what they saw of it."""
        step: Step[Any] = self.game.play(self.state, seat, action)
        self.state = step.state
        if self.watch is not None:
            self.watch(seat, step)
        self.actions += 1
        self.last_acted = seat
        if (turn := self.terms.turn_in(self.state)) not in {None, self.turn}:
            self.turn = turn
            self.turns += 1
        for observer, memory in enumerate(self.memories):
            memory += seat_memory(self.game, observer, [(seat, step)])


# --- who sits where ----------------------------------------------------------------------------------------------------------


def seating(seats: int, number: int) -> tuple[int, ...]:
    """Return which of two sides, 0 or 1, sits on each seat. Each side has half the seats, arranged differently for each number.

    Raises ValueError for an odd number of seats.
    """
    if seats % 2:
        raise ValueError(f"two sides cannot share {seats} seats evenly")
    arrangements = [
        sides
        for bits in range(1 << (seats - 1))
        if sum(sides := (0, *(bits >> place & 1 for place in range(seats - 1)))) == seats // 2
    ]
    return arrangements[number % len(arrangements)]


def pair(
    terms: MatchRules, sides: tuple[Player, Player], seed: str, number: int
) -> tuple[tuple[MatchResult, tuple[int, ...]], ...]:
    """Return two games with the same opening and dice but swapped seats, each with the side, 0 or 1, that sat on each seat."""
    first = seating(terms.seats, number)
    both = (first, tuple(1 - side for side in first))
    return tuple((play_match(terms, [sides[side] for side in seated], f"{seed} {number}"), seated) for seated in both)


def share_of(match: MatchResult, seated: Sequence[int], side: int = 0) -> float:
    """Return a side's share of a game, 0 to 1."""
    return sum(share for share, sits in zip(match.shares, seated, strict=True) if sits == side)


# --- what the results say ----------------------------------------------------------------------------------------------------


def elo(share: float) -> float:
    """Return the difference in Elo that gives this share of the games, 0 to 1."""
    if not 0 < share < 1:
        return inf if share > 0 else -inf
    return 400 * log10(share / (1 - share))


def expected_share(difference: float) -> float:
    """Return the share of the games that this difference in Elo gives."""
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference in Elo, with the bounds that hold in 95 of 100 cases."""

    value: float
    low: float
    high: float


def difference(pairs: Sequence[float]) -> Difference:
    """Return how much better a side is, from its share, 0 to 1, of each pair of games.

    Pairs are counted, not games, because the two games of a pair depend on one another. If all pairs were won, or all lost, the
    finite bound is the difference with which this would happen in 5 of 100 cases.
    """
    mean, bound = fmean(pairs), 0.05 ** (1 / (2 * len(pairs)))
    if mean in {0, 1}:
        return Difference(inf, elo(bound), inf) if mean else Difference(-inf, -inf, -elo(bound))
    error = NINETY_FIVE * sqrt(variance(pairs) / len(pairs)) if len(pairs) > 1 else 1.0
    return Difference(elo(mean), elo(max(0.0, mean - error)), elo(min(1.0, mean + error)))


Verdict = Literal["proved", "refuted", "open"]


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of whether a side is better by at least some difference.

    Attributes:
        elo0: a difference that is not enough.
        elo1: a difference that is enough.
        alpha: the probability that a difference that is not enough is called enough.
        beta: the probability that a difference that is enough is called not enough.
    """

    elo0: float = 100
    elo1: float = 200
    alpha: float = 0.05
    beta: float = 0.05

    def verdict(self, results: Sequence[float]) -> Verdict:
        """Return what the results of the games, 0 to 1, say so far.

        The games of a pair are treated as independent. Where an opening or the dice favour a seat, both sides have this seat
        once, so their results differ less than those of independent games. The test is then more careful than it claims to be.
        """
        ratio = self.ratio(results)
        if ratio >= log((1 - self.beta) / self.alpha):
            return "proved"
        return "refuted" if ratio <= log(self.beta / (1 - self.alpha)) else "open"

    def ratio(self, results: Sequence[float]) -> float:
        """Return the logarithm of how much likelier the results are under `elo1` than under `elo0`."""
        counts = Counter({0.0: _NEVER_SEEN, 1.0: _NEVER_SEEN})
        counts.update(results)
        seen = {value: count / counts.total() for value, count in counts.items()}
        enough, too_little = (_likeliest(seen, expected_share(points)) for points in (self.elo1, self.elo0))
        return sum(count * log(enough[value] / too_little[value]) for value, count in counts.items())


def _likeliest(seen: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return the distribution with this mean under which `seen` is likeliest: p / (1 + x (value - mean)) with the right x."""
    low, high = -1 / (max(seen) - mean), 1 / (mean - min(seen))
    for _ in range(100):
        x = (low + high) / 2
        if sum(share * (value - mean) / (1 + x * (value - mean)) for value, share in seen.items()) > 0:
            low = x
        else:
            high = x
    return {value: share / (1 + x * (value - mean)) for value, share in seen.items()}
