"""What every computer opponent offers: to choose an action, to judge one, and to say why.

An opponent is asked about a state and a seat, and can use only what that seat may know: before anything else, whatever it is
given is replaced by `Hidden.resample(state, seat, …)`, a state that the seat cannot tell from the true one. What the seat has
seen earlier, and may remember, is handed to it as `memory`. So it cannot cheat, by whatever way it thinks.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random, SystemRandom
from typing import Any, ClassVar, Final, Generic, TypeVar

from engines.game import Action, Event, Game, HasChance, check, resample
from engines.results import Step
from engines.text import Text
from opponents.dice import Dice

S = TypeVar("S", bound=HasChance)


class Level(StrEnum):
    """How well a computer plays. Each level beats the one before it clearly; none plays nonsense on purpose."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    EXPERT = "expert"


LEVELS: Final = tuple(Level)

LONGEST: Final = 3.0
"""The most seconds of one core that a move may take at any level."""


PACES: Final[Mapping[str, float]] = {Level.EASY: 0.5, Level.MEDIUM: 0.5, Level.HARD: 0.5, Level.EXPERT: 1.5}
"""Seconds after which an opponent with hidden cards answers at each level, whatever it has thought of meanwhile.

Enough for the longest move on an idle machine, and for a process that is started for it.
"""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be thought about one move.

    Attributes:
        nodes: positions searched or games imagined, whichever the opponent counts. The choice depends on this alone.
        seconds: a safety net for slow machines: thinking ends after so long, whatever was searched.
    """

    nodes: int
    seconds: float = LONGEST


@dataclass(frozen=True, slots=True)
class Thought:
    """What an opponent has thought of.

    Attributes:
        action: the action that it chooses.
        chance_to_win: how likely the seat is to win with it, 0 to 1, as far as it can tell; a draw counts half.
        line: how it expects the game to go on, beginning with its own action: seats and actions.
        nodes: how much was thought, in the unit of its budget.
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
        played: the action that was asked about. Its chance is that before anything is drawn that it leads to.
    """

    best: Thought
    played: Thought

    @property
    def lost(self) -> float:
        """How much of the chance to win the action gave away, 0 to 1."""
        return max(0.0, self.best.chance_to_win - self.played.chance_to_win)


@dataclass(frozen=True, slots=True)
class Seen:
    """Something that has happened in a game, as one seat came to know of it.

    Attributes:
        seat: who acted or left.
        events: what happened, as far as the observing seat may know (`Event.detail` says it in values).
        view: what the observing seat saw afterwards, as `Game.view` gives it.
    """

    seat: int
    events: tuple[Event, ...]
    view: Any


Memory = Sequence[Seen]


def seat_memory(game: Game[S, Any], seat: int | None, steps: Iterable[tuple[int, Step[S]]]) -> tuple[Seen, ...]:
    """What a seat has seen of a game so far. Empty in games where remembering is no part of the game (`Game.memory`).

    Args:
        game: the rules.
        seat: the seat that remembers; None: what everybody has seen.
        steps: everything that has happened, in order: who acted or left, and what came of it.
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
        budgets: how much it thinks about a move, by level and nothing else.

    Args:
        game: the rules, which may be an earlier version of them.
        level: how well it plays.
    """

    budgets: ClassVar[dict[Level, Budget]]

    def __init__(self, game: Game[S, Any], level: Level) -> None:
        self.game = game
        self.level = level

    @property
    def pace(self) -> float:
        """The seconds after which its answer is shown, so that nobody works back from how long it thinks to a hand.

        0, at once, in games in which all know the same.
        """
        return PACES[self.level] if self.game.secret else 0.0

    # --- what it is asked -------------------------------------------------------------------------------------------

    def choose(
        self, state: S, seat: int, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Thought:
        """The action that it plays for a seat that the game waits for.

        Args:
            state: a state of the game. Of what the seat cannot know in it nothing is used.
            seat: a seat that has a legal action.
            budget: how much to think; None: as much as the level does.
            memory: what the seat has seen; see `seat_memory`.
            stream: the same one, with the same other arguments, gives the same action on every machine; None: any.

        Raises:
            IllegalAction: the seat may not act.
        """
        if not self.game.choices(state, seat):
            check(self.game, state, seat, ())
        rng = self._rng(stream)
        return self._choose(self._imagine(state, seat, rng), seat, self._budget(budget), memory, rng)

    def interrupt(
        self, state: S, seat: int, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Thought | None:
        """What it plays out of turn, for a seat among `may_act` that the game does not wait for; None: nothing.

        See `choose` for the arguments.
        """
        rng = self._rng(stream)
        return self._interrupt(self._imagine(state, seat, rng), seat, self._budget(budget), memory, rng)

    def judge(
        self, state: S, seat: int, action: Action, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> Judgement:
        """How good a legal action of a seat is, compared with the best one. See `choose` for the other arguments."""
        rng = self._rng(stream)
        return self._judge(self._imagine(state, seat, rng), seat, action, self._budget(budget), memory, rng)

    def assess(
        self, state: S, budget: Budget | None = None, memory: Memory = (), stream: str | None = None
    ) -> tuple[float, ...]:
        """How likely each seat is to win, 0 to 1, by what everybody knows; a draw counts half.

        `memory` is what everybody has seen: that of no seat. For a game that is over: its result, as `shares` has it.
        """
        rng = self._rng(stream)
        ended = shares(self.game, state)
        if ended is not None:
            return ended
        return self._assess(self._imagine(state, None, rng), self._budget(budget), memory, rng)

    def reason(self, state: S, seat: int, thought: Thought, memory: Memory = ()) -> Text:
        """Why an action is good, in a short sentence for people: "It takes the piece on c5 and leaves nothing open."

        Depends on what the seat may know alone, and on what it has seen.
        """
        return self._reason(self._imagine(state, seat, self._rng("")), seat, thought, memory)

    def hopeless(self, state: S, thought: Thought) -> bool:
        """Whether a polite player resigns now: the game is plainly lost, and nothing can turn it."""
        return False

    def drawn(self, state: S, thought: Thought) -> bool:
        """Whether a draw is plainly right: no side can make progress. The computer then offers it, or agrees to it."""
        return False

    # --- what each game fills in ------------------------------------------------------------------------------------
    # The states are imagined ones already; chance is drawn from `rng`, or from `Dice(rng)`.

    @abstractmethod
    def _choose(self, state: S, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        """See `choose`."""

    def _interrupt(self, state: S, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought | None:
        """See `interrupt`."""
        return None

    @abstractmethod
    def _judge(self, state: S, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Judgement:
        """See `judge`."""

    @abstractmethod
    def _assess(self, state: S, budget: Budget, memory: Memory, rng: Random) -> tuple[float, ...]:
        """See `assess`; the game is not over."""

    @abstractmethod
    def _reason(self, state: S, seat: int, thought: Thought, memory: Memory) -> Text:
        """See `reason`."""

    def _budget(self, budget: Budget | None) -> Budget:
        return self.budgets[self.level] if budget is None else budget

    def _imagine(self, state: S, seat: int | None, rng: Random) -> S:
        return resample(self.game, state, seat, Dice(rng))

    def _rng(self, stream: str | None) -> Random:
        return Random(SystemRandom().getrandbits(64) if stream is None else stream)  # noqa: S311 - not a draw of the game


def shares(game: Game[S, Any], state: S) -> tuple[float, ...] | None:
    """What each seat has of a game that is over: the winners share 1; without any, everybody who played to the end does.

    None while the game is going on. A lone player has 1 or 0.
    """
    outcome = game.outcome(state)
    if outcome is None:
        return None
    view = game.view(state)
    sharing = outcome.winners or (() if view.seats == 1 else tuple(seat for seat in range(view.seats) if seat not in view.out))
    return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in range(view.seats))
