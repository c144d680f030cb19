"""The head of the pictures about people: a title on the padding of a trampoline, beside bouncing counters."""

import math
from functools import lru_cache
from typing import Final

from PIL import Image

from renderers import png, theme
from renderers.bouncers.colours import colours_of
from renderers.canvas import Layer, Point, place
from renderers.lettering import write
from renderers.pieces import counter
from renderers.signs import trail_strength
from renderers.summaries.lines import fitting_size, tint
from renderers.theme import EDGE, WIDTH, Colour, Face, Palette, Size

HEADER: Final = 160
"""The height of the head in pixels."""
_GAP: Final = 15  # the height of the row of springs at its foot


@lru_cache(maxsize=2)
def _header(palette: Palette) -> Image.Image:
    """Return the padding of a trampoline, with springs below it and counters bouncing along it."""
    colours = colours_of(palette)
    height = HEADER
    layer = Layer(WIDTH, height, 3, ground=colours.pad)
    layer.rectangle((EDGE, EDGE, WIDTH - EDGE, EDGE + 8), 0, colours.pad_light)
    layer.rectangle((EDGE, EDGE, EDGE + 9, height), 0, colours.pad_light)
    low = height - _GAP
    layer.rectangle((0, low - 5, WIDTH, height), 0, theme.mix(colours.pad, palette.ink, 0.3))
    layer.rectangle((0, low, WIDTH, height), 0, colours.gap)
    count, coils, half = 38, 3, 6.0
    for step in range(count):
        across = (step + 0.5) * WIDTH / count
        for coil in range(coils):
            y = low + (coil + 0.5) * _GAP / coils
            layer.line([(across - half, y + 0.9), (across + half, y - 0.9)], 2.6, colours.spring)
    for seat, (start, end, peak) in enumerate(_BOUNCES):
        _dot_bounce(layer, start, end, peak, palette.seats[seat].colour, palette)
    image = layer.image().convert("RGB")
    for seat, (_, end, peak) in enumerate(_BOUNCES):
        place(image, counter(seat, palette, 58), (end, low - peak))
    return image


_BOUNCES: Final = ((628.0, 712.0, 48.0), (740.0, 826.0, 94.0), (860.0, 942.0, 64.0))
"""Where each counter left the pad, where it is now, and how high it is above the pad."""


def _dot_bounce(layer: Layer, start: float, end: float, peak: float, colour: Colour, palette: Palette) -> None:
    """Draw the path of a counter up from the pad, as dots that grow towards the counter."""
    low, dots = HEADER - _GAP - 8, 7
    for number in range(dots):
        share = (number + 0.5) / (dots + 1)
        at: Point = (start + (end - start) * share, low - (peak - 10) * math.sin(share * math.pi / 2))
        radius = 4.0 + 3.5 * trail_strength(number, dots, palette)
        layer.discs(at, (radius + 2, palette.paper), (radius, colour))


def encode(picture: Image.Image, palette: Palette, *own: Colour) -> bytes:
    """Encode a picture with this head as a PNG file that keeps the colours of the head, the rows and `own` exactly."""
    anchors = (*theme.anchors(palette, colours_of(palette)), tint(palette), *own)
    return png.encode(picture, palette.edge, png.choose_colours(picture, anchors))


def draw_header(image: Image.Image, title: str, subtitle: str, palette: Palette) -> None:
    """Draw the head with a title and a subtitle."""
    image.paste(_header(palette), (0, 0))
    colours, room = colours_of(palette), 570
    size = fitting_size(title, Face.LABEL, (Size.HUGE, Size.HEADING, Size.NAME), room)
    write(image, (44, 58), title, Face.LABEL, size, colours.on_pad, width=room)
    below = fitting_size(subtitle, Face.NAME_STRONG, (Size.BODY, Size.SMALL), room - 40)
    write(image, (46, 108), subtitle, Face.NAME_STRONG, below, colours.on_pad, width=room - 40)
