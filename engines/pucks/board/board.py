"""The board: mats on a lattice, their spaces, and the neighbours of each space.

A mat lies at a (column, row) of the lattice and is turned clockwise by a number of degrees. Columns count to the east and rows
to the south, and both may become negative when mats are shifted. The name of a space is its mat's letter and a number, 1 to 16
in reading order of the unturned mat ("c7"), so it travels and turns with the mat. Inside the engine, a space is an integer: 16
times the index of the mat's letter in the alphabet, plus the number less one. A point is the (column, row) of a space on the
drawn board, counted in spaces. The mat at (0, 0) covers the points (0, 0) to (3, 3).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from string import ascii_lowercase
from typing import Final

from engines.pucks.board.box import ROWS, SIDES, Face, LaidMat, box

SpaceName = str

Point = tuple[int, int]
"""The (column, row) of a space on the drawn board."""

SPACES: Final = ROWS * ROWS

DIRECTIONS: Final = ("up", "right", "down", "left")
"""The directions on the drawn board, in the order of `SIDES` (up is north)."""

STEPS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The (column, row) to add for one step in each of `DIRECTIONS`."""

UNKNOWN: Final = "unknown"
"""The kind of a mat that is still to be dealt at random."""

_BLANK: Final = Face(("." * ROWS,) * ROWS)

NOWHERE: Final = -1
"""Stands for a missing neighbour, to which no piece can go."""


class Barrier(StrEnum):
    """What, apart from other pieces, stops a piece on a space from going on in a direction."""

    EDGE = "edge"
    WALL = "wall"
    POOL = "pool"
    NET = "net"


@dataclass(frozen=True, slots=True)
class Mat:
    """A mat as it lies, with `face` up: its letter, its kind ("basic", "block", "pool" or "goal"), its place and its turn."""

    id: str
    kind: str
    at: tuple[int, int]
    turn: int
    face: Face


Mats = tuple[Mat, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """A space of the drawn board, with its point and walls. Its mark is ``.``, ``P`` ``M`` ``I`` (start), ``~`` or ``G``."""

    space: SpaceName
    point: Point
    mark: str
    walls: tuple[str, ...]


def turn_point(column: int, row: int, turn: int) -> tuple[int, int]:
    """Return a (column, row) on a mat after the mat has been turned clockwise by `turn` degrees."""
    for _ in range(turn // 90):
        column, row = ROWS - 1 - row, column
    return column, row


@lru_cache(maxsize=64)
def _face_walls(face: Face) -> frozenset[tuple[int, int]]:
    """Return every wall of an unturned face, as (space, side): a goal has walls on every side but its front."""
    if face.front is None:
        return frozenset()
    front = SIDES.index(face.front)
    goals = {(i % ROWS, i // ROWS) for i, mark in enumerate(face.marks) if mark == "G"}
    return frozenset(
        (row * ROWS + column, side)
        for column, row in goals
        for side, (dx, dy) in enumerate(STEPS)
        if side != front and (column + dx, row + dy) not in goals
    )


@lru_cache(maxsize=256)
def _laid_face(face: Face, turn: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[bool, ...], ...]]:
    """Return, for each space of a turned face, its (column, row) on the mat, and which sides have a wall, both as drawn."""
    walls = _face_walls(face)
    points = tuple(turn_point(i % ROWS, i // ROWS, turn) for i in range(SPACES))
    sides = tuple(tuple((i, (side - turn // 90) % 4) in walls for side in range(4)) for i in range(SPACES))
    return points, sides


def cells(mat: Mat) -> tuple[Cell, ...]:
    """Return the spaces 1 to 16 of a mat, as drawn where it lies."""
    points, walls = _laid_face(mat.face, mat.turn)
    column, row = mat.at
    return tuple(
        Cell(
            f"{mat.id}{i + 1}",
            (column * ROWS + points[i][0], row * ROWS + points[i][1]),
            mat.face.marks[i],
            tuple(name for name, wall in zip(SIDES, walls[i], strict=True) if wall),
        )
        for i in range(SPACES)
    )


def goal_front(mat: Mat) -> str | None:
    """Return the side of the drawn board to which a mat's goal opens, or None if the mat has no goal."""
    return None if mat.face.front is None else SIDES[(SIDES.index(mat.face.front) + mat.turn // 90) % 4]


@dataclass(frozen=True, slots=True)
class Grid:
    """The neighbours of each space, as if there were no pieces. ``neighbours[4 * s + d]`` is that of space s in direction d."""

    neighbours: tuple[int, ...]
    barriers: tuple[Barrier | None, ...]
    marks: str
    points: tuple[Point, ...]


@lru_cache(maxsize=512)
def grid(mats: Mats, net_off: str | None = None) -> Grid:
    """Return the grid of a board. The goal of the mat `net_off`, if any, is closed."""
    points: list[Point] = []
    walls: list[tuple[bool, ...]] = []
    for mat in mats:
        local, sides = _laid_face(mat.face, mat.turn)
        column, row = mat.at[0] * ROWS, mat.at[1] * ROWS
        points += [(column + x, row + y) for x, y in local]
        walls += sides
    marks = "".join(mat.face.marks for mat in mats)
    closed = {space for space in range(len(points)) if mats[space // SPACES].id == net_off and marks[space] == "G"}
    at = {point: space for space, point in enumerate(points)}
    neighbours: list[int] = []
    barriers: list[Barrier | None] = []
    for space, (x, y) in enumerate(points):
        for side, (dx, dy) in enumerate(STEPS):
            beyond = at.get((x + dx, y + dy), NOWHERE)
            barrier: Barrier | None = None
            if beyond == NOWHERE:
                barrier = Barrier.EDGE
            elif walls[space][side] or walls[beyond][(side + 2) % 4]:
                barrier = Barrier.WALL
            elif marks[beyond] == "~":
                barrier = Barrier.POOL
            elif beyond in closed and space not in closed:
                barrier = Barrier.NET
            barriers.append(barrier)
            neighbours.append(beyond if barrier is None else NOWHERE)
    return Grid(tuple(neighbours), tuple(barriers), marks, tuple(points))


def laid_out(layout: Iterable[LaidMat], variant: str) -> Mats:
    """Return the mats of a layout, lettered in the given order."""
    return tuple(
        Mat(letter, mat.kind, mat.at, mat.turn, box().face(mat.kind, variant))
        for letter, mat in zip(ascii_lowercase, layout, strict=False)
    )


def start_mats(colours: int, variant: str) -> Mats:
    """Return the mats of the standard layout for this number of colours."""
    return laid_out(box().layout(colours).mats, variant)


def unknown(mats: Mats) -> Mats:
    """Return the mats with only their places known."""
    return tuple(Mat(mat.id, UNKNOWN, mat.at, 0, _BLANK) for mat in mats)


def space_name(space: int) -> SpaceName:
    """Return the name of a space."""
    return _NAMES[space]


def space_of(name: SpaceName, mats: Mats) -> int:
    """Return the space with a name. Raises ValueError if there is none."""
    mat, number = ord(name[:1] or " ") - ord("a"), name[1:]
    if not 0 <= mat < len(mats) or number not in _NUMBERS:
        raise ValueError(f"there is no space {name!r}")
    return mat * SPACES + int(number) - 1


_NAMES: Final = tuple(f"{letter}{number}" for letter in ascii_lowercase for number in range(1, SPACES + 1))
"""The name of each space, if there were a mat for every letter of the alphabet."""

_NUMBERS: Final = frozenset(str(number) for number in range(1, SPACES + 1))
