"""What tables have in common: drawable names, backgrounds, notes and medals."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from renderers import theme
from renderers.canvas import Layer, Point, star, with_shadow
from renderers.lettering import can_write, text_width, write
from renderers.theme import WIDTH, Colour, Face, Palette, Size

BEST: Final = 3
"""How many places get a medal. The medals differ in shape."""


def name_or_words(name: str, nameless: str) -> str:
    """Return the name as the player writes it, or the words `nameless` if it cannot be drawn."""
    return name if can_write(name, Face.NAME) else nameless


def fitting_size(text: str, face: Face, sizes: Sequence[Size], room: float) -> Size:
    """Return the first of several descending sizes in which a text fits into a width, or else the last one."""
    return next((size for size in sizes[:-1] if text_width(text, face, size) <= room), sizes[-1])


def tint(palette: Palette) -> Colour:
    """Return the background colour of every other row."""
    return theme.mix(palette.paper, palette.line, 0.3)


def write_note(image: Image.Image, note: str, top: int, palette: Palette) -> None:
    """Write words below a thin line at the foot of a picture."""
    image.paste(palette.line, (0, top, WIDTH, top + 3))
    write(image, (WIDTH / 2, top + 28), note, Face.NAME, Size.SMALL, palette.muted, align="middle", width=WIDTH - 80)


@lru_cache(maxsize=12)
def medal(of_place: int, palette: Palette, radius: float) -> Image.Image:
    """Return the medal for a place: a golden rosette with ribbons, a silver star, or a bronze hexagon."""
    room = 14
    side = round(2 * radius + 2 * room)
    layer, middle = Layer(side, side), side / 2
    centre = (middle, middle)
    if of_place == 1:
        for lean in (-1, 1):
            layer.polygon(_ribbon(centre, radius, lean, 2.5), palette.ink)
            layer.polygon(_ribbon(centre, radius, lean, 0.0), palette.seats[0].colour)
        _plate(layer, palette.gold, palette, lambda grow: star(centre, radius - 3 + grow, 14, 0.86))
        layer.ellipse(centre, radius * 0.64, theme.mix(palette.gold, palette.paper, 0.45))
    elif of_place == 2:
        silver = theme.mix(palette.paper, palette.muted, 0.38)
        heart = (middle, middle + 2)
        _plate(layer, silver, palette, lambda grow: star(heart, radius * 1.12 + grow * 1.5, 5, 0.64))
    else:
        bronze = theme.mix(palette.seats[5].colour, palette.ink, 0.2)
        _plate(layer, bronze, palette, lambda grow: star(centre, radius - 2 + grow, 6))
    return with_shadow(layer.image(), palette.ink)


def _plate(layer: Layer, colour: Colour, palette: Palette, outline: Callable[[float], list[Point]]) -> None:
    layer.polygon(outline(2.5), palette.ink)
    layer.polygon(outline(0.0), theme.mix(colour, palette.paper, 0.5))
    layer.polygon(outline(-4.0), colour)


def _ribbon(centre: Point, radius: float, lean: int, grow: float) -> list[Point]:
    """Return the outline of the left (-1) or the right (1) ribbon of a rosette."""
    x, y = centre
    inner, outer, foot = x + lean * (3 - grow), x + lean * (radius * 0.72 + grow), y + radius * 1.14 + grow
    return [(inner, y), (outer - lean * 4, y), (outer, foot), ((inner + outer) / 2, foot - 8), (inner + lean * 4, foot)]
