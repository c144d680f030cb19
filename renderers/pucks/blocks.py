"""Arranges the blocks of Puck Bumpers' panel: one below the other beside the rink, or side by side below it."""

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
"""The width of a block in a column that has room for two chips side by side."""
GAP: Final = 10
"""Pixels between two blocks."""
SLOT: Final = 56
"""The distance in pixels from one piece in the tray to the next."""
_ROUND: Final = 20  # the radius of the corners of a field

Area = tuple[int, int, int, int]
"""The left, top, right and bottom of an area."""


@dataclass(slots=True)
class Anchors:
    """Where the picture shows things that an option may name. The places are noted while these things are drawn.

    Attributes:
        tray: the places of the pieces that are still to be placed.
        colours: for each colour, the middle of its part of the row of seats.
        draw_pile, discard: the places of the piles, or None.
        words: the place of the first option that names nothing in the picture. The others follow below it.
        hand: the place of a word about the whole hand, or None if there is no room for one.
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
    """A part of the panel: its width in a band, and functions that return its height at a width and draw it in an area."""

    width: int
    height: Callable[[int], int]
    draw: Callable[[Image.Image, Area], None]


def column_height(blocks: Sequence[Block], width: int) -> int:
    """Return the height of blocks that are stacked in a column."""
    return sum(block.height(width) + GAP for block in blocks)


def draw_column(image: Image.Image, blocks: Sequence[Block], area: Area) -> int:
    """Draw blocks one below the other, and return where the last one ends."""
    left, top, right, _ = area
    for block in blocks:
        height = block.height(right - left)
        block.draw(image, (left, top, right, top + height))
        top += height + GAP
    return top


def _band_lines(blocks: Sequence[Block], width: int) -> list[list[Block]]:
    """Return blocks that stand side by side, in as many lines as this width requires."""
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
    """Return the height of blocks that are arranged in a band."""
    lines = _band_lines(blocks, width)
    return sum(map(_line_height, lines)) + GAP * (len(lines) - 1)


def draw_band(image: Image.Image, blocks: Sequence[Block], area: Area) -> None:
    """Draw blocks side by side in lines, sharing out the spare width between them."""
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
    """Draw a part of the table that looks sunken."""
    left, top, right, bottom = area
    image.paste(colours_of(palette).panel, (left + _ROUND, top + _ROUND, right - _ROUND, bottom - _ROUND))
    _rim(right - left, bottom - top, palette).lay(image, (left, top))


@cache_sprite
def _rim(width: int, height: int, palette: Palette) -> SlicedSprite:
    """Return the edge of a sunken field, with its rounded corners."""
    layer, colours = Layer(width, height, 2), colours_of(palette)
    layer.rectangle((0, 0, width, height), _ROUND, colours.table_light)
    layer.rectangle((0, 0, width - 1.5, height - 2), _ROUND, palette.ink)
    layer.rectangle((2, 2.5, width - 1.5, height - 2), _ROUND - 2, colours.panel)
    return slice_around(layer.image(), (_ROUND, _ROUND, width - _ROUND, height - _ROUND))
