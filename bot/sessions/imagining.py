"""What a computer is given to think about: no more than its seat may know."""

import dataclasses
from random import Random
from typing import Any

from bot.sessions.history import History
from engines.game import Step
from opponents import Memory, remembered
from opponents.dice import Dice


def imagined(history: History, seat: int, stream: str) -> Any:
    """A state that a seat cannot tell from the true one, drawn with dice of its own: nothing in it is of the real game's."""
    dice = Dice(Random(stream))  # noqa: S311 - not one of the game's own draws
    return dataclasses.replace(history.game.resample(history.state, seat, dice), chance=dice)


def memory_of(history: History, seat: int | None) -> Memory:
    """What a seat (None: everybody) has seen of a game, without what was taken back."""
    steps = ((logged.entry.seat, Step(logged.state, logged.events)) for logged in history.in_force)
    return remembered(history.game, seat, steps)
