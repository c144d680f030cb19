"""The probability of winning BOUNCE alone without the faceplant: in many games of the engine, beside the exact value.

The games are played with `Trampoline.roll`, the step that `Trampoline.play` describes in words, with fair dice from a fixed
seed. The exact value is computed over all states that a lone player can be in, with the same `take_turn` that every roll uses,
weighing each sum of the dice by its probability.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import sqrt
from time import perf_counter

from engines.chance import Fair
from engines.trampoline import ROLL, Trampoline
from engines.trampoline.track import Jumper, dice_for, take_turn

REFERENCE = 0.90973
TOLERANCE = 0.003
GAMES = 200_000
SEED = hashlib.sha256(b"trampoline odds").digest()


@cache
def exact(jumper: Jumper) -> float:
    """The probability that a lone player with this token lands, rolling every time."""
    if jumper.landed:
        return 1.0
    if jumper.thrown_up:
        return 0.0
    dice = dice_for(jumper)
    sums = Counter(sum(faces) for faces in product(range(1, 7), repeat=dice))
    after = {total: take_turn((jumper,), (), 0, (total,)).tokens[0] for total in sums}
    return sum(often * exact(after[total]) for total, often in sums.items()) / sums.total()


def simulated(games: int, seed: bytes = SEED) -> tuple[int, int]:
    """How many of so many lone games were won, and how many rolls they took in total."""
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


def run() -> Iterator[str]:
    """Yields the figures, one per line. Raises AssertionError if one is not what the rules promise."""
    began = perf_counter()
    value = exact(Jumper())
    yield f"BOUNCE alone, exact: {value:.5f} (reference {REFERENCE}), {perf_counter() - began:.2f} s"
    assert round(value, 5) == REFERENCE
    began = perf_counter()
    won, rolls = simulated(GAMES)
    taken = perf_counter() - began
    share = won / GAMES
    error = sqrt(value * (1 - value) / GAMES)
    yield (
        f"BOUNCE alone, {GAMES:,} games of the engine: {share:.5f} won ({(share - value) / error:+.1f} standard errors of "
        f"{error:.5f}), {rolls / GAMES:.2f} rolls a game, {taken:.1f} s ({rolls / taken:,.0f} rolls a second)"
    )
    assert abs(share - REFERENCE) <= TOLERANCE


if __name__ == "__main__":
    for line in run():
        print(line)
