"""Draws the pieces of Puck Bumpers: pucks, meeples and blocks of ice, each with its number on the mark of its seat.

The shape of a piece shows its kind, the mark its owner, and the number its name, so nobody has to rely on colours. A piece
fills its space. On the smallest boards its number could not be read, and is left out.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.pucks.board.pieces import Piece, PieceKind
from renderers import theme
from renderers.canvas import Layer, Point, fade, snug, star, with_shadow
from renderers.lettering import write
from renderers.pieces import draw_mark
from renderers.pucks.colours import colours_of
from renderers.sprite_cache import cache_sprite
from renderers.theme import Colour, Face, Mark, Palette, SeatLook, Size

ROOM: Final = 11
"""Free pixels round a piece for its shadow. On every side, a sprite is larger than its space by this much."""
NUMBERS_FROM: Final = 24
"""The size of a space, in pixels, from which a piece shows its number."""
_NUMBER: Final = 1.87  # the size of the number as a multiple of the radius of the mark under it, at most
_RADIUS: Final = 0.475  # the radius of a piece as a share of its space
_MARKS: Final = {PieceKind.PUCK: (-0.035, 0.365), PieceKind.MEEPLE: (0.125, 0.345), PieceKind.ICE: (0.0, 0.315)}
"""How far below the middle of its piece a mark is, and the radius of the mark, as shares of the space."""


@cache_sprite
def piece(of: Piece, palette: Palette, space: int, *, owned: bool = True) -> Image.Image:
    """Return a piece for a space of `space` pixels, in the middle of its sprite. It is grey if its owner has left."""
    body = _body(of.kind, of.colour, palette, space, owned=owned)
    if space < NUMBERS_FROM:
        return body.image
    image = body.image.copy()
    most = _MARKS[of.kind][1] * space * _NUMBER
    size = max((size for size in Size if size <= most), default=Size.SMALL)
    write(image, body.number_at, str(of.number), Face.LABEL, size, body.ink, align="middle")
    return snug(image)


@cache_sprite
def ghost(of: Piece, palette: Palette, space: int, share: float) -> Image.Image:
    """Return a piece that has gone, or has not come yet, at a share (0 to 1) of its opacity."""
    return fade(piece(of, palette, space), share)


@dataclass(frozen=True, slots=True, eq=False)
class _Body:
    """A piece without its number: its sprite, and where and in which colour the number is to be written."""

    image: Image.Image
    number_at: Point
    ink: Colour


@lru_cache(maxsize=128)
def _body(kind: PieceKind, seat: int, palette: Palette, space: int, *, owned: bool) -> _Body:
    layer = Layer(space + 2 * ROOM, space + 2 * ROOM)
    middle, look = layer.width / 2, palette.seats[seat]
    if not owned:
        look = SeatLook(theme.mix(palette.paper, palette.muted, 0.7), look.mark, palette.paper)
    _BODIES[kind](layer, (middle, middle), space * _RADIUS, look.colour, palette)
    low, share = _MARKS[kind]
    at, radius = (middle, middle + low * space), share * space
    _stout_mark(layer, look.mark, at, radius, look.on_colour)
    ink = palette.ink if look.on_colour != palette.ink else look.colour
    lower = (at[0], at[1] + _LOW.get(look.mark, 0.02) * radius)
    return _Body(with_shadow(layer.image(), palette.ink), lower, ink)


_LOW: Final = {Mark.TRIANGLE: 0.16, Mark.STAR: 0.06}
"""How far below the middle of a mark a number has the most room, as a share of the mark's radius."""


def _stout_mark(layer: Layer, mark: Mark, centre: Point, radius: float, colour: Colour) -> None:
    """Draw the mark of a seat with room for a number. Its narrow arms and corners are stouter than elsewhere."""
    x, y = centre
    if mark is Mark.CROSS:
        for across, down in ((1.0, 0.46), (0.46, 1.0)):
            wide, high = across * radius, down * radius
            layer.rectangle((x - wide, y - high, x + wide, y + high), radius * 0.1, colour)
    elif mark is Mark.STAR:
        layer.polygon(star((x, y + 0.06 * radius), radius * 1.18, 5, 0.58), colour)
    elif mark is Mark.TRIANGLE:
        layer.polygon(star((x, y + 0.16 * radius), radius * 1.26, 3), colour)
    else:
        draw_mark(layer, mark, centre, radius, colour)


def write_outlined(image: Image.Image, at: Point, text: str, size: Size, colour: Colour, outline: Colour) -> None:
    """Write a word centred at `at`, with an outline that makes it readable on any background."""
    for dx, dy in _OUTLINE:
        write(image, (at[0] + dx, at[1] + dy), text, Face.LABEL, size, outline, align="middle")
    write(image, at, text, Face.LABEL, size, colour, align="middle")


