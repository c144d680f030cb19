"""Positions written as text, and games played from them in the words that players type.

A board is drawn a row of spaces a line, a space a word: ``.`` is empty, a piece is its colour's first letter and its own word
(``rp1`` is red p1, ``bm2`` blue m2). Rows that are left out are empty. What lies under the pieces follows from the mats, which
are written as in box.toml (``B`` basic, ``K`` with a pool, ``k`` block, ``Gs`` a goal that faces south, ``'`` turned half
round, ``_`` nothing).
"""

from collections import Counter
from typing import Any

from engines.chance import UNSEEDED, Chance
from engines.game import Event
from engines.pucks import Pucks
from engines.pucks.board.board import cells
from engines.pucks.board.box import SIDES, box
from engines.pucks.board.pieces import COLOURS
from engines.pucks.board.state import State

PUCKS = Pucks()
KINDS = {"B": "basic", "K": "pool", "k": "block"}
SMALL = ["B Gs K", "Ge B Gw", "K' Gn B"]


def laid(rows: list[str]) -> dict[str, Any]:
    found = [(word, [column, row]) for row, line in enumerate(rows) for column, word in enumerate(line.split()) if word != "_"]
    return {chr(ord("a") + i): {"at": at, **mat(word)} for i, (word, at) in enumerate(found)}


def mat(word: str) -> dict[str, Any]:
    if word[0] == "G":
        side = next(i for i, name in enumerate(SIDES) if name[0] == word[1])
        return {"kind": "goal", "turn": (side - SIDES.index("south")) % 4 * 90}
    return {"kind": KINDS[word[0]], "turn": 180 if word.endswith("'") else 0}


def names_on(drawing: str) -> dict[str, tuple[int, int]]:
    """The pieces of a drawing by name, with their points."""
    colours = {colour[0]: colour for colour in COLOURS}
    return {
        f"{colours[word[0]]} {word[1:]}": (x, y)
        for y, line in enumerate(drawing.strip().splitlines())
        for x, word in enumerate(line.split())
        if word != "."
    }


def drawn(drawing: str = "", mats: list[str] | None = None, chance: Chance = UNSEEDED, **keys: Any) -> State:
    """The state of a drawing: Red to act with one action, two players, no cards, unless the keys of the position say otherwise.

    Without mats, the board is as many basic mats in one row as the drawing is wide.
    """
    width = max((len(line.split()) for line in drawing.strip().splitlines()), default=4)
    layout = mats if mats is not None else [" ".join("B" for _ in range((width + 3) // 4))]
    position: dict[str, Any] = {"variant": "standard", "seats": 2, "mats": laid(layout), "phase": "act", "to_move": 0}
    position |= keys
    bare = PUCKS.from_position({**position, "phase": "draw", "hands": []})
    spaces = {cell.point: cell.space for mat in bare.table.mats for cell in cells(mat)}
    position["pieces"] = {**position.get("pieces", {}), **{name: spaces[at] for name, at in names_on(drawing).items()}}
    return PUCKS.from_position(position, chance)


def by_name(state: State) -> dict[str, str]:
    return PUCKS.position(state)["pieces"]


def scored(state: State) -> list[str]:
    return PUCKS.position(state)["scored"]


def assert_board(state: State, drawing: str) -> None:
    view = PUCKS.view(state)
    assert {placed.piece.name: placed.point for placed in view.pieces} == names_on(drawing)


def seat_and_action(state: State, text: str) -> tuple[int, tuple[str, ...]]:
    """ "blue: play whistle" is Blue's action; without a colour it is that of the first seat that is waited for."""
    colour, colon, action = text.partition(": ")
    if not colon:
        colour, action = COLOURS[PUCKS.to_act(state)[0]], text
    return COLOURS.index(colour), tuple(action.split())


def play(state: State, *actions: str) -> State:
    for text in actions:
        seat, action = seat_and_action(state, text)
        state = PUCKS.play(state, seat, action).state
    return state


def events(state: State, action: str) -> tuple[Event, ...]:
    seat, tokens = seat_and_action(state, action)
    return PUCKS.play(state, seat, tokens).events


def told(state: State, action: str, seat: int | None = None) -> list[str]:
    """What a seat (None: everybody) hears of an action."""
    return [str(event.text) for event in events(state, action) if event.known_to(seat)]


def legal(state: State, text: str) -> bool:
    seat, action = seat_and_action(state, text)
    return PUCKS.is_whole(state, seat, action)


def offered(state: State, text: str = "") -> list[str]:
    """The tokens that may follow these ("blue: play")."""
    seat, action = seat_and_action(state, text) if text else (PUCKS.to_act(state)[0], ())
    return [choice.token for choice in PUCKS.choices(state, seat, action)]


def all_cards(state: State) -> Counter[str]:
    return Counter((*state.draw_pile, *state.discard, *state.edge, *(held for hand in state.hands for held in hand)))


DECK = Counter(box().deck)
