"""Choices that are played at once where a game is imagined."""

from opponents.pucks.imagining import least, simple
from tests.engines.pucks.drawing import SMALL, drawn, play


def test_a_hand_that_is_too_full_loses_the_card_that_is_worth_least() -> None:
    assert least(("double", "sweep", "whistle")) == "sweep"
    full = drawn("", SMALL, phase="discard", hands=[["whistle", "sweep", *["double"] * 7], []])
    assert simple(full, 0) == ("discard", "sweep")


def test_everybody_who_can_whistle_against_a_win_does() -> None:
    def asked(held: list[str]) -> object:
        state = drawn("", ["Gs"], pieces={"red p4": "a14"}, scored=["red p1", "red p2", "red p3"], hands=[[], held])
        return simple(play(state, "p4 up"), 1)

    assert asked(["shift", "whistle"]) == ("play", "whistle")
    assert asked(["shift"]) == ("pass",)
