"""Draws the rink of Puck Bumpers: mats and their letters on a lattice of equal squares."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.pucks.board.board import STEPS, UNKNOWN, Mats
from engines.pucks.board.box import ROWS
from renderers.canvas import Layer, Point, place, with_shadow
from renderers.lettering import write
from renderers.pucks.colours import colours_of
from renderers.pucks.fold import At, Fold, draw_seams
from renderers.pucks.mats import bar, bar_middle, middle_on_mat, sliced_mat, unit
from renderers.sliced_sprite import SlicedSprite, slice_around
from renderers.sprite_cache import cache_sprite
from renderers.theme import WIDTH, Face, Palette, Size

_INSIDE_FROM: Final = 20  # the size of a space, in pixels, from which a mat has its letter in its middle rather than outside
OUTSIDE: Final = 28
"""The pixels that letters need if they are outside the mats."""
_LARGE_FROM: Final = 40  # the size of a space, in pixels, from which letters are large
_SHADOW: Final = 12  # pixels round a mat for its shadow
_HIDDEN: Final = 8  # pixels from the edge of a mat to where it hides everything under it, its rounded corners included


@dataclass(frozen=True, slots=True)
class DrawnRink:
    """The rink as it lies in the picture.

    Attributes:
        left, top: the top left corner of the place `first`.
        mat: the size of a mat in pixels.
        first: the place of the lattice at the top left.
        area: the part of the picture for the board: left, top, right, bottom.
        fold: how the board is cut if it is too long to be shown in one piece, or None.
    """

    left: int
    top: int
    mat: int
    first: At
    area: tuple[int, int, int, int]
    fold: Fold | None = None

    @property
    def space(self) -> int:
        """The size of a space in pixels."""
        return int(unit(self.mat))

    def corner(self, at: At) -> tuple[int, int]:
        """Return the top left corner of a place."""
        column, row = at[0] - self.first[0], at[1] - self.first[1]
        x, y = (column * self.mat, row * self.mat) if self.fold is None else self.fold.corner((column, row), self.mat)
        return self.left + x, self.top + y

    def mat_middle(self, at: At) -> Point:
        """Return the middle of a place."""
        x, y = self.corner(at)
        return x + self.mat / 2, y + self.mat / 2

    def middle(self, point: tuple[int, int]) -> Point:
        """Return the middle of a space, given by its point on the board (`Cell.point`)."""
        x, y = self.corner((point[0] // ROWS, point[1] // ROWS))
        across, down = middle_on_mat((point[0] % ROWS, point[1] % ROWS), self.mat)
        return x + across, y + down

    def parts(self, points: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
        """Return neighbouring points, divided wherever the board is cut: one list for each part of the picture."""
        found = [[points[0]]]
        for point in points[1:]:
            if self._part(point) == self._part(found[-1][-1]):
                found[-1].append(point)
            else:
                found.append([point])
        return found

    def step(self, point: tuple[int, int], onward: tuple[int, int]) -> Point:
        """Return the distance in pixels from a space to its neighbour, as if the board were not cut between them."""
        if self._part(point) != self._part(onward):
            return (onward[0] - point[0]) * self.space, (onward[1] - point[1]) * self.space
        (x, y), (end_x, end_y) = self.middle(point), self.middle(onward)
        return end_x - x, end_y - y

    def _part(self, point: tuple[int, int]) -> int:
        column, row = point[0] // ROWS - self.first[0], point[1] // ROWS - self.first[1]
        return 0 if self.fold is None else self.fold.part((column, row))


def span(places: Iterable[At]) -> tuple[int, int, int, int]:
    """Return the first column, the first row, and the numbers of columns and rows of the area that contains these places."""
    columns, rows = zip(*places, strict=True)
    return min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


def table_with(
    height: int, rink: DrawnRink, mats: Mats, palette: Palette, net_off: str | None, *, starts: bool, cached: bool
) -> Image.Image:
    """Return a table of this height with all mats and their shadows, but without pieces and letters, to be drawn on.

    `net_off` is the mat whose goal is closed, and `starts` says whether to mark start spaces. If `cached`, the table is kept
    for as long as the mats lie like this.
    """
    laid = (_cached_table if cached else _lay_table)(height, rink, mats, palette, net_off, starts)
    return laid.copy() if cached else laid


def _lay_table(height: int, rink: DrawnRink, mats: Mats, palette: Palette, net_off: str | None, starts: bool) -> Image.Image:
    image = Image.new("RGB", (WIDTH, height), colours_of(palette).table)
    left, top, right, bottom = rink.area
    left, top, right, bottom = left - _SHADOW - rink.mat, top - _SHADOW - rink.mat, right + _SHADOW, bottom + _SHADOW
    corners = ((mat, rink.corner(mat.at)) for mat in mats)
    seen = [mat for mat, (x, y) in corners if left < x < right and top < y < bottom]
    for mat in seen:
        _shadow(palette, rink.mat).place(image, rink.mat_middle(mat.at))
    for mat in seen:
        corner = rink.corner(mat.at)
        sliced_mat(mat.kind, mat.face, mat.turn, palette, rink.mat, starts=starts).lay(image, corner)
        if mat.id == net_off:
            across, down = bar_middle(mat, rink.mat, palette)
            place(image, bar(mat.face, mat.turn, palette, rink.mat), (corner[0] + across, corner[1] + down))
    if rink.fold is not None:
        draw_seams(image, rink.fold, rink.first, (rink.left, rink.top), mats, rink.mat, palette)
    return image


_cached_table = lru_cache(maxsize=1)(_lay_table)  # a panel's steps and a replay's frames follow one another


def draw_letters(image: Image.Image, rink: DrawnRink, mats: Mats, palette: Palette, among: Mats) -> None:
    """Draw each mat's letter in its middle, or outside on a side free of `among` if it would hide a space there."""
    taken = {mat.at for mat in among}
    large = rink.space >= _LARGE_FROM
    for mat in mats:
        middle = rink.mat_middle(mat.at)
        if rink.space < _INSIDE_FROM:
            away = rink.mat / 2 + 13
            free = [(dx, dy) for dx, dy in STEPS if (mat.at[0] + dx, mat.at[1] + dy) not in taken]
            if free:
                middle = (middle[0] + free[0][0] * away, middle[1] + free[0][1] * away)
            else:
                middle = (middle[0] - rink.mat / 2 + 4, middle[1] - rink.mat / 2 + 4)
        place(image, _letter("?" if mat.kind == UNKNOWN else mat.id, palette, large=large), middle)


