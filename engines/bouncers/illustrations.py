"""The pictures of the rules pages, as data."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from engines.bouncers.state import SETUPS
from engines.steps import Illustration

_VARIANT: Final = "8x8-16"


def _setup(*, red: Mapping[str, str] | None = None, blue: Mapping[str, str] | None = None, king: str = "") -> dict[str, Any]:
    """Return the first position with some pieces moved, each from a key to its value. `king` is the square of a red king."""
    setup = SETUPS[_VARIANT]
    names = setup.board.names
    sides = ([names[place] for place in range(len(names)) if setup.start(seat) >> place & 1] for seat in (0, 1))
    reds, blues = (
        [moves.get(square, square) for square in side] for side, moves in zip(sides, (red or {}, blue or {}), strict=True)
    )
    return _position((square for square in reds if square != king), blues, [king] if king else [])


def _position(red: Iterable[str], blue: Iterable[str], red_kings: Iterable[str] = ()) -> dict[str, Any]:
    return {
        "variant": _VARIANT,
        "to_move": 0,
        "red": list(red),
        "red_kings": list(red_kings),
        "blue": list(blue),
        "blue_kings": [],
    }


ILLUSTRATIONS: Final[Mapping[str, Illustration]] = {
    "bounce": Illustration(seat=0, picking=("c2",)),
    "rim": Illustration(position=_setup(red={"a2": "a4"}), seat=0, picking=("a4",)),
    "chain": Illustration(actions=((0, ("b2", "b3", "a4", "b5")),)),
    "capture": Illustration(position=_setup(blue={"d7": "d4"}), actions=((0, ("d2", "d3")),)),
    "captures": Illustration(
        position=_setup(red={"c2": "c3", "e2": "e3"}, blue={"d7": "d5", "b7": "b5", "f7": "f5"}),
        actions=((0, ("c1", "c2", "b3", "b4", "a5", "b6")),),
    ),
    "king": Illustration(
        position=_setup(red={"e2": "e4"}, blue={"d7": "e6"}, king="e4"), actions=((0, ("e4", "e5", "e6", "d6")),)
    ),
    "win": Illustration(position=_position(["d4", "d3", "a4", "g1"], ["d6"]), actions=((0, ("d4", "d5")),)),
}
