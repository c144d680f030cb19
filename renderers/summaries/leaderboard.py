"""Draws the leaderboard of a game: the ten best players of a server, in the look of the boards."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Final

from PIL import Image

from renderers import png, theme
from renderers.canvas import Layer, Point, card, place, star, with_shadow
from renderers.lettering import can_write, text_width, write
from renderers.pieces import counter
from renderers.signs import trail_strength
from renderers.theme import EDGE, WIDTH, Colour, Face, Palette, Size, hex_colour

LINES_AT_MOST: Final = 10
BEST: Final = 3
"""The number of places that get a medal, each of a different shape."""

HEADER: Final = 160
_HEADS: Final = 42
_TALL: Final = 86
_LOW: Final = 66
_FOOTER: Final = 54
"""Heights in pixels: of the header, the column headings, each of the first `BEST` lines, each other line, and the note."""
_GAP: Final = 15
"""The height of the row of springs under the header."""
_MEDAL_AT: Final = 78
_NAME_AT: Final = 138
_RATING_AT: Final = 826
_GAMES_AT: Final = 984
"""The columns: the middle of the medals, the left end of the names, the right ends of the numbers."""


@dataclass(frozen=True, slots=True)
class _Colours:
    """The colours of the header, which looks like the padding and the springs of a trampoline.

    Attributes:
        blends: two colours for soft edges, which the palette of the PNG keeps although no shape has them.
        gap, spring: the gap beside the padding, and the springs across it.
        pad, pad_light, on_pad: the padding, its lit edge, and text on it.
    """

    blends: tuple[Colour, ...]
    gap: Colour
    spring: Colour
    pad: Colour
    pad_light: Colour
    on_pad: Colour


_WARM: Final = _Colours(
    blends=(hex_colour("#fbeccd"), hex_colour("#b5d6c6")),
    gap=hex_colour("#12343c"),
    spring=hex_colour("#d9e4dc"),
    pad=hex_colour("#1c6a70"),
    pad_light=hex_colour("#2f8a8c"),
    on_pad=hex_colour("#fff3dc"),
)

_HIGH_CONTRAST: Final = _Colours(
    blends=(hex_colour("#fcfaf5"), hex_colour("#a9b3b8")),
    gap=hex_colour("#0e0b14"),
    spring=hex_colour("#fcfaf5"),
    pad=hex_colour("#1b2430"),
    pad_light=hex_colour("#3a4a5e"),
    on_pad=hex_colour("#fcfaf5"),
)


def _colours_of(palette: Palette) -> _Colours:
    return _HIGH_CONTRAST if palette.high_contrast else _WARM


@dataclass(frozen=True, slots=True)
class Line:
    """One player.

    Attributes:
        place: from 1; several players may share a place.
        name: as the player writes it.
        rating, games: the numbers, already formatted.
        provisional: whether the rating is based on few games. It is then fainter and has a question mark.
    """

    place: int
    name: str
    rating: str
    games: str
    provisional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaderboard:
    """Everything in the picture. All texts are passed in, so that they can be in any language.

    Attributes:
        title, subtitle: the name of the game, and the heading below it.
        rating, games: the headings of the two columns of numbers.
        lines: the players, best first. At most `LINES_AT_MOST` are drawn.
        note: the meaning of the question mark; may be empty.
        nameless: the words for a player whose name cannot be drawn.
    """

    title: str
    subtitle: str
    rating: str
    games: str
    lines: tuple[Line, ...]
    note: str
    nameless: str


def draw(board: Leaderboard, *, high_contrast: bool = False) -> bytes:
    """Draw a leaderboard as a PNG file. Equal leaderboards give the same bytes."""
    palette = theme.palette(high_contrast)
    picture, anchors = paint(board, palette), (*theme.anchors(palette, _colours_of(palette)), _tint(palette))
    return png.encode(picture, palette.edge, png.choose_colours(picture, anchors))


def paint(board: Leaderboard, palette: Palette) -> Image.Image:
    """Draw a leaderboard as an RGB image, as `renderers.canvas.card` returns it."""
    lines = board.lines[:LINES_AT_MOST]
    heights = [_TALL if number < BEST else _LOW for number in range(len(lines))]
    footer = _FOOTER if board.note else 20
    image = Image.new("RGB", (WIDTH, HEADER + _HEADS + sum(heights) + footer + EDGE), palette.paper)
    draw_header(image, board.title, board.subtitle, palette)
    for x, word in ((_RATING_AT, board.rating), (_GAMES_AT, board.games)):
        write(image, (x, HEADER + 23), word, Face.NAME_STRONG, Size.SMALL, palette.muted, align="right", width=150)
    tops = list(accumulate(heights, initial=HEADER + _HEADS))
    for top, height in list(zip(tops, heights, strict=False))[::2]:
        image.paste(_tint(palette), (0, top, WIDTH, top + height))
    for line, top, height in zip(lines, tops, heights, strict=False):
        _draw_line(image, line, board.nameless, top + height / 2, palette, tall=height == _TALL)
    if board.note:
        top = tops[-1]
        image.paste(palette.line, (0, top, WIDTH, top + 3))
        write(image, (WIDTH / 2, top + 28), board.note, Face.NAME, Size.SMALL, palette.muted, align="middle", width=WIDTH - 80)
    return card(image, palette)


def _tint(palette: Palette) -> Colour:
    """The background of every other line."""
    return theme.mix(palette.paper, palette.line, 0.3)


# --- the header -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def _header(palette: Palette) -> Image.Image:
    """The padding of a trampoline with springs below it, and counters bouncing along."""
    colours = _colours_of(palette)
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
"""For each counter in the header: where it left the pad, where it is now, and how high above the pad."""


def _dot_bounce(layer: Layer, start: float, end: float, peak: float, colour: Colour, palette: Palette) -> None:
    """Draw the path of a counter up from the pad as dots that grow towards it."""
    low, dots = HEADER - _GAP - 8, 7
    for number in range(dots):
        share = (number + 0.5) / (dots + 1)
        at: Point = (start + (end - start) * share, low - (peak - 10) * math.sin(share * math.pi / 2))
        radius = 4.0 + 3.5 * trail_strength(number, dots, palette)
        layer.ellipse(at, radius + 2, palette.paper)
        layer.ellipse(at, radius, colour)


def draw_header(image: Image.Image, title: str, subtitle: str, palette: Palette) -> None:
    """Draw the top of the picture, `HEADER` pixels high, with the title on it."""
    image.paste(_header(palette), (0, 0))
    colours, room = _colours_of(palette), 570
    size = Size.HUGE if text_width(title, Face.LABEL, Size.HUGE) <= room else Size.HEADING
    write(image, (44, 58), title, Face.LABEL, size, colours.on_pad, width=room)
    write(image, (46, 108), subtitle, Face.NAME_STRONG, Size.BODY, colours.on_pad, width=room - 40)


# --- the people -----------------------------------------------------------------------------------------------------------


def _draw_line(image: Image.Image, line: Line, nameless: str, y: float, palette: Palette, *, tall: bool) -> None:
    if line.place <= BEST:
        place(image, _medal(line.place, palette, 34 if tall else 27), (_MEDAL_AT, y))
    write(image, (_MEDAL_AT, y), str(line.place), Face.LABEL, Size.HEADING if tall else Size.NAME, palette.ink, align="middle")
    name = line.name if can_write(line.name, Face.NAME) else nameless
    face, size = (Face.NAME_STRONG, Size.HEADING) if tall else (Face.NAME, Size.NAME)
    write(image, (_NAME_AT, y), name, face, size, palette.ink, width=_RATING_AT - 170 - _NAME_AT)
    colour = palette.muted if line.provisional else palette.ink
    size = Size.NAME if not tall else Size.HUGE if line.place == 1 else Size.HEADING
    if line.provisional:
        write(image, (_RATING_AT + 6, y), "?", Face.LABEL, Size.NAME, palette.muted)
    write(image, (_RATING_AT, y), line.rating, Face.LABEL, size, colour, align="right", width=160)
    write(image, (_GAMES_AT, y), line.games, Face.LABEL, Size.NAME, palette.muted, align="right", width=120)


@lru_cache(maxsize=12)
def _medal(of_place: int, palette: Palette, radius: float) -> Image.Image:
    """The medal for a place: a golden rosette with ribbons, a silver star, or a bronze hexagon."""
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
    """Draw a flat plate with a dark outline, a lit rim and its own colour inside."""
    layer.polygon(outline(2.5), palette.ink)
    layer.polygon(outline(0.0), theme.mix(colour, palette.paper, 0.5))
    layer.polygon(outline(-4.0), colour)


def _ribbon(centre: Point, radius: float, lean: int, grow: float) -> list[Point]:
    """The outline of one of the two ribbons below a rosette: the left one (-1) or the right one (1)."""
    x, y = centre
    inner, outer, foot = x + lean * (3 - grow), x + lean * (radius * 0.72 + grow), y + radius * 1.14 + grow
    return [(inner, y), (outer - lean * 4, y), (outer, foot), ((inner + outer) / 2, foot - 8), (inner + lean * 4, foot)]
