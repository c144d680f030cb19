"""The pictures of the rules pages, as data."""

from collections.abc import Mapping
from typing import Any, Final

from engines.bunny.field import SPACES, Card, Space
from engines.steps import Illustration

_PATCH: Final = """
right empty up     down  stop  down  left
spy   bonus swap   up    down  right carrot
stop  up    carrot left  right left  carrot
swap  up    right  right stop  empty down
stop  stop  left   down  left  up    spy
"""

_FACE_UP: Final = ("c3", "g3", "g4")
"""The spaces of the Carrots on this field. Until something happens, few other cards lie face up in these pictures."""


def _position(cards: Mapping[Space, Card] | None = None, *, up: tuple[Space, ...] = (), **what: Any) -> dict[str, Any]:
    """Return a position on this field with other `cards` on some spaces. Those on `up` are face up too. It is Red's turn."""
    rows = [line.split() for line in _PATCH.split("\n") if line]
    field = dict(zip(SPACES, (card for row in reversed(rows) for card in row), strict=True))
    usual = {
        "bunnies": ["d3", "g1"], "shocks": [2, 3], "carrots": [1, 1], "to_act": 0, "turn": 0, "phase": "move", "quiet_turns": 3,
    }  # fmt: skip
    return {"field": {**field, **(cards or {})}, "face_up": [*_FACE_UP, *up], **usual, **what}


_STOP_HERE: Final = {"d3": "stop", "g1": "stop"}

ILLUSTRATIONS: Final[Mapping[str, Illustration]] = {
    "cards": Illustration(
        position=_position(up=("b2", "c2", "d3", "d5", "e5", "a4", "b4", "c4"), bunnies=[None, None]),
    ),
    "hop": Illustration(
        position=_position({"e2": "stop", "g2": "stop", "a1": "stop", "g1": "stop"}, bunnies=["e2", "a1"], shocks=[0, 0]),
        actions=((0, ("right",)), (1, ("left",))),
    ),
    "directions": Illustration(position=_position(_STOP_HERE), seat=0, picking=()),
    "chain": Illustration(
        position=_position({**_STOP_HERE, "d5": "left", "c5": "down", "c4": "stop"}), actions=((0, ("up",)),)
    ),
    "loop": Illustration(position=_position(_STOP_HERE), actions=((0, ("up",)),)),
    "carrot": Illustration(position=_position(_STOP_HERE), actions=((0, ("left",)),)),
    "bonus": Illustration(
        position=_position(_STOP_HERE, up=("a4",), bunnies=["a4", "g1"]), actions=((0, ("right",)),)
    ),
    "swap": Illustration(
        position=_position(_STOP_HERE, up=("c4",), bunnies=["c4", "g1"], phase="swap"), actions=((0, ("swap", "d4", "g4")),)
    ),
    "spy": Illustration(
        position=_position(_STOP_HERE, up=("a4",), bunnies=["a4", "g1"], phase="spy"), actions=((0, ("spy", "b3")),), seat=0
    ),
    "shock": Illustration(position=_position(_STOP_HERE, phase="shock"), actions=((0, ("shock", "down")),)),
    "bump": Illustration(
        position=_position({**_STOP_HERE, "e3": "stop"}, bunnies=["d3", "e3"]), actions=((0, ("right",)),)
    ),
}  # fmt: skip
