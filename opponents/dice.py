"""Dice for imagined games. They are quick and repeatable, and never those of a real game."""

from random import Random
from typing import Any

from typing_extensions import override

from engines.chance import Chance


class Dice(Chance):
    """A stream drawn from a generator. Unlike the streams of real games, it changes with each draw."""

    __slots__ = ("_rng",)

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    @override
    def randbelow(self, n: int) -> tuple[int, "Dice"]:
        """Return a whole number from 0 to n - 1, together with this same stream."""
        return self._rng.randrange(n), self

    @override
    def to_json(self) -> dict[str, Any]:
        """Raise TypeError, because imagined games are not stored."""
        raise TypeError("imagined games are not written down")
