"""Samples of Bounce Bunny Bounce: a field late in the game, with a long chain ahead."""

from typing import Any, Final

from engines.bunny import Bunny
from tests.renderers.scenes import Samples, after, high_contrast, picking, starting

GAME: Final = Bunny()

PATCH: Final[dict[str, Any]] = {
    "field": {
        "a1": "stop", "b1": "stop", "c1": "left", "d1": "down", "e1": "left", "f1": "up", "g1": "spy",
        "a2": "swap", "b2": "up", "c2": "right", "d2": "right", "e2": "stop", "f2": "empty", "g2": "down",
        "a3": "stop", "b3": "up", "c3": "carrot", "d3": "left", "e3": "right", "f3": "left", "g3": "carrot",
        "a4": "spy", "b4": "bonus", "c4": "swap", "d4": "up", "e4": "down", "f4": "right", "g4": "carrot",
        "a5": "right", "b5": "empty", "c5": "up", "d5": "down", "e5": "stop", "f5": "down", "g5": "left",
    },
    "face_up": ["g1", "a2", "c3", "g3", "b4", "c4", "g4"],
    "bunnies": ["g1", "b4"],
    "shocks": [0, 3],
    "carrots": [1, 1],
    "to_act": 1,
    "phase": "shock",
    "turn": 1,
    "quiet_turns": 26,
}  # fmt: skip

SAMPLES: Final = Samples(
    {
        "start": lambda: starting(GAME, 2),
        "chain": lambda: after(GAME, PATCH, 1, ("shock", "down")),
        "options": lambda: picking(GAME, PATCH, 1, ("shock",)),
        "swap": lambda: picking(GAME, {**PATCH, "phase": "swap", "bunnies": ["g1", "a2"]}, 1, ("swap", "c3")),
        "high-contrast": lambda: high_contrast(after(GAME, PATCH, 1, ("shock", "down"))),
    },
    golden=("chain", "swap"),
)
