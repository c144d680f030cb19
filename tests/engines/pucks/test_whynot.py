"""Why a token is not possible: every reason that the rules have, said to the player who tried it."""

from typing import Any

import pytest

from engines.game import IllegalAction, check
from engines.pucks.board.state import State
from tests.engines.pucks.drawing import PUCKS, SMALL, drawn, play, seat_and_action
from tests.engines.pucks.tables import four, small, two


def why(state: State, text: str) -> str:
    """The reason why the last token is wrong, which the error begins with."""
    seat, action = seat_and_action(state, text)
    reason = PUCKS.why_not(state, seat, action, len(action) - 1)
    assert reason is not None, text
    with pytest.raises(IllegalAction) as error:
        check(PUCKS, state, seat, action)
    assert error.value.index == len(action) - 1
    assert str(error.value).startswith(reason)
    return str(reason)


ROOM: dict[str, Any] = {
    "hands": [["draw-2", "take-2", "quick-draw"], ["sweep"]],
    "action_rule": 2,
    "pieces": {"red m1": "e6", "blue m1": "i6"},
}


def room(**keys: Any) -> State:
    return drawn("", SMALL, **(ROOM | keys))


@pytest.mark.parametrize(
    ("keys", "tried", "reason"),
    [
        ({"phase": "place"}, "m1", "All pieces have to be placed first."),
        ({"phase": "place"}, "play", "You can’t play cards until all pieces are placed."),
        ({}, "auto", "All pieces are already placed."),
        ({"phase": "draw"}, "place", "All pieces are already placed."),
        ({"phase": "draw"}, "m1", "Draw first."),
        ({"phase": "draw"}, "end", "Draw first."),
        ({"phase": "draw"}, "play take-2", "Draw first."),
        ({}, "draw", "You’ve already drawn."),
        ({}, "discard", "You discard at the end of your turn."),
        ({}, "end", "You still have 2 actions to take."),
        ({"taken": 1}, "end", "You still have 1 action to take."),
        ({}, "pass", "There’s no win to let stand."),
        ({}, "blue: m1", "It’s Red’s turn. You can only play quick cards."),
        ({}, "blue: end", "It’s Red’s turn. You can only play quick cards."),
        ({"taken": 2}, "m1", "You have no actions left."),
        ({"taken": 2}, "play draw-2", "Draw 2 costs an action, and you have none left."),
        ({"phase": "discard", "hands": [["shift"] * 4 + ["swap"] * 3 + ["extra"], []]}, "m1",
         "You’ve had your actions. Discard down to 7 cards."),
        ({"phase": "discard", "hands": [["shift"] * 4 + ["swap"] * 3 + ["sweep"], []]}, "play shift",
         "You’ve had your actions."),
        ({"phase": "discard", "hands": [["shift"] * 4 + ["swap"] * 4, []]}, "discard take-1", "You don’t hold Take 1."),
        ({"phase": "discard", "hands": [["shift"] * 4 + ["swap"] * 4, []]}, "play", "You can’t play any of your cards now."),
        ({"hands": [[], []]}, "play", "Your hand is empty."),
        ({"variant": "old-school", "hands": [], "pieces": {"red p1": "e6"}}, "play", "Old school is played without cards."),
        ({"variant": "old-school", "hands": [], "pieces": {"red p1": "e6"}}, "draw", "Old school is played without cards."),
    ],
)  # fmt: skip
def test_an_action_at_the_wrong_time(keys, tried, reason):
    assert why(room(**keys), tried) == reason


def waiting() -> State:
    """Red has scored all pucks; Blue holds a whistle, Green none; everybody has a quick card."""
    state = drawn(
        "", ["Gs", "B"], seats=3, pieces={"red p4": "a14", "blue m1": "b6", "green m1": "b7"},
        scored=["red p1", "red p2", "red p3"], hands=[["sweep", "take-2"], ["whistle"], ["sweep"]],
    )  # fmt: skip
    return play(state, "p4 up")


def test_while_a_win_waits():
    state = waiting()
    assert why(state, "blue: m1") == "Red wins unless somebody whistles."
    assert why(state, "red: end") == "Red wins unless somebody whistles."
    assert why(state, "red: play take-2") == "Red wins unless somebody whistles."
    assert why(state, "red: pass") == "You don’t get a say in this win."
    assert why(play(state, "green: pass"), "green: pass") == "You’ve already let it stand."


@pytest.mark.parametrize(
    ("board", "tried", "reason"),
    [
        ("rp1 . . .", "p1 up", "The board ends at a1."),
        ("rp1 bp1 . .", "p1 right", "The space next to it isn’t open: Blue’s puck 1 is there."),
        ("rp1 rp2 . .", "p1 right", "The space next to it isn’t open: puck 2 is there."),
        ("ri1 bm1 . .", "i1 right", "The space next to it isn’t open: Blue’s meeple 1 is there."),
        ("rm1 bm1 . .", "m1 right", "Meeples can’t be bumped, and Blue’s meeple 1 is there."),
        ("rm1 bp1 bi1 .", "m1 right", "You can’t bump Blue’s puck 1: the space behind it isn’t open."),
    ],
)
def test_a_direction_that_is_blocked(board, tried, reason):
    assert why(drawn(board), tried) == reason


