"""The pictures of the rules pages, as data."""

from collections.abc import Mapping
from typing import Any, Final

from engines.bunny.field import SPACES
from engines.illustration import Illustration

_PATCH: Final = """
right empty up    down  stop  down  left
spy   bonus swap  up    down  right carrot
stop  up    carrot left right left  carrot
swap  up    right right stop  empty down
stop  stop  left  down  left  up    spy
"""
"""A field late in a game, the top row first."""


def _field() -> dict[str, str]:
    rows = [line.split() for line in _PATCH.split("\n") if line]
    cards = [card for row in reversed(rows) for card in row]
    return dict(zip(SPACES, cards, strict=True))


def _position(**what: Any) -> dict[str, Any]:
    """A position on this field, with what is different in it."""
    face_up = ["g1", "a2", "c3", "g3", "b4", "c4", "g4"]
    usual = {
        "bunnies": ["g1", "b4"],
        "shocks": [2, 3],
        "carrots": [1, 1],
        "to_act": 0,
        "turn": 0,
        "phase": "move",
        "quiet_turns": 3,
    }
    return {"field": _field(), "face_up": face_up, **usual, **what}


ILLUSTRATIONS: Final[Mapping[str, Illustration]] = {
    "chain": Illustration(position=_position(to_act=1, turn=1), actions=((1, ("down",)),)),
}
"""The illustrations by the names that the pages give them."""
