"""Packing: the plain JSON of a position as a single whole number, without a bit to spare.

A game has two functions side by side. One writes the parts of a position with a `Writer`, and the other reads the same parts in
the same order with a `Reader`: ``writer.number(taken, 0, 9)`` and ``taken = reader.number(0, 9)``. What both must know about a
part, such as its range, may depend on earlier parts.

A part with *n* equally likely values adds a factor of *n* to the number. Other parts have weights. (This is a range variant of
asymmetric numeral systems, and it is exact because Python's integers are unbounded.)

The parts that are read last are the highest digits, and a number has endless zeros above those. So if a part whose first value
is the usual one is added at the end of a packing, codes grow no longer, and older codes are read with the usual value.
"""

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from engines.text import say

T = TypeVar("T")

MOST_JSON: Final = 50_000
"""The most bytes of JSON that are unpacked: several times as many as the largest position has."""

_WORDS: Final = " abcdefghijklmnopqrstuvwxyz0123456789-"

_RARE: Final = (15, 1)
"""The weights of an unlikely fact: first that it does not hold, then that it does."""

_SIZES: Final = tuple(1 << 10 - size for size in range(11))
"""The weights of the number of binary digits that a small number has, from 0 to 10."""


class Unpackable(ValueError):
    """A position for which its game's packing has no number, or a number that stands for no position."""


class Writer:
    """Writes the parts of a position, one after another. Every method raises Unpackable for a value that it cannot write."""

    def __init__(self) -> None:
        self._digits: list[tuple[int, int, int]] = []

    def number(self, value: int, least: int, most: int) -> None:
        """Write a whole number in a range, all values equally likely."""
        if type(value) is not int or not least <= value <= most:
            raise Unpackable
        self._digits.append((value - least, 1, most - least + 1))

    def which(self, index: int, weights: Sequence[int]) -> None:
        """Write the index of one of several weighted cases. A case of weight 0 is impossible."""
        if not 0 <= index < len(weights) or not weights[index]:
            raise Unpackable
        self._digits.append((sum(weights[:index]), weights[index], sum(weights)))

    def rarely(self, fact: bool) -> bool:
        """Write whether a rare fact holds. Return it, since a part that exists only then may follow."""
        self.which(int(fact), _RARE)
        return fact

    def small(self, value: int) -> None:
        """Write a whole number from 0 with at most ten binary digits. Smaller numbers are taken to be likelier."""
        size = value.bit_length()
        self.which(size, _SIZES)
        self.number(value, 1 << size >> 1, (1 << size) - 1)

    def choice(self, value: object, values: Sequence[object]) -> None:
        """Write one of these values."""
        self.number(_index(value, values), 0, len(values) - 1)

    def spell(self, text: str, letters: str, most: int) -> None:
        """Write a text of at most `most` characters, all of which are among these letters."""
        self.number(len(text), 0, most)
        for letter in text:
            self.choice(letter, letters)

    def words(self, words: Iterable[str], most: int) -> None:
        """Write a list of words of small letters, digits and hyphens, at most `most` characters with spaces between them."""
        self.spell(" ".join(words), _WORDS, most)

    def split(self, lists: Sequence[Sequence[str]], items: Sequence[str]) -> None:
        """Write several lists. Each item is in one of them or in none, and the lists keep the order of `items`.

        The lengths of the lists come first. Then each item says which list it is in. The more items a list still lacks, the
        likelier it is to be the one.
        """
        list_of = {item: number for number, listed in enumerate(lists, 1) for item in listed}
        lacking = [len(items)]  # number 0 is no list
        for listed in lists:
            self.number(len(listed), 0, lacking[0])
            lacking[0] -= len(listed)
            lacking.append(len(listed))
        for item in items:
            number = list_of.get(item, 0)
            self.which(number, lacking)
            lacking[number] -= 1

    def order(self, listed: Sequence[object], items: Iterable[object]) -> None:
        """Write a list of some of these different items, in any order."""
        left = list(items)
        self.number(len(listed), 0, len(left))
        for item in listed:
            self.choice(item, left)
            left.remove(item)

    def draw(self, card: str, pool: Counter[str]) -> None:
        """Write one of the cards left in the pool, and take it out."""
        cards = sorted(pool)
        self.which(_index(card, cards), [pool[each] for each in cards])
        pool[card] -= 1

    def draws(self, cards: Sequence[str], pool: Counter[str]) -> None:
        """Write a list of cards, each taken out of the pool in turn."""
        self.number(len(cards), 0, pool.total())
        for card in cards:
            self.draw(card, pool)

    def written(self) -> int:
        """Return the number that holds everything written."""
        number = 0
        for start, width, total in reversed(self._digits):
            number = number // width * total + start + number % width
        return number


