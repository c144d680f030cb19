"""What the computer finds in Puck Bumpers, and what each level overlooks."""

from collections.abc import Sequence
from random import Random
from typing import Any
from unittest import mock

import pytest

from engines.pucks.board.state import State
from opponents import LEVELS, Level, Thought, opponent
from opponents.dice import Dice
from opponents.pucks.beginner import Beginner
from opponents.pucks.computer import PucksComputer
from opponents.pucks.rink import FAR
from tests.engines.pucks.drawing import PUCKS, drawn, play, scored
from tests.engines.pucks.tables import four, small
from tests.opponents.pucks.games import AT_RANDOM, random_game

THINKING = [Level.MEDIUM, Level.HARD, Level.EXPERT]


def chosen(state: State, level: str = "expert", seat: int | None = None) -> Thought:
    return opponent("pucks", level).choose(state, state.to_move if seat is None else seat, stream="a")


def goal(own: Sequence[str] = (), theirs: Sequence[str] = (), **keys: Any) -> State:
    """Red p1 stands before a goal, and Red acts; the hands are those of Red and Blue."""
    usual: dict[str, Any] = {"pieces": {"red p1": "b14", "blue m1": "b16", "red m1": "b13"}, "hands": [[*own], [*theirs]]}
    return drawn("", ["Gs", "B"], **{**usual, **keys})


LAST: dict[str, Any] = {"scored": ["red p2", "red p3", "red p4"]}


@pytest.mark.parametrize("level", THINKING)
def test_it_scores(level: str) -> None:
    assert chosen(goal(), level).action == ("p1", "up")


def test_a_beginner_sees_a_slide_into_a_goal() -> None:
    beginner = opponent("pucks", "easy")
    assert {beginner.choose(goal(), 0, stream=str(number)).action for number in range(30)} == {("p1", "up")}


def test_the_more_there_is_to_think_of_the_more_is_overlooked() -> None:
    """Blue's puck stands before the goal, beside Red's: easy hardly ever thinks of exchanging them, medium mostly does."""
    state = goal(["faceoff"], pieces={"red p1": "b13", "blue p1": "b14"})
    exchange = ("play", "faceoff", "red", "p1", "blue", "p1")
    easy, medium = (
        sum(opponent("pucks", level).choose(state, 0, stream=str(number)).action == exchange for number in range(60))
        for level in ("easy", "medium")
    )
    assert easy < 10
    assert 20 < medium < 60


def test_a_bump_and_a_card_with_targets_are_harder_to_see_than_a_slide() -> None:
    state = goal(["faceoff", "double"], pieces={"red p1": "b14", "red m1": "b13", "blue p1": "b10"})
    view = Beginner(state, FAR)
    difficulties = {look.action: view.difficulty(look) for look in view.looks(thorough=False)}
    assert difficulties["p1", "right"] == 0
    assert difficulties["m1", "right"] == 1
    assert difficulties["play", "double"] == 1
    assert difficulties["play", "faceoff", "red", "p1", "blue", "p1"] == 5


def test_an_expert_plans_the_whole_turn() -> None:
    """The puck would slide past the goal's column, unless the meeple has gone to where it stops it."""
    state = drawn("", ["Gs", "B"], pieces={"red p1": "b16", "red m1": "b9", "blue m1": "a16"}, action_rule=3)
    assert chosen(state).line == ((0, ("m1", "down")), (0, ("p1", "left")), (0, ("p1", "up")))
    assert scored(play(state, "m1 down", "p1 left", "p1 up")) == ["red p1"]


@pytest.mark.parametrize("seats", [2, 4])
def test_a_line_can_be_played(seats: int) -> None:
    lines = 0
    for number, state in enumerate(random_game(seats, "standard", 200, 6, AT_RANDOM)):
        if number % 20 == 10 and state.to_move in PUCKS.to_act(state):
            after = state
            for seat, action in chosen(state, "hard").line:
                after = PUCKS.play(after, seat, action).state
                lines += 1
    assert lines > 3


def taken_back(*theirs: str) -> State:
    """Red has just put Blue's scored puck back on the board by a card, and has an action left; Blue holds these cards."""
    return play(goal(["review"], theirs, scored=["blue p1"], action_rule=2), "play review blue b4")


