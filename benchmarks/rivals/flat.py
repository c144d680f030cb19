"""Flat Monte Carlo: every action is tried in equally many random games, and the one that wins most of them is played."""

from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Final

from engines.game import Action, Game
from opponents.arena import Asked, random_action
from opponents.contract import shares
from opponents.dice import Dice

LONGEST: Final = 400
"""A random game that is longer counts as even."""


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Plays random games to their end from worlds that its seat cannot tell from the true one.

    Attributes:
        playouts: how many games it plays for a choice. Of more actions than that, only so many are tried.
    """

    playouts: int

    def __call__(self, asked: Asked) -> Action | None:
        """The action that won the largest share of its games; nothing out of turn."""
        if not asked.waited_for:
            return None
        rng = Random(asked.stream)
        actions = list(islice(asked.game.legal_actions(asked.state, asked.seat), 10_000))
        rng.shuffle(actions)
        tried = actions[: self.playouts]
        won = dict.fromkeys(tried, 0.0)
        for number in range(self.playouts if len(tried) > 1 else 0):
            action = tried[number % len(tried)]
            world = asked.game.resample(asked.state, asked.seat, Dice(rng))
            won[action] += playout(asked.game, asked.game.advance(world, asked.seat, action), rng)[asked.seat]
        games = {action: len(range(place, self.playouts, len(tried))) for place, action in enumerate(tried)}
        return max(tried, key=lambda action: won[action] / games[action])


def playout(game: Game[Any, Any], state: Any, rng: Random) -> tuple[float, ...]:
    """What each seat has of a game that goes on at random."""
    for _ in range(LONGEST):
        if not (seats := game.to_act(state)):
            break
        state = game.advance(state, seats[0], random_action(game, state, seats[0], rng))
    seats_at_table = game.view(state).seats
    return shares(game, state) or (1 / seats_at_table,) * seats_at_table
