"""Draws the pieces of Puck Bumpers: pucks, meeples and blocks of ice, each with the colour and mark of its seat and its word.

A piece is as large as its space allows. On small boards it shows only the number of its word, and on very small ones only the
mark, so that no text is too small to be read.
"""

from functools import lru_cache
from typing import Final

from PIL import Image

from engines.pucks.pieces import Piece, PieceKind
from renderers import theme
from renderers.canvas import Layer, Point, with_shadow
from renderers.lettering import write
from renderers.pieces import draw_mark
from renderers.pucks.colours import colours_of
from renderers.theme import Colour, Face, Palette, Size

ROOM: Final = 11
"""Free pixels round a piece for its shadow. A sprite is larger than its space by this on every side."""
WORDS_FROM: Final = 33
"""The size of a space, in pixels, from which a piece shows its whole word ("p1")."""
_NUMBERS_FROM: Final = 23
"""The size of a space, in pixels, from which a piece shows its number."""


@lru_cache(maxsize=512)
def piece(of: Piece, palette: Palette, space: int, *, owned: bool = True) -> Image.Image:
    """The sprite of a piece, centred on it, for a space of `space` pixels; grey if its owner has left."""
    layer = Layer(space + 2 * ROOM, space + 2 * ROOM)
    middle, look = layer.width / 2, palette.seats[of.seat]
    if not owned:
        look = theme.SeatLook(theme.mix(palette.paper, palette.muted, 0.7), look.mark, palette.paper)
    centre = (middle, middle)
    _BODIES[of.kind](layer, centre, space * 0.44, look.colour, palette)
    label = of.word if space >= WORDS_FROM else str(of.number) if space >= _NUMBERS_FROM else ""
    on_ice = of.kind is PieceKind.ICE
    if not label:
        _draw_mark(
            layer, look, _up(centre, 0.12 * space if of.kind is PieceKind.MEEPLE else 0.0), space * 0.26, palette, on_ice
        )
        return with_shadow(layer.done(), palette.ink)
    if space >= WORDS_FROM:
        up, radius = {PieceKind.PUCK: (0.225, 0.17), PieceKind.MEEPLE: (0.255, 0.145), PieceKind.ICE: (0.19, 0.165)}[of.kind]
        _draw_mark(layer, look, _up(centre, up * space), radius * space, palette, on_ice)
    elif of.kind is not PieceKind.MEEPLE:
        # The mark behind the number still tells the seats apart.
        draw_mark(layer, look.mark, centre, space * 0.37, theme.mix(look.colour, look.on_colour, 0.6))
    image = with_shadow(layer.done(), palette.ink)
    low = {PieceKind.PUCK: 0.135, PieceKind.MEEPLE: 0.19, PieceKind.ICE: 0.175}[of.kind]
    at = (middle, middle + (low * space if space >= WORDS_FROM else space * 0.02))
    size = Size.NAME if space >= 64 else Size.BODY if space >= 50 else Size.SMALL
    if on_ice and space >= WORDS_FROM:
        write(image, at, label, Face.LABEL, size, palette.ink, align="middle")
    else:
        write_outlined(image, at, label, size, palette.paper, palette.ink)
    return image


def write_outlined(image: Image.Image, at: Point, text: str, size: Size, colour: Colour, outline: Colour) -> None:
    """Write a word with an outline, so that it is readable on any background. Its middle is at `at`."""
    for dx, dy in _OUTLINE:
        write(image, (at[0] + dx, at[1] + dy), text, Face.LABEL, size, outline, align="middle")
    write(image, at, text, Face.LABEL, size, colour, align="middle")


