"""The contract of a computer opponent: it chooses an action, judges an action, and gives the reason for one.

An opponent is asked about a state and a seat, and uses only what that seat may know. The state is first replaced by
`Hidden.resample(state, seat, …)`, which the seat cannot tell from the true one, and the earlier steps that the seat has seen
are handed over as `memory`. So it cannot cheat, however it thinks.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import sqrt
from random import Random, SystemRandom
from statistics import fmean, stdev
from typing import Any, ClassVar, Final, Generic, TypeVar

from engines.game import Action, Event, Game, HasChance, check, resample
from engines.steps import Step
from engines.text import Text
from opponents.dice import Dice

S = TypeVar("S", bound=HasChance)


class Level(StrEnum):
    """The strength of a computer player. Each level clearly beats the one before, and none plays nonsense on purpose."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


LEVELS: Final = tuple(Level)

LONGEST: Final = 3.0
"""The longest that a move may take at any level, in seconds of one core."""


PACES: Final[Mapping[str, float]] = {Level.EASY: 0.1, Level.MEDIUM: 0.5, Level.HARD: 0.5, Level.EXPERT: 1.5}
"""The seconds after which an opponent with hidden cards answers at each level, whatever it has thought of by then.

Each is enough for the longest move on an idle machine and, beyond the first level, also for starting a process for the move.
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of the thought that goes into one move.

    Attributes:
        nodes: the positions searched or games imagined, whichever the opponent counts. Only this decides the choice.
        seconds: a safety net for slow machines, after which thinking ends.
    """

    nodes: int
    seconds: float = LONGEST


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of thinking.

    Attributes:
        action: the action chosen.
        chance_to_win: the seat's chance to win with this action, 0 to 1; a draw counts half.
        line: the expected course of the game from this action on, as seats and actions.
        nodes: the amount of thought, in the unit of the budget.
    """

    action: Action
    chance_to_win: float
    line: tuple[tuple[int, Action], ...] = ()
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """An action compared with the best one, by what its seat could know, and with equal thought for both.

    Attributes:
        best: the best action that was found. Its chance is never less than that of `played`.
        played: the action that was asked about, with its chance before any draw that it leads to.
        doubt: another action that seems better, though not surely, or None.

    Where chances are sampled, `played` counts as the best action itself unless it is surely worse (`sampled_judgement`).
    """

    best: Thought
    played: Thought
    doubt: Thought | None = None

    @property
    def lost(self) -> float:
        """The part of the chance to win that the action gave away, 0 to 1."""
        return max(0.0, self.best.chance_to_win - self.played.chance_to_win)


@dataclass(frozen=True, slots=True)
class Loss:
    """The chance to win that one action gives away against another (below 0 if it is better), and the sure part of that."""

    mean: float
    least: float


def sampled_loss(differences: Sequence[float]) -> Loss:
    """Return the loss according to samples. The sure part is two standard errors below the mean.

    Args:
        differences: the seat's share with the better action minus its share with the other, in the same imagined worlds. The
            better action must have been chosen without these worlds: the luckiest of many would look better than it is.
    """
    mean = fmean(differences)
    error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else 1.0
    return Loss(mean, mean - 2 * error)


def sure_loss(differences: Sequence[float]) -> float:
    """Return the mean of the differences if it is surely above zero, otherwise 0. See `sampled_loss`."""
    loss = sampled_loss(differences)
    return loss.mean if loss.least > 0 else 0.0


def judgement(best: Thought, played: Thought, lost: float) -> Judgement:
    """Return the judgement about an action that gives away `lost` of the chance to win, 0 to 1.

    The chance of the best action is that of `played` plus `lost`, because its own estimate profits from being the highest.
    """
    if not lost:
        return Judgement(played, played)
    chance = min(1.0 - lost, played.chance_to_win)
    return Judgement(replace(best, chance_to_win=chance + lost), replace(played, chance_to_win=chance))


def sampled_judgement(best: Thought, played: Thought, differences: Sequence[float]) -> Judgement:
    """Return the judgement about an action according to samples of what it gives away; see `sampled_loss`."""
    lost, seems = sure_loss(differences), fmean(differences)
    if not lost and seems > 0:
        return Judgement(played, played, judgement(best, played, seems).best)
    return judgement(best, played, lost)


@dataclass(frozen=True, slots=True)
class Seen:
    """A step of a game as one seat came to know it: the seat that acted or left, the events, and that seat's view after it."""

    seat: int
    events: tuple[Event, ...]
    view: Any


