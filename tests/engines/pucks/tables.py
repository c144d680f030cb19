"""Tables of Puck Bumpers on which cards are tried out: the players, their hands, and room to move."""

from typing import Any

from engines.pucks.board.state import State
from tests.engines.pucks.drawing import PUCKS, SMALL, drawn


def small(*hand: str, **keys: Any) -> State:
    """The board for two players, Red to act with a puck to move and this hand."""
    usual: dict[str, Any] = {"pieces": {"red p1": "e1"}, "hands": [list(hand), []], "action_rule": 3}
    return drawn("", SMALL, **{**usual, **keys})


def two(*hands: list[str], **keys: Any) -> State:
    """Two players on the small board, Red to act with two actions and room to move."""
    pieces = {"red m1": "e6", "blue m1": "i6"}
    usual: dict[str, Any] = {"hands": [*hands, [], []][:2], "action_rule": 2, "pieces": pieces}
    return drawn("", SMALL, **{**usual, **keys})


def four(*hands: list[str], **keys: Any) -> State:
    """Four players on one wide board, seat 1 (Blue) to act."""
    pieces = {"red m1": "a1", "blue m1": "b6", "green m1": "c6", "yellow m1": "d1"}
    dealt = [*hands, [], [], [], []][:4]
    usual: dict[str, Any] = {"seats": 4, "to_move": 1, "hands": dealt, "pieces": pieces}
    return drawn("", ["B B B B"], **{**usual, **keys})


def last_puck(*hands: list[str], seats: int = 4, **keys: Any) -> State:
    """Red needs one more puck, which stands before a goal."""
    dealt = [*hands, *[[]] * seats][:seats]
    usual: dict[str, Any] = {
        "seats": seats, "hands": dealt, "pieces": {"red p4": "a14", "blue m1": "b6"}, "action_rule": 2,
        "scored": ["red p1", "red p2", "red p3"],
    }  # fmt: skip
    return drawn("", ["Gs B"], **{**usual, **keys})


def row(*hand: str, actions: int = 2) -> State:
    hands = [list(hand), ["whistle", "u-turn"]]
    return drawn("", ["B B B"], hands=hands, action_rule=actions, pieces={"red p1": "a1"})


def outcome(state: State) -> tuple[int, ...] | None:
    end = PUCKS.outcome(state)
    return None if end is None else end.winners


def places_of_mats(state: State) -> dict[str, tuple[int, int]]:
    return {mat.id: mat.at for mat in state.table.mats}


def turns_of_mats(state: State) -> dict[str, int]:
    return {mat.id: mat.turn for mat in state.table.mats}
