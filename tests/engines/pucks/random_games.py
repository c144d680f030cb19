"""Random games of Puck Bumpers in which more happens than usual: wins that wait, mats that come apart, and house rules."""

import random

from engines.chance import Fair
from engines.game import Action
from engines.pucks.board.pieces import COLOURS
from engines.pucks.board.state import State
from tests.engines.contract_games import random_action
from tests.engines.pucks.drawing import PUCKS, laid

COMMON: dict[str, list[str]] = {
    "as usual": [],
    "near the end": ["whistle", "whistle", "u-turn"],
    "by house rules": ["u-turn", "quick-draw", "salvage"],
    "with mats about": ["shift", "shift", "shift", "mix", "twist", "take-4", "thin-ice", "whistle", "whistle", "salvage"],
}
"""Kinds of games, and the cards that are common in them."""

KINDS = tuple(COMMON)


def begun(kind: str, seats: int, dice: random.Random) -> State:
    """A game in which all pieces are placed.

    Near its end, also by house rules, everybody needs one more puck of each colour, and hands have all sizes. With mats about,
    they lie in a row that any shift can break, and most players have one meeple, the others no piece at all.
    """
    options = house_rules(seats, dice) if kind == "by house rules" else {}
    state = PUCKS.start(seats, chance=Fair(dice.randbytes(32)), setup="random", **options)
    if not COMMON[kind]:
        return state

    def with_common(cards: list[str]) -> list[str]:
        return [dice.choice(COMMON[kind]) if dice.random() < 0.6 else card for card in cards]

    position = PUCKS.position(state, secret=True)
    hands = [with_common(hand) for hand in position["hands"]]
    changed = {"draw_pile": with_common(position["draw_pile"]), "hands": hands, "action_rule": 4}
    if kind == "with mats about":
        on_mats = zip(COLOURS[:seats], "abcdef", strict=False)
        pieces = {f"{colour} m1": f"{mat}6" for colour, mat in on_mats if dice.random() < 0.7}
        return PUCKS.from_position(position | changed | {"mats": laid(["B B B B B B"]), "pieces": pieces})
    in_goals = [f"p{number}" for number in range(1, state.needed // state.colours)]
    scored = [name for name in position["pieces"] if name.split()[1] in in_goals]
    pieces = {name: space for name, space in position["pieces"].items() if name not in scored}
    hands = [hand[: dice.randrange(len(hand) + 1)] for hand in hands]
    return PUCKS.from_position(
        position | changed | {"scored": scored, "pieces": pieces, "hands": hands, "action_rule": 2}
    )  # fmt: skip


def house_rules(seats: int, dice: random.Random) -> dict[str, str]:
    colours = dice.choice(["1", "2"]) if seats <= 3 else "1"
    left_out = dice.choice(["none", "whistle", "mats", "mats+whistle", "draw-2"])
    board = dice.choice(["standard", "shuffled"])
    return {"to-win": dice.choice(["2", "3", "4"]), "colours": colours, "without": left_out, "board": board}


def chosen(kind: str, state: State, seat: int, dice: random.Random) -> Action:
    """A random action of several: near the end one that scores, with mats about one with a card that moves them."""
    tried = [random_action(PUCKS, state, seat, dice) for _ in range(6)]
    if kind == "with mats about":
        return next((action for action in tried if action[:1] == ("play",)), tried[0])
    moves = [action for action in tried if not shows_a_card(action) and action[0] != "place"]
    return next((action for action in moves if any(event.kind == "score" for event in PUCKS.play(state, seat, action).events)),
                tried[0])  # fmt: skip


def shows_a_card(action: Action) -> bool:
    return action[0] in {"play", "discard"}
