"""Fair dice: the one stream that every random draw of a game comes from.

Block *i* of the stream of a 32-byte seed is ``HMAC-SHA-256(key=seed, message=b"springboard:<i>")`` read as a big-endian
integer. `Fair.randbelow` takes the next block and rejects values at or above the largest multiple of *n* below 2**256, so that
every result is exactly as likely as every other. Whoever knows the seed can draw the whole game again; whoever knows only its
SHA-256, which is shown before the first move, can check afterwards that nobody chose the seed to suit the game.

A stream is a value: a draw gives the result and the stream after it, and leaves the stream it was asked of as it was.
"""

import hashlib
import hmac
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from typing_extensions import override

T = TypeVar("T")

SEED_BYTES: Final = 32
_BLOCKS: Final = 1 << 256


class ChanceExhausted(LookupError):
    """A scripted stream was asked for more than it was given, or for a value that does not fit."""


class Chance(ABC):
    """A stream of fair draws."""

    @abstractmethod
    def randbelow(self, n: int) -> tuple[int, "Chance"]:
        """A whole number from 0 to n - 1, each equally likely, and the stream after the draw."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The stream and its place as plain JSON; `chance_from_json` reads it."""

    def die(self) -> tuple[int, "Chance"]:
        """A die: 1 to 6."""
        value, after = self.randbelow(6)
        return value + 1, after

    def coin(self) -> tuple[int, "Chance"]:
        """A coin: 1 or 2."""
        value, after = self.randbelow(2)
        return value + 1, after

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], "Chance"]:
        """The items in a random order: Fisher-Yates from the last place down, with ``randbelow(i + 1)`` for place i."""
        shuffled = list(items)
        stream: Chance = self
        for i in range(len(shuffled) - 1, 0, -1):
            j, stream = stream.randbelow(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled), stream


@dataclass(frozen=True, slots=True)
class Fair(Chance):
    """The stream of a seed, at the block that is drawn next."""

    seed: bytes
    block: int = 0

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(self.seed)}")

    def __repr__(self) -> str:
        return f"Fair(seed=<hidden>, block={self.block})"

    @override
    def randbelow(self, n: int) -> tuple[int, "Fair"]:
        """The next block that is not rejected, modulo n. Raises ValueError unless 1 <= n <= 2**256."""
        if not 1 <= n <= _BLOCKS:
            raise ValueError(f"cannot draw below {n}")
        limit = _BLOCKS - _BLOCKS % n
        block = self.block
        while True:
            digest = hmac.digest(self.seed, b"springboard:%d" % block, "sha256")
            value = int.from_bytes(digest, "big")
            block += 1
            if value < limit:
                return value % n, Fair(self.seed, block)

    @override
    def to_json(self) -> dict[str, Any]:
        """``{"seed": hex, "block": the block drawn next}``"""
        return {"seed": self.seed.hex(), "block": self.block}


@dataclass(frozen=True, slots=True)
class Scripted(Chance):
    """Given results in the place of drawn ones, for tests: ``Scripted([0, 5])`` is a die's 1 and then its 6.

    The values are those of `randbelow`. Drawing past the last one, or one that is not below *n*, raises `ChanceExhausted`.
    """

    values: tuple[int, ...]
    drawn: int = 0

    def __init__(self, values: Iterable[int], drawn: int = 0) -> None:
        object.__setattr__(self, "values", tuple(values))
        object.__setattr__(self, "drawn", drawn)

    @classmethod
    def dice(cls, *faces: int) -> "Scripted":
        """The stream on which dice show these faces (and coins 1 or 2)."""
        return cls(face - 1 for face in faces)

    @override
    def randbelow(self, n: int) -> tuple[int, "Scripted"]:
        """The next given value."""
        if self.drawn >= len(self.values):
            raise ChanceExhausted(f"all {len(self.values)} scripted values are drawn")
        value = self.values[self.drawn]
        if not 0 <= value < n:
            raise ChanceExhausted(f"scripted value {value} at place {self.drawn} is not below {n}")
        return value, Scripted(self.values, self.drawn + 1)

    @override
    def to_json(self) -> dict[str, Any]:
        """``{"scripted": [values], "drawn": how many are drawn}``"""
        return {"scripted": list(self.values), "drawn": self.drawn}


UNSEEDED: Final[Chance] = Fair(bytes(SEED_BYTES))
"""The stream of a position that was read without one: predictable, so for study and tests only."""


def seed_hash(seed: bytes) -> str:
    """The SHA-256 of a seed in hexadecimal, shown before the game begins."""
    return hashlib.sha256(seed).hexdigest()


def chance_from_json(data: Mapping[str, Any]) -> Chance:
    """The stream that `Chance.to_json` wrote. Raises ValueError if it is none."""
    try:
        if "scripted" in data:
            return Scripted(data["scripted"], data["drawn"])
        return Fair(bytes.fromhex(data["seed"]), data["block"])
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a chance stream: {error}") from error
