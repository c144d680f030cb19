"""Scenes that many tests draw: positions of every game, with what just happened or what can be chosen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engines import GAMES
from engines.chance import UNSEEDED, Chance, Scripted
from engines.game import Action, View
from renderers.scene import Scene

NAMES: Final = ("Ann", "Bob the Builder of Very Tall Towers", "Zoë", "Δημήτρης")


@dataclass(frozen=True)
class Sample:
    """A game, a view of it, and a scene."""

    game_id: str
    view: View
    scene: Scene


def at(game_id: str, position: Mapping[str, Any], chance: Chance = UNSEEDED) -> tuple[Any, Any]:
    """The game and the state of a position."""
    game = GAMES[game_id]
    return game, game.from_position(position, chance)


def after(game_id: str, position: Mapping[str, Any], seat: int, action: Action, chance: Chance = UNSEEDED) -> Sample:
    """What everybody sees once an action was played."""
    game, state = at(game_id, position, chance)
    step = game.play(state, seat, action)
    events = tuple(event for event in step.events if event.known_to(None))
    return Sample(game_id, game.view(step.state), Scene(names=NAMES, events=events))


def picking(game_id: str, position: Mapping[str, Any], seat: int, prefix: Action = (), **scene: Any) -> Sample:
    """What a seat sees that has picked the prefix."""
    game, state = at(game_id, position)
    options = tuple(game.choices(state, seat, prefix))
    return Sample(game_id, game.view(state, seat), Scene(names=NAMES, prefix=prefix, options=options, **scene))


def lying(game_id: str, position: Mapping[str, Any], seat: int | None = None, **scene: Any) -> Sample:
    """A position as a seat, or everybody, sees it."""
    game, state = at(game_id, position)
    return Sample(game_id, game.view(state, seat), Scene(names=NAMES, **scene))


def starting(game_id: str, seats: int, variant: str | None = None) -> Sample:
    """The first position."""
    game = GAMES[game_id]
    return Sample(game_id, game.view(game.start(seats, variant)), Scene(names=NAMES))


def tokens(*placed: tuple[int | None, str | None, int], to_move: int = 0) -> dict[str, Any]:
    """A position of BOUNCE: for each seat the spot, the facing and the jumps."""
    listed = [{"spot": spot, "facing": facing, "jumps": jumps} for spot, facing, jumps in placed]
    return {"to_move": to_move, "tokens": listed}


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
PARTY: Final = tokens((3, "up", 4), (7, "up", 6), (5, "down", 13), (9, "up", 9))
QUEASY: Final = tokens((2, "up", 11), (3, "down", 14), (None, None, 15), to_move=1)


def rink(pieces: Mapping[str, str], variant: str = "standard", **rest: Any) -> dict[str, Any]:
    """A position of Puck Bumpers: the mats as at the start, and for each colour its pieces, as in "m1 a6 p1 c7"."""
    game = GAMES["pucks"]
    position = game.position(game.start(len(pieces), variant))
    words = {colour: text.split() for colour, text in pieces.items()}
    standing = {
        f"{colour} {word}": space for colour, told in words.items() for word, space in zip(told[::2], told[1::2], strict=True)
    }
    return {**position, "phase": "act", "pieces": standing, **rest}


SCRUM: Final[dict[str, Any]] = rink(
    {
        "red": "m1 m6 m2 p7 i1 b1 i2 h16 p1 k15 p2 a16 p3 m4",
        "blue": "m1 d7 m2 p6 i1 f13 i2 o4 p1 j4 p2 g6 p3 d16 p4 l1",
        "green": "m1 g7 m2 j10 i1 k1 i2 h1 p1 m13 p2 e4 p3 c14",
        "yellow": "m1 a6 m2 d11 i1 b16 i2 i4 p1 a1 p2 h3 p3 p16 p4 n13",
    },
    scored=["red p4", "green p4"],
    hands=[
        ["shift", "whistle", "take-5", "shift", "borrow"],
        ["twist", "extra", "net-off"],
        ["salvage", "draw-4"],
        ["sweep", "mix", "review"],
    ],
    draw_pile=[
        "take-1", "take-3", "take-3", "take-4", "take-6", "shift", "swap", "swap", "twist", "mix", "borrow", "salvage",
        "review", "slush", "whistle",
    ],
    discard=["take-2", "u-turn", "faceoff"],
    draw_rule=2,
    action_rule=3,
    ongoing="thin-ice",
    taken=1,
)  # fmt: skip
OLD_SCRUM: Final[dict[str, Any]] = rink(
    {"red": "i1 c2 i2 g4 p1 e10 p2 h13", "blue": "i1 g2 i2 c15 p1 a1 p2 i4"}, "old-school", action_rule=2, to_move=1
)


def high_contrast(sample: Sample) -> Sample:
    """The same with the high-contrast palette."""
    return replace(sample, scene=replace(sample.scene, high_contrast=True))


SAMPLES: Final[dict[str, Callable[[], Sample]]] = {
    "bouncers-start": lambda: starting("bouncers", 2),
    "bouncers-large-board": lambda: starting("bouncers", 2, "10x10-20"),
    "bouncers-move": lambda: after("bouncers", MELEE, 0, SHORT_WAY),
    "bouncers-long-move": lambda: after("bouncers", MELEE, 0, LONG_WAY),
    "bouncers-options": lambda: picking("bouncers", {**MELEE, "to_move": 1}, 1, seen_from=1),
    "bouncers-picked": lambda: picking("bouncers", MELEE, 0, ("d1", "e1")),
    "bouncers-high-contrast": lambda: high_contrast(after("bouncers", MELEE, 0, SHORT_WAY)),
    "trampoline-start": lambda: starting("trampoline", 4),
    "trampoline-roll": lambda: after("trampoline", tokens((3, "up", 3)), 0, ("roll",), Scripted((5, 1, 4))),
    "trampoline-bump": lambda: after("trampoline", PARTY, 0, ("roll",), Scripted((0, 1, 0))),
    "trampoline-landing": lambda: after("trampoline", QUEASY, 1, ("faceplant",), Scripted((1,))),
    "trampoline-options": lambda: picking("trampoline", QUEASY, 1),
    "trampoline-high-contrast": lambda: high_contrast(after("trampoline", PARTY, 0, ("roll",), Scripted((0, 1, 0)))),
    "bunny-start": lambda: starting("bunny", 2),
    "bunny-chain": lambda: after("bunny", PATCH, 1, ("shock", "down")),
    "bunny-options": lambda: picking("bunny", PATCH, 1, ("shock",)),
    "bunny-swap": lambda: picking("bunny", {**PATCH, "phase": "swap", "bunnies": ["g1", "a2"]}, 1, ("swap", "c3")),
    "bunny-high-contrast": lambda: high_contrast(after("bunny", PATCH, 1, ("shock", "down"))),
    "pucks-start": lambda: starting("pucks", 4),
    "pucks-chain": lambda: after("pucks", SCRUM, 0, ("p1", "up")),
    "pucks-options": lambda: picking("pucks", SCRUM, 0),
    "pucks-hand": lambda: picking("pucks", SCRUM, 0, ("play",)),
    "pucks-targets": lambda: picking("pucks", SCRUM, 0, ("play", "shift", "c", "east-of")),
    "pucks-old-school": lambda: after("pucks", OLD_SCRUM, 1, ("p1", "down")),
    "pucks-high-contrast": lambda: high_contrast(after("pucks", SCRUM, 0, ("p1", "up"))),
}
"""Every sample by its name."""
