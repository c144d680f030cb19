"""A scripted computer player that replaces a game's own."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar
from unittest import mock

import opponents
from engines.chance import Chance
from engines.game import Action, is_whole, legal_actions
from engines.text import Text, say, seat_name
from opponents import Budget, Judgement, Level, Memory, Opponent, Thought
from opponents.contract import Loss


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to the player: "choose", "assess", or "judge" or "compare" with an action; and its details."""

    what: str
    action: Action
    view: Any
    chance: Chance
    nodes: int
    memory: Memory


class Scripted(Opponent[Any]):
    """Prefers the first legal action, with the second as its rival, unless told otherwise.

    Attributes:
        lost: how much of the chance to win actions give away (default 0). For the best action this is `BEST`.
        doubted: how much they seem to give away, without certainty (default 0).
        again: the same when they are compared again (default as before).
        plays: the levels' choices (default the first legal action).
        stands: everybody's standing at each assessment. The last one repeats.
        asked: all questions, in order.
        fails: the actions about which it fails.
    """

    BEST: ClassVar[float] = 0.6
    budgets: ClassVar[dict[Level, Budget]] = {level: Budget(8) for level in Level}
    lost: ClassVar[Mapping[Action, float]] = {}
    doubted: ClassVar[Mapping[Action, float]] = {}
    again: ClassVar[Mapping[Action, Loss]] = {}
    plays: ClassVar[Mapping[Level, Action]] = {}
    stands: ClassVar[Sequence[tuple[float, ...]]] = ()
    asked: ClassVar[list[Asked]] = []
    fails: ClassVar[set[Action]] = set()

    def _choose(self, state: Any, seat: int, budget: Budget, memory: Memory, rng: Random) -> Thought:
        self._note("choose", (), state, seat, budget, memory)
        action = self.plays.get(self.level)
        if action is None or not is_whole(self.game, state, seat, action):
            return self._first(state, seat)
        return Thought(action, self.BEST, ((seat, action),), budget_of(self))

    def _first(self, state: Any, seat: int) -> Thought:
        best = next(iter(legal_actions(self.game, state, seat)))
        return Thought(best, self.BEST, ((seat, best),), budget_of(self))

    def _judge(self, state: Any, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Judgement:
        self._note("judge", action, state, seat, budget, memory)
        if action in self.fails:
            raise ArithmeticError("it cannot be told")
        lost = self.lost.get(action, 0.0)
        best = self._first(state, seat) if lost else Thought(action, self.BEST)
        doubt = (
            replace(self._first(state, seat), chance_to_win=self.BEST + self.doubted[action])
            if action in self.doubted
            else None
        )
        return Judgement(best, Thought(action, self.BEST - lost), doubt)

    def _rival(self, state: Any, seat: int, action: Action, budget: Budget, memory: Memory, rng: Random) -> Thought | None:
        self._note("rival", action, state, seat, budget, memory)
        others = (other for other in legal_actions(self.game, state, seat) if other != action)
        return next((Thought(other, self.BEST - self.lost.get(other, 0.0)) for other in others), None)

    def _compare(
        self, state: Any, seat: int, actions: tuple[Action, Action], budget: Budget, memory: Memory, rng: Random
    ) -> Loss:
        self._note("compare", actions[1], state, seat, budget, memory)
        lost = self.lost.get(actions[1], 0.0)
        return self.again.get(actions[1], Loss(lost, lost))

    def _assess(self, state: Any, budget: Budget, memory: Memory, rng: Random) -> tuple[float, ...]:
        seats = self.game.view(state).seats
        before = sum(asked.what == "assess" for asked in self.asked)
        self._note("assess", (), state, None, budget, memory)
        if not self.stands:
            return (1 / seats,) * seats
        return self.stands[min(before, len(self.stands) - 1)]

    def _note(self, what: str, action: Action, state: Any, seat: int | None, budget: Budget, memory: Memory) -> None:
        self.asked.append(Asked(what, action, self.game.view(state, seat), state.chance, budget.nodes, memory))

    def _reason(self, state: Any, seat: int, thought: Thought, memory: Memory) -> Text:
        return say("{who} likes it.", who=seat_name(seat))


def budget_of(player: Opponent[Any]) -> int:
    return player.budgets[player.level].nodes


@contextmanager
def scripted(
    game_id: str = "bouncers",
    *,
    lost: Mapping[Action, float] | None = None,
    doubted: Mapping[Action, float] | None = None,
    again: Mapping[Action, Loss] | None = None,
    plays: Mapping[Level, Action] | None = None,
    stands: Sequence[tuple[float, ...]] = (),
    fails: set[Action] | None = None,
) -> Iterator[type[Scripted]]:
    """In this block a `Scripted` player thinks about a game."""

    class Told(Scripted):
        pass

    Told.plays, Told.doubted = plays or {}, doubted or {}
    Told.lost, Told.again, Told.stands, Told.fails, Told.asked = lost or {}, again or {}, stands, fails or set(), []
    with mock.patch.dict(opponents._OPPONENTS, {game_id: Told}):
        yield Told
