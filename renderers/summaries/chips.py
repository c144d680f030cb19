"""The cells of tables, which show by shape, word and colour how a player did. Without a result, the sign is hollow."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from PIL import Image

from renderers import theme
from renderers.canvas import Layer, Point, place
from renderers.lettering import write
from renderers.sprite_cache import cache_sprite
from renderers.theme import Colour, Face, Palette, Size

CHIP: Final = 64
"""The greatest width of a chip in pixels."""
_RIM: Final = 2.5  # the width of the outline of a chip


class CellKind(Enum):
    """What a cell says besides its text."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    OPEN = "open"
    """The game is still being played."""
    BYE = "bye"
    """The player got the points without a game."""
    ABSENT = "absent"
    """The player did not play, and got nothing. A cell without a text has a dash."""
    OWN = "own"
    """The cell of a crosstable where a player would meet themselves. It is filled in, and its text is not shown."""
    PLAIN = "plain"
    """The cell says nothing besides its text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table: a few characters (the place of the opponent, a score, "·"), and the shape behind them."""

    text: str = ""
    kind: CellKind = CellKind.PLAIN


def ground_of(kind: CellKind, palette: Palette) -> Colour:
    """Return the colour inside a chip: gold for a win, pale for a draw, dark for a loss, and otherwise that of the paper."""
    if kind is CellKind.WON:
        return palette.gold
    if kind is CellKind.LOST:
        return theme.mix(palette.ink, palette.paper, 0.28)
    return theme.mix(palette.paper, palette.line, 0.8) if kind is CellKind.DRAWN else palette.paper


def tones(palette: Palette) -> tuple[Colour, ...]:
    """Return the colours of chips that are not in the theme."""
    return (ground_of(CellKind.DRAWN, palette), ground_of(CellKind.LOST, palette))


def draw_cell(image: Image.Image, cell: Cell, at: Point, palette: Palette, room: tuple[int, int]) -> None:
    """Draw a cell with its middle at `at`, in a room of this width and height."""
    (x, y), (width, height) = at, room
    if cell.kind is CellKind.OWN:
        left, top = round(x - width / 2), round(y - height / 2)
        image.paste(theme.mix(palette.paper, palette.line, 0.8), (left + 3, top + 3, left + width - 3, top + height - 3))
        return
    size = Size.BODY if height >= 46 and width >= 56 else Size.SMALL
    if cell.kind is CellKind.PLAIN:
        write(image, at, cell.text, Face.LABEL, size, palette.ink, align="middle", width=width - 2)
        return
    if cell.kind is CellKind.ABSENT:
        dash = "" if cell.text else "–"
        write(image, at, cell.text or dash, Face.LABEL, size, palette.muted, align="middle", width=width - 2)
        return
    wide, high = min(width - 6, CHIP), min(height - 5, 50)
    place(image, chip(cell.kind, palette, wide, high), at)
    ink = palette.paper if cell.kind is CellKind.LOST else palette.muted if cell.kind is CellKind.OPEN else palette.ink
    lean = {CellKind.WON: 3, CellKind.BYE: 3, CellKind.LOST: -3}.get(cell.kind, 0)
    write(image, (x, y + lean), cell.text, Face.LABEL, size, ink, align="middle", width=wide - 6)


@cache_sprite
def chip(kind: CellKind, palette: Palette, width: int, height: int) -> Image.Image:
    """Return the shape of a result. It points up for a win or a bye, down for a loss, and is round for an open game."""
    layer = Layer(width, height)
    _draw_outline(layer, kind, (width, height), 0.0, palette.muted if kind is CellKind.OPEN else palette.ink)
    _draw_outline(layer, kind, (width, height), _RIM, ground_of(kind, palette))
    return layer.image()


def _draw_outline(layer: Layer, kind: CellKind, size: tuple[int, int], inset: float, colour: Colour) -> None:
    width, height = size
    left, top, right, bottom = inset, inset, width - inset, height - inset
    if kind in {CellKind.WON, CellKind.BYE, CellKind.LOST}:
        tip, shoulder = (inset * 0.6, height * 0.3 + inset * 0.6)
        points = [(width / 2, tip), (right, shoulder), (right, bottom), (left, bottom), (left, shoulder)]
        layer.polygon([(x, height - y) for x, y in points] if kind is CellKind.LOST else points, colour)
    else:
        level = (left, top + 2, right, bottom - 2)
        layer.rectangle(level, (height / 2 if kind is CellKind.OPEN else 5) - inset, colour)
