"""What is typed and told in BOUNCE."""

import pytest

from engines.game import IllegalAction, IncompleteAction, MalformedAction
from tests.engines.trampoline.tokens import GAME, rolled, table


def test_the_words_are_roll_and_faceplant():
    state = table("2v 14", "off")
    assert list(GAME.legal_actions(state, 0)) == [("roll",), ("faceplant",)]
    assert GAME.parse(state, 0, " Roll ") == ("roll",)
    assert GAME.notate(state, 0, ("faceplant",)) == "faceplant"


@pytest.mark.parametrize(
    ("seat", "action", "error", "message"),
    [
        (0, ("faceplant",), IllegalAction, "“faceplant” is not possible now; possible: roll."),
        (0, ("ROLL!",), MalformedAction, "“ROLL!” is no word of this game; possible here: roll."),
        (0, (), IncompleteAction, "There is something missing to begin with; possible: roll."),
        (0, ("roll", "roll"), IllegalAction, "The action ends at roll; “roll” is too much."),
        (1, ("roll",), IllegalAction, "Blue cannot act now."),
    ],
)
def test_an_action_that_cannot_be_is_refused_with_what_could(seat, action, error, message):
    with pytest.raises(error) as raised:
        GAME.play(table("2v 13", "off"), seat, action)
    assert raised.value.message == message


def test_the_story_of_a_roll_is_one_or_two_short_lines():
    step = rolled("1^ 3", "4v 3", "3v 3", dice=(1, 1, 1))
    assert [event.text for event in step.events] == [
        "Red rolls 1 + 1 + 1. Whee! Up on spot 4.",
        "Red thuds into Blue coming down and drops back to spot 3.",
        "Red lands on Green’s head: down to spot 2.",
    ]


def test_the_board_in_words_says_all_there_is_to_know():
    state = table("2v 14", "9^ 1", "sick", "off")
    assert GAME.describe(GAME.view(state)) == (
        "Red: spot 2, facing down, 14 jumps of 15.\n"
        "Blue: spot 9, facing up, 1 jump of 15.\n"
        "Green: has thrown up and is out.\n"
        "Yellow: not yet on the trampoline.\n"
        "Red rolls 1 die.\n"
        "Red may try a faceplant instead."
    )


def test_the_strip_shows_the_jumps():
    assert GAME.view(table("2v 14", "9^ 1")).scores == ("14 jumps", "1 jump")
