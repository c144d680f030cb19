"""The moves of mats: which mats can be moved, where they can go, and whether all mats are connected afterwards.

Only the places of the mats matter here, not their faces or their turns. A place is one bit of a large integer, and the shape of
a layout is made of the bits of all its mats. So shifting bits finds the mats that touch a mat. Every answer can be cached for
all layouts of the same shape, wherever they lie on the lattice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engines.pucks.board.board import Mats
from engines.values import latest, replace

RELATIONS: Final = ("north-of", "east-of", "south-of", "west-of")
"""The ways to name a free place by a mat beside it."""

FARTHEST: Final = 40
"""The most places between two mats: 25 if all 26 are connected, and more for the few shifts that may leave them apart."""

_ROW: Final = 64
_MARGIN: Final = 8
Place = int

Shape = int
"""The bits of several mats' places."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The position of a shape on the lattice: its westmost column and its northmost row."""

    left: int
    top: int

    def place(self, at: tuple[int, int]) -> Place:
        """Return the bit of a (column, row)."""
        return 1 << (at[1] - self.top + _MARGIN) * _ROW + at[0] - self.left + _MARGIN

    def at(self, place: Place) -> tuple[int, int]:
        """Return the (column, row) of a bit."""
        row, column = divmod(place.bit_length() - 1, _ROW)
        return column - _MARGIN + self.left, row - _MARGIN + self.top


def frame_of(mats: Mats) -> Frame:
    """Return the frame of a layout. Relative to its frame, the same shape has the same bits wherever it lies."""
    return Frame(min(mat.at[0] for mat in mats), min(mat.at[1] for mat in mats))


@latest
def places_of(mats: Mats) -> dict[str, Place]:
    """Return the place of each mat by its letter."""
    frame = frame_of(mats)
    return {mat.id: frame.place(mat.at) for mat in mats}


@latest
def shape_of(mats: Mats) -> Shape:
    """Return the places of all mats together."""
    return sum(places_of(mats).values())


def beside(place: Place, relation: str) -> Place:
    """Return the place in a relation to another one: ``beside(p, "east-of")`` is the place to the east of p."""
    return (place >> _ROW, place << 1, place << _ROW, place >> 1)[RELATIONS.index(relation)]


def _each(places: int) -> Iterator[Place]:
    while places:
        place = places & -places
        yield place
        places ^= place


def _with_neighbours(part: int) -> int:
    return part | part << 1 | part >> 1 | part << _ROW | part >> _ROW


def _part(shape: Shape, part: int) -> int:
    """Return all places of a shape that are connected to a part of it."""
    while (grown := _with_neighbours(part) & shape) != part:
        part = grown
    return part


@lru_cache(maxsize=1 << 15)
def whole(shape: Shape) -> bool:
    """Whether a layout is legal, that is, all mats are connected side to side."""
    return _part(shape, shape & -shape) == shape


def movable(shape: Shape, place: Place) -> bool:
    """Whether the mat at a place has a side that touches no other mat."""
    return bool(_with_neighbours(place) & ~shape)


def movable_mats(mats: Mats) -> tuple[str, ...]:
    """Return the letters of the mats that can be moved or swapped."""
    shape = shape_of(mats)
    return tuple(letter for letter, place in places_of(mats).items() if movable(shape, place))


def _free_places(shape: Shape, place: Place) -> int:
    """Return the other places where the mat at `place` would touch another mat, whether or not it may go there."""
    return _with_neighbours(shape ^ place) & ~shape


def _parts(shape: Shape) -> list[int]:
    """Return the separate parts of a shape. Within each part, the mats are connected."""
    parts = []
    while shape:
        part = _part(shape, shape & -shape)
        parts.append(part)
        shape ^= part
    return parts


def _common(parts: list[int], start: int) -> int:
    for part in parts:
        start &= _with_neighbours(part)
    return start


@lru_cache(maxsize=1 << 15)
def _whole_places(shape: Shape, place: Place) -> int:
    """Return the places where the mat at `place` would connect all mats: those beside every part that the others form."""
    return _common(_parts(shape ^ place), _free_places(shape, place))


@lru_cache(maxsize=1 << 15)
def mendable(shape: Shape, shifts: int) -> bool:
    """Whether all mats are connected, or can become so with at most `shifts` shifts."""
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
    """Yield the mats that might connect the parts of a shape with a single shift, usually far fewer than all of them.

    A mat that is a part by itself has to touch all the other parts. Any other mat leaves the rest of its part behind, and that
    rest touches only places that the whole part touched. So there must be a free place that touches all parts as they are.
    """
    parts = _parts(shape)
    free = _with_neighbours(shape) & ~shape
    if _common(parts, free):
        yield from _each(shape)
        return
    for part in parts:
        if part & (part - 1) == 0 and _common([other for other in parts if other != part], free):
            yield part


@lru_cache(maxsize=1 << 13)
def targets(shape: Shape, place: Place, shifts_after: int) -> int:
    """Return the places to which the mat at `place` can move so that `shifts_after` more shifts can make the layout legal."""
    if not movable(shape, place):
        return 0
    good = _whole_places(shape, place)
    if shifts_after:
        others = _free_places(shape, place) & ~good
        good |= sum(target for target in _each(others) if mendable(shape ^ place | target, shifts_after))
    return good


@lru_cache(maxsize=1 << 13)
def has_target(shape: Shape, place: Place, shifts_after: int) -> bool:
    """Whether `targets` has any places, found without listing them all."""
    if not movable(shape, place):
        return False
    if _whole_places(shape, place):
        return True
    return shifts_after > 0 and any(
        mendable(shape ^ place | target, shifts_after) for target in _each(_free_places(shape, place))
    )


def mat_index(letter: str) -> int:
    """Return the index of a mat in the tuple of all mats."""
    return ord(letter) - ord("a")


def shift_mat(mats: Mats, letter: str, relation: str, other: str) -> Mats:
    """Return the mats after one of them has been laid beside another."""
    column, row = mats[mat_index(other)].at
    right, down = ((0, -1), (1, 0), (0, 1), (-1, 0))[RELATIONS.index(relation)]
    return tuple(replace(mat, at=(column + right, row + down)) if mat.id == letter else mat for mat in mats)


def swap_mats(mats: Mats, first: str, second: str) -> Mats:
    """Return the mats after two of them have changed places."""
    at = {first: mats[mat_index(second)].at, second: mats[mat_index(first)].at}
    return tuple(replace(mat, at=at.get(mat.id, mat.at)) for mat in mats)


def twist_mat(mats: Mats, letter: str, degrees: int) -> Mats:
    """Return the mats after one of them has been turned clockwise."""
    return tuple(replace(mat, turn=(mat.turn + degrees) % 360) if mat.id == letter else mat for mat in mats)
