"""Positions: written and read back, with only the documented keys, and every way to write one wrongly."""

import json

import pytest

from engines.game import Outcome
from engines.pucks.board.views import Phase
from tests.engines.pucks.drawing import PUCKS, SMALL, drawn, laid, play

DOCUMENTED = {
    "variant": "standard",
    "seats": 3,
    "mats": laid(SMALL),
    "pieces": {"red p1": "e1", "blue m2": "a6", "green i1": "b2"},
    "scored": ["red p2"],
    "hands": [["take-3"], ["whistle", "whistle"], []],
    "draw_pile": ["shift", "swap"],
    "discard": ["twist"],
    "draw_rule": 2,
    "action_rule": 4,
    "ongoing": "net-off",
    "net_off": "h",
    "borrowed": "green",
    "to_move": 0,
    "direction": -1,
    "phase": "act",
    "taken": 1,
    "extra": 2,
}

APART = laid(SMALL) | {"a": {"kind": "basic", "at": [9, 9]}}
FEWER = {"mats": laid(["B Gs"]), "pieces": {}, "ongoing": None, "net_off": None}


def read(**changes):
    return PUCKS.from_position({**DOCUMENTED, **changes})


def again(state):
    return PUCKS.from_position(json.loads(json.dumps(PUCKS.position(state))))


def test_a_position_with_only_the_documented_keys_is_read():
    state = read()
    assert (state.allowed, state.taken, state.table.borrowed, state.table.net_off) == (6, 1, (2,), "h")
    assert state.edge == ("draw-2", "take-4", "net-off")
    assert again(state) == state


def test_a_position_needs_few_keys_and_writes_the_documented_ones():
    state = PUCKS.from_position({"variant": "standard", "seats": 2, "mats": laid(SMALL), "pieces": {"red p1": "e1"}})
    assert (state.phase, state.to_move, state.allowed, state.hands) == (Phase.ACT, 0, 1, ((), ()))
    assert PUCKS.position(read()) == DOCUMENTED


@pytest.mark.parametrize("phase", ["place", "draw", "act", "discard"])
def test_every_phase_can_be_written(phase):
    state = read(phase=phase, hands=[["shift"] * 4 + ["swap"] * 3 + ["twist"], [], []], draw_pile=[], discard=[])
    assert state.phase is Phase(phase)
    assert again(state) == state


def test_a_position_is_played_on_until_somebody_is_waited_for_or_has_won():
    state = read(taken=6, hands=[[], [], []])
    assert (state.to_move, state.phase) == (2, Phase.DRAW)
    won = read(scored=[f"blue p{n}" for n in range(1, 5)])
    assert PUCKS.outcome(won) == Outcome((1,), "All 4 pucks are in!")
    assert again(won) == won


WHISTLED = ["red: m1 up", "red: play take-5", "red: play shift c east-of f", "red: play salvage extra", "red: play borrow blue"]


@pytest.mark.parametrize("action", WHISTLED)
def test_what_a_whistle_would_undo_is_part_of_the_position(action):
    state = drawn("", SMALL, pieces={"red m1": "e6", "blue m1": "i6"}, discard=["extra"], action_rule=2,
                  hands=[["take-5", "shift", "salvage", "borrow"], ["whistle"]])  # fmt: skip
    after = play(state, action)
    assert PUCKS.position(after)["last"]["before"]["pieces"] == PUCKS.position(state)["pieces"]
    assert again(after) == after
    assert play(again(after), "blue: play whistle") == play(after, "blue: play whistle")


def test_a_layout_that_does_not_hang_together_remembers_where_it_did():
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift", "shift"], []], action_rule=2)
    broken = play(state, "play shift b north-of a")
    assert PUCKS.position(broken)["settled"] == {"a": [0, 0], "b": [1, 0], "c": [2, 0]}
    assert again(broken) == broken


def test_the_move_that_may_not_be_taken_back_and_a_win_that_waits_are_part_of_the_position():
    state = play(drawn("rm1 . . .", action_rule=2), "m1 right")
    assert PUCKS.position(state)["previous"] == {"red m1": [0, 0]}
    assert again(state) == state
    state = drawn("", ["Gs"], seats=3, pieces={"red p4": "a14"}, scored=[f"red p{n}" for n in range(1, 4)],
                  hands=[[], ["whistle"], ["whistle"]])  # fmt: skip
    waiting = play(state, "p4 up", "blue: pass")
    assert (again(waiting), PUCKS.to_act(again(waiting))) == (waiting, (2,))


