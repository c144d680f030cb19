"""The plays a second of each engine in games of random actions, beside breakthrough in OpenSpiel, called from Python.

A play is one action, which is listed, drawn at random, and played. Breakthrough, with its board of 8 × 8 and its steps forward,
is OpenSpiel's game that is most like Bouncers. Its rules are compiled C++; Python lists the legal actions and applies one.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from time import perf_counter
from typing import Any, Final

from benchmarks.figures import Figure, Reference
from engines import GAMES
from engines.chance import UNSEEDED
from engines.game import Game
from opponents.playouts import random_action

PLAYS: Final = 400
"""The number of plays in a measurement, in games that follow one another."""
REPETITIONS: Final = 5
TINY: Final[Mapping[str, Any]] = {"plays": 5, "repetitions": 1}
TITLES: Final = {"bouncers": "Bouncers", "bunny": "Bounce Bunny Bounce", "trampoline": "BOUNCE", "pucks": "Puck Bumpers"}


def played(game: Game[Any, Any], plays: int) -> float:
    """Return the seconds that a number of plays take."""
    dice = random.Random(1)
    state = game.start(2, chance=UNSEEDED)
    began = perf_counter()
    for _ in range(plays):
        if game.outcome(state) is not None:
            state = game.start(2, chance=UNSEEDED)
        seat = dice.choice(game.to_act(state))
        state = game.play(state, seat, random_action(game, state, seat, dice)).state
    return perf_counter() - began


def breakthrough() -> Callable[[int], float] | str:
    """Return a function that measures the same for breakthrough, or the reason why it is left out."""
    try:
        import pyspiel  # noqa: PLC0415 - there are wheels for Linux only
    except ImportError as error:
        return f"OpenSpiel is left out: {error}"
    game = pyspiel.load_game("breakthrough")

    def plays(count: int) -> float:
        dice = random.Random(1)
        state = game.new_initial_state()
        began = perf_counter()
        for _ in range(count):
            if state.is_terminal():
                state = game.new_initial_state()
            state.apply_action(dice.choice(state.legal_actions()))
        return perf_counter() - began

    return plays


def run(plays: int = PLAYS, repetitions: int = REPETITIONS) -> Iterator[Figure]:
    calls: dict[str, Callable[[int], float]] = {game_id: partial(played, game) for game_id, game in GAMES.items()}
    other = breakthrough()
    if not isinstance(other, str):
        calls["breakthrough"] = other
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(repetitions):
        for name, call in calls.items():
            best[name] = min(best[name], call(plays))
    reference = Reference("breakthrough by OpenSpiel", plays / best["breakthrough"]) if "breakthrough" in best else None
    for game_id in GAMES:
        yield Figure(name=f"plays of {TITLES[game_id]}", value=plays / best[game_id], unit="a second", reference=reference,
                     note=other if isinstance(other, str) else "")  # fmt: skip
