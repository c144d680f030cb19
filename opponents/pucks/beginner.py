"""The lower levels: one action at a time, by the own pucks alone, as people play before they look at the others."""

from dataclasses import dataclass
from math import exp
from random import Random
from typing import Final

from typing_extensions import override

from engines.game import Action
from engines.pucks.board.state import State
from opponents.contract import Level
from opponents.pucks.outlook import behind
from opponents.pucks.rink import FAR
from opponents.pucks.ways import Look, Looking


@dataclass(frozen=True, slots=True)
class Eye:
    """The attention of a player.

    Attributes:
        sees: the distance in slides up to which they see a way to a goal.
        overlooks: the chance that they overlook an action.
    """

    sees: int
    overlooks: float


EYES: Final = {Level.EASY: Eye(sees=2, overlooks=0.5), Level.MEDIUM: Eye(sees=4, overlooks=0.1)}
"""The attention of each of the lower levels."""


class _Beginner(Looking):
    """A beginner's view of a state: the own pucks, and goals that are near. The next actions of the others are not in it."""

    def __init__(self, state: State, sees: int) -> None:
        super().__init__(state)
        self._sees = sees

    @override
    def seen(self, look: Look) -> tuple[float, ...]:
        self.looked += 1
        own = self.company.distances(look.rink, look.spots)[self.seat]
        near = tuple([distance if distance <= self._sees else FAR for distance in own])
        shares = [0.0] * self.state.seats
        shares[self.seat] = exp(look.after.held[self.seat] + 0.1 * max(look.after.left, 0) - behind(near))
        return tuple(shares)


def beginner(state: State, eye: Eye, rng: Random) -> Action | None:
    """Return the action of a beginner whose turn it is; None if no action comes to mind.

    Of the actions that come to mind, it is the one after which the own pucks are nearest to goals.
    """
    ways = _Beginner(state, eye.sees).ways(thorough=False)
    thought_of = [way for way in ways if rng.random() >= eye.overlooks]
    best = thought_of or ways[:1]
    if not best:
        return None
    highest = best[0].shares[state.to_move]
    equal = [way for way in best if way.shares[state.to_move] >= highest]
    return rng.choice(equal).action