_OUTLINE: Final = ((-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (1, -1), (-1, 1), (1, 1), (0, 3), (1, 2), (2, 1))


def _up(centre: Point, by: float) -> Point:
    return centre[0], centre[1] - by


def _draw_mark(layer: Layer, look: theme.SeatLook, at: Point, radius: float, palette: Palette, on_ice: bool) -> None:
    """Draw the mark of a seat: on ice in the colour of the seat, elsewhere in the colour that contrasts with it."""
    if on_ice:
        draw_mark(layer, look.mark, at, radius + 1.6, palette.ink)
        draw_mark(layer, look.mark, at, radius, look.colour)
    else:
        draw_mark(layer, look.mark, at, radius, look.on_colour)


def draw_puck(layer: Layer, centre: Point, radius: float, colour: Colour, palette: Palette) -> None:
    """Draw a flat disc with its rim lit from the top left."""
    x, y = centre[0], centre[1] - radius * 0.06
    low, line = y + radius * 0.15, max(1.4, radius * 0.1)
    dark, light = theme.mix(colour, palette.ink, 0.45), theme.mix(colour, palette.paper, 0.45)
    layer.ellipse((x, low), radius, palette.ink)
    layer.ellipse((x, y), radius, palette.ink)
    layer.rounded((x - radius, y, x + radius, low), 0, palette.ink)
    layer.ellipse((x, low), radius - line, dark)
    layer.rounded((x - radius + line, y, x + radius - line, low), 0, dark)
    layer.ellipse((x, y), radius - line, light)
    layer.ellipse((x + 1, y + 1), radius - line - 1.2, colour)


def draw_meeple(layer: Layer, centre: Point, radius: float, colour: Colour, palette: Palette) -> None:
    """Draw a small wooden person with spread arms and legs."""
    line = max(1.5, radius * 0.11)
    meeple_shape(layer, centre, radius, palette.ink, grow=line)
    meeple_shape(layer, centre, radius, theme.mix(colour, palette.paper, 0.35))
    meeple_shape(layer, (centre[0] + 0.8, centre[1] + 0.8), radius, colour, grow=-1.0)


def meeple_shape(layer: Layer, centre: Point, radius: float, colour: Colour, grow: float = 0.0) -> None:
    """Draw the shape of a meeple in one colour, larger by `grow` on all sides."""
    x, y = centre
    body = [(x + a * radius, y + b * radius) for a, b in _MEEPLE]
    layer.line([*body, body[0]], max(0.2, 2 * grow + radius * 0.17), colour)
    layer.polygon(body, colour)
    layer.ellipse((x, y - radius * 0.58), radius * 0.43 + grow, colour)


# The outline of a meeple from the neck down: one half, and both.
_HALF: Final = ((0.30, -0.28), (0.92, 0.02), (0.92, 0.30), (0.60, 0.34), (0.78, 0.92))
_MEEPLE: Final = (*_HALF, *((-x, y) for x, y in reversed(_HALF)))


def draw_ice(layer: Layer, centre: Point, radius: float, colour: Colour, palette: Palette) -> None:
    """Draw a translucent block in a frame of the given colour."""
    (x, y), colours = centre, colours_of(palette)
    half, line = radius * 0.94, max(1.0, radius * 0.1)
    frame = max(1.2, radius * 0.17)

    def box(inset: float) -> tuple[float, float, float, float]:
        return x - half + inset, y - half + inset, x + half - inset, y + half - inset

    layer.rounded(box(0), half * 0.3, palette.ink)
    layer.rounded(box(line), half * 0.24, colour)
    layer.rounded(box(line + frame), half * 0.16, colours.block)
    inner = half - line - frame
    # Light falls on the upper left corner.
    layer.polygon([(x - inner, y - inner), (x + inner * 0.55, y - inner), (x - inner, y + inner * 0.55)], colours.block_light)
    layer.polygon(
        [
            (x + inner, y - inner * 0.1),
            (x + inner, y + inner * 0.2),
            (x + inner * 0.2, y + inner),
            (x - inner * 0.1, y + inner),
        ],
        colours.block_light,
    )


_BODIES: Final = {PieceKind.PUCK: draw_puck, PieceKind.MEEPLE: draw_meeple, PieceKind.ICE: draw_ice}


@lru_cache(maxsize=256)
def emblem(kind: PieceKind, palette: Palette, side: int, seat: int | None = None, *, hollow: bool = False) -> Image.Image:
    """A small piece without its word, for counting: an empty circle if `hollow`, colourless without a seat."""
    room = 5
    layer = Layer(side + 2 * room, side + 2 * room)
    middle = (layer.width / 2, layer.width / 2)
    colours = colours_of(palette)
    if hollow:
        layer.ellipse(middle, side * 0.44, theme.mix(colours.table, colours.on_table, 0.45))
        layer.ellipse(middle, side * 0.44 - 2.5, colours.table)
        return layer.done()
    colour = colours.on_table if seat is None else palette.seats[seat].colour
    _BODIES[kind](layer, middle, side * 0.48, colour, palette)
    if seat is not None and kind is PieceKind.PUCK:
        draw_mark(layer, palette.seats[seat].mark, _up(middle, side * 0.03), side * 0.24, palette.seats[seat].on_colour)
    return layer.done()
