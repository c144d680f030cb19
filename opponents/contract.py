"""The contract of a computer opponent: it chooses an action, judges one, and gives the reason.

An opponent is asked about a state and a seat, and can use only what that seat may know. Before anything else the state is
replaced by `Hidden.resample(state, seat, …)`, a state that the seat cannot tell from the true one. The earlier steps that the
seat has seen, and may remember, are handed to it as `memory`. So it cannot cheat, however it thinks.
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
    """The strength of a computer player. Each level beats the one before it clearly; none plays nonsense on purpose."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


LEVELS: Final = tuple(Level)

LONGEST: Final = 3.0
"""The most seconds of one core that a move may take at any level."""


PACES: Final[Mapping[str, float]] = {Level.EASY: 0.1, Level.MEDIUM: 0.5, Level.HARD: 0.5, Level.EXPERT: 1.5}
"""The seconds after which an opponent with hidden cards answers at each level, whatever it has thought of by then.

Enough for the longest move on an idle machine, and beyond the first level for a process that is started for it.
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of the thought about one move.

    Attributes:
        nodes: positions searched or games imagined, whichever the opponent counts. The choice depends on this alone.
        seconds: a safety net for slow machines: thinking ends after so long, whatever was searched.
    """

    nodes: int
    seconds: float = LONGEST


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of thinking.

    Attributes:
        action: the action chosen.
        chance_to_win: the seat's chance to win with it, 0 to 1, as far as it can tell; a draw counts half.
        line: the expected course of the game, beginning with its own action: seats and actions.
        nodes: the amount of thought, in the unit of the budget.
    """

    action: Action
    chance_to_win: float
    line: tuple[tuple[int, Action], ...] = ()
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """An action compared with the best one, by what its seat could know and by equal thought.

    Attributes:
        best: the best action that was found; its chance is never less than that of `played`.
        played: the action that was asked about. Its chance is the one before any draw that it leads to.
        doubt: another action that seems better, though not surely, if any.

    Where chances are estimated by samples, `played` is the best itself unless it is surely worse (`sampled_judgement`).
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
    """The part of the chance to win that an action gives away against another one; below 0 if it is the better one.

    Attributes:
        mean: the estimate.
        least: the part that it surely gives away, as far as the estimate is uncertain.
    """

    mean: float
    least: float


def sampled_loss(differences: Sequence[float]) -> Loss:
    """Return the loss that samples tell, with two standard errors of uncertainty.

    Args:
        differences: the seat's share with the better action less that with the other one, in the same imagined worlds. The
            better action was chosen without these worlds: the luckiest of many in them would look better than it is.
    """
    mean = fmean(differences)
    error = stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else 1.0
    return Loss(mean, mean - 2 * error)


def sure_loss(differences: Sequence[float]) -> float:
    """Return the mean of the differences if it surely is above zero, otherwise 0; see `sampled_loss`."""
    loss = sampled_loss(differences)
    return loss.mean if loss.least > 0 else 0.0


def judgement(best: Thought, played: Thought, lost: float) -> Judgement:
    """Return the judgement about an action that gives away this part of the chance to win, 0 to 1, where 0 is as good as any.

    The chance of the best action follows from that of `played`, which nobody has picked because it looked good.
    """
    if not lost:
        return Judgement(played, played)
    chance = min(1.0 - lost, played.chance_to_win)
    return Judgement(replace(best, chance_to_win=chance + lost), replace(played, chance_to_win=chance))


def sampled_judgement(best: Thought, played: Thought, differences: Sequence[float]) -> Judgement:
    """Return the judgement about an action by samples of what it gives away against the best one; see `sampled_loss`."""
    lost, seems = sure_loss(differences), fmean(differences)
    if not lost and seems > 0:
        return Judgement(played, played, judgement(best, played, seems).best)
    return judgement(best, played, lost)


@dataclass(frozen=True, slots=True)
class Seen:
    """A step of a game, as one seat came to know of it.

    Attributes:
        seat: the seat that acted or left.
        events: the events, as far as the observing seat may know (`Event.detail` says it in values).
        view: the view of the observing seat afterwards, as `Game.view` gives it.
    """

    seat: int
    events: tuple[Event, ...]
    view: Any


Memory = Sequence[Seen]


def seat_memory(game: Game[S, Any], seat: int | None, steps: Iterable[tuple[int, Step[S]]]) -> tuple[Seen, ...]:
    """Return the steps that a seat has seen so far. Empty in games where remembering is no part of the game (`Game.memory`).

    Args:
        game: the rules.
        seat: the seat that remembers, or None for the common memory of all.
        steps: all steps of the game, in order: the seat that acted or left, and the result.
    """
    if not game.memory:
        return ()
    return tuple(
        Seen(actor, tuple(event for event in step.events if event.known_to(seat)), game.view(step.state, seat))
        for actor, step in steps
    )


