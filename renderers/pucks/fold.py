"""Folds a long, narrow board of Puck Bumpers into parts, one below the other or side by side, with signs at the cuts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from PIL import Image

from engines.pucks.board.board import STEPS, Mats
from renderers.canvas import Layer, place
from renderers.sprite_cache import cache_sprite
from renderers.theme import Palette

GAP: Final = 30
"""Pixels between two parts of a board."""
_MOST: Final = 5  # no board is cut into more parts
SIGN: Final = 30
"""The size in pixels of the sign which says that the board goes on elsewhere."""

At = tuple[int, int]
"""The (column, row) of a place on the lattice."""


@dataclass(frozen=True, slots=True)
class Fold:
    """The cuts that divide a board into parts.

    Attributes:
        length: the length of a part, in places.
        upright: whether the board is tall, with its parts side by side. If not, it is wide, with its parts one below the other.
        across: the width of a part in the other direction, in places.
    """

    length: int
    upright: bool
    across: int

    def part(self, at: At) -> int:
        """Return the number of the part that contains a place, counted from the part with the board's first place: 0, 1, …"""
        return max(0, at[self.upright] // self.length)

    def corner(self, at: At, mat: int) -> tuple[int, int]:
        """Return the top left corner of a place in pixels, measured from that of the board, with mats of this size."""
        part, (column, row) = self.part(at), at
        aside = part * (self.across * mat + GAP)
        if self.upright:
            return column * mat + aside, (row - part * self.length) * mat
        return (column - part * self.length) * mat, row * mat + aside


def folds(columns: int, rows: int) -> Iterator[Fold]:
    """Yield every way of cutting a board of this size that is worth trying."""
    upright = rows > columns
    long, across = (rows, columns) if upright else (columns, rows)
    for parts in range(2, _MOST + 1):
        length = -(-long // parts)
        if length >= across:
            yield Fold(length, upright, across)


def extent(columns: int, rows: int, fold: Fold | None) -> tuple[int, int, int, int]:
    """Return the size of a board in the picture: the numbers of mats across and down, and the extra pixels for each."""
    if fold is None:
        return columns, rows, 0, 0
    parts = -(-(rows if fold.upright else columns) // fold.length)
    wide, spare = fold.across * parts, GAP * (parts - 1)
    return (wide, fold.length, spare, 0) if fold.upright else (fold.length, wide, 0, spare)


def draw_seams(
    image: Image.Image, fold: Fold, first: At, origin: tuple[int, int], mats: Mats, mat: int, palette: Palette
) -> None:
    """Draw signs where a board goes on elsewhere, in the middle of mat edges. The place `first` has its corner at `origin`."""
    places = {(laid.at[0] - first[0], laid.at[1] - first[1]) for laid in mats}
    (dx, dy), sign = STEPS[2 if fold.upright else 1], _goes_on(palette, fold.upright)
    for at in places:
        beyond = at[0] + dx, at[1] + dy
        if beyond in places and fold.part(at) != fold.part(beyond):
            for end, way in ((at, 1), (beyond, -1)):
                x, y = fold.corner(end, mat)
                middle = origin[0] + x + mat / 2, origin[1] + y + mat / 2
                place(image, sign, (middle[0] + way * dx * mat / 2, middle[1] + way * dy * mat / 2))


@cache_sprite
def _goes_on(palette: Palette, upright: bool) -> Image.Image:
    layer, middle = Layer(SIGN, SIGN), SIGN / 2
    layer.discs((middle, middle), (middle, palette.paper), (middle - 2, palette.ink))
    points = [(middle - 3, middle - 7), (middle + 4, middle), (middle - 3, middle + 7)]
    layer.line([(y, x) for x, y in points] if upright else points, 4, palette.gold)
    return layer.image()
