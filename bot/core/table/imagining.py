"""The state that a computer is given to think about. It holds no more than its seat may know."""

import dataclasses
from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from typing_extensions import override

from bot.core.table.history import History
from engines.chance import Chance
from engines.game import Step, resample
from opponents import Memory, seat_memory
from opponents.dice import Dice

T = TypeVar("T")


class _Blind(Dice):
    """Dice that shuffle the same cards in the same way, whatever order they were in before, because that order is hidden."""

    __slots__ = ()

    @override
    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], Chance]:
        return super().shuffle(sorted(items, key=repr))


def imagine(history: History, seat: int, stream: str) -> Any:
    """Return a state that a seat cannot tell from the true one, with its own dice. It is the same for all such true states."""
    rng = Random(stream)  # noqa: S311 - not one of the game's own draws
    return dataclasses.replace(resample(history.game, history.state, seat, _Blind(rng)), chance=Dice(rng))


def memory_of(history: History, seat: int | None) -> Memory:
    """Return what a seat has seen of a game, or what all seats have seen if it is None. What was taken back is left out."""
    steps = ((logged.entry.seat, Step(logged.state, logged.events)) for logged in history.in_force)
    return seat_memory(history.game, seat, steps)
