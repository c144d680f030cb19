"""Packing: the plain JSON of a position as one whole number, without a bit to spare.

A game describes the fields of its positions once, in `engines.protocols.Packed.pack`. The same function writes and reads:
`Fields.number("taken", 9)` takes the value from the position that is written, or puts it into the one that is read, and returns
it, so later fields can depend on it. A field with *n* equally likely values adds a factor of *n* to the number; others have
weights (a range variant of asymmetric numeral systems, exact because Python's whole numbers have no end).

The fields that are read last are the highest digits, and a number has no end of zeros above them. So a field added at the end
of a packing, whose first value is the usual one, makes no code longer, and codes written before have the usual value.
"""

import json
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from typing_extensions import override

from engines.text import say

T = TypeVar("T")

MOST_JSON: Final = 50_000
"""The most bytes of JSON that are unpacked: several times as many as the largest position has."""

_WORDS: Final = " abcdefghijklmnopqrstuvwxyz0123456789-"

_RARE: Final = (15, 1)
"""The weights of an unlikely fact: that it does not hold, that it does."""


class Unpackable(ValueError):
    """A position that its game's packing has no number for, or a number that is no position."""


# --- digits -------------------------------------------------------------------------------------------------------------------


class Digits(ABC):
    """The digits of a number, each with a base of its own, in the order in which they are written or read."""

    reading: bool

    @abstractmethod
    def take(self, weights: Sequence[int], index: int | None) -> int:
        """Write or read which of several weighted values is meant. Return its index; reading ignores the given one."""

    @abstractmethod
    def below(self, total: int, value: int | None) -> int:
        """Write or read a number from 0 to `total` - 1, all equally likely. Return it; reading ignores the given one."""


class _Writer(Digits):
    reading = False

    def __init__(self) -> None:
        self._digits: list[tuple[int, int, int]] = []

    @override
    def take(self, weights: Sequence[int], index: int | None) -> int:
        if index is None or not 0 <= index < len(weights) or not weights[index]:
            raise Unpackable
        self._digits.append((sum(weights[:index]), weights[index], sum(weights)))
        return index

    @override
    def below(self, total: int, value: int | None) -> int:
        if type(value) is not int or not 0 <= value < total:
            raise Unpackable
        self._digits.append((value, 1, total))
        return value

    def number(self) -> int:
        number = 0
        for start, width, total in reversed(self._digits):
            number = number // width * total + start + number % width
        return number


class _Reader(Digits):
    reading = True

    def __init__(self, number: int) -> None:
        self.rest = number

    @override
    def take(self, weights: Sequence[int], index: int | None) -> int:
        total = sum(weights)
        if not total:
            raise Unpackable
        self.rest, place = divmod(self.rest, total)
        for found, weight in enumerate(weights):
            if place < weight:
                self.rest = self.rest * weight + place
                return found
            place -= weight
        raise AssertionError

    @override
    def below(self, total: int, value: int | None) -> int:
        if total < 1:
            raise Unpackable
        self.rest, found = divmod(self.rest, total)
        return found


# --- fields -------------------------------------------------------------------------------------------------------------------


