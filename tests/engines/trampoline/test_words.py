"""What is typed and told in BOUNCE."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from engines.game import IllegalAction, IncompleteAction, MalformedAction, legal_actions
from engines.trampoline import Jumper, odds_text
from engines.trampoline.track import CYCLE, dice_for, odds, take_turn, winning_rolls
from tests.engines.trampoline.tokens import GAME, rolled, table, token


def test_the_words_are_roll_and_faceplant():
    state = table("2v 14", "off")
    assert list(legal_actions(GAME, state, 0)) == [("roll",), ("faceplant",)]
    assert GAME.parse(state, 0, " Roll ") == ("roll",)
    assert GAME.notate(state, 0, ("faceplant",)) == "faceplant"


@pytest.mark.parametrize(
    ("seat", "action", "error", "message"),
    [
        (0, ("faceplant",), IllegalAction, "You can’t faceplant before jump 14, and you’ve made 13 jumps. You can roll 1 die."),
        (0, ("bounce",), IllegalAction, "“bounce” isn’t possible now. You can roll 1 die."),
        (0, ("ROLL!",), MalformedAction, "“ROLL!” isn’t a word this game knows. You can roll 1 die."),
        (0, (), IncompleteAction, "You haven’t said what you’d like to do. You can roll 1 die."),
        (0, ("roll", "roll"), IllegalAction, "A turn is a single roll."),
        (1, ("roll",), IllegalAction, "Blue can’t act now."),
    ],
)
def test_an_action_that_cannot_be_is_refused_with_what_could(seat, action, error, message):
    with pytest.raises(error) as raised:
        GAME.play(table("2v 13", "off"), seat, action)
    assert raised.value.message == message


def test_the_story_of_a_roll_is_one_or_two_short_lines():
    step = rolled("1^ 3", "4v 3", "3v 3", dice=(1, 1, 1))
    assert [event.text for event in step.events] == [
        "Red rolls 1 + 1 + 1: whee, spot 4.",
        "Red thuds into Blue and drops back to spot 3.",
        "Red lands on Green’s head and bumps Green down to spot 2.",
    ]


def test_the_board_in_words_says_all_there_is_to_know():
    state = table("2v 14", "9^ 1", "sick", "off")
    assert GAME.describe(GAME.view(state)) == (
        "Red: spot 2, coming down, jump 14 of 15.\n"
        "Blue: spot 9, going up, jump 1 of 15.\n"
        "Green: threw up and is out.\n"
        "Yellow: not on the trampoline yet.\n"
        "Red rolls 1 die.\n"
        "A roll of 1 wins: 1 in 6.\n"
        "Red can faceplant instead: flip a coin for 1 or 2."
    )


def test_a_view_that_says_nothing_of_jumps_and_landing_is_described_without_them():
    view = replace(GAME.view(table("2v 14", "9^ 1")), scores=(), wins=(), away=0, faceplant=False)
    assert GAME.describe(view) == "Red: spot 2, coming down.\nBlue: spot 9, going up.\nRed rolls 1 die."


def test_the_strip_shows_the_jumps_and_the_aim_says_how_to_land():
    assert GAME.view(table("2v 14", "9^ 1")).scores == ("14 of 15", "1 of 15")
    assert GAME.aim("standard") == (
        "To win, your roll must end exactly on the mat (spot 1), coming down. At jump 15 the cake comes back up."
    )


def test_a_faceplant_from_a_wrong_place_says_which_places_are_right():
    for tokens in ("4v 14", "2^ 14", "off"):
        state = table(tokens)
        with pytest.raises(IllegalAction) as raised:
            GAME.play(state, 0, ("faceplant",))
        reason = "You can only faceplant on spot 2 or 3, coming down. You can roll 1 die."
        if tokens == "off":
            reason = "You can’t faceplant before jump 14, and you’ve made 0 jumps. You can roll 3 dice."
        assert raised.value.message == reason


@pytest.mark.parametrize(
    ("tokens", "question", "totals"),
    [
        (("off", "off"), "ready to roll?", "A roll of 18 wins: 1 in 216."),
        (("9^ 3", "off"), "ready to roll?", "A roll of 9 wins: 1 in 9."),
        (("2v 3", "off"), "ready to roll?", "No roll wins yet: the mat is 1 move away."),
        (("1^ 7", "off"), "ready to roll?", "No roll wins yet: the mat is 17 moves away."),
        (("2v 14", "off"), "roll or faceplant?", "A roll of 1 wins: 1 in 6."),
        (("8v 6", "2v 3"), "ready to roll?", "A roll of 7 or 9 wins: 1 in 4."),
    ],
)
def test_the_question_says_what_there_is_to_choose_and_the_description_which_rolls_land(tokens, question, totals):
    view = GAME.view(table(*tokens))
    assert GAME.question(view, 0) == question
    assert totals in GAME.describe(view).splitlines()


def test_the_odds_of_a_roll_that_wins_are_said_where_they_are_small():
    assert odds_text(GAME.view(table("5v 1", "off"))) == "1 in 72", "4 with three dice: 3 of 216"
    assert odds_text(GAME.view(table("1^ 7", "off"))) is None, "no roll wins"
    for dice in (1, 2, 3):
        rolls = range(dice, 6 * dice + 1)
        assert odds(tuple(rolls), dice) == 1
        assert odds((rolls[0],), dice) == odds((rolls[-1],), dice) == Fraction(1, 6**dice)


def test_with_the_rolls_that_are_said_to_land_one_lands_and_with_no_others():
    for at in ("8v 6", "2v 3", "9^ 3", "3v 12", "off", "1^ 1"):
        for other in ("2v 3", "2^ 3", "off", "5v 12"):
            wins = GAME.view(table(at, other)).wins
            dice = GAME.view(table(at, other)).dice
            for total in range(dice, 6 * dice + 1):
                pips = [1] * dice
                for _ in range(total - dice):
                    pips[pips.index(min(pips))] += 1
                step = rolled(at, other, dice=tuple(pips))
                assert step.state.tokens[0].landed == (total in wins), (at, other, total)


def test_no_roll_that_lands_is_forgotten_wherever_everybody_is():
    places = [None, *CYCLE]
    for place, first, second in product(places, ("1^ 3", "2^ 3", "2v 3", "3v 3"), ("off", "2v 7", "9^ 12")):
        for jumps in (0, 4, 9, 12, 14) if place else (0,):
            tokens = (Jumper(place, jumps), token(first), token(second))
            totals = range(dice_for(tokens[0]), 6 * dice_for(tokens[0]) + 1)
            landing = tuple(total for total in totals if take_turn(tokens, (), 0, (total,)).tokens[0].landed)
            assert winning_rolls(tokens, (), 0) == landing, (tokens, landing)


def told(step):
    return [(event.kind, event.seat, event.phrase, event.major) for event in step.events]


def test_landing_throwing_up_and_bumping_somebody_off_are_the_lines_to_read():
    assert told(rolled("2v 3", "5^ 3", dice=(1, 1, 1))) == [
        ("roll", 0, "rolls 1 + 1 + 1: spot 2 and rising; jump 4, and it’s still fun", False)
    ]
    assert told(rolled("2v 14", "off", dice=(2,)))[1:] == [("throw-up", 0, "throws up on jump 15 and is out", True)]
    assert told(rolled("4v 6", "off", dice=(1, 2)))[1:] == [("land", 0, "has landed: solid ground, sweet solid ground", True)]
    assert told(rolled("5v 6", "2v 3", dice=(1, 2)))[1:] == [
        ("bump", 0, "bumps Blue onto the mat", True),
        ("land", 1, "is bumped right off the trampoline, and never so glad", True),
    ]


def test_a_bump_that_ends_on_the_mat_says_so():
    def bump(at, other, *dice):
        return told(rolled(at, other, dice=dice))[1][2]

    assert bump("5v 6", "2v 3", 1, 2) == "bumps Blue onto the mat"
    assert bump("5v 6", "1^ 3", 1, 3) == "turns Blue round on the mat"
    assert bump("2v 6", "2v 3", 1, 2) == "thuds into Blue and drops back onto the mat"


def test_a_bump_affects_whoever_is_moved_by_it_and_a_landing_decides_the_game():
    bumped, landed = rolled("5v 6", "2v 3", dice=(1, 2)).events[1:]
    assert (bumped.affects, landed.affects) == ((1,), (1,))
    assert (bumped.decisive, landed.decisive) == (False, True)
    (dropped,) = rolled("3^ 6", "5v 3", dice=(1, 1)).events[1:]
    assert (dropped.kind, dropped.affects) == ("bump", ()), "who rolled knows"


def test_every_line_of_the_story_is_a_phrase_of_its_seat():
    """Whatever is rolled anywhere: nothing is told that does not begin with who did it."""
    for at, other, faceplant in (
        ("off", "off", 0),
        ("3v 14", "2v 3", 1),
        ("4^ 11", "6v 2", 0),
        ("9^ 1", "9v 4", 0),
        ("2v 14", "1^ 5", 1),
    ):
        dice = GAME.view(table(at, other)).dice
        for first in range(1, 3 if faceplant else 7):
            step = rolled(at, other, dice=(first,) * dice, action="faceplant" if faceplant else "roll")
            for event in step.events:
                assert event.phrase is not None
                assert not event.phrase.endswith((".", "!", "?", "…"))


def test_the_choices_have_symbols():
    assert [(choice.label, choice.symbol) for choice in GAME.choices(table("2v 14", "off"), 0)] == [
        ("Roll 1 die", "🎲"),
        ("Faceplant: 1 or 2", "🪙"),
    ]
