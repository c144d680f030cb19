"""States of Puck Bumpers from random games."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from engines.game import may_act
from engines.pucks import Pucks
from engines.pucks.board.state import State
from opponents.dice import Dice
from opponents.playouts import random_action

PUCKS = Pucks()
NO_OPTIONS: Final[Mapping[str, str]] = {}
AT_RANDOM: Final[Mapping[str, str]] = {"setup": "random"}


def random_game(
    seats: int, variant: str, actions: int, seed: int, options: Mapping[str, str] = NO_OPTIONS, game: Pucks = PUCKS
) -> Iterator[State]:
    """The states of a game in which everybody who may act does something at random."""
    rng = Random(f"{seats} {variant} {seed}")
    state = game.start(seats, variant, Dice(rng), **options)
    for _ in range(actions):
        yield state
        acting = may_act(game, state)
        if not acting:
            return
        seat = rng.choice(acting)
        state = game.advance(state, seat, random_action(game, state, seat, rng))
