"""Positions of Bounce Bunny Bounce as JSON: written, read back, and refused where they cannot be."""

import pytest

from engines.bunny.field import SPACES
from engines.chance import Fair
from tests.engines.bunny.cards import GAME, field, offered, play, position


def test_a_position_is_read_as_it_is_written():
    written = position({"c1": "swap", "g5": "stop"}, bunnies=["c1", "g5"], phase="swap", face_up=["c1"])
    state = GAME.from_position(written)
    carrots = [space for space in SPACES if written["field"][space] == "carrot"]
    assert GAME.position(state) == {**written, "face_up": ["c1", *carrots]}


def test_a_position_carries_its_stream_only_when_asked_to():
    state = GAME.start(2, chance=Fair(b"k" * 32))
    assert "chance" not in GAME.position(state)
    assert GAME.from_position(GAME.position(state, secret=True)).chance == state.chance


def test_a_position_need_not_have_the_cards_of_a_real_game():
    stops = {**dict.fromkeys(SPACES, "stop"), "a1": "up", "c3": "empty"}
    state = GAME.from_position({**position({}), "field": stops, "bunnies": ["a1", "d3"]})
    assert offered(state) == ["left", "right", "up", "down"]
    assert GAME.position(play(state, "up").state)["bunnies"] == ["a2", "d3"]


CROSS = {space: "empty" if (space[0] == "d") is not (space[1] == "3") else "stop" for space in SPACES}
"""A field with only empty spaces in the row and the column of d3."""


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"field": {"a1": "left"}}, "“field” must say what lies on each of the 35 spaces a1 to g5."),
        ({"field": {**field({}), "a1": None}}, "What lies on a1 isn’t a card: None."),
        ({"field": {**field({}), "a1": "wall"}}, "There is no card wall."),
        ({"field": {**field({}), **dict.fromkeys(SPACES[1:7], "empty")}}, "Row 1 must have a card for each Bunny."),
        ({"carrots": [4, 0]}, "“carrots” must be 0 to 3, not 4."),
        ({"shocks": [3]}, "“shocks” must have a value for each of the two seats, not [3]."),
        ({"shocks": [3, True]}, "“shocks” must be 0 to 3, not True."),
        ({"face_up": ["h9"]}, "“face_up” must list spaces that have a card, not ['h9']."),
        ({"bunnies": ["c9", None]}, "“bunnies” must have a space or null for each of the two seats, not ['c9', None]."),
        ({"field": field({"c1": "stop"}), "bunnies": ["c1", "c1"]}, "The Bunnies can’t both be on c1."),
        ({"field": field({"c3": "carrot"}), "bunnies": ["c3", None]}, "Red’s Bunny can’t stay on c3: there’s a carrot there."),
        ({"field": CROSS, "bunnies": ["d3", None]}, "Red’s Bunny has nowhere to go from d3."),
        ({"phase": "sleep"}, "“phase” must be move, swap, spy or shock, not sleep."),
        ({"to_act": 1}, "Blue can’t be the one to choose in the phase “move”."),
        ({"phase": "shock"}, "Red can’t be the one to choose in the phase “shock”."),
        ({"phase": "swap"}, "Red can’t be the one to choose in the phase “swap”."),
        ({"turn": 2}, "“turn” must be 0 to 1, not 2."),
        ({"quiet_turns": 81}, "“quiet_turns” must be 0 to 80, not 81."),
        ({"carrot_taken": 1}, "“carrot_taken” must be true or false, not 1."),
        ({"field": field({"c3": "carrot"}), "spied": ["c3", None]}, "Red’s Spy can’t have seen a card on c3."),
        (
            {"field": field({"a1": "stop", "b1": "stop"}), "bunnies": ["a1", "b1"], "phase": "shock", "quiet_turns": 80},
            "The game is over, so its phase must be “move”.",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused(wrong, message):
    with pytest.raises(ValueError) as raised:
        GAME.from_position({**position({}), **wrong})
    assert str(raised.value) == message
