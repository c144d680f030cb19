"""Flat Monte Carlo, which plays the action that wins most of equally many random games.

An action that certainly wins at once needs no games: others might win all of their few games by luck.
"""

from dataclasses import dataclass
from itertools import islice
from random import Random

from benchmarks.matches import Request
from engines.game import Action, foresee, legal_actions, resample
from opponents import shares
from opponents.dice import Dice
from opponents.playouts import playout


@dataclass(frozen=True)
class FlatMonteCarlo:
    """A player that plays random games to their end, from worlds that its seat cannot tell from the true one.

    Attributes:
        playouts: the number of games that it plays for a choice. No more actions than that are tried.
    """

    playouts: int

    def __call__(self, asked: Request) -> Action | None:
        if not asked.waited_for:
            return None
        rng = Random(asked.stream)
        actions = list(islice(legal_actions(asked.game, asked.state, asked.seat), 10_000))
        rng.shuffle(actions)
        tried = actions[: self.playouts]
        if (winning := next((action for action in tried if _wins(asked, action)), None)) is not None:
            return winning
        won = dict.fromkeys(tried, 0.0)
        for number in range(self.playouts if len(tried) > 1 else 0):
            action = tried[number % len(tried)]
            world = resample(asked.game, asked.state, asked.seat, Dice(rng))
            won[action] += playout(asked.game, asked.game.advance(world, asked.seat, action), rng)[asked.seat]
        games = {action: len(range(place, self.playouts, len(tried))) for place, action in enumerate(tried)}
        return max(tried, key=lambda action: won[action] / games[action])


def _wins(asked: Request, action: Action) -> bool:
    step = foresee(asked.game, asked.state, asked.seat, action)
    ended = None if step is None else shares(asked.game, step.state)
    return ended is not None and ended[asked.seat] == 1