class Fields:
    """Writes or reads the fields of one object or list in a position, one after another.

    Each method does both: when writing it takes a value from `values`, and when reading it puts it there.

    Attributes:
        values: the object or list. When writing it is complete; when reading it has the fields that were read so far.

    When writing, every method raises Unpackable for a value that it cannot encode.
    """

    def __init__(self, digits: Digits, values: Any) -> None:
        self.values = values
        self._digits = digits

    @property
    def reading(self) -> bool:
        """Whether a position is read."""
        return self._digits.reading

    # --- one value -----------------------------------------------------------------------------------------------------------

    def number(self, key: Any, least: int, most: int) -> int:
        """Return a whole number in a range, all of it equally likely."""
        value = self._value(key)
        found = self._digits.below(most - least + 1, value - least if type(value) is int else None)
        return self.put(key, least + found)

    def small(self, key: Any) -> int:
        """Return a whole number from 0 that has at most ten binary digits; the smaller, the likelier."""
        value = self._value(key)
        size = self._digits.take([1 << 10 - n for n in range(11)], value.bit_length() if type(value) is int else None)
        low = 1 << size >> 1
        return self.put(key, low + self._digits.below(max(low, 1), None if self.reading else value - low))

    def choice(self, key: Any, values: Sequence[T]) -> T:
        """Return one of these values."""
        return self.put(key, values[self._digits.below(len(values), _index(values, self._value(key)))])

    def choices(self, keys: Sequence[str], values: Sequence[Sequence[Any]]) -> Sequence[Any]:
        """Return the values of several keys together: one of these tuples."""
        listed = [tuple(value) for value in values]
        found = listed[self._digits.below(len(listed), _index(listed, tuple(self._value(key) for key in keys)))]
        for key, value in zip(keys, found, strict=True):
            self.put(key, value)
        return found

    def has(self, key: str) -> bool:
        """Return whether the key is there, which is rare. If it is, its own field has to follow."""
        return self.rarely(key in self.values)

    def mark(self, key: str) -> bool:
        """Return whether the value is true, which is rare. The key of a false one is left out."""
        found = self.has(key)
        return self.choice(key, (True,)) if found else False

    def differs(self, key: Any, usual: Any) -> bool:
        """Return whether the value differs from the usual one, which is rare. If it does, its own field has to follow."""
        found = self.rarely(bool(self._value(key) != usual))
        if not found:
            self.put(key, usual)
        return found

    def spell(self, key: Any, letters: str, most: int) -> str:
        """Return a text of these letters, with at most so many of them."""
        return self.put(key, self._spell(self._value(key), letters, most))

    def words(self, key: Any, most: int) -> list[str]:
        """Return a list of words of small letters, digits and hyphens, with at most so many characters together."""
        value = self._value(key)
        written = " ".join(value) if isinstance(value, list) and all(isinstance(word, str) for word in value) else None
        return self.put(key, self._spell(written, _WORDS, most).split(" "))

    def _spell(self, written: object, letters: str, most: int) -> str:
        text = written if isinstance(written, str) else ""
        size = self._digits.below(most + 1, len(text))
        indices = [self._digits.below(len(letters), _index(letters, text[n : n + 1] or None)) for n in range(size)]
        return "".join(letters[index] for index in indices)

    # --- what describes several values ---------------------------------------------------------------------------------------

    def hidden(self, least: int, most: int, value: int) -> int:
        """Return a number in a range that describes values without being one. When reading, the given one is ignored."""
        return least + self._digits.below(most - least + 1, value - least)

    def which(self, weights: Sequence[int], index: int) -> int:
        """Return the index of one of several weighted cases. When reading, the given one is ignored."""
        return self._digits.take(weights, index)

    def rarely(self, fact: bool) -> bool:
        """Return whether a rare fact holds. When reading, the given one is ignored."""
        return bool(self.which(_RARE, int(fact)))

    def put(self, key: Any, value: T) -> T:
        """When reading, store a value that follows from other fields; when writing, it is there already. Return it."""
        if self.reading:
            self.values[key] = value
        return value

    # --- several values ------------------------------------------------------------------------------------------------------

    def inside(self, key: Any) -> "Fields":
        """Return the fields of an object."""
        return self._within(key, {}, dict)

    def each(self, key: Any, least: int, most: int) -> "list[Fields]":
        """Return the fields of each object in a list that has so many."""
        size = self._size(key, least, most)
        within = self._within(key, [{} for _ in range(size)], list)
        if not all(isinstance(value, dict) for value in within.values):
            raise Unpackable
        return [Fields(self._digits, value) for value in within.values]

    def row(self, key: Any, size: int) -> "Fields":
        """Return the fields of a list of values, by their indices."""
        row = self._within(key, [None] * size, list)
        if len(row.values) != size:
            raise Unpackable
        return row

    def split(self, keys: Sequence[str], items: Sequence[str]) -> None:
        """Write or read a list for each key. Each item is in one of the lists or in none; lists keep the order of `items`.

        First come the lengths of the lists. Then each item says which list it is in: the more items a list still lacks, the
        likelier it is.
        """
        lists = {key: self._list(key) for key in keys}
        list_of = {item: number for number, key in enumerate(keys, 1) for item in lists[key]}
        lengths, unlisted = list[int](), len(items)
        for key in keys:
            lengths.append(self._digits.below(unlisted + 1, len(lists[key])))
            unlisted -= lengths[-1]
        lacking = [unlisted, *lengths]  # number 0 is no list
        for item in items:
            number = self._digits.take(lacking, list_of.get(item, 0))
            lacking[number] -= 1
            if number and self.reading:
                self.values[keys[number - 1]].append(item)

    def order(self, key: str, items: Iterable[T]) -> list[T]:
        """Return a list of different items in any order."""
        left = list(items)
        size = self._digits.below(len(left) + 1, len(given := self._list(key)))
        for n in range(size):
            index = self._digits.below(len(left), None if self.reading else _index(left, given[n]))
            item = left.pop(index)
            if self.reading:
                self.values[key].append(item)
        found: list[T] = self.values[key]
        return found

    def draw(self, key: Any, pool: Counter[str]) -> str:
        """Return one of the cards left in the pool, and take it out."""
        cards = sorted(pool)
        card = cards[self._digits.take([pool[card] for card in cards], _index(cards, self._value(key)))]
        pool[card] -= 1
        return self.put(key, card)

    def draws(self, key: Any, pool: Counter[str]) -> None:
        """Write or read a list of cards, each taken out of the pool in turn."""
        size = self._size(key, 0, pool.total())
        row = self._within(key, [None] * size, list)
        for n in range(size):
            row.draw(n, pool)

    # --- the position --------------------------------------------------------------------------------------------------------

    def _value(self, key: Any) -> Any:
        if self.reading:
            return None
        try:
            return self.values[key]
        except (LookupError, TypeError):
            raise Unpackable from None

    def _list(self, key: str) -> list[Any]:
        if self.reading:
            self.values[key] = []
        value = self.values.get(key)
        if not isinstance(value, list):
            raise Unpackable
        return value

    def _size(self, key: Any, least: int, most: int) -> int:
        value = self._value(key)
        return least + self._digits.below(most - least + 1, len(value) - least if isinstance(value, list) else None)

    def _within(self, key: Any, empty: Any, kind: type[Any]) -> "Fields":
        value = self.put(key, empty) if self.reading else self._value(key)
        if not isinstance(value, kind):
            raise Unpackable
        return Fields(self._digits, value)


