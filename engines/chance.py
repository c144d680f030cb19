"""Fair dice: the single stream from which all random draws of a game come.

Block *i* of the stream of a 32-byte key is ``HMAC-SHA-256(key=key, message=b"springboard:<i>")``, read as a big-endian integer.
`Fair.randbelow` takes the next block and rejects values at or above the largest multiple of *n* below 2**256, so all results
are equally likely. With the key, every draw of the game can be repeated.

The key comes from two sides, neither of which can steer it (`stream_key`). The bot draws a seed when a table opens, and shows
its SHA-256 from then on. Every later press of Join, Accept and Start contributes a value that is unknown when the seed is
drawn. Games that began under version 0.1.0 use the seed itself as the key.

A stream is an immutable value: a draw returns the result, and the stream as it stands after the draw.
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
    """A draw from a scripted stream that has no value left, or whose next value does not fit the draw."""


class Chance(ABC):
    """A stream of fair draws."""

    @abstractmethod
    def randbelow(self, n: int) -> tuple[int, "Chance"]:
        """Draw a whole number from 0 to n - 1, all equally likely. Return it, and the stream as it stands after the draw."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Return the stream and its position as plain JSON; `chance_from_json` reads it back."""

    def die(self) -> tuple[int, "Chance"]:
        """Roll a die. Return its number from 1 to 6, and the stream after the draw."""
        value, after = self.randbelow(6)
        return value + 1, after

    def coin(self) -> tuple[int, "Chance"]:
        """Flip a coin. Return 1 or 2, and the stream after the draw."""
        value, after = self.randbelow(2)
        return value + 1, after

    def shuffle(self, items: Sequence[T]) -> tuple[tuple[T, ...], "Chance"]:
        """Shuffle the items by Fisher-Yates, from the last index down, with ``randbelow(i + 1)`` for index i."""
        shuffled = list(items)
        stream: Chance = self
        for i in range(len(shuffled) - 1, 0, -1):
            j, stream = stream.randbelow(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return tuple(shuffled), stream


@dataclass(frozen=True, slots=True)
class Fair(Chance):
    """The stream of a key, which is called `seed` here. `block` is the number of the next block."""

    seed: bytes
    block: int = 0

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(self.seed)}")

    def __repr__(self) -> str:
        return f"Fair(seed=<hidden>, block={self.block})"

    @override
    def randbelow(self, n: int) -> tuple[int, "Fair"]:
        """Draw the first block that is not rejected, modulo n. Raises ValueError unless 1 <= n <= 2**256."""
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
        return {"seed": self.seed.hex(), "block": self.block}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw that was made: `result` is from 0 to `below` - 1, and `before` is the draw before it, or None."""

    below: int
    result: int
    before: "Drawn | None"


@dataclass(frozen=True, slots=True)
class Recorded(Chance):
    """A stream that records the draws of `stream` for the proof of a finished game. Draws that are taken back are dropped."""

    stream: Chance
    last: Drawn | None = None

    def __repr__(self) -> str:
        return f"Recorded({self.stream!r})"

    @override
    def randbelow(self, n: int) -> tuple[int, "Recorded"]:
        value, after = self.stream.randbelow(n)
        return value, Recorded(after, Drawn(n, value, self.last))

    def since(self, draw: Drawn | None) -> tuple[Drawn, ...]:
        """Return the draws after a given one, oldest first, or all draws if that is None."""
        draws, last = [], self.last
        while last is not None and last is not draw:
            draws.append(last)
            last = last.before
        return tuple(reversed(draws))

    @override
    def to_json(self) -> dict[str, Any]:
        """Return the JSON of `stream` with all draws under "draws", oldest first, as ``[[below, result], …]``."""
        return {**self.stream.to_json(), "draws": [[draw.below, draw.result] for draw in self.since(None)]}


@dataclass(frozen=True, slots=True)
class Scripted(Chance):
    """A stream of given results, for tests. Raises `ChanceExhausted` if none is left, or if the next one is too high."""

    values: tuple[int, ...]
    drawn: int = 0

    def __init__(self, values: Iterable[int], drawn: int = 0) -> None:
        object.__setattr__(self, "values", tuple(values))
        object.__setattr__(self, "drawn", drawn)

    @classmethod
    def dice(cls, *faces: int) -> "Scripted":
        """Return a stream on which dice show these faces (and coins 1 or 2)."""
        return cls(face - 1 for face in faces)

    @override
    def randbelow(self, n: int) -> tuple[int, "Scripted"]:
        if self.drawn >= len(self.values):
            raise ChanceExhausted(f"all {len(self.values)} scripted values are drawn")
        value = self.values[self.drawn]
        if not 0 <= value < n:
            raise ChanceExhausted(f"scripted value {value} at place {self.drawn} is not below {n}")
        return value, Scripted(self.values, self.drawn + 1)

    @override
    def to_json(self) -> dict[str, Any]:
        return {"scripted": list(self.values), "drawn": self.drawn}


UNSEEDED: Final[Chance] = Fair(bytes(SEED_BYTES))
"""The stream of a position that was read without a stream. It is predictable, so it serves only study and tests."""


def seed_hash(seed: bytes) -> str:
    """Return the SHA-256 of a seed (or a key) in hexadecimal. The hash of a seed is shown before the game begins."""
    return hashlib.sha256(seed).hexdigest()


def contribution(user_id: int, interaction_id: int, word: str = "") -> str:
    """Return what one press of a button contributes to the key: ``<user id>:<interaction id>:<word>``, without line breaks."""
    return f"{user_id}:{interaction_id}:{word}"


def stream_key(seed: bytes, contributions: Iterable[str]) -> bytes:
    r"""Return the 32-byte key of a game's stream: HMAC-SHA-256 with the seed as its key and the contributions as its message.

    The message is made of the contributions (see `contribution`) in UTF-8, joined by line feeds. They come in the order of the
    seats, and those of one person in the order of the presses. For example, with the seed ``00 01 02 … 1f`` and the
    contributions ``1001:9001:lucky seven``, ``1002:9002:`` and ``1002:9003:`` the message is ``b"1001:9001:lucky
    seven\n1002:9002:\n1002:9003:"``, and the key is ``4f31d597cd13536d50b45e36edd903ccbda6e000d59639997e56040470633d93``.
    """
    return hmac.digest(seed, "\n".join(contributions).encode(), "sha256")


def chance_from_json(data: Mapping[str, Any]) -> Chance:
    """Return the stream that `Chance.to_json` wrote. Raises ValueError if the data is not a stream."""
    try:
        if "scripted" in data:
            return Scripted(map(_count, data["scripted"]), _count(data["drawn"]))
        return Fair(bytes.fromhex(data["seed"]), _count(data["block"]))
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a chance stream: {error}") from error


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"not a chance stream: {value!r} is no whole number from 0")
    return value


def draw_lots(key: bytes, purpose: str, players: Iterable[int]) -> tuple[int, ...]:
    """Return the players in the order of their lots, lowest first.

    A player's lot is the HMAC-SHA-256 of ``springboard:<purpose>:<player>`` under the key. So it does not depend on who else
    draws, a late entry does not change the order of the others, and lots for different purposes are unrelated.
    """

    def lot(player: int) -> bytes:
        return hmac.digest(key, f"springboard:{purpose}:{player}".encode(), "sha256")

    return tuple(sorted(players, key=lot))