def test_a_position_keeps_a_win_waiting_after_whoever_took_the_action_has_left():
    state = drawn("", ["Gs"], seats=3, pieces={"red m1": "a14", "blue p4": "a10"}, scored=[f"blue p{n}" for n in range(1, 4)],
                  hands=[[], ["shift"], ["whistle"]])  # fmt: skip
    waiting = PUCKS.withdraw(play(state, "m1 up"), 0).state
    assert (again(waiting), PUCKS.to_act(again(waiting))) == (waiting, (2,))
    after = play(again(waiting), "green: play whistle")
    assert (after.winning, PUCKS.to_act(after), after.phase) == ((), (1,), Phase.DRAW)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"variant": "new-school"}, "variant must be one of standard, old-school, not 'new-school'"),
        ({"seats": 7}, "seats must be a whole number from 2 to 6, not 7"),
        ({"seats": "3"}, "seats must be a whole number"),
        ({"phase": "dance"}, "phase must be one of place, draw, act, discard"),
        ({"to_move": 3}, "to_move must be a whole number from 0 to 2"),
        ({"direction": 0}, "direction must be 1 or -1"),
        ({"taken": -1}, "taken must be"),
        ({"closed": "yes"}, "closed must be true or false"),
        ({"mats": {}}, "mats must be called a, b, c"),
        ({"mats": []}, "mats must be an object"),
        ({"mats": {"a": laid(["B"])["a"], "c": laid(["B"])["a"]}}, "without a gap"),
        ({"mats": laid(SMALL) | {"a": {"kind": "rubber", "at": [0, 0]}}}, "kind must be one of"),
        ({"mats": laid(SMALL) | {"a": {"kind": "basic", "at": [0, 0], "turn": 45}}}, "mat a: turn must be 0, 90, 180 or 270"),
        ({"mats": laid(SMALL) | {"a": {"kind": "basic", "at": [0]}}}, "at must be a pair of whole numbers"),
        ({"mats": laid(SMALL) | {"a": {"kind": "basic", "at": [1, 0]}}}, "two mats lie at"),
        ({"mats": laid(SMALL) | {"a": {"kind": "basic", "at": [4, 0]}}}, "must hang together"),
        ({"mats": laid(SMALL) | {"a": {"kind": "basic", "at": [90, 0]}}}, "farther than"),
        ({"pieces": {"red p5": "e1"}}, "there is no 'red p5'"),
        ({"pieces": {"yellow p1": "e1"}}, "there is no 'yellow p1'"),
        ({"pieces": {"red p1": "z1"}}, "there is no space 'z1'"),
        ({"pieces": {"red p1": "c6"}}, "red p1 cannot stand on c6"),
        ({"pieces": {"red p1": "b2"}}, "red p1 cannot stand on b2"),
        ({"pieces": {"red p1": "e1", "red p3": "e1"}}, "two of them stand on e1"),
        ({"scored": ["red m1"]}, "there is no puck 'red m1'"),
        ({"scored": ["red p1"]}, "named twice, or stands on the board"),
        ({"scored": "red p1"}, "scored must be a list"),
        ({"scored": [["red p1"]]}, "there is no puck"),
        ({"hands": [[]]}, "hands must have 3 lists"),
        ({"hands": [["ace"], [], []]}, "there is no card 'ace'"),
        ({"draw_rule": 0}, "draw_rule must be"),
        ({"action_rule": True}, "action_rule must be"),
        ({"action_rule": 9}, "there is no card 'take-9'"),
        ({"ongoing": "whistle", "net_off": None}, "ongoing must be an ongoing card"),
        ({"net_off": None}, "net_off must name one of the goal mats b, d, f, h"),
        ({"net_off": "a"}, "net_off must name one of the goal mats"),
        ({"ongoing": None}, "net_off must name"),
        ({"borrowed": "pink"}, "borrowed must be null, one of red, blue, green"),
        ({"borrowed": ["red", "red"]}, "borrowed must be"),
        ({"borrowed": 1}, "borrowed must be"),
        ({"borrowed": [["red"]]}, "borrowed must be"),
        ({"edge": ["draw-2", "draw-3"]}, "cannot lie there together"),
        ({"edge": ["swap"]}, "only draw, action and ongoing cards"),
        ({"out": [0]}, "seat 0 is out"),
        ({"out": [0], "winning": [1]}, "seat 0 is out"),
        ({"out": [1], "last": {"seat": 1, "action": ["p1", "up"], "before": DOCUMENTED}}, "turn of seat 1, which is out"),
        ({"out": [0, 1, 2]}, "somebody must be left"),
        ({"out": [1, 1]}, "different seats"),
        ({"out": [[]]}, "different seats"),
        ({"out": [1.0]}, "different seats"),
        ({"passed": [True]}, "different seats"),
        ({"turn_of": 5}, "turn_of must be a seat or null"),
        ({"turn_of": 1}, "turn_of must be 0, whose turn is going on"),
        ({"turn_of": 1, "phase": "discard"}, "turn_of must be 0, whose turn is going on"),
        ({"previous": {"red p9": [0, 0]}}, "there is no 'red p9'"),
        ({"settled": {letter: [0, 0] for letter in "abcdefghi"}}, "must hang together"),
        ({"mats": APART, "settled": {letter: [0, 0] for letter in "abcdefghi"}}, "two mats lie at"),
        ({"mats": APART, "settled": {letter: APART[letter]["at"] for letter in APART}}, "do not hang together there"),
        ({"mats": APART, "settled": {"a": [0, 0]}}, "b must be a pair"),
        ({"last": {"seat": 0, "action": ["p1", "up"], "before": DOCUMENTED | FEWER}}, "must be those of now"),
        ({"last": {"seat": 0, "action": [], "before": DOCUMENTED}}, "last: nothing is no action"),
        ({"last": {"seat": 0, "action": ["play", "ace"], "before": DOCUMENTED}}, "play ace is no action"),
        ({"last": {"seat": 0, "action": ["play", "salvage"], "before": DOCUMENTED}}, "play salvage is no action"),
        ({"last": {"seat": 0, "action": ["play", "slush"], "before": DOCUMENTED}}, "slush was played, but does not lie"),
        ({"last": {"seat": 0, "action": ["p1", "up"], "replaced": "ace", "before": DOCUMENTED}}, "no card 'ace'"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_what_is_wrong(changes, complaint):
    with pytest.raises(ValueError, match=complaint):
        read(**changes)


def test_before_a_draw_the_turn_that_u_turn_ends_is_that_of_the_player_before_if_any():
    pieces = {"red m1": "e6", "blue m1": "i6", "green m1": "a6"}
    waiting = read(phase="draw", to_move=1, direction=1, taken=0, extra=0, pieces=pieces, hands=[[], ["u-turn"], []])
    assert PUCKS.to_act(play(waiting, "blue: play u-turn")) == (2,)
    state = PUCKS.start(3, setup="random")
    assert PUCKS.position(state)["turn_of"] is None
    assert again(state) == state


def test_a_position_may_hold_more_of_a_card_than_the_deck_does():
    assert read(draw_pile=["draw-4"] * 3).draw_pile == ("draw-4",) * 3


def test_an_old_school_position_has_two_actions_a_turn_and_no_cards():
    state = PUCKS.from_position(
        {"variant": "old-school", "seats": 2, "mats": laid(SMALL), "pieces": {"red p1": "e1"}, "action_rule": 1, "draw_rule": 1}
    )
    assert state.allowed == 2
    with pytest.raises(ValueError, match="old-school has no cards"):
        read(variant="old-school", ongoing=None, net_off=None, pieces={}, scored=[], borrowed=None)


def test_somebody_must_have_a_piece_left_to_be_placed():
    complete = {
        f"red {word}": space for word, space in zip(["m1", "m2", "i1", "i2", "p1", "p2", "p3", "p4"], "abcdefgi", strict=True)
    }
    with pytest.raises(ValueError, match="seat 0 has no piece left"):
        read(phase="place", pieces={name: f"{mat}1" for name, mat in complete.items()}, scored=[])
