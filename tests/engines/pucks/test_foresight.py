"""What a player is shown of an action before playing it: only what the board and their own hand make certain."""

import random

import pytest

from engines.chance import Fair
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from tests.engines.contract_games import random_action
from tests.engines.pucks.drawing import PUCKS, SMALL, drawn, play, seat_and_action
from tests.engines.pucks.tables import four, small, two


def foreseen(state: State, text: str) -> State | None:
    seat, action = seat_and_action(state, text)
    step = PUCKS.foresee(state, seat, action)
    return None if step is None else step.state


def test_a_move_is_foreseen_with_what_it_sets_moving():
    state = two(["twist"], ["whistle", "u-turn"])
    assert foreseen(state, "m1 up") == play(state, "m1 up")


@pytest.mark.parametrize(
    "card",
    [
        "take-5", "draw-2", "shift c east-of f", "swap c g", "twist a 90", "mix c east-of f a west-of g done", "borrow blue",
        "salvage extra", "faceoff red p1 blue p1", "review blue c3", "thin-ice", "slush", "net-off b", "double", "extra",
        "u-turn",
    ],
)  # fmt: skip
def test_a_card_played_in_turn_is_foreseen(card):
    held = card.split(maxsplit=1)[0]
    state = two([held], ["whistle"], pieces={"red p1": "e1", "blue p1": "a1"}, scored=["blue p2"], discard=["extra"])
    assert foreseen(state, f"play {card}") == play(state, f"play {card}")


def test_the_end_of_a_turn_is_foreseen_whether_it_comes_by_itself_by_choice_or_by_a_discard():
    after = foreseen(two([], ["sweep"], taken=1), "m1 up")
    assert after is not None
    assert (after.to_move, after.phase) == (1, Phase.DRAW)
    goes_on = foreseen(two(["shift"], ["sweep"], taken=1), "m1 up")
    assert goes_on is not None
    assert (goes_on.to_move, goes_on.phase) == (0, Phase.ACT)
    state = play(two(["shift"] * 4 + ["swap"] * 3 + ["extra"], [], action_rule=1), "m1 up")
    assert foreseen(state, "end") == play(state, "end")
    assert foreseen(play(state, "end"), "discard swap") == play(state, "end", "discard swap")


def test_somebody_elses_turn_that_a_u_turn_ends_is_over_whatever_they_hold():
    state = four(["u-turn"], ["take-6", "extra"], action_rule=3)
    assert foreseen(state, "red: play u-turn") == play(state, "red: play u-turn")


@pytest.mark.parametrize(("held", "over"), [([], True), (["whistle"], False), (["sweep"], False)])
def test_whether_a_win_waits_is_foreseen_because_it_follows_from_how_many_cards_others_hold(held, over):
    state = drawn(
        "", ["Gs", "B"], pieces={"red p4": "a14", "blue m1": "b6"}, scored=["red p1", "red p2", "red p3"], hands=[[], held]
    )
    after = foreseen(state, "p4 up")
    assert after == play(state, "p4 up")
    assert (PUCKS.outcome(after) is not None) is over


def test_that_a_win_stands_is_foreseen_by_whoever_is_asked_last():
    state = drawn(
        "", ["Gs", "B"], seats=3, pieces={"red p4": "a14", "blue m1": "b6", "green m1": "b7"},
        scored=["red p1", "red p2", "red p3"], hands=[[], ["sweep"], ["whistle"]],
    )  # fmt: skip
    waits = play(state, "p4 up")
    one, last = foreseen(waits, "blue: pass"), foreseen(play(waits, "blue: pass"), "green: pass")
    assert one is not None
    assert last is not None
    assert (PUCKS.to_act(one), PUCKS.to_act(last)) == ((2,), ())


@pytest.mark.parametrize(("hand", "to_move"), [([], 1), (["twist"], 0), (["extra"], 0)])
def test_whether_a_whistled_turn_goes_on_is_foreseen_because_it_follows_from_how_many_cards_its_player_holds(hand, to_move):
    state = play(two(hand, ["whistle"], taken=1), "m1 up")
    after = foreseen(state, "blue: play whistle")
    assert after == play(state, "blue: play whistle")
    assert after.to_move == to_move


def test_an_illegal_action_is_not_foreseen_and_old_school_has_nothing_to_hide():
    state = drawn("", ["Gs"], variant="old-school", pieces={"red p2": "a14"}, scored=["red p1"], action_rule=2, hands=[])
    assert foreseen(state, "p2 up") == play(state, "p2 up")
    with pytest.raises(ValueError, match="You have no actions left"):
        foreseen(small("sweep", taken=3), "p1 up")


def test_what_is_drawn_or_shuffled_is_never_foreseen():
    state = two(["quick-draw", "sweep"], ["sweep"], draw_pile=["swap", "twist", "shift"], discard=["mix"])
    for text in ("play quick-draw", "play sweep"):
        assert foreseen(state, text) is None
    assert foreseen(drawn("", SMALL, phase="draw", draw_pile=["swap"]), "draw") is None
    assert foreseen(PUCKS.start(2, chance=Fair(bytes(32))), "auto") is None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_what_is_foreseen_comes_about_and_never_depends_on_what_is_hidden(seed):
    dice = random.Random(seed)
    state = PUCKS.start(2 + seed % 3, chance=Fair(bytes([seed] * 32)), setup="random")
    for number in range(60):
        if PUCKS.outcome(state) is not None:
            break
        seat = dice.choice(PUCKS.may_act(state))
        action = random_action(PUCKS, state, seat, dice)
        here = PUCKS.foresee(state, seat, action)
        for n in range(4):
            there = PUCKS.foresee(PUCKS.resample(state, seat, Fair(bytes([n] * 32), 1000 * number)), seat, action)
            assert (there is None) == (here is None), action
            if here is not None and there is not None:
                assert PUCKS.view(there.state, seat) == PUCKS.view(here.state, seat), action
                assert there.events == here.events
        state = PUCKS.play(state, seat, action).state
