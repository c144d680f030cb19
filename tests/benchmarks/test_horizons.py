"""What looks best at one ply or two: each game's own glance, and the summary."""

from dataclasses import replace
from typing import Any

import pytest

from benchmarks.horizons import LOOKS, tempting, told
from benchmarks.judges import Choice
from engines import GAMES
from engines.game import Action
from opponents import Level
from tests.engines.bunny.cards import position
from tests.opponents.bouncers.test_opponent import position as bouncers
from tests.opponents.pucks.test_play import goal

CARROT_NEXT = position({"a1": "stop", "b1": "carrot", "g1": "stop", "a2": "stop"}, bunnies=["a1", None], carrots=[1, 1])


@pytest.mark.parametrize(
    ("game", "state", "best", "other"),
    [
        ("bouncers", bouncers(0, ["d4", "d3", "g1"], ["d6", "d7", "b8"]), ("d4", "d5"), ("g1", "g2")),
        ("bunny", GAMES["bunny"].from_position(CARROT_NEXT), ("right",), ("left",)),
        ("pucks", goal(), ("p1", "up"), ("m1", "up")),
    ],
)
def test_what_takes_or_scores_at_once_is_tempting_and_what_does_not_is_not(
    game: str, state: Any, best: Action, other: Action
) -> None:
    made = Choice(Level.EASY, state, 0, (), best)
    action, looks = LOOKS[game](made)
    assert action in tempting(looks)
    action, looks = LOOKS[game](replace(made, action=other))
    assert action in looks
    assert action not in tempting(looks)


def test_an_action_is_tempting_if_it_looks_best_near_or_far() -> None:
    assert tempting({"a": (0.9, 0.1), "b": (0.2, 0.8), "c": (0.85, 0.75), "d": (0.895, 0.0)}) == {"a", "b", "d"}


def test_the_summary_tells_the_share_of_each_level() -> None:
    words = told({"easy": [(True, 0.5), (False, 0.1)], "medium": [(True, 0.25)]}).splitlines()
    assert words == [
        "easy: 50 % of 2 slips looked best at one ply or two, as 30 % of all actions did",
        "medium: 100 % of 1 slip looked best at one ply or two, as 25 % of all actions did",
    ]
