"""Samples of Bounce Bunny Bounce: a field late in the game, with a long chain ahead."""

from typing import Any, Final

from engines.bunny import Bunny
from engines.game import Action, Event
from renderers.scene import Scene
from tests.renderers.scenes import NAMES, Sample, Samples, after, high_contrast, picking, starting

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
    "bunnies": ["g1", "b4"], "shocks": [0, 3], "carrots": [1, 1],
    "to_act": 1, "phase": "shock", "turn": 1, "quiet_turns": 26,
}  # fmt: skip

SWAP: Final[dict[str, Any]] = {**PATCH, "phase": "swap", "bunnies": ["g1", "a2"]}


def played(position: dict[str, Any], *actions: tuple[int, Action], seat: int | None = None) -> Sample[Any]:
    """What a seat, or everybody, sees after several actions that are told at once."""
    state, events = GAME.from_position(position), list[Event]()
    for actor, action in actions:
        step = GAME.play(state, actor, action)
        state = step.state
        events.extend(event for event in step.events if event.known_to(seat))
    return Sample(GAME.id, GAME.view(state, seat), Scene(names=NAMES, events=tuple(events)))


def whole_turn() -> Sample[Any]:
    """A turn of Blue's: a hop along a chain onto a Swap, the Swap, and a shock that leads Red along another chain."""
    field = {**PATCH["field"], "c5": "down", "e4": "up", "d5": "left", "f3": "down"}
    position = {**PATCH, "field": field, "phase": "move", "bunnies": ["g1", "d3"], "shocks": [1, 2]}
    return played(position, (1, ("up",)), (1, ("swap", "a2", "e4")), (1, ("shock", "down")))


SAMPLES: Final = Samples(
    {
        "start": lambda: starting(GAME, 2),
        "chain": lambda: after(GAME, PATCH, 1, ("shock", "down")),
        "options": lambda: picking(GAME, PATCH, 1, ("shock",)),
        "swap": lambda: picking(GAME, SWAP, 1, ("swap", "c3")),
        "turn": whole_turn,
        "directions": lambda: picking(GAME, {**PATCH, "phase": "move", "bunnies": ["d3", "b4"], "to_act": 0, "turn": 0}, 0),
        "peek": lambda: played({**PATCH, "phase": "spy", "bunnies": ["a1", "g1"]}, (1, ("spy", "d2")), seat=1),
        "turn-high-contrast": lambda: high_contrast(whole_turn()),
        "high-contrast": lambda: high_contrast(after(GAME, PATCH, 1, ("shock", "down"))),
    },
    golden=("chain", "swap", "turn", "directions"),
)