_OUTLINE: Final = ((-2, 0), (2, 0), (0, -2), (0, 2), (-1, -1), (1, -1), (-1, 1), (1, 1), (0, 3), (1, 2), (2, 1))


def draw_puck(layer: Layer, centre: Point, radius: float, colour: Colour, palette: Palette) -> None:
    """Draw a flat disc whose rim is lit from the top left."""
    x, y = centre[0], centre[1] - radius * 0.06
    low, line = y + radius * 0.15, max(1.6, radius * 0.1)
    dark, light = theme.mix(colour, palette.ink, 0.45), theme.mix(colour, palette.paper, 0.45)
    layer.ellipse((x, low), radius, palette.ink)
    layer.ellipse((x, y), radius, palette.ink)
    layer.rectangle((x - radius, y, x + radius, low), 0, palette.ink)
    layer.ellipse((x, low), radius - line, dark)
    layer.rectangle((x - radius + line, y, x + radius - line, low), 0, dark)
    layer.ellipse((x, y), radius - line, light)
    layer.ellipse((x + 1, y + 1), radius - line - 1.2, colour)


def draw_meeple(layer: Layer, centre: Point, radius: float, colour: Colour, palette: Palette) -> None:
    """Draw a stout wooden person: a head, arms, and a body wide enough for a mark."""
    line = max(1.6, radius * 0.1)
    meeple_shape(layer, centre, radius, palette.ink)
    meeple_shape(layer, centre, radius, theme.mix(colour, palette.paper, 0.4), grow=-line)
    meeple_shape(layer, (centre[0] + 0.8, centre[1] + 0.8), radius, colour, grow=-line - 1.0)


def meeple_shape(layer: Layer, centre: Point, radius: float, colour: Colour, grow: float = 0.0) -> None:
    """Draw a meeple's shape in one colour, larger by `grow` on all sides."""
    x, y = centre
    soft = radius * 0.12
    body = [(x + a * (radius - soft), y + b * (radius - soft)) for a, b in _MEEPLE]
    layer.line([*body, body[0]], max(0.2, 2 * (soft + grow)), colour)
    layer.polygon(body, colour)
    layer.ellipse((x, y - radius * 0.63), max(0.5, radius * 0.37 + grow), colour)


# The outline of a meeple from the neck down: one half, and both.
_HALF: Final = ((0.3, -0.4), (0.78, -0.32), (1.0, -0.06), (1.0, 0.28), (0.78, 0.42), (0.9, 1.0), (0.24, 1.0), (0.14, 0.86))
_MEEPLE: Final = (*_HALF, *((-x, y) for x, y in reversed(_HALF)))


def draw_ice(layer: Layer, centre: Point, radius: float, colour: Colour, palette: Palette) -> None:
    """Draw a cube of ice with broad bevelled edges that catch the light."""
    (x, y), colours = centre, colours_of(palette)
    half, line = radius * 0.98, max(1.6, radius * 0.1)

    def box(inset: float) -> tuple[float, float, float, float]:
        return x - half + inset, y - half + inset, x + half - inset, y + half - inset

    layer.rectangle(box(0), half * 0.2, palette.ink)
    outer, inner = half - line, half * 0.68
    _draw_bevels(layer, centre, outer, inner, (colours.block_light, colours.block_dark, colours.block_deep, colours.block))
    layer.rectangle((x - inner, y - inner, x + inner, y + inner), 0, colour)


def _draw_bevels(layer: Layer, centre: Point, outer: float, inner: float, colours: tuple[Colour, ...]) -> None:
    x, y = centre
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]
    for (a, b), (c, d), colour in zip(corners, corners[1:], colours, strict=False):
        ends = [(x + p * reach, y + q * reach) for p, q, reach in ((a, b, outer), (c, d, outer), (c, d, inner), (a, b, inner))]
        layer.polygon(ends, colour)


_BODIES: Final = {PieceKind.PUCK: draw_puck, PieceKind.MEEPLE: draw_meeple, PieceKind.ICE: draw_ice}


@cache_sprite
def emblem(kind: PieceKind, palette: Palette, side: int, seat: int | None = None, *, hollow: bool = False) -> Image.Image:
    """Return a small piece without a number, for counting: an empty circle if `hollow`, and pale if it belongs to no seat."""
    room = 5
    layer = Layer(side + 2 * room, side + 2 * room)
    middle = (layer.width / 2, layer.width / 2)
    colours = colours_of(palette)
    if hollow:
        layer.arc(middle, side * 0.4, 0, 360, 2.5, palette.muted)
        return layer.image()
    colour = colours.on_table if seat is None else palette.seats[seat].colour
    _BODIES[kind](layer, middle, side * 0.48, colour, palette)
    if seat is not None and kind is PieceKind.PUCK:
        look = palette.seats[seat]
        draw_mark(layer, look.mark, (middle[0], middle[1] - side * 0.03), side * 0.24, look.on_colour)
    return layer.image()
