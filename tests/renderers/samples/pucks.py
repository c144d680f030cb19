"""Samples of Puck Bumpers: four players in the thick of it, and two of them without cards."""

from collections.abc import Mapping
from typing import Any, Final

from engines.chance import Fair
from engines.game import Event
from engines.pucks import Pucks
from engines.pucks.board.codes import read_code
from engines.pucks.board.views import PucksView
from renderers.scene import Scene
from tests.renderers.scenes import NAMES, Sample, Samples, after, high_contrast, in_scene, picking, starting

GAME: Final = Pucks()


def rink(pieces: Mapping[str, str], variant: str = "standard", **rest: Any) -> dict[str, Any]:
    """A position of Puck Bumpers: the mats as at the start, and for each colour its pieces, as in "m1 a6 p1 c7"."""
    position = GAME.position(GAME.start(len(pieces), variant))
    words = {colour: text.split() for colour, text in pieces.items()}
    standing = {
        f"{colour} {word}": space for colour, told in words.items() for word, space in zip(told[::2], told[1::2], strict=True)
    }
    return {**position, "phase": "act", "pieces": standing, **rest}


def laid(code: str) -> dict[str, Any]:
    """The mats of a board with a code, as a position has them."""
    return {
        chr(ord("a") + n): {"kind": mat.kind, "at": list(mat.at), "turn": mat.turn} for n, mat in enumerate(read_code(code))
    }


def odd(code: str, pieces: Mapping[str, str], seats: int, **rest: Any) -> dict[str, Any]:
    """The position of a board with a code: the first player’s turn, with a few cards in each hand."""
    hands = [["shift", "whistle", "take-5"], ["twist", "extra"], ["sweep"], [], ["draw-4"], ["whistle"]][:seats]
    usual = {"variant": "standard", "seats": seats, "phase": "act", "to_move": 0, "action_rule": 3, "hands": hands}
    return {"mats": laid(code), "pieces": dict(pieces), **usual, **rest}


ROW: Final = "BkGwBKGeBBGwkBKKKGeB"
HOLE: Final = "BBK/K.Gw/BkB"
CORNER: Final = "B/K/B/k/GnBBGw"
SPREAD: Final = "BB.GwB/.KKBk/.BKGe/.BKGsk/.Gn"
SIX: Final = {
    "red p1": "a6", "red m1": "g6", "red i1": "i2", "blue p1": "h16", "blue m1": "g11", "blue i1": "j4",
    "green p2": "b3", "green m1": "i6", "yellow p3": "g13", "yellow m2": "d10", "yellow i2": "g16",
    "purple p1": "l1", "purple m1": "l6", "purple i2": "e1", "orange p4": "d7", "orange m1": "g1", "orange i1": "d16",
}  # fmt: skip
"""Pieces of six players on a board that has spread."""
LONG_ROW: Final = {"red p1": "g5", "red m1": "h11", "blue p1": "j8", "blue i1": "g16", "green m2": "p6"}
SHIFTING: Final = ("play", "shift", "a", "east-of")

SCRUM: Final[dict[str, Any]] = rink(
    {
        "red": "m1 m6 m2 p7 i1 b1 i2 h16 p1 k15 p2 a16 p3 m4",
        "blue": "m1 d7 m2 p6 i1 f13 i2 o4 p1 j4 p2 g6 p3 d16 p4 l1",
        "green": "m1 g7 m2 j10 i1 k1 i2 h1 p1 m13 p2 e4 p3 c14",
        "yellow": "m1 a6 m2 d11 i1 b16 i2 i4 p1 a1 p2 h3 p3 p16 p4 n13",
    },
    scored=["red p4", "green p4"],
    hands=[
        ["shift", "whistle", "take-5", "shift", "borrow"], ["twist", "extra", "net-off"], ["salvage", "draw-4"],
        ["sweep", "mix", "review"],
    ],
    draw_pile=[
        "take-1", "take-3", "take-3", "take-4", "take-6", "shift", "swap", "swap", "twist", "mix", "borrow", "salvage",
        "review", "slush", "whistle",
    ],
    discard=["take-2", "u-turn", "faceoff"], draw_rule=2, action_rule=3, ongoing="thin-ice", taken=1,
)  # fmt: skip
OLD_SCRUM: Final[dict[str, Any]] = rink(
    {"red": "i1 c2 i2 g4 p1 e10 p2 h13", "blue": "i1 g2 i2 c15 p1 a1 p2 i4"}, "old-school", action_rule=2, to_move=1
)

