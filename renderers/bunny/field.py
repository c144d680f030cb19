"""The geometry of Bounce Bunny Bounce's picture, and the meadow below everything."""

from typing import Final

from PIL import Image

from engines.bunny import Space
from engines.bunny.field import COLUMNS, ROWS
from renderers import theme
from renderers.bunny.cards import draw_flower, write_word
from renderers.bunny.colours import colours_of
from renderers.canvas import Layer, Point
from renderers.sprite_cache import cache_sprite
from renderers.theme import CORNER, EDGE, STRIP, WIDTH, Palette

HEIGHT: Final = 1024
ACROSS: Final = 128
DOWN: Final = 152
LEFT: Final = 88
TOP: Final = 26
"""A space is `ACROSS` pixels wide and `DOWN` pixels high. The field begins at `LEFT` and `TOP`."""
LETTERS: Final = TOP + 5 * DOWN + 18
"""The y coordinate of the letters below the field."""
RAIL: Final = HEIGHT - EDGE - STRIP - 48
"""The y coordinate of the middle of the row with the seats' collections."""
_FOOT: Final = (31, 26)
"""Where Bunnies and trails are, measured from the middle of a card: at the bottom right, clear of its sign and its title."""


def middle(space: Space) -> Point:
    """Return the middle of the card on a space."""
    return LEFT + (COLUMNS.index(space[0]) + 0.5) * ACROSS, TOP + (4 - ROWS.index(space[1]) + 0.5) * DOWN


def foot(space: Space) -> Point:
    """Return where a Bunny on a space stands."""
    x, y = middle(space)
    return x + _FOOT[0], y + _FOOT[1]


def burrow(seat: int) -> Point:
    """Return where a seat's Bunny waits while it is off the field."""
    return (EDGE + 54.0, WIDTH - EDGE - 54.0)[seat], float(RAIL)


@cache_sprite
def ground(palette: Palette) -> Image.Image:
    """Return the meadow with the patch and the coordinates, but without cards."""
    colours = colours_of(palette)
    layer = Layer(WIDTH, HEIGHT, 3, ground=colours.grass)
    for index in range(60):
        tuft = (14 + (index * 83) % 1000, 14 + (index * 47) % (HEIGHT - STRIP - 24))
        for blade in (-6, 0, 6) if abs(tuft[1] - LETTERS) > 28 else ():
            layer.line([tuft, (tuft[0] + blade, tuft[1] - 11 + abs(blade) / 2)], 3, colours.grass_dark)
    for at in ((36, 150), (1002, 96), (24, 520), (1000, 640), (1004, 330), (508, 846), (30, 832)):
        draw_flower(layer, at, palette)
    patch = (LEFT - 14, TOP - 12, LEFT + 7 * ACROSS + 14, TOP + 5 * DOWN - 2)
    layer.rectangle((patch[0] - 5, patch[1] - 5, patch[2] + 5, patch[3] + 5), CORNER, colours.grass_dark)
    layer.rectangle(patch, CORNER, colours.soil_dark)
    layer.rectangle((patch[0], patch[1] + 4, patch[2], patch[3]), CORNER, colours.soil)
    for row in range(1, 5):
        y = TOP + row * DOWN - 6
        furrow = [(patch[0] + 20 + step * 12, y + (2 if step % 2 else -2)) for step in range(75)]
        layer.line(furrow, 4, colours.soil_dark)
    for seat in (0, 1):
        _dig_burrow(layer, burrow(seat), 1 - 2 * seat, palette)
    image = layer.image().convert("RGB")
    for index, letter in enumerate(COLUMNS):
        write_word(image, (LEFT + (index + 0.5) * ACROSS, LETTERS), letter, palette)
    for index, number in enumerate(ROWS):
        write_word(image, (EDGE + 30, TOP + (4 - index + 0.5) * DOWN), number, palette)
    return image


def _dig_burrow(layer: Layer, at: Point, inward: int, palette: Palette) -> None:
    """Draw the place for a seat's collection: a strip of dark grass, with a hole for the seat's Bunny."""
    colours = colours_of(palette)
    ends = sorted((at[0] - inward * 42, at[0] + inward * 440))
    layer.rectangle((ends[0], RAIL - 38, ends[1], RAIL + 38), 38, theme.mix(colours.grass, colours.grass_dark, 0.55))
    layer.ellipse((at[0], RAIL + 18), 34, theme.mix(colours.grass_dark, palette.ink, 0.35), 13)