Memory = Sequence[Seen]


def seat_memory(game: Game[S, Any], seat: int | None, steps: Iterable[tuple[int, Step[S]]]) -> tuple[Seen, ...]:
    """Return what a seat, or everybody (None), has seen of all `steps`, each of which comes with the seat that acted or left.

    The result is empty for games that are not about remembering (`Game.memory`).
    """
    if not game.memory:
        return ()
    return tuple(
        Seen(actor, tuple(event for event in step.events if event.known_to(seat)), game.view(step.state, seat))
        for actor, step in steps
    )


class Opponent(ABC, Generic[S]):
    """A computer player of one game at one level. It keeps no state, and the level alone decides its `budgets`."""

    budgets: ClassVar[dict[Level, Budget]]

    def __init__(self, game: Game[S, Any], level: Level) -> None:
        self.game = game
        self.level = level

    @property
    def pace(self) -> float:
        """The seconds after which the answer is shown, so that the time spent thinking tells nothing about the hand.

        The pace is 0, so that the answer is shown at once, in games without hidden cards.
        """
        return PACES[self.level] if self.game.secret else 0.0

    # --- questions ------------------------------------------------------------------------------------------------------

    def choose(
        self, state: S, seat: int, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Thought:
        """Return the action that the opponent plays for a seat that the game waits for.

        Args:
            state: a state of the game. What the seat cannot know about it is not used.
            seat: a seat that has a legal action.
            budget: the limits of the thought, or None for those of the level.
            memory: the steps that the seat has seen; see `seat_memory`.
            stream: a seed for the draws, by which the action is the same on every machine, or None for random draws.

        Raises:
            IllegalAction: the seat may not act.
        """
        if not self.game.choices(state, seat):
            check(self.game, state, seat, ())
        rng = self._rng(stream)
        return self._choose(self._imagine(state, seat, rng), seat, self._budget(budget), memory, rng)

    def advise(self, state: S, seat: int, memory: Memory = (), stream: str | None = None) -> Thought:
        """Return the action to advise a person to play: the choice, or one about as good whose use is plain. See `choose`."""
        if not self.game.choices(state, seat):
            check(self.game, state, seat, ())
        rng = self._rng(stream)
        return self._advise(self._imagine(state, seat, rng), seat, self._budget(None), memory, rng)

    def interrupt(
        self, state: S, seat: int, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Thought | None:
        """Return the action that a seat plays out of turn, or None if it plays none. The game does not wait for this action.

        It is an action of a seat in `may_act`. See `choose` for the arguments.
        """
        rng = self._rng(stream)
        return self._interrupt(self._imagine(state, seat, rng), seat, self._budget(budget), memory, rng)

    def judge(
        self, state: S, seat: int, action: Action, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Judgement:
        """Compare a legal action of a seat with the best one. See `choose` for the other arguments."""
        rng = self._rng(stream)
        return self._judge(self._imagine(state, seat, rng), seat, action, self._budget(budget), memory, rng)

    def rival(
        self, state: S, seat: int, action: Action, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Thought | None:
        """Return a seat's best action other than the given legal one, or None if the opponent knows no other. See `choose`."""
        rng = self._rng(stream)
        return self._rival(self._imagine(state, seat, rng), seat, action, self._budget(budget), memory, rng)

    def compare(
        self,
        state: S,
        seat: int,
        actions: tuple[Action, Action],
        budget: Budget | None = None,
        memory: Memory = (),
        stream: str | None = None,
    ) -> Loss:
        """Return what a seat gives away with the second of two different legal actions, compared with the first.

        All the thought goes into these two actions. See `choose` for the other arguments.
        """
        rng = self._rng(stream)
        return self._compare(self._imagine(state, seat, rng), seat, actions, self._budget(budget), memory, rng)

    def assess(
        self, state: S, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> tuple[float, ...]:
        """Return each seat's chance to win, 0 to 1, by what everybody knows. A draw counts half.

        `memory` is what everybody has seen. If the game is over, its result is returned, as `shares` gives it.
        """
        rng = self._rng(stream)
        ended = shares(self.game, state)
        if ended is not None:
            return ended
        return self._assess(self._imagine(state, None, rng), self._budget(budget), memory, rng)

    def reason(self, state: S, seat: int, thought: Thought, memory: Memory = ()) -> Text | None:
        """Return the reason for an action in a short sentence, or None: "It takes the piece on c5 and leaves nothing open."

        The reason depends only on what the seat may know and has seen.
        """
        return self._reason(self._imagine(state, seat, self._rng("")), seat, thought, memory)

    def recall(self, state: S, seat: int, memory: Memory) -> S:
        """Return a state for a seat to look at. In a game of memory, all the cards that the seat has seen are face up in it.

        The state is not for playing on: the rules depend on which cards are face up, and the cards that are face down in it may
        not be those of the game.
        """
        return state

    def hopeless(self, state: S, thought: Thought) -> bool:
        """Return whether a polite player would resign now, because the game is plainly lost and nothing can turn it."""
        return False

    def drawn(self, state: S, thought: Thought) -> bool:
        """Return whether a draw is plainly right, because no side can make progress. The computer then offers or accepts it."""
        return False

    @property
    def may_draw(self) -> bool:
        """Whether it ever considers a game drawn. If not, it declines every offer of a draw."""
        return type(self).drawn is not Opponent.drawn

    # --- filled in by each game -----------------------------------------------------------------------------------------
    # The states are imagined ones already; chance is drawn from `rng`, or from `Dice(rng)`.

    @abstractmethod
    def _choose(self, state: S, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        """See `choose`."""

    def _advise(self, state: S, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        """See `advise`."""
        return self._choose(state, seat, budget, memory, rng)

    def _interrupt(self, state: S, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought | None:
        """See `interrupt`."""
        return None

    @abstractmethod
    def _judge(self, state: S, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Judgement:
        """See `judge`."""

    @abstractmethod
    def _rival(self, state: S, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Thought | None:
        """See `rival`."""

    @abstractmethod
    def _compare(
        self, state: S, seat: int, actions: tuple[Action, Action], budget: Budget, memory: Memory, rng: Random
    ) -> Loss:
        """See `compare`."""

    @abstractmethod
    def _assess(self, state: S, budget: Budget, memory: Memory, rng: Random) -> tuple[float, ...]:
        """See `assess`. The game is not over."""

    @abstractmethod
    def _reason(self, state: S, seat: int, thought: Thought, memory: Memory) -> Text | None:
        """See `reason`."""

    def _budget(self, budget: Budget | None) -> Budget:
        return self.budgets[self.level] if budget is None else budget

    def _imagine(self, state: S, seat: int | None, rng: Random) -> S:
        return resample(self.game, state, seat, Dice(rng))

    def _rng(self, stream: str | None) -> Random:
        return Random(SystemRandom().getrandbits(64) if stream is None else stream)  # noqa: S311 - not a draw of the game


def shares(game: Game[S, Any], state: S) -> tuple[float, ...] | None:
    """Return each seat's share of a game that is over, or None if it is not over.

    The winners share 1. If there are none, all seats that played to the end share 1. A lone player has 1 or 0.
    """
    outcome = game.outcome(state)
    if outcome is None:
        return None
    view = game.view(state)
    sharing = outcome.winners or (() if view.seats == 1 else tuple(seat for seat in range(view.seats) if seat not in view.out))
    return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in range(view.seats))