@pytest.mark.parametrize("level", THINKING)
def test_it_whistles_what_hurts(level: str) -> None:
    answer = opponent("pucks", level).interrupt(taken_back("whistle"), 1, stream="a")
    assert answer is not None
    assert answer.action == ("play", "whistle")


def test_a_beginner_does_not_think_of_it() -> None:
    assert opponent("pucks", "easy").interrupt(taken_back("whistle"), 1, stream="a") is None


@pytest.mark.parametrize("level", LEVELS)
def test_it_does_not_let_a_win_stand(level: str) -> None:
    state = play(goal(theirs=["whistle", "extra"], **LAST), "p1 up")
    assert PUCKS.to_act(state) == (1,)
    assert chosen(state, level, 1).action == ("play", "whistle")
    without = play(goal(theirs=["extra"], **LAST), "p1 up")
    assert chosen(without, level, 1).action == ("pass",)


def test_it_keeps_a_whistle_for_better_things() -> None:
    state = play(four(["take-2"], [], ["whistle"], []), "m1 left")
    assert opponent("pucks", "expert").interrupt(state, 2, stream="a") is None


def test_failing_to_score_gives_something_away() -> None:
    judgement = opponent("pucks", "hard").judge(goal(), 0, ("m1", "up"), stream="a")
    assert judgement.best.action == ("p1", "up")
    assert judgement.lost > 0.02


def test_the_plans_first_choice_is_compared_with_their_second() -> None:
    """Plans end with the next player's answer; playing on shows more."""
    computer = opponent("pucks", "expert")
    best = computer.choose(goal(), 0, stream="a").action
    with mock.patch.object(PucksComputer, "_played_on", return_value=[(0.8, 0.5)] * 8):
        judgement = computer.judge(goal(), 0, best, stream="a")
    rival = computer.rival(goal(), 0, best, stream="a")
    assert rival is not None
    assert judgement.best.action == rival.action != best
    assert judgement.lost == pytest.approx(0.3)


def test_actions_that_end_the_turn_and_others_are_judged_before_the_same_turn() -> None:
    """Otherwise one would be judged after the next player's answer, the other before it."""
    state, computer = goal(["extra"]), opponent("pucks", "expert")
    with mock.patch.object(PucksComputer, "_after_plan", return_value=(0.5, 0.5)) as judged:
        computer.compare(state, 0, (("end",), ("play", "extra")), stream="a")
    assert {call.args[0].to_move for call in judged.call_args_list} == {1}


def test_actions_out_of_turn_can_be_judged() -> None:
    state = taken_back("whistle", "quick-draw")
    computer = opponent("pucks", "hard")
    drew = computer.judge(state, 1, ("play", "quick-draw"), stream="a")
    assert drew.played.action == ("play", "quick-draw")
    assert drew.best.chance_to_win >= drew.played.chance_to_win
    assert computer.judge(state, 1, ("play", "whistle"), stream="a").lost == 0


def test_placing_can_be_judged() -> None:
    state = PUCKS.start(2, "standard", Dice(Random(1)))
    judgement = opponent("pucks", "medium").judge(state, 0, ("auto",), stream="a")
    assert judgement.played.action == ("auto",)
    assert 0 <= judgement.played.chance_to_win <= judgement.best.chance_to_win <= 1


@pytest.mark.parametrize(
    ("state", "action", "words"),
    [
        (goal(), "p1 up", "It scores a puck."),
        (goal(**LAST), "p1 up", "It scores the last puck you need."),
        (small("take-6"), "play take-6", "It gives you more actions this turn."),
        (small("take-1"), "play take-1", "It leaves the others fewer actions."),
        (small("quick-draw"), "play quick-draw", "It gets you more cards to play with."),
        (play(goal(theirs=["whistle"], action_rule=2), "p1 up"), "blue: play whistle", "It undoes what Red has just done."),
    ],
)
def test_it_says_why(state: State, action: str, words: str) -> None:
    seat, tokens = (1, ("play", "whistle")) if action.startswith("blue") else (0, tuple(action.split()))
    assert str(opponent("pucks", "hard").reason(state, seat, Thought(tokens, 0.5))) == words
