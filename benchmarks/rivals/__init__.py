"""Simple players to measure the computer opponents against. They use nothing from `opponents` but the dice."""

from collections.abc import Mapping
from typing import Final

from benchmarks.matches import Player, random_player
from benchmarks.rivals.flat import FlatMonteCarlo
from benchmarks.rivals.greedy import greedy_with_pucks
from benchmarks.rivals.material import AlphaBeta

RIVALS: Final[Mapping[str, Player]] = {
    "random": random_player,
    "greedy": greedy_with_pucks,
    "flat-200": FlatMonteCarlo(200),
    "alpha-beta-3": AlphaBeta(3),
}
"""The rivals by name. "greedy" plays only Puck Bumpers, and "alpha-beta-3" only Bouncers."""
