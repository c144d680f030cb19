"""The pictures of the rules pages, as data. The boards are small, so that the pieces are drawn large."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engines.pucks.board.box import SIDES
from engines.pucks.board.codes import read_code
from engines.steps import Illustration

_KINDS: Final = {"B": "basic", "K": "pool", "k": "block", "G": "goal"}
_SOUTH: Final = SIDES.index("south")


def _mats(*rows: str) -> dict[str, Any]:
    """Return mats from the letters of box.toml, row by row from the north: "Gs" is a goal that faces south."""
    found: dict[str, Any] = {}
    for y, row in enumerate(rows):
        for x, word in enumerate(row.split()):
            side = next((i for i, name in enumerate(SIDES) if name[0] == word[1:]), _SOUTH)
            found[chr(ord("a") + len(found))] = {"kind": _KINDS[word[0]], "at": [x, y], "turn": (side - _SOUTH) % 4 * 90}
    return found


def _position(mats: Mapping[str, Any], pieces: Mapping[str, str], **what: Any) -> dict[str, Any]:
    """Return a position on these mats in which it is Red’s turn, with three actions."""
    usual = {"variant": "standard", "seats": 2, "phase": "act", "to_move": 0, "action_rule": 3, "hands": [["extra"], ["extra"]]}
    return {"mats": mats, "pieces": dict(pieces), **usual, **what}


def _actions(*actions: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return the actions as Red's, or as Blue's if they begin with "blue:"."""
    return tuple((int(text.startswith("blue: ")), tuple(text.removeprefix("blue: ").split())) for text in actions)


def _board(code: str) -> dict[str, Any]:
    return {
        chr(ord("a") + n): {"kind": mat.kind, "at": list(mat.at), "turn": mat.turn} for n, mat in enumerate(read_code(code))
    }


_TWO: Final = _mats("B Gw")
_THREE: Final = _mats("B K Gw")
_FOUR: Final = _mats("B Gs", "Ge B")
_HAND: Final[Sequence[str]] = ("take-4", "draw-3", "shift", "faceoff", "thin-ice", "whistle")

ILLUSTRATIONS: Final[Mapping[str, Illustration]] = {
    "goal": Illustration(
        position=_position(_FOUR, {"red p1": "d14", "red m1": "a11", "blue p1": "a4", "blue i1": "c7", "blue m1": "d7"}),
        actions=_actions("p1 up"),
    ),
    "moves": Illustration(
        position=_position(_THREE, {"red p1": "a5", "red m1": "a11", "red i1": "b13", "blue m1": "b12", "blue p1": "c5"}),
        actions=_actions("p1 right", "m1 right", "i1 right"),
    ),
    "hand": Illustration(
        position=_position(_TWO, {"red p1": "a1", "blue p1": "b11"}, hands=[list(_HAND), ["extra"]]),
        seat=0,
        picking=("play",),
    ),
    "chain": Illustration(
        position=_position(_TWO, {"red p1": "a5", "blue p1": "a8", "red p2": "b10", "blue m1": "a3"}),
        actions=_actions("p1 right"),
    ),
    "bump": Illustration(
        position=_position(_TWO, {"red m1": "a5", "blue i1": "a6", "red p1": "b15", "blue m1": "a15"}),
        actions=_actions("m1 right"),
    ),
    "mats": Illustration(
        position=_position(_mats("B K", "k Gs"), {"blue p1": "a1", "red m1": "a7"}, phase="place"),
        seat=0,
        picking=("place", "p1"),
    ),
    "take": Illustration(
        position=_position(_TWO, {"red p1": "a13", "blue p1": "a1"}, hands=[["take-4", "extra"], ["extra"]], action_rule=1),
        actions=_actions("play take-4"),
    ),
    "shift": Illustration(
        position=_position(_FOUR, {"red p1": "a6", "blue p1": "d7"}, hands=[["shift", "extra"], ["extra"]]),
        actions=_actions("play shift a south-of d"),
    ),
    "faceoff": Illustration(
        position=_position(_TWO, {"red p1": "a5", "blue p1": "b10"}, hands=[["faceoff", "extra"], ["extra"]]),
        actions=_actions("play faceoff red p1 blue p1"),
    ),
    "thin-ice": Illustration(
        position=_position(_TWO, {"red i1": "a5", "blue p1": "a8", "blue m1": "b15"}, hands=[["thin-ice", "extra"], ["extra"]]),
        actions=_actions("play thin-ice", "i1 right"),
    ),
    "whistle": Illustration(
        position=_position(_TWO, {"red p1": "a9", "blue m1": "a7"}, hands=[["extra"], ["whistle"]]),
        actions=_actions("p1 right", "blue: play whistle"),
    ),
    "house": Illustration(
        position=_position(_board("BkGw/.KGe"), {"red p1": "a5", "red m1": "d1", "blue p1": "b3", "blue m1": "a15"}),
        actions=_actions("p1 right"),
    ),
    "own-board": Illustration(
        position=_position(_board("B.K/GeKB"), {"blue p1": "a1", "red m1": "e7"}, phase="place"),
        seat=0,
        picking=("place", "p1"),
    ),
    "old-school": Illustration(
        position=_position(
            _FOUR, {"red p1": "d14", "red i1": "a9", "blue p1": "c7", "blue i1": "a4"},
            variant="old-school", action_rule=2, hands=[],
        ),
        actions=_actions("i1 right", "p1 up"),
    ),
}  # fmt: skip
