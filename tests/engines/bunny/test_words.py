"""What is typed and shown in Bounce Bunny Bounce."""

from dataclasses import replace

import pytest

from engines.game import IllegalAction, IncompleteAction, MalformedAction
from tests.engines.bunny.cards import GAME, shock_phase, table


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("enter c", ("enter", "c")),
        ("LEFT", ("left",)),
        ("swap  b3 e5", ("swap", "b3", "e5")),
        ("spy d2", ("spy", "d2")),
        ("shock left", ("shock", "left")),
        ("pass", ("pass",)),
    ],
)
def test_actions_are_typed_as_they_are_written(text, tokens):
    state = GAME.start(2)
    assert GAME.parse(state, 1, text) == tokens
    assert GAME.parse(state, 1, GAME.notate(state, 1, tokens)) == tokens


@pytest.mark.parametrize(
    ("action", "error", "message"),
    [
        (("left",), IllegalAction, "Your Bunny isn’t on the field yet. It hops in on row 1: `enter c`. You can hop in."),
        (("enter", "c1"), IllegalAction, "Just the column will do: `enter c`. You can pick a1 · b1 · c1 · d1 · e1 · f1 · g1."),
        (
            ("enter",),
            IncompleteAction,
            "Something is still missing after enter. You can pick a1 · b1 · c1 · d1 · e1 · f1 · g1.",
        ),
        (("?",), MalformedAction, "“?” isn’t a word this game knows. You can hop in."),
        (("enter", "c", "d"), IllegalAction, "The move ends with enter c, so leave out “d”."),
    ],
)
def test_an_action_that_cannot_be_is_refused_with_what_could(action, error, message):
    with pytest.raises(error) as raised:
        GAME.play(table({}), 0, action)
    assert raised.value.message == message


def test_nobody_acts_out_of_turn():
    with pytest.raises(IllegalAction, match="Blue can’t act now"):
        GAME.play(table({}), 1, ("enter", "a"))


def test_the_labels_say_where_a_bounce_leads_and_what_lies_there_face_up():
    state = table({"c3": "stop", "d3": "carrot", "b3": "left"}, bunnies=["c3", None])
    labels = [choice.label for choice in GAME.choices(state, 0)]
    assert labels == ["Left → b3", "Right → d3 (carrot)", "Up → c4", "Down → c2"]


def test_a_direction_tells_whose_bunny_is_bumped_there():
    hopping = table({"c3": "stop", "d3": "stop"}, bunnies=["c3", "d3"])
    shocking = table({"c3": "stop", "d3": "stop"}, bunnies=["c3", "d3"], phase="shock", shocks=[1, 0])
    assert "Right → d3, bumps Blue" in [choice.label for choice in GAME.choices(hopping, 0)]
    assert "Left → c3, bumps Red" in [choice.label for choice in GAME.choices(shocking, 0, ("shock",))]


def test_the_shortcuts_are_the_directions_or_passing():
    def words(state):
        return [" ".join(shortcut.action) for shortcut in GAME.shortcuts(GAME.view(state))]

    assert words(GAME.start(2)) == []
    assert words(table({"c3": "stop"}, bunnies=["c3", None])) == ["left", "right", "up", "down"]
    assert words(shock_phase({}, "d3")) == ["pass"]
    assert words(GAME.withdraw(GAME.start(2), 0).state) == []


def test_the_board_in_words_says_all_that_can_be_seen():
    cards = {"a2": "carrot", "b2": "carrot", "c2": "carrot", "d2": "carrot", "c1": "spy", "e4": "empty", "f4": "stop"}
    state = table(cards, carrots=[1, 0], bunnies=["f4", None], shocks=[2, 3], face_up=["c1"], quiet_turns=40)
    assert GAME.describe(GAME.view(state)) == (
        "Carrots: a2, b2, c2, d2.\n"
        "Spies: c1.\n"
        "Empty spaces: e4.\n"
        "All other cards, from a1 to g5, are face down.\n"
        "Red: Bunny on f4, 1 carrot, 2 shocks.\n"
        "Blue: Bunny off the field, 0 carrots, 3 shocks.\n"
        "40 turns in a row without a carrot: at 80, the game ends.\n"
        "Red hops left, right, up or down."
    )
    assert GAME.view(state).scores == ("1 of 3", "0 of 3")


def test_a_view_that_says_nothing_of_shocks_is_described_without_them():
    view = GAME.view(table({"c3": "stop"}, bunnies=["c3", None]))
    assert "Red: Bunny on c3, 0 carrots.\nBlue: Bunny off the field, 0 carrots.\n" in GAME.describe(replace(view, shocks=()))