class Reader:
    """Reads what a `Writer` wrote, in the same order, from `rest`. Raises Unpackable where no value is possible."""

    def __init__(self, number: int) -> None:
        self.rest = number

    def number(self, least: int, most: int) -> int:
        """Read a whole number in a range."""
        if most < least:
            raise Unpackable
        self.rest, found = divmod(self.rest, most - least + 1)
        return least + found

    def which(self, weights: Sequence[int]) -> int:
        """Read the index of one of several weighted cases."""
        total = sum(weights)
        if not total:
            raise Unpackable
        self.rest, place = divmod(self.rest, total)
        for index, weight in enumerate(weights):
            if place < weight:
                self.rest = self.rest * weight + place
                return index
            place -= weight
        raise AssertionError

    def rarely(self) -> bool:
        """Read whether a rare fact holds."""
        return bool(self.which(_RARE))

    def small(self) -> int:
        """Read a whole number from 0 with at most ten binary digits."""
        size = self.which(_SIZES)
        return self.number(1 << size >> 1, (1 << size) - 1)

    def choice(self, values: Sequence[T]) -> T:
        """Read one of these values."""
        return values[self.number(0, len(values) - 1)]

    def spell(self, letters: str, most: int) -> str:
        """Read a text of at most `most` characters, all of which are among these letters."""
        return "".join([self.choice(letters) for _ in range(self.number(0, most))])

    def words(self, most: int) -> list[str]:
        """Read a list of words that, joined by spaces, have at most `most` characters."""
        return self.spell(_WORDS, most).split(" ")

    def split(self, count: int, items: Sequence[str]) -> list[list[str]]:
        """Read `count` lists. Each item is in one of them or in none."""
        lacking = [len(items)]  # number 0 is no list
        for _ in range(count):
            length = self.number(0, lacking[0])
            lacking[0] -= length
            lacking.append(length)
        lists: list[list[str]] = [[] for _ in lacking]
        for item in items:
            number = self.which(lacking)
            lacking[number] -= 1
            lists[number].append(item)
        return lists[1:]

    def order(self, items: Iterable[T]) -> list[T]:
        """Read a list of some of these different items, in any order."""
        left = list(items)
        return [left.pop(self.number(0, len(left) - 1)) for _ in range(self.number(0, len(left)))]

    def draw(self, pool: Counter[str]) -> str:
        """Read one of the cards left in the pool, and take it out."""
        cards = sorted(pool)
        card = cards[self.which([pool[each] for each in cards])]
        pool[card] -= 1
        return card

    def draws(self, pool: Counter[str]) -> list[str]:
        """Read a list of cards, each taken out of the pool in turn."""
        return [self.draw(pool) for _ in range(self.number(0, pool.total()))]


def _index(value: object, values: Sequence[object]) -> int:
    try:
        return values.index(value)
    except ValueError:
        raise Unpackable from None


Pack = Callable[[Mapping[str, Any], Writer], None]

Unpack = Callable[[Reader], dict[str, Any]]


def packed_number(position: Mapping[str, Any], pack: Pack, unpack: Unpack) -> int:
    """Return the number into which a position is packed. Raises Unpackable if unpacking it does not give the same position."""
    writer = Writer()
    try:
        pack(position, writer)
        number = writer.written()
        is_same = packed_position(number, unpack) == position
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise Unpackable from error  # a part is missing, or is not what the packing takes it for
    if not is_same:
        raise Unpackable
    return number


def packed_position(number: int, unpack: Unpack) -> dict[str, Any]:
    """Return the position that a number was packed from. Raises ValueError if there is none."""
    reader = Reader(number)
    position = unpack(reader)
    if reader.rest:
        raise Unpackable(say("There’s more in it than a position."))
    return position


def json_number(position: Mapping[str, Any]) -> int:
    """Return any position as a number, made by compressing its JSON with DEFLATE. The number is longer than a packed one."""
    text = json.dumps(position, separators=(",", ":"), sort_keys=True).encode()
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    return int.from_bytes(b"\x01" + deflate.compress(text) + deflate.flush(), "big")


def json_position(number: int) -> dict[str, Any]:
    """Return the position that `json_number` wrote. Raises Unpackable if the number is not one of these."""
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    inflate = zlib.decompressobj(-15)
    try:
        text = inflate.decompress(data[1:], MOST_JSON)
        position = json.loads(text) if inflate.eof and not inflate.unused_data else None
    except (zlib.error, ValueError, RecursionError):
        position = None
    if not isinstance(position, dict):
        raise Unpackable(say("There’s no position in it."))
    return position