COLOURS: Final[dict[str, Any]] = {
    **SCRUM, "seats": 2, "colours": 2,
    "hands": [["shift", "whistle", "take-5", "borrow", "faceoff"], ["twist", "extra", "net-off", "review"]],
}  # fmt: skip
"""The same board for two players with two colours each."""

WHISTLED: Final[dict[str, Any]] = {**SCRUM, "hands": [*SCRUM["hands"][:2], ["whistle", "salvage"], SCRUM["hands"][3]]}
LONG_TURN: Final = ((0, "play take-5"), (0, "p1 up"), (0, "p1 right"), (0, "play shift c east-of d"), (0, "m1 up"))
"""Actions in a row from `SCRUM`, each with its seat."""


def played(
    position: Mapping[str, Any], *actions: tuple[int, str], seat: int | None = None
) -> tuple[PucksView, tuple[Event, ...]]:
    """What a seat, or everybody, sees after these actions, and all that has happened in them."""
    state = GAME.from_position(position, Fair(bytes(32)))
    events: list[Event] = []
    for actor, words in actions:
        step = GAME.play(state, actor, tuple(words.split()))
        state = step.state
        events += [event for event in step.events if event.known_to(seat)]
    return GAME.view(state, seat), tuple(events)


def story(*actions: tuple[int, str], position: Mapping[str, Any] = SCRUM, seat: int | None = None) -> Sample[PucksView]:
    """The picture of all that has happened in these actions."""
    view, events = played(position, *actions, seat=seat)
    return Sample(GAME.id, view, Scene(names=NAMES, events=events))


def hand_alone() -> Sample[PucksView]:
    """The hand of the first player by itself, with the cards that can be played."""
    return in_scene(picking(GAME, SCRUM, 0, ("play",)), hand=True)


SAMPLES: Final = Samples(
    {
        "start": lambda: starting(GAME, 4),
        "chain": lambda: after(GAME, SCRUM, 0, ("p1", "up")),
        "options": lambda: picking(GAME, SCRUM, 0),
        "hand": lambda: picking(GAME, SCRUM, 0, ("play",)),
        "hand-alone": hand_alone,
        "targets": lambda: picking(GAME, SCRUM, 0, ("play", "shift", "c", "east-of")),
        "old-school": lambda: after(GAME, OLD_SCRUM, 1, ("p1", "down")),
        "turn": lambda: story(*LONG_TURN),
        "whistled": lambda: story(*LONG_TURN[:4], (2, "play whistle"), position=WHISTLED),
        "way": lambda: picking(GAME, SCRUM, 0, ("m1",)),
        "row": lambda: after(GAME, odd(ROW, LONG_ROW, 3), 0, ("p1", "right")),
        "spread": lambda: story((0, "play take-5"), (0, "m1 down"), (0, "m1 left"), (0, "i1 up"),
                                position=odd(SPREAD, SIX, 6, scored=["blue p2"])),
        "hole": lambda: picking(GAME, odd(HOLE, {"red p1": "a6", "red m1": "d4", "blue p1": "h7", "blue i1": "c4"}, 2), 0),
        "corner": lambda: picking(GAME, odd(CORNER, {"red p1": "a6", "blue p1": "f1"}, 2), 0, SHIFTING),
        "colours": lambda: after(GAME, COLOURS, 0, ("red", "p1", "up")),
        "colours-options": lambda: picking(GAME, COLOURS, 0),
        "colours-placing": lambda: picking(GAME, GAME.position(GAME.start(3, colours="2")), 0, ("place", "yellow")),
        "high-contrast": lambda: high_contrast(after(GAME, SCRUM, 0, ("p1", "up"))),
    },
    golden=(
        "chain", "turn", "way", "options", "hand-alone", "old-school", "row", "spread", "hole", "corner", "colours",
        "colours-options",
    ),
)  # fmt: skip
