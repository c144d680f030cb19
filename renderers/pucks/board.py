"""The rink of Puck Bumpers: where the lattice lies in the picture, and the mats on it with their letters."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.pucks.board import STEPS, Mats
from engines.pucks.box import ROWS
from renderers.canvas import Layer, Point, place, with_shadow
from renderers.lettering import write
from renderers.pucks.mats import bar, bar_middle, mat_sprite, middle_on_mat, unit
from renderers.theme import Face, Palette, Size

At = tuple[int, int]
"""The (column, row) of a place of the lattice."""

_INSIDE_FROM: Final = 20
"""The smallest space, in pixels, of mats that have their letters in a corner rather than outside."""
OUTSIDE: Final = 28
"""The room that letters need which stand outside."""
_LARGE_FROM: Final = 46
"""The smallest space of mats that show them large."""


@dataclass(frozen=True, slots=True)
class Rink:
    """Where the lattice lies in the picture.

    Attributes:
        left, top: the top left of the place `first`.
        mat: pixels of a mat.
        first: the (column, row) of the place that is drawn at the top left.
        area: the part of the picture that belongs to the board: left, top, right, bottom.
    """

    left: int
    top: int
    mat: int
    first: At
    area: tuple[int, int, int, int]

    @property
    def space(self) -> int:
        """Pixels of a space."""
        return int(unit(self.mat))

    def corner(self, at: At) -> tuple[int, int]:
        """The top left of a place of the lattice."""
        return self.left + (at[0] - self.first[0]) * self.mat, self.top + (at[1] - self.first[1]) * self.mat

    def mat_middle(self, at: At) -> Point:
        """The middle of a place of the lattice."""
        x, y = self.corner(at)
        return x + self.mat / 2, y + self.mat / 2

    def middle(self, point: tuple[int, int]) -> Point:
        """The middle of a space, given by its point on the drawn board."""
        x, y = self.corner((point[0] // ROWS, point[1] // ROWS))
        across, down = middle_on_mat((point[0] % ROWS, point[1] % ROWS), self.mat)
        return x + across, y + down


def span(places: Iterable[At]) -> tuple[int, int, int, int]:
    """The first column and row, and the numbers of columns and rows, that hold all these places of the lattice."""
    columns, rows = zip(*places, strict=True)
    return min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


def draw_mats(image: Image.Image, rink: Rink, mats: Mats, palette: Palette, net_off: str | None) -> None:
    """All mats with the shadow they cast; pieces and letters come later."""
    shadow = _shadow(palette, rink.mat)
    room = (shadow.width - rink.mat) // 2
    for mat in mats:
        x, y = rink.corner(mat.at)
        image.paste(shadow, (x - room, y - room), shadow)
    for mat in mats:
        corner = rink.corner(mat.at)
        sprite = mat_sprite(mat.kind, mat.face, mat.turn, palette, rink.mat)
        image.paste(sprite, corner, sprite)
        if mat.id == net_off:
            across, down = bar_middle(mat, rink.mat, palette)
            place(image, bar(mat.face, mat.turn, palette, rink.mat), (corner[0] + across, corner[1] + down))


def draw_letters(image: Image.Image, rink: Rink, mats: Mats, palette: Palette, among: Mats) -> None:
    """The letter of each of these mats in its upper left corner, over whatever stands there.

    On very small mats it would hide a whole space. There it stands outside, on a side on which no mat of `among` lies.
    """
    taken = {mat.at for mat in among}
    for mat in mats:
        x, y = rink.corner(mat.at)
        large = rink.space >= _LARGE_FROM
        at: Point = (x + 6, y + 6) if large else (x + 4, y + 4)
        if rink.space < _INSIDE_FROM:
            middle = rink.mat_middle(mat.at)
            away = rink.mat / 2 + 13
            free = [(dx, dy) for dx, dy in STEPS if (mat.at[0] + dx, mat.at[1] + dy) not in taken]
            at = (middle[0] + free[0][0] * away, middle[1] + free[0][1] * away) if free else at
        place(image, _tab(mat.id, palette, large=large), at)


@lru_cache(maxsize=8)
def _shadow(palette: Palette, side: int) -> Image.Image:
    """The shadow of a mat of so many pixels."""
    room = 12
    layer = Layer(side + 2 * room, side + 2 * room, 2)
    layer.rounded((room + 2, room + 2, room + side - 2, room + side - 2), 12, palette.ink)
    return with_shadow(layer.done(), palette.ink)


@lru_cache(maxsize=64)
def _tab(letter: str, palette: Palette, *, large: bool) -> Image.Image:
    """A letter on a dark dot."""
    side = 31 if large else 27
    layer = Layer(side, side)
    layer.ellipse((side / 2, side / 2), side / 2 - 1, palette.ink)
    image = layer.done()
    # Letters without anything above their middle are set higher, so that all look centred.
    low = 1.5 if letter in "acemno" else 0 if letter in "bdfhikl" else 2.5
    size = Size.BODY if large else Size.SMALL
    write(image, (side / 2, side / 2 - low), letter, Face.LABEL, size, palette.paper, align="middle")
    return image
