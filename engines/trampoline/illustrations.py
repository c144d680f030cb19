"""The pictures of the rules pages, as data."""

from collections.abc import Mapping
from typing import Any, Final

from engines.steps import Illustration

_Jumper = tuple[int, str, int]
"""A token's spot, the way it faces there, and its number of jumps."""


def _position(*jumpers: _Jumper) -> dict[str, Any]:
    return {"to_move": 0, "tokens": [{"spot": spot, "facing": facing, "jumps": jumps} for spot, facing, jumps in jumpers]}


def _roll(*dice: int, position: dict[str, Any]) -> Illustration:
    return Illustration(position=position, actions=((0, ("roll",)),), chance=tuple(die - 1 for die in dice))


ILLUSTRATIONS: Final[Mapping[str, Illustration]] = {
    "jump": _roll(2, 1, 3, position=_position((3, "down", 3), (7, "up", 2))),
    "landing": _roll(3, 4, position=_position((8, "down", 6), (4, "up", 7))),
    "fall": _roll(6, position=_position((3, "down", 10), (7, "up", 8))),
    "bump": _roll(1, 2, 1, position=_position((3, "up", 4), (7, "up", 6))),
    "drop": _roll(2, 3, position=_position((2, "up", 6), (7, "down", 8))),
    "bumped-off": _roll(1, 2, position=_position((5, "down", 6), (2, "down", 9))),
    "faceplant": Illustration(position=_position((3, "down", 14), (6, "up", 8)), seat=0, picking=()),
    "sick": _roll(4, position=_position((2, "down", 14), (6, "up", 8))),
}
