"""The trampoline of Bouncers without pieces, and the geometry of its squares."""

from typing import Final

from PIL import Image

from renderers import theme
from renderers.bouncers.colours import Colours, colours_of
from renderers.canvas import Layer, Point
from renderers.lettering import write
from renderers.sprite_cache import cache_sprite
from renderers.theme import EDGE, STRIP, WIDTH, Face, Palette, Size

BOARD: Final = 840
"""The width of the mat in pixels, divisible by 8 and by 10."""
LEFT: Final = 66
TOP: Final = EDGE + 32
HEIGHT: Final = TOP + BOARD + 56 + STRIP + EDGE
FILES: Final = "abcdefghij"
TRAYS: Final[tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = (
    (928, TOP, 1004, TOP + 412),
    (928, TOP + 428, 1004, TOP + BOARD),
)
"""The boxes of the upper and the lower tray."""
_GAP: Final = 15  # the width of the gap that the springs cross


class Squares:
    """The geometry of the squares in the picture.

    Attributes:
        size: the number of files and ranks.
        turned: whether the board is seen from Blue's side.
        side, piece: the width of a square and the diameter of a piece in pixels.
    """

    def __init__(self, size: int, turned: bool) -> None:
        self.size, self.turned, self.side = size, turned, BOARD // size
        self.piece = round(self.side * 0.78)

    def middle_of(self, square: str) -> Point | None:
        """Return the middle of a square ("c2"), or None if the board has no such square."""
        file, rank = FILES.find(square[:1]), square[1:]
        if not square or file < 0 or not rank.isdecimal() or not (file < self.size and 1 <= int(rank) <= self.size):
            return None
        column, row = file, self.size - int(rank)
        if self.turned:
            column, row = self.size - 1 - column, self.size - 1 - row
        return LEFT + (column + 0.5) * self.side, TOP + (row + 0.5) * self.side


@cache_sprite
def ground(size: int, turned: bool, palette: Palette) -> Image.Image:
    """Return a picture of the trampoline without pieces."""
    colours = colours_of(palette)
    layer = Layer(WIDTH, HEIGHT, 3, ground=colours.pad)
    left, top, right, bottom = LEFT, TOP, LEFT + BOARD, TOP + BOARD
    _draw_pad(layer, palette)
    layer.rectangle((left - _GAP, top - _GAP, right + _GAP, bottom + _GAP), _GAP, colours.gap)
    _draw_springs(layer, colours)
    layer.rectangle((left - 3, top - 3, right + 3, bottom + 3), 6, colours.gap)
    side = BOARD // size
    for column in range(size):
        for row in range(size):
            # a1, at the bottom left, is dark. Turning the board by half a turn does not change the pattern.
            colour = colours.dark if (column + row) % 2 else colours.light
            box = (left + column * side, top + row * side, left + (column + 1) * side, top + (row + 1) * side)
            layer.rectangle(box, 0, colour)
    image = layer.image().convert("RGB")
    _write_coordinates(image, size, turned, colours)
    return image


def _draw_pad(layer: Layer, palette: Palette) -> None:
    """Draw the padding, lit at the top and on the left, with seams at the corners and the trays."""
    colours = colours_of(palette)
    shade = theme.mix(colours.pad, palette.ink, 0.3)
    bottom = HEIGHT - STRIP - EDGE
    layer.rectangle((EDGE, EDGE, WIDTH - EDGE, EDGE + 8), 0, colours.pad_light)
    layer.rectangle((EDGE, EDGE, EDGE + 9, bottom), 0, colours.pad_light)
    inner = (LEFT - _GAP, TOP - _GAP, LEFT + BOARD + _GAP, TOP + BOARD + _GAP)
    for x, y, outer_x, outer_y in (
        (inner[0], inner[1], EDGE, EDGE),
        (inner[2], inner[1], WIDTH - EDGE, EDGE),
        (inner[0], inner[3], EDGE, bottom),
        (inner[2], inner[3], WIDTH - EDGE, bottom),
    ):
        layer.line([(x, y), (outer_x, outer_y)], 3, shade)
    layer.rectangle((inner[0] - 5, inner[1] - 5, inner[2] + 5, inner[3] + 5), _GAP + 5, shade)
    for tray in TRAYS:
        layer.rectangle((tray[0], tray[1], tray[2], tray[3]), 20, shade)
        layer.rectangle((tray[0] + 3, tray[1] + 4, tray[2], tray[3]), 18, theme.mix(colours.pad, palette.ink, 0.16))


def _draw_springs(layer: Layer, colours: Colours) -> None:
    count, coils, half = 28, 3, 6.0
    for step in range(count):
        along = (step + 0.5) * BOARD / count
        for low, level in ((TOP - _GAP, True), (TOP + BOARD, True), (LEFT - _GAP, False), (LEFT + BOARD, False)):
            for coil in range(coils):
                out = low + (coil + 0.5) * _GAP / coils
                across = (LEFT if level else TOP) + along
                ends = ((across - half, out + 0.9), (across + half, out - 0.9))
                layer.line([end if level else (end[1], end[0]) for end in ends], 2.6, colours.spring)


def _write_coordinates(image: Image.Image, size: int, turned: bool, colours: Colours) -> None:
    """Write the letters of the files below the board and the numbers of the ranks to its left."""
    side = BOARD // size
    for index in range(size):
        along = index if not turned else size - 1 - index
        x, y = LEFT + (along + 0.5) * side, TOP + BOARD - (along + 0.5) * side
        write(image, (x, TOP + BOARD + _GAP + 19), FILES[index], Face.LABEL, Size.HEADING, colours.on_pad, align="middle")
        write(image, (EDGE + 23, y), str(index + 1), Face.LABEL, Size.HEADING, colours.on_pad, align="middle")
