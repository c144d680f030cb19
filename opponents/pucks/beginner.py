"""The easy level: one action at a time, as somebody plays who has only just learned the rules."""

from math import exp
from random import Random
from typing import Final

from typing_extensions import override

from engines.game import Action
from engines.pucks.state import State
from opponents.pucks.outlook import behind
from opponents.pucks.rink import FAR
from opponents.pucks.ways import Look, Looking

SEES: Final = 2
"""How many slides from a goal a beginner sees that there is a way."""

OVERLOOKS: Final = 0.3
"""How often a beginner does not think of an action."""


class _Beginner(Looking):
    """What a beginner sees of a state: the own pucks, and goals that are near. Not what the others are about to do."""

    @override
    def seen(self, look: Look) -> tuple[float, ...]:
        self.looked += 1
        own = self.company.distances(look.rink, look.spots)[self.seat]
        near = tuple([distance if distance <= SEES else FAR for distance in own])
        shares = [0.0] * self.state.seats
        shares[self.seat] = exp(look.after.held[self.seat] + 0.1 * max(look.after.left, 0) - behind(near))
        return tuple(shares)


def beginner(state: State, rng: Random) -> Action | None:
    """What a beginner plays whose turn it is; None if nothing comes to mind.

    Of the actions that come to mind, the one after which the own pucks are nearest to goals.
    """
    ways = _Beginner(state).ways(thorough=False)
    thought_of = [way for way in ways if rng.random() >= OVERLOOKS]
    best = thought_of or ways[:1]
    if not best:
        return None
    highest = best[0].shares[state.to_move]
    equal = [way for way in best if way.shares[state.to_move] >= highest]
    return rng.choice(equal).action
