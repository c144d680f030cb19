"""Samples of Bouncers: a full board in the middle of a game."""

from typing import Any, Final

from engines.bouncers import Bouncers
from engines.game import Event
from renderers.scene import Scene
from tests.renderers.scenes import NAMES, Sample, Samples, after, high_contrast, picking, starting

GAME: Final = Bouncers()

MELEE: Final[dict[str, Any]] = {
    "variant": "8x8-16", "to_move": 0, "red_kings": [], "blue_kings": ["f1"],
    "red": ["a1", "b1", "c1", "d1", "h1", "c2", "e2", "a4", "b4", "d4", "f4", "h5", "g7"],
    "blue": ["h3", "e5", "c6", "e6", "a7", "c7", "h7", "a8", "b8", "d8", "e8"],
}  # fmt: skip
LONG_WAY: Final = ("d1", "e1", "f2", "g2", "f3", "g4", "h4", "g5", "f5", "f6", "g6", "f7", "e7", "e8")
SHORT_WAY: Final = ("d1", "e1", "f2")

TWELVE: Final = ("f6", "e5", "f6", "g7", "g6", "f6", "e6", "d5", "c5", "b5", "c4", "c3", "d3")
"""A king's way with twelve captures, which comes to f6 three times."""
PREY: Final[dict[str, Any]] = {
    **MELEE, "red": ["a2", "b1", "g1", "h2"], "red_kings": ["f6"], "blue_kings": [],
    "blue": ["h8", "d4", "c4", "e6", "e3", "g7", "c2", "d6", "b5", "g5", "a5", "d3", "a6"],
}  # fmt: skip
KNOT: Final = ("c5", "c4", "c5", "c6", "d5", "d4", "c5", "b6", "c6", "b5", "c6", "b6")
"""A king's way that keeps crossing itself."""
KNOTTED: Final[dict[str, Any]] = {
    **MELEE, "red": [], "red_kings": ["c5"], "blue_kings": [],
    "blue": ["a7", "e4", "a4", "d3", "c3", "f4", "c7", "a6", "c6", "d7", "d6", "b6", "h7"],
}  # fmt: skip


def several(position: dict[str, Any], *actions: tuple[str, ...]) -> Sample[Any]:
    """What is seen after actions of alternating sides."""
    state = GAME.from_position(position)
    events: tuple[Event, ...] = ()
    for action in actions:
        step = GAME.play(state, state.to_move, action)
        state, events = step.state, (*events, *step.events)
    return Sample(GAME.id, GAME.view(state), Scene(names=NAMES, events=events))


SAMPLES: Final = Samples(
    {
        "start": lambda: starting(GAME, 2),
        "large-board": lambda: starting(GAME, 2, "10x10-20"),
        "move": lambda: after(GAME, MELEE, 0, SHORT_WAY),
        "long-move": lambda: after(GAME, MELEE, 0, LONG_WAY),
        "twelve-captures": lambda: after(GAME, PREY, 0, TWELVE),
        "knot": lambda: after(GAME, KNOTTED, 0, KNOT),
        "two-moves": lambda: several(MELEE, SHORT_WAY, ("h7", "g6", "g5", "f5", "g4", "h4", "g3", "f3")),
        "large-knot": lambda: after(GAME, {**KNOTTED, "variant": "10x10-20"}, 0, KNOT),
        "options": lambda: picking(GAME, {**MELEE, "to_move": 1}, 1, seen_from=1),
        "picked": lambda: picking(GAME, MELEE, 0, ("d1", "e1")),
        "high-contrast": lambda: high_contrast(after(GAME, MELEE, 0, SHORT_WAY)),
    },
    golden=("move", "options", "twelve-captures", "two-moves", "high-contrast"),
    bytes_at_most=90_000,
)
