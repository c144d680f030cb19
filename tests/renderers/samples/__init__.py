"""Samples of every game: views and scenes that many tests draw.

Each game has those of `scenes.default_samples`, and the pictures of its rules ("rules-…"). A module of this folder with a
game's id as its name may add to them, or replace them, with its ``SAMPLES``.
"""

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from engines import GAMES
from tests.renderers.scenes import Sample, Samples, default_samples, rules_samples


def samples_of(game_id: str) -> Samples:
    """The samples of a game, the default ones among them."""
    name = f"{__name__}.{game_id}"
    own: Samples = import_module(name).SAMPLES if find_spec(name) is not None else Samples()
    return replace(own, named={**default_samples(game_id), **rules_samples(game_id), **own.named})


BY_GAME: Final[dict[str, Samples]] = {game_id: samples_of(game_id) for game_id in GAMES}
SAMPLES: Final[dict[str, Callable[[], Sample[Any]]]] = {
    f"{game_id}-{name}": make for game_id, samples in BY_GAME.items() for name, make in samples.named.items()
}
"""Every sample by its game and its name, as in "bouncers-start"."""
