"""Samples of Bouncers: a full board in the middle of a game."""

from typing import Any, Final

from engines.bouncers import Bouncers
from tests.renderers.scenes import Samples, after, high_contrast, picking, starting

GAME: Final = Bouncers()

MELEE: Final[dict[str, Any]] = {
    "variant": "8x8-16",
    "to_move": 0,
    "red": ["a1", "b1", "c1", "d1", "h1", "c2", "e2", "a4", "b4", "d4", "f4", "h5", "g7"],
    "red_kings": [],
    "blue": ["h3", "e5", "c6", "e6", "a7", "c7", "h7", "a8", "b8", "d8", "e8"],
    "blue_kings": ["f1"],
}  # fmt: skip
LONG_WAY: Final = ("d1", "e1", "f2", "g2", "f3", "g4", "h4", "g5", "f5", "f6", "g6", "f7", "e7", "e8")
SHORT_WAY: Final = ("d1", "e1", "f2")

SAMPLES: Final = Samples(
    {
        "start": lambda: starting(GAME, 2),
        "large-board": lambda: starting(GAME, 2, "10x10-20"),
        "move": lambda: after(GAME, MELEE, 0, SHORT_WAY),
        "long-move": lambda: after(GAME, MELEE, 0, LONG_WAY),
        "options": lambda: picking(GAME, {**MELEE, "to_move": 1}, 1, seen_from=1),
        "picked": lambda: picking(GAME, MELEE, 0, ("d1", "e1")),
        "high-contrast": lambda: high_contrast(after(GAME, MELEE, 0, SHORT_WAY)),
    },
    golden=("move", "options", "high-contrast"),
    bytes_at_most=60_000,
)
