"""Positions of Bouncers as JSON: written, read back, and refused where they cannot be."""

import json

import pytest

from engines.chance import Fair
from engines.game import Outcome
from tests.engines.bouncers.squares import GAME, go, on, position


def test_a_position_is_plain_json():
    state = go(on("a1K c2 c1", "h8K b8"), "a1-a2")
    written = GAME.position(state)
    assert written == {
        "variant": "8x8-16",
        "to_move": 1,
        "red": ["c1", "c2"],
        "red_kings": ["a2"],
        "blue": ["b8"],
        "blue_kings": ["h8"],
        "quiet_plies": 1,
        "seen": {"1b5B/8/8/8/8/8/2r5/R1r5 0": 1, "1b5B/8/8/8/8/8/R1r5/2r5 1": 1},
    }
    assert GAME.from_position(json.loads(json.dumps(written))) == state


def test_a_position_remembers_what_the_draw_rules_need_unless_left_out():
    written = GAME.position(GAME.start(2, "10x10-20"))
    del written["quiet_plies"], written["seen"]
    assert GAME.from_position(written) == GAME.start(2, "10x10-20")
    shuffle = ("a1-a2", "h8-h7", "a2-a1", "h7-h8")
    state = GAME.from_position(GAME.position(go(on("a1K", "h8K"), *shuffle)))
    assert GAME.outcome(go(state, *shuffle)) == Outcome((), "The same position came up three times.")


def test_a_position_carries_its_stream_only_when_asked_to():
    chance = Fair(bytes(range(32)), 7)
    state = GAME.start(2, chance=chance)
    assert "chance" not in GAME.position(state)
    assert GAME.from_position(GAME.position(state, secret=True)).chance == chance
    assert GAME.from_position(GAME.position(state), chance).chance == chance
    assert GAME.from_position(GAME.position(state)) == state


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "9x9"}, "There’s no variant “9x9”."),
        ({"variant": None}, "There’s no variant “None”."),
        ({"to_move": 2}, "“to_move” must be a whole number from 0 to 1."),
        ({"to_move": True}, "“to_move” must be a whole number from 0 to 1."),
        ({"red": "c2"}, "“red” must be a list of squares."),
        ({"red": None}, "“red” must be a list of squares."),
        ({"red": ["j10"]}, "There’s no square “j10” on this board."),
        ({"red": [7]}, "There’s no square “7” on this board."),
        ({"red": ["c2", "c2"]}, "There are two pieces on c2."),
        ({"red": ["e5"]}, "There are two pieces on e5."),
        ({"red_kings": ["c2"]}, "There are two pieces on c2."),
        ({"red": [], "blue": []}, "There’s no piece on the board."),
        ({"red": ["c8"]}, "Red’s piece on c8 must be a king."),
        ({"blue": ["c1"]}, "Blue’s piece on c1 must be a king."),
        ({"variant": "8x8-16-terminal", "red_kings": ["c3"]}, "This variant has no kings."),
        ({"variant": "8x8-16-terminal", "red": ["c8"], "blue": ["c1"]}, "Both sides have reached the last rank."),
        ({"quiet_plies": -1}, "“quiet_plies” must be a whole number from 0 to 100."),
        ({"quiet_plies": "3"}, "“quiet_plies” must be a whole number from 0 to 100."),
        ({"seen": ["8/8"]}, "“seen” must give a number for each position."),
        ({"seen": {"nonsense": 1}}, "“nonsense” in “seen” isn’t a position."),
        ({"seen": {"7R/8/8/8/8/8/8/7 0": 1}}, "“7R/8/8/8/8/8/8/7 0” in “seen” isn’t a position."),
        ({"seen": {"9R/10/10/10/10/10/10/10/10/10 0": 1}}, "“9R/10/10/10/10/10/10/10/10/10 0” in “seen” isn’t a position."),
        ({"seen": {"8/8/8/8/8/8/8/R7 0": 3}}, "“8/8/8/8/8/8/8/R7 0” can’t have been seen 3 times."),
        ({"resigned": 2}, "“resigned” must be a whole number from 0 to 1."),
        ({"red_king": ["c3"]}, "A position has no “red_king”."),
    ],
)
def test_a_position_that_cannot_be_says_what_is_wrong(change, message):
    with pytest.raises(ValueError) as caught:
        GAME.from_position(position("c2", "e5") | change)
    assert str(caught.value) == message


def test_a_list_that_is_missing_is_asked_for():
    written = position("c2", "e5")
    del written["red"]
    with pytest.raises(ValueError, match="“red” must be a list of squares"):
        GAME.from_position(written)
