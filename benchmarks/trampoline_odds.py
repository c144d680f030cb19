"""The probability of winning BOUNCE alone without the faceplant, by many games of the engine, beside the exact value.

The games are played with `Trampoline.roll`, the step that `Trampoline.play` puts into words, with fair dice from a fixed seed.
The exact value is computed over all states of a lone player with the same `take_turn`, weighing each sum of the dice.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from math import sqrt
from time import perf_counter
from typing import Any, Final

from benchmarks.figures import Figure, Reference
from engines.chance import Fair
from engines.trampoline import ROLL, Trampoline
from engines.trampoline.track import Jumper, dice_for, take_turn

REFERENCE = 0.90973
TOLERANCE_IN_ERRORS = 4.7
"""The difference that is tolerated, in standard errors. For 200,000 games it is 0.003."""
GAMES = 200_000
TINY: Final[Mapping[str, Any]] = {"games": 3_000}
SEED = hashlib.sha256(b"trampoline odds").digest()


@cache
def exact(jumper: Jumper) -> float:
    """Return the probability that a lone player with this token lands, rolling every time."""
    if jumper.landed:
        return 1.0
    if jumper.thrown_up:
        return 0.0
    dice = dice_for(jumper)
    sums = Counter(sum(faces) for faces in product(range(1, 7), repeat=dice))
    after = {total: take_turn((jumper,), (), 0, (total,)).tokens[0] for total in sums}
    return sum(often * exact(after[total]) for total, often in sums.items()) / sums.total()


def simulated(games: int, seed: bytes = SEED) -> tuple[int, int]:
    """Return how many of `games` lone games were won, and how many rolls they took in all."""
    game = Trampoline()
    state = game.start(1, chance=Fair(seed))
    won = rolls = 0
    for _ in range(games):
        state = game.start(1, chance=state.chance)
        while game.to_act(state):
            state, _turn = game.roll(state, 0, (ROLL,))
            rolls += 1
        won += state.tokens[0].landed
    return won, rolls


def run(games: int = GAMES) -> Iterator[Figure]:
    """Yield the figures. Raise AssertionError if one is not what the rules promise."""
    value = exact(Jumper())
    assert round(value, 5) == REFERENCE
    yield Figure(name="BOUNCE alone, exact", value=value, reference=Reference("the published odds", REFERENCE))
    began = perf_counter()
    won, rolls = simulated(games)
    taken = perf_counter() - began
    share = won / games
    error = sqrt(value * (1 - value) / games)
    yield Figure(name="BOUNCE alone, games of the engine", value=share, reference=Reference("exact", value),
                 note=f"{(share - value) / error:+.1f} standard errors of {error:.5f}")  # fmt: skip
    yield Figure(name="rolls of BOUNCE", value=rolls / taken, unit="a second")
    assert abs(share - value) <= TOLERANCE_IN_ERRORS * error