@cache_sprite
def _shadow(palette: Palette, side: int) -> SlicedSprite:
    """Return the shadow of a mat `side` pixels wide, without what the mat itself hides."""
    layer = Layer(side + 2 * _SHADOW, side + 2 * _SHADOW, 2)
    layer.rectangle((_SHADOW + 2, _SHADOW + 2, _SHADOW + side - 2, _SHADOW + side - 2), 12, palette.ink)
    low, high = _SHADOW + _HIDDEN, _SHADOW + side - _HIDDEN
    return slice_around(with_shadow(layer.image(), palette.ink), (low, low, high, high))


@cache_sprite
def _letter(letter: str, palette: Palette, *, large: bool) -> Image.Image:
    side = 34 if large else 27
    layer = Layer(side, side)
    layer.rectangle((0, 0, side, side), side * 0.36, palette.paper)
    layer.rectangle((2, 2, side - 2, side - 2), side * 0.3, palette.ink)
    image = layer.image()
    size = Size.BODY if large else Size.SMALL
    write(image, (side / 2, side / 2 - low_by(letter, size)), letter, Face.LABEL, size, palette.paper, align="middle")
    return image


def low_by(letter: str, size: Size) -> float:
    """Return how many pixels higher a letter must be drawn to look centred. Letters without an ascender stand low."""
    return size * (0.06 if letter in "acemno" else 0.0 if letter in "bdfhikl" else 0.1)
