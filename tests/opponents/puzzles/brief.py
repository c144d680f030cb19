"""A briefer search for later wins, which takes most of the time of a wrong answer in Bouncers."""

from functools import partial
from typing import Final

import pytest

from opponents.puzzles import judging
from opponents.puzzles.later import is_lost

POSITIONS: Final = 2_000
"""The most positions that are looked at: a fiftieth. Without a win, the same words are told as after a longer search."""


def search_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "is_lost", partial(is_lost, most=POSITIONS))
