"""Which mats can be moved, where to, and whether all mats hang together afterwards.

Only the places of the mats matter here, not what is printed on them nor how they are turned. A place is one bit of a large
number, and a layout, its shape, is all bits of its mats together; so the mats that touch a mat are found by shifting bits, and
every answer can be kept for the next time the same shape comes up anywhere on the lattice.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from engines.pucks.board import Mats

RELATIONS: Final = ("north-of", "east-of", "south-of", "west-of")
"""How a free place is called by a mat beside it."""

FARTHEST: Final = 40
"""Mats never lie farther apart than this: not even the longest row can be stretched so far by the cards that there are."""

_ROW: Final = 64
_MARGIN: Final = 8

Place = int
"""The bit of a place on the lattice."""

Shape = int
"""The bits of the places of all mats."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The part of the lattice that a shape's bits stand for: the (column, row) of the north-west corner of the mats."""

    left: int
    top: int

    def place(self, at: tuple[int, int]) -> Place:
        """The bit of a (column, row)."""
        return 1 << (at[1] - self.top + _MARGIN) * _ROW + at[0] - self.left + _MARGIN

    def at(self, place: Place) -> tuple[int, int]:
        """The (column, row) of a bit."""
        row, column = divmod(place.bit_length() - 1, _ROW)
        return column - _MARGIN + self.left, row - _MARGIN + self.top


def frame_of(mats: Mats) -> Frame:
    """The frame of some mats: the same shape has the same bits wherever it lies."""
    return Frame(min(mat.at[0] for mat in mats), min(mat.at[1] for mat in mats))


def places_of(mats: Mats) -> dict[str, Place]:
    """The places of the mats by their letters."""
    frame = frame_of(mats)
    return {mat.id: frame.place(mat.at) for mat in mats}


def shape_of(mats: Mats) -> Shape:
    """The places of all mats together."""
    return sum(places_of(mats).values())


def beside(place: Place, relation: str) -> Place:
    """The place in this relation to another: ``beside(p, "east-of")`` is the one to the east of p."""
    return (place >> _ROW, place << 1, place << _ROW, place >> 1)[RELATIONS.index(relation)]


def _each(places: int) -> Iterator[Place]:
    while places:
        place = places & -places
        yield place
        places ^= place


def _grown(part: int) -> int:
    """The places of a part, and those that touch it."""
    return part | part << 1 | part >> 1 | part << _ROW | part >> _ROW


def _part(shape: Shape, part: int) -> int:
    """All places of a shape that hang together with this part of it."""
    while (grown := _grown(part) & shape) != part:
        part = grown
    return part


@lru_cache(maxsize=1 << 15)
def whole(shape: Shape) -> bool:
    """Whether the layout is legal: all mats hang together side to side."""
    return _part(shape, shape & -shape) == shape


def movable(shape: Shape, place: Place) -> bool:
    """Whether the mat at this place has a side that touches no mat."""
    return bool(_grown(place) & ~shape)


def movable_mats(mats: Mats) -> tuple[str, ...]:
    """The letters of the mats that can be moved or swapped."""
    shape = shape_of(mats)
    return tuple(letter for letter, place in places_of(mats).items() if movable(shape, place))


def _free_places(shape: Shape, place: Place) -> int:
    """Where the mat at `place` could be laid if nothing but touching another mat mattered; not where it lies."""
    return _grown(shape ^ place) & ~shape


def _parts(shape: Shape) -> list[int]:
    """The parts of a shape, each of which hangs together."""
    parts = []
    while shape:
        part = _part(shape, shape & -shape)
        parts.append(part)
        shape ^= part
    return parts


def _common(parts: list[int], start: int) -> int:
    """The places out of `start` that touch all of the parts."""
    for part in parts:
        start &= _grown(part)
    return start


@lru_cache(maxsize=1 << 15)
def _whole_places(shape: Shape, place: Place) -> int:
    """Where the mat at `place` can be laid so that all mats hang together: beside every part that is left without it."""
    return _common(_parts(shape ^ place), _free_places(shape, place))


@lru_cache(maxsize=1 << 15)
def mendable(shape: Shape, shifts: int) -> bool:
    """Whether all mats hang together, or can be made to with at most so many shifts."""
    if whole(shape):
        return True
    if shifts <= 0:
        return False
    if any(movable(shape, place) and _whole_places(shape, place) for place in _likely(shape)):
        return True
    return shifts > 1 and any(
        mendable(shape ^ place | target, shifts - 1)
        for place in _each(shape)
        if movable(shape, place)
        for target in _each(_free_places(shape, place))
    )


def _likely(shape: Shape) -> Iterator[Place]:
    """The mats of a shape in several parts that may join all of them by one shift: far fewer than all, most of the time.

    A mat that is a part by itself has to reach all others. Any other mat leaves something of its part behind, which touches
    nothing that its part did not touch, so that there must be a free place that touches all parts as they are.
    """
    parts = _parts(shape)
    free = _grown(shape) & ~shape
    if _common(parts, free):
        yield from _each(shape)
        return
    for part in parts:
        if part & (part - 1) == 0 and _common([other for other in parts if other != part], free):
            yield part


@lru_cache(maxsize=1 << 13)
def targets(shape: Shape, place: Place, shifts_after: int) -> int:
    """Where the mat at `place` may be shifted if so many shifts can follow it to make the layout legal again.

    Nowhere if it cannot be moved at all.
    """
    if not movable(shape, place):
        return 0
    good = _whole_places(shape, place)
    if shifts_after:
        others = _free_places(shape, place) & ~good
        good |= sum(target for target in _each(others) if mendable(shape ^ place | target, shifts_after))
    return good


@lru_cache(maxsize=1 << 13)
def has_target(shape: Shape, place: Place, shifts_after: int) -> bool:
    """Whether `targets` has any, found without listing them all."""
    if not movable(shape, place):
        return False
    if _whole_places(shape, place):
        return True
    return shifts_after > 0 and any(
        mendable(shape ^ place | target, shifts_after) for target in _each(_free_places(shape, place))
    )


# --- mats that are moved, with everything that lies on them --------------------------------------------------------------


def mat_index(letter: str) -> int:
    """The place of a mat in the tuple of all mats."""
    return ord(letter) - ord("a")


def shifted(mats: Mats, letter: str, relation: str, other: str) -> Mats:
    """The mats after one of them was laid beside another."""
    column, row = mats[mat_index(other)].at
    right, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[RELATIONS.index(relation)]
    return tuple(replace(mat, at=(column + right, row + down)) if mat.id == letter else mat for mat in mats)


def swapped(mats: Mats, first: str, second: str) -> Mats:
    """The mats after two of them have changed places."""
    at = {first: mats[mat_index(second)].at, second: mats[mat_index(first)].at}
    return tuple(replace(mat, at=at.get(mat.id, mat.at)) for mat in mats)


def twisted(mats: Mats, letter: str, degrees: int) -> Mats:
    """The mats after one of them was turned clockwise."""
    return tuple(replace(mat, turn=(mat.turn + degrees) % 360) if mat.id == letter else mat for mat in mats)