def _index(values: Sequence[Any], value: Any) -> int | None:
    try:
        return values.index(value)
    except (ValueError, TypeError):
        return None


Pack = Callable[[Fields], None]
"""The description of the fields of a position: see `engines.protocols.Packed.pack`."""


def packed_number(position: Mapping[str, Any], pack: Pack) -> int:
    """Return a position as a number. Raises Unpackable if the packing does not give back the same position."""
    writer = _Writer()
    pack(Fields(writer, position))
    number = writer.number()
    if packed_position(number, pack) != position:
        raise Unpackable
    return number


def packed_position(number: int, pack: Pack) -> dict[str, Any]:
    """Return the position that a number was packed from. Raises ValueError if the number is no position."""
    reader, position = _Reader(number), dict[str, Any]()
    pack(Fields(reader, position))
    if reader.rest:
        raise Unpackable(say("There is more in it than a position."))
    return position


def json_number(position: Mapping[str, Any]) -> int:
    """Return any position as a number: its JSON, deflated. It is longer than a packed one, and needs no packing."""
    text = json.dumps(position, separators=(",", ":"), sort_keys=True).encode()
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return int.from_bytes(b"\x01" + deflate.compress(text) + deflate.flush(), "big")


def json_position(number: int) -> dict[str, Any]:
    """Return the position that `json_number` wrote. Raises Unpackable if it wrote none."""
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    inflate = zlib.decompressobj(-15)
    try:
        text = inflate.decompress(data[1:], MOST_JSON)
        position = json.loads(text) if inflate.eof and not inflate.unused_data else None
    except (zlib.error, ValueError, RecursionError):
        position = None
    if not isinstance(position, dict):
        raise Unpackable(say("It holds no position."))
    return position