def test_a_direction_that_is_barred_by_walls_pools_and_closed_goals():
    goal = drawn("", ["Gs", "B"], pieces={"red p1": "a1", "red p2": "a7", "red m1": "a6"}, ongoing="net-off", net_off="a")
    assert why(goal, "p1 right") == "There’s a wall next to a1."
    assert why(goal, "p2 up") == "Net Off has closed that goal."
    assert why(drawn("", ["K"], pieces={"red p1": "a2"}), "p1 down") == "There’s a pool next to a2."


def test_a_move_that_takes_the_one_before_back():
    state = play(drawn("rm1 . . .", action_rule=3), "m1 right")
    assert why(state, "m1 left") == "That would undo your previous move."
    corner = play(drawn("rp1 . . bm1\nbi1 . bm2 .\n. . . .\n. . . rm1", action_rule=3), "p1 right")
    assert why(corner, "p1") == "You can’t move puck 1: that would undo your previous move."


def test_a_piece_that_cannot_move_at_all():
    state = drawn("rp1 bi1 . .\nrm1 bm1 . .\nbm2 . . rp2", action_rule=2, scored=["red p3"])
    assert why(state, "p1") == "You can’t move puck 1: there’s no open space next to it."
    assert why(state, "m1") == "You can’t move meeple 1: there’s no open space next to it, and nothing it can bump."
    assert why(state, "p3") == "You can’t move puck 3: it’s scored."
    assert why(state, "i1") == "You can’t move ice block 1: it isn’t on the board."
    assert why(state, "p7") == "There’s no piece called p7."


def test_pieces_of_somebody_else_cannot_be_moved_and_borrowed_ones_may_be_stuck():
    state = drawn(
        "rp1 . . .\nbp1 bm1 . .\nbm2 gi1 . gi2\ngm1 . . .", seats=3, action_rule=2, borrowed="blue", scored=["blue p2"]
    )
    assert why(state, "red") == "Name your own pieces without a colour."
    assert why(state, "green") == "You haven’t borrowed Green’s pieces."
    assert why(state, "blue p2") == "You can’t move Blue’s puck 2: it’s scored."
    assert why(state, "blue m1 left") == "You can’t bump Blue’s puck 1: the space behind it isn’t open."
    state = drawn("bp1 gm1 . rp1\ngi1 . . .", seats=3, action_rule=2, borrowed="blue")
    assert why(state, "blue") == "None of Blue’s pieces can move."


def apart(*hand: str) -> State:
    """Red has pulled a mat out of a row of three and holds a card to mend that."""
    hands = [["shift", "shift", *hand], ["u-turn", "sweep"]]
    state = drawn("", ["B B B"], hands=hands, action_rule=3, pieces={"red p1": "a1", "blue p1": "a4"}, scored=["blue p2"])
    return play(state, "play shift b north-of a")


def test_while_the_mats_do_not_hang_together():
    state = apart("take-1", "faceoff", "review", "twist")
    assert why(state, "p1") == "No piece can move until the mats are all connected."
    assert why(state, "end") == "The mats must all be connected before your turn can end."
    assert why(state, "play take-1") == "You couldn’t put the mats back together after that."
    assert why(state, "play faceoff") == "The mats must all be connected first."
    assert why(state, "play review") == "The mats must all be connected first."
    assert why(state, "blue: play u-turn") == "The turn can’t end until the mats are all connected."


def test_placing():
    state = play(PUCKS.start(2), "place p1 a1", "place p1 a4")
    assert why(state, "place p1") == "You’ve already placed puck 1."
    assert why(state, "place p2 a1") == "a1 is taken."
    assert why(state, "place p2 a2") == "a2 isn’t a start space for pucks."
    assert why(state, "place m1 a1") == "a1 isn’t a start space for meeples."
    assert why(state, "place i1 a1") == "a1 isn’t a start space for ice blocks."


def test_a_card_that_is_neither_held_nor_in_the_discard_pile():
    assert why(small("twist"), "play whistle") == "You don’t hold Whistle."
    assert why(small("salvage", discard=["twist"]), "play salvage whistle") == "Whistle isn’t in the discard pile."


def test_cards_of_others_turns():
    state = two(["twist"], ["double", "take-3", "sweep", "whistle"])
    assert why(state, "blue: play double") == "Double Action can only be played on your own turn, after you’ve drawn."
    assert why(state, "blue: play take-3") == "Take 3 can only be played on your own turn."
    assert why(state, "blue: play whistle") == "There’s no action to whistle."
    moved = play(four(["whistle"], ["whistle", "sweep"]), "m1 up")
    assert why(moved, "blue: play whistle") == "You can’t whistle your own action."