class Opponent(ABC, Generic[S]):
    """A computer player of one game at one level. It has no state of its own.

    Attributes:
        budgets: the thought about a move, by level and nothing else.

    Args:
        game: the rules, which may be an earlier version of them.
        level: the strength.
    """

    budgets: ClassVar[dict[Level, Budget]]

    def __init__(self, game: Game[S, Any], level: Level) -> None:
        self.game = game
        self.level = level

    @property
    def pace(self) -> float:
        """The seconds after which its answer is shown, so that its time to think tells nothing about its hand.

        0, at once, in games in which all know the same.
        """
        return PACES[self.level] if self.game.secret else 0.0

    # --- questions ------------------------------------------------------------------------------------------------------

    def choose(
        self, state: S, seat: int, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Thought:
        """Return the action that the opponent plays for a seat that the game waits for.

        Args:
            state: a state of the game. Nothing that the seat cannot know in it is used.
            seat: a seat that has a legal action.
            budget: the limits of the thought, or None for those of the level.
            memory: the steps that the seat has seen; see `seat_memory`.
            stream: with the same stream and other arguments, the action is the same on every machine. None for a random one.

        Raises:
            IllegalAction: the seat may not act.
        """
        if not self.game.choices(state, seat):
            check(self.game, state, seat, ())
        rng = self._rng(stream)
        return self._choose(self._imagine(state, seat, rng), seat, self._budget(budget), memory, rng)

    def advise(self, state: S, seat: int, memory: Memory = (), stream: str | None = None) -> Thought:
        """Return the action that a person is advised to play: the choice, or one about as good whose use is plain.

        See `choose` for the arguments.
        """
        if not self.game.choices(state, seat):
            check(self.game, state, seat, ())
        rng = self._rng(stream)
        return self._advise(self._imagine(state, seat, rng), seat, self._budget(None), memory, rng)

    def interrupt(
        self, state: S, seat: int, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Thought | None:
        """Return the action that a seat plays out of turn, or None. It is one of `may_act` that the game does not wait for.

        See `choose` for the arguments.
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
        """Return the best action of a seat other than this legal one, or None if the opponent knows of no other.

        See `choose` for the arguments.
        """
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
        """Return what a seat gives away with the second of two different legal actions, against the first.

        All the thought goes into these two. See `choose` for the other arguments.
        """
        rng = self._rng(stream)
        return self._compare(self._imagine(state, seat, rng), seat, actions, self._budget(budget), memory, rng)

    def assess(
        self, state: S, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> tuple[float, ...]:
        """Return each seat's chance to win, 0 to 1, by common knowledge; a draw counts half.

        `memory` is the common one, of no seat. For a game that is over: its result, as `shares` has it.
        """
        rng = self._rng(stream)
        ended = shares(self.game, state)
        if ended is not None:
            return ended
        return self._assess(self._imagine(state, None, rng), self._budget(budget), memory, rng)

    def reason(self, state: S, seat: int, thought: Thought, memory: Memory = ()) -> Text | None:
        """Return the reason for an action, in a short sentence: "It takes the piece on c5 and leaves nothing open."

        None if no reason would explain anything. Depends only on what the seat may know and has seen.
        """
        return self._reason(self._imagine(state, seat, self._rng("")), seat, thought, memory)

    def recall(self, state: S, seat: int, memory: Memory) -> S:
        """Return a state for a seat to look at: in a game of memory, all that the seat has seen is face up.

        It is not for playing on: which cards are face up matters to the rules, and those face down may be none of the game's.
        """
        return state

    def hopeless(self, state: S, thought: Thought) -> bool:
        """Return whether a polite player resigns now: the game is plainly lost, and nothing can turn it."""
        return False

    def drawn(self, state: S, thought: Thought) -> bool:
        """Return whether a draw is plainly right: no side can make progress. The computer then offers it, or agrees to it."""
        return False

    @property
    def may_draw(self) -> bool:
        """Whether it ever takes a game for drawn; if not, it declines every draw."""
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
        """See `assess`; the game is not over."""

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
    """Return each seat's share of a game that is over: the winners share 1; without any, all who played to the end do.

    None while the game is going on. A lone player has 1 or 0.
    """
    outcome = game.outcome(state)
    if outcome is None:
        return None
    view = game.view(state)
    sharing = outcome.winners or (() if view.seats == 1 else tuple(seat for seat in range(view.seats) if seat not in view.out))
    return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in range(view.seats))
