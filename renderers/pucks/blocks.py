"""Lays the blocks of Puck Bumpers' panel below each other beside the rink, or side by side below it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from PIL import Image

from engines.pucks.board.pieces import Piece
from renderers.canvas import Layer, Point
from renderers.pucks.colours import colours_of
from renderers.sliced_sprite import SlicedSprite, slice_around
from renderers.sprite_cache import cache_sprite
from renderers.theme import Palette

NARROW: Final = 112
"""The width of a block in the narrowest column."""
WIDE: Final = 234
"""The width of a block in a column with room for two chips side by side."""
GAP: Final = 10
"""Pixels between two blocks."""
SLOT: Final = 56
"""Pixels from one piece in the tray to the next."""
_ROUND: Final = 20  # the radius of the corners of a field

Area = tuple[int, int, int, int]
"""Left, top, right, bottom."""


@dataclass(slots=True)
class Anchors:
    """Where the picture has things that an option may name, noted while they are drawn.

    Attributes:
        tray: the pieces still to be placed.
        colours: the middle of the part of the row of seats about each colour.
        draw_pile, discard: the piles, or None.
        words: the first of the options that name nothing in the picture; others follow below.
        hand: a word about the whole hand, or None without room for one.
        slot: the size of a piece's space in the tray, in pixels.
    """

    tray: dict[Piece, Point] = field(default_factory=dict)
    colours: dict[int, Point] = field(default_factory=dict)
    draw_pile: Point | None = None
    discard: Point | None = None
    words: Point = (0.0, 0.0)
    hand: Point | None = None
    slot: int = SLOT - 6


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the panel: its width in a band, its height for a width, and what draws it in an area."""

    width: int
    height: Callable[[int], int]
    draw: Callable[[Image.Image, Area], None]


def column_height(blocks: Sequence[Block], width: int) -> int:
    """The height of blocks below each other."""
    return sum(block.height(width) + GAP for block in blocks)


def draw_column(image: Image.Image, blocks: Sequence[Block], area: Area) -> int:
    """Draw blocks below each other, and return where the last one ends."""
    left, top, right, _ = area
    for block in blocks:
        height = block.height(right - left)
        block.draw(image, (left, top, right, top + height))
        top += height + GAP
    return top


def _band_lines(blocks: Sequence[Block], width: int) -> list[list[Block]]:
    """Blocks side by side, in as many lines as this width demands."""
    lines: list[list[Block]] = []
    for block in blocks:
        if lines and sum(one.width + GAP for one in lines[-1]) + block.width <= width:
            lines[-1].append(block)
        else:
            lines.append([block])
    return lines


def _line_height(line: Sequence[Block]) -> int:
    return max(block.height(block.width) for block in line)


def band_height(blocks: Sequence[Block], width: int) -> int:
    """The height of blocks in a band."""
    lines = _band_lines(blocks, width)
    return sum(map(_line_height, lines)) + GAP * (len(lines) - 1)


def draw_band(image: Image.Image, blocks: Sequence[Block], area: Area) -> None:
    """Draw blocks side by side, in lines, with the spare width between them."""
    left, top, right, _ = area
    for line in _band_lines(blocks, right - left):
        spare, height = right - left - sum(block.width for block in line), _line_height(line)
        between = min(40, spare // max(1, len(line) - 1))
        x = left + (spare - between * (len(line) - 1)) // 2
        for block in line:
            high = block.height(block.width)
            y = top + (height - high) // 2
            block.draw(image, (x, y, x + block.width, y + high))
            x += block.width + between
        top += height + GAP


def field_of(image: Image.Image, area: Area, palette: Palette) -> None:
    """Draw a sunken field of the table."""
    left, top, right, bottom = area
    image.paste(colours_of(palette).panel, (left + _ROUND, top + _ROUND, right - _ROUND, bottom - _ROUND))
    _rim(right - left, bottom - top, palette).lay(image, (left, top))


@cache_sprite
def _rim(width: int, height: int, palette: Palette) -> SlicedSprite:
    """The edge of a field with its round corners."""
    layer, colours = Layer(width, height, 2), colours_of(palette)
    layer.rectangle((0, 0, width, height), _ROUND, colours.table_light)
    layer.rectangle((0, 0, width - 1.5, height - 2), _ROUND, palette.ink)
    layer.rectangle((2, 2.5, width - 1.5, height - 2), _ROUND - 2, colours.panel)
    return slice_around(layer.image(), (_ROUND, _ROUND, width - _ROUND, height - _ROUND))