@pytest.mark.parametrize(
    ("card", "keys", "reason"),
    [
        ("salvage", {}, "The discard pile is empty."),
        ("faceoff", {}, "You need two pucks on the board for that."),
        ("review", {}, "No opponent has a scored puck."),
        ("borrow", {"borrowed": "blue"}, "There’s nobody left to borrow from."),
    ],
)
def test_a_card_with_which_nothing_can_be_named(card, keys, reason):
    assert why(small("twist", card, **keys), f"play {card}") == reason


def test_a_video_review_without_a_free_start_space():
    state = drawn(
        "",
        ["Gs", "K"],
        pieces={"red p1": "b3", "red m1": "b1"},
        scored=["blue p1"],
        hands=[["review", "sweep"], []],
        action_rule=2,
    )
    assert why(state, "play review") == "Every puck start space is taken."


def test_a_single_mat_can_be_neither_moved_nor_swapped():
    state = drawn("", ["B"], pieces={"red p1": "a1"}, hands=[["shift", "mix", "swap", "sweep"], []], action_rule=2)
    assert why(state, "play shift") == "No mat can be moved."
    assert why(state, "play mix") == "No mat can be moved."
    assert why(state, "play swap") == "No two mats can be swapped."


def test_moving_mats():
    state = small("shift", "swap", "twist", "net-off")
    assert why(state, "play shift e") == "Mat e can’t be moved: it has other mats on all sides."
    assert why(state, "play swap e") == "Mat e can’t be moved: it has other mats on all sides."
    assert why(state, "play swap a a") == "Name two different mats."
    assert why(state, "play shift c north-of f") == "Mat c is already there."
    assert why(state, "play shift c north-of e") == "There’s already a mat there."
    assert why(state, "play twist a 45") == "You can turn a mat by 90, 180 or 270 degrees."
    assert why(state, "play net-off a") == "Mat a has no goal."


def test_mats_that_would_fall_apart():
    row = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["shift"], []])
    assert why(row, "play shift b") == "Without mat b, the others would come apart."
    corner = drawn("", ["B B", "B"], pieces={"red p1": "a1"}, hands=[["shift"], []])
    assert why(corner, "play shift a north-of") == "Mat a doesn’t fit there."
    assert why(corner, "play shift a south-of c") == "The mats wouldn’t all be connected."


def test_mixing_things_up():
    state = drawn("", ["B B B"], pieces={"red p1": "a1"}, hands=[["mix"], []])
    assert why(state, "play mix done") == "Move at least one mat."
    assert why(state, "play mix b north-of a done") == "The mats must all be connected first."
    thrice = "play mix a south-of b c north-of b a east-of b"
    assert why(state, f"{thrice} a") == "You can move three mats at most."
    assert why(state, "play mix a north-of b a north-of b") == "Mat a is already there."


def test_naming_players():
    keys = {"scored": ["blue p1"], "pieces": {"red p1": "e1", "blue p2": "a1", "green m1": "i6"}, "out": [3], "seats": 4}
    state = small(hands=[["borrow", "review", "faceoff"], [], [], []], **keys)
    assert why(state, "play borrow red") == "Those pieces are already yours."
    assert why(state, "play borrow yellow") == "Yellow has left the game."
    assert why(play(small(hands=[["borrow", "borrow"], [], []], seats=3), "play borrow blue"), "play borrow blue") == (
        "You’ve already borrowed Blue’s pieces."
    )
    assert why(state, "play review red") == "Only an opponent’s puck can come back."
    assert why(state, "play review yellow") == "Yellow has left the game."
    assert why(state, "play review green") == "Green has no scored puck."
    assert why(state, "play review blue a1") == "a1 is taken."
    assert why(state, "play review blue a2") == "a2 isn’t a start space for pucks."
    assert why(state, "play faceoff green") == "Green has no puck on the board."
    assert why(state, "play faceoff red p1 red") == "Red has no other puck on the board."
    assert why(state, "play faceoff blue p1") == "You can’t swap Blue’s puck 1: it isn’t on the board."
    assert why(state, "play faceoff blue m1") == "Only pucks face off."
    pair = small("faceoff", pieces={"red p1": "e1", "red p2": "e4"})
    assert why(pair, "play faceoff red p1 red p1") == "Name two different pucks."


@pytest.mark.parametrize(
    "tried",
    ["hello", "play rabbit", "m1 north", "play twist z", "place", "play twist a 90 90", "purple", "play shift a east-of z"],
)
def test_where_the_rules_have_no_reason_what_is_possible_is_said(tried):
    state = two(["twist", "shift"]) if not tried.startswith("place") else play(PUCKS.start(2), "auto")
    tried = "place p1 z99" if tried == "place" else tried
    seat, action = seat_and_action(state, tried)
    assert PUCKS.why_not(state, seat, action, len(action) - 1) is None
