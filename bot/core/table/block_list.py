"""An immutable sequence that is cheap to lengthen, made for logs of thousands of entries."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final, Generic, TypeVar, overload

from typing_extensions import override

T_co = TypeVar("T_co", covariant=True)

SIZE: Final = 64
"""The number of items in a full block."""


class Blocks(Sequence[T_co], Generic[T_co]):
    """A sequence in blocks. It equals a tuple of the same items, and shares full blocks with the sequence it was made from."""

    __slots__ = ("_full", "_rest")

    def __init__(self, items: Sequence[T_co] = ()) -> None:
        whole = len(items) // SIZE * SIZE
        self._full = tuple(tuple(items[start : start + SIZE]) for start in range(0, whole, SIZE))
        self._rest = tuple(items[whole:])

    @classmethod
    def _make(cls, full: "tuple[tuple[T_co, ...], ...]", rest: "tuple[T_co, ...]") -> "Blocks[T_co]":
        made = cls.__new__(cls)
        # ruff takes the new object for somebody else's.
        made._full, made._rest = ((*full, rest), ()) if len(rest) == SIZE else (full, rest)  # noqa: SLF001
        return made

    def with_one_more(self, item: T_co) -> "Blocks[T_co]":  # type: ignore[misc]  # nothing is changed
        """Return the sequence with one more item at its end."""
        return self._make(self._full, (*self._rest, item))

    def with_one_else(self, index: int, item: T_co) -> "Blocks[T_co]":  # type: ignore[misc]  # nothing is changed
        """Return the sequence with the item at `index` replaced. Raises IndexError if there is no such item."""
        number, place = divmod(range(len(self))[index], SIZE)
        block = self._rest if number == len(self._full) else self._full[number]
        block = (*block[:place], item, *block[place + 1 :])
        if number == len(self._full):
            return self._make(self._full, block)
        return self._make((*self._full[:number], block, *self._full[number + 1 :]), self._rest)

    def first(self, count: int) -> "Blocks[T_co]":
        """Return the first `count` items, or all of them if there are fewer."""
        number, place = divmod(count, SIZE)
        if number >= len(self._full):
            return self._make(self._full, self._rest[: max(0, count - SIZE * len(self._full))])
        return self._make(self._full[:number], self._full[number][:place])

    @property
    def last(self) -> T_co | None:
        """The last item, or None if the sequence is empty."""
        if self._rest:
            return self._rest[-1]
        return self._full[-1][-1] if self._full else None

    @override
    def __len__(self) -> int:
        return SIZE * len(self._full) + len(self._rest)

    @overload
    def __getitem__(self, index: int) -> T_co: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[T_co, ...]: ...

    @override
    def __getitem__(self, index: int | slice) -> T_co | tuple[T_co, ...]:
        if isinstance(index, slice):
            return tuple(map(self._at, range(len(self))[index]))
        return self._at(index if 0 <= index < len(self) else range(len(self))[index])

    def _at(self, index: int) -> T_co:
        number, place = divmod(index, SIZE)
        return self._rest[place] if number == len(self._full) else self._full[number][place]

    @override
    def __iter__(self) -> Iterator[T_co]:
        return chain(chain.from_iterable(self._full), self._rest)

    @override
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Blocks | tuple):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    @override
    def __hash__(self) -> int:
        return hash(tuple(self))

    @override
    def __repr__(self) -> str:
        return f"Blocks({list(self)!r})"
