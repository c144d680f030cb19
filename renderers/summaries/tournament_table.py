"""Draws the table of an event: places, names, points, and how everybody did in each round or against each opponent.

Up to `TALL` players are in one column, with their cells. More players are in two or three columns, without cells.
"""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from PIL import Image

from renderers import theme
from renderers.canvas import Layer, card, place
from renderers.lettering import text_width, write
from renderers.sprite_cache import cache_sprite
from renderers.summaries.chips import CHIP, Cell, CellKind, chip, draw_cell, tones
from renderers.summaries.heading import HEADER, draw_header, encode
from renderers.summaries.lines import BEST, fitting_size, medal, name_or_words, tint, write_note
from renderers.theme import EDGE, MAX_HEIGHT, WIDTH, Face, Palette, Size

ROWS_AT_MOST: Final = 66
TALL: Final = 20
"""The largest number of players in one column."""
_DEEP: Final = 22  # the most rows of a column if there are several

_HEADS: Final = 42
_FOOT: Final = 52
_END: Final = 14
_REASON: Final = 36
_TALLEST: Final = 74
"""Heights in pixels: of the column headings, of the foot with and without words, of a reason, and of a row at most."""
_LEFT: Final = 36
_RIGHT: Final = WIDTH - 36
_PLACE: Final = 76
"""The ends of the rows, and the width of the column with the places."""
_NAME: Final = 200
_NAME_BESIDE_ALL: Final = 164
"""The least width of the names: in a table of rounds, and beside a complete crosstable."""
_GAP: Final = 20
_ROUND: Final = 84
_OPPONENT: Final = 72
_HEAD: Final = 150
"""The greatest widths of a cell: for a round, for an opponent, and below a long heading."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A player in the table.

    Attributes:
        place: from 1. Several players may share a place, and there are dots where places are left out.
        name: as the player writes it.
        points: the number as shown.
        cells: how they did in each round, or against each opponent, with one cell for each heading.
        has_left: whether they have left the event. Their name is then struck out.
        has_medal: whether the row has the medal of its place. Only the first `BEST` places have one.
    """

    place: int
    name: str
    points: str = ""
    cells: tuple[Cell, ...] = ()
    has_left: bool = False
    has_medal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentTable:
    """Everything in the picture, with texts in any language.

    Attributes:
        title, subtitle: the name of the event, and the heading below it, such as "Bouncers · Swiss · round 3 of 5".
        rows: the players, best first. At most `ROWS_AT_MOST` are drawn.
        heads: the headings of the cells: the number of a round, or the place of an opponent.
        is_crosstable: whether the cells are about opponents. If so, all of them are shown or, for want of room, none. Otherwise
            they are about rounds, and as many of the latest are shown as there is room for.
        points: the heading of the points.
        legend: kinds of chips, each with words that explain it, in a line at the foot.
        note: words at the foot, if there is no legend or nothing for it to explain.
        reasons: sentences below all of that, a line each, which say why one player is ahead of another with equal points.
        nameless: the words for a player whose name cannot be drawn.
    """

    title: str
    subtitle: str
    rows: tuple[TableRow, ...]
    heads: tuple[str, ...] = ()
    is_crosstable: bool = False
    points: str = ""
    legend: tuple[tuple[CellKind, str], ...] = ()
    note: str = ""
    reasons: tuple[str, ...] = ()
    nameless: str


def draw(table: TournamentTable, *, high_contrast: bool = False) -> bytes:
    """Draw a table as a PNG file. Equal tables give the same bytes."""
    palette = theme.palette(high_contrast)
    return encode(paint(table, palette), palette, *tones(palette))


def paint(table: TournamentTable, palette: Palette) -> Image.Image:
    """Draw a table as a card."""
    rows = table.rows[:ROWS_AT_MOST]
    return _paint_one_column(table, rows, palette) if len(rows) <= TALL else _paint_columns(table, rows, palette)


# --- one below the other --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Layout:
    """The columns of a table in pixels.

    Attributes:
        name_room: the width of the names.
        cells_at: where the cells begin.
        cell: the width of a cell.
        shown: which of the cells are shown.
        points_room: the width of the points, or 0 if there are none.
    """

    name_room: float
    cells_at: float
    cell: int
    shown: range
    points_room: float


def _layout(table: TournamentTable, rows: tuple[TableRow, ...], number_size: Size) -> _Layout:
    """Return a layout in which points have the width they need, cells as much as they can use, and names the rest."""
    widths = [text_width(row.points, Face.LABEL, number_size) for row in rows]
    widest = max([text_width(table.points, Face.NAME_STRONG, Size.SMALL), *widths], default=0.0)
    points_room = min(widest, 170.0)
    end = _RIGHT - (points_room + _GAP if points_room else 0)
    room = end - _LEFT - _PLACE - _GAP - (_NAME_BESIDE_ALL if table.is_crosstable else _NAME)
    least, most = _cell_widths(table, rows)
    fitting = int(room // least)
    count = len(table.heads)
    if fitting < count:
        count = 0 if table.is_crosstable else fitting
    shown = range(len(table.heads) - count, len(table.heads))
    cell = min(most, int(room // count)) if count else 0
    cells_at = end - cell * count
    return _Layout(cells_at - _GAP - _LEFT - _PLACE, cells_at, cell, shown, points_room)


def _cell_widths(table: TournamentTable, rows: tuple[TableRow, ...]) -> tuple[int, int]:
    """Return the least width at which all cells are readable, and the greatest that looks good."""
    texts = {cell.text for row in rows for cell in row.cells}
    widest = max((text_width(text, Face.LABEL, Size.SMALL) for text in texts), default=0.0)
    heads = max((text_width(head, Face.NAME_STRONG, Size.SMALL) for head in table.heads), default=0.0)
    if table.is_crosstable:
        least = max(32, math.ceil(widest) + 6)
        return least, max(least + 24, _OPPONENT)
    return max(54, math.ceil(widest) + 22), min(_HEAD, max(_ROUND, math.ceil(heads) + 24))


def _paint_one_column(table: TournamentTable, rows: tuple[TableRow, ...], palette: Palette) -> Image.Image:
    has_heads = bool(table.heads or table.points)
    top = HEADER + (_HEADS if has_heads else 4)
    room = MAX_HEIGHT - EDGE - top - (_FOOT if table.legend or table.note else _END) - _reasons_height(table)
    height = min(_TALLEST, room // max(1, len(rows)))
    layout = _layout(table, rows, _number_size(height))
    has_legend = bool(table.legend and layout.shown)
    foot = _FOOT if has_legend or table.note else _END
    foot_at = top + height * len(rows)
    image = Image.new("RGB", (WIDTH, foot_at + foot + _reasons_height(table) + EDGE), palette.paper)
    draw_header(image, table.title, table.subtitle, palette)
    if has_heads:
        _write_heads(image, table, layout, palette)
    for number, row in enumerate(rows):
        if number % 2 == 0:
            image.paste(tint(palette), (0, top + number * height, WIDTH, top + (number + 1) * height))
        _draw_row(image, row, table.nameless, layout, top + number * height, height, palette)
    for number in _gaps(rows):
        dots = _dots(round(layout.cells_at) - _LEFT, palette)
        image.paste(dots, (_LEFT, top + number * height - dots.height // 2), dots)
    if has_legend:
        _draw_legend(image, table.legend, foot_at, palette)
    elif table.note:
        write_note(image, table.note, foot_at, palette)
    _write_reasons(image, table.reasons, foot_at + foot, palette)
    return card(image, palette)


def _gaps(rows: tuple[TableRow, ...]) -> list[int]:
    """Return the numbers of the rows before which some places are left out."""
    sharing = Counter(row.place for row in rows)
    pairs = enumerate(pairwise(rows), 1)
    return [number for number, (upper, lower) in pairs if lower.place > upper.place + sharing[upper.place]]


@cache_sprite
def _dots(width: int, palette: Palette) -> Image.Image:
    """Return a dotted line, which stands for the players who have been left out."""
    layer = Layer(width, 8)
    for x in range(4, width - 12, 20):
        layer.ellipse((x, 4), 3, palette.muted)
    return layer.image()


def _number_size(height: int) -> Size:
    return Size.HEADING if height >= 60 else Size.NAME if height >= 44 else Size.BODY


def _write_heads(image: Image.Image, table: TournamentTable, layout: _Layout, palette: Palette) -> None:
    y = HEADER + 23
    for column, number in enumerate(layout.shown):
        x = layout.cells_at + layout.cell * (column + 0.5)
        write(image, (x, y), table.heads[number], Face.NAME_STRONG, Size.SMALL, palette.muted, align="middle",
              width=layout.cell - 4)  # fmt: skip
    write(image, (_RIGHT, y), table.points, Face.NAME_STRONG, Size.SMALL, palette.muted, align="right", width=170)


def _draw_row(
    image: Image.Image, row: TableRow, nameless: str, layout: _Layout, top: int, height: int, palette: Palette
) -> None:
    middle = top + height / 2
    _draw_place(image, row, (_LEFT + _PLACE / 2 - 6, middle), height, palette)
    sizes = (Size.NAME, Size.BODY, Size.SMALL) if height >= 44 else (Size.BODY, Size.SMALL)
    _write_name(image, row, nameless, (_LEFT + _PLACE, middle), sizes, layout.name_room, palette)
    for column, number in enumerate(layout.shown):
        if number < len(row.cells):
            x = layout.cells_at + layout.cell * (column + 0.5)
            draw_cell(image, row.cells[number], (x, middle), palette, (layout.cell, height))
    ink = palette.muted if row.has_left else palette.ink
    write(image, (_RIGHT, middle), row.points, Face.LABEL, _number_size(height), ink, align="right", width=170)


# --- in columns -----------------------------------------------------------------------------------------------------------


def _paint_columns(table: TournamentTable, rows: tuple[TableRow, ...], palette: Palette) -> Image.Image:
    """Draw the places, names and points in as few columns as possible."""
    columns = math.ceil(len(rows) / _DEEP)
    deep = math.ceil(len(rows) / columns)
    top, foot = HEADER + 4, _FOOT if table.note else _END
    reasons = _reasons_height(table)
    height = min(_TALLEST, (MAX_HEIGHT - EDGE - top - foot - reasons) // deep)
    image = Image.new("RGB", (WIDTH, top + height * deep + foot + reasons + EDGE), palette.paper)
    draw_header(image, table.title, table.subtitle, palette)
    for number_down in range(0, deep, 2):
        image.paste(tint(palette), (0, top + number_down * height, WIDTH, top + (number_down + 1) * height))
    side = EDGE + 14
    width = (WIDTH - 2 * side) / columns
    for number, row in enumerate(rows):
        column, number_down = divmod(number, deep)
        left = side + column * width
        _draw_short(image, row, table.nameless, (left, left + width), top + (number_down + 0.5) * height, height, palette)
    for column in range(1, columns):
        x = round(side + column * width)
        image.paste(palette.line, (x - 1, top, x + 2, top + height * deep))
    if table.note:
        write_note(image, table.note, top + height * deep, palette)
    _write_reasons(image, table.reasons, top + height * deep + foot, palette)
    return card(image, palette)


def _draw_short(
    image: Image.Image, row: TableRow, nameless: str, ends: tuple[float, float], y: float, height: int, palette: Palette
) -> None:
    left, right = ends
    _draw_place(image, row, (left + 32, y), height, palette)
    ink = palette.muted if row.has_left else palette.ink
    taken = write(image, (right - 14, y), row.points, Face.LABEL, Size.BODY, ink, align="right", width=110)
    room = right - 14 - taken - 10 - (left + 62)
    _write_name(image, row, nameless, (left + 62, y), (Size.BODY, Size.SMALL), room, palette)


# --- the parts ------------------------------------------------------------------------------------------------------------


def _draw_place(image: Image.Image, row: TableRow, at: tuple[float, float], height: int, palette: Palette) -> None:
    """Write a player's place, on its medal if there is one."""
    size = Size.NAME if height >= 44 else Size.BODY
    if row.has_medal and row.place <= BEST:
        place(image, medal(row.place, palette, min(30, height * 0.43)), at)
        size = size if height >= 44 else Size.SMALL
    ink = palette.muted if row.has_left else palette.ink
    write(image, at, str(row.place), Face.LABEL, size, ink, align="middle", width=58)


def _write_name(
    image: Image.Image,
    row: TableRow,
    nameless: str,
    at: tuple[float, float],
    sizes: tuple[Size, ...],
    room: float,
    palette: Palette,
) -> None:
    """Write a player's name as large as it fits, struck out if they have left."""
    name = name_or_words(row.name, nameless)
    face = Face.NAME_STRONG if row.has_medal else Face.NAME
    ink = palette.muted if row.has_left else palette.ink
    written = write(image, at, name, face, fitting_size(name, face, sizes, room), ink, width=room)
    if row.has_left:
        x, y = round(at[0]), round(at[1])
        image.paste(ink, (x - 4, y - 1, round(x + written) + 4, y + 2))


def _reasons_height(table: TournamentTable) -> int:
    return _REASON * len(table.reasons) + _END // 2 if table.reasons else 0


def _write_reasons(image: Image.Image, reasons: tuple[str, ...], top: int, palette: Palette) -> None:
    for number, reason in enumerate(reasons):
        size = fitting_size(reason, Face.NAME, (Size.BODY, Size.SMALL), _RIGHT - _LEFT)
        at = (WIDTH / 2, top + _REASON * (number + 0.5) - 4)
        write(image, at, reason, Face.NAME, size, palette.muted, align="middle", width=_RIGHT - _LEFT)


def _draw_legend(image: Image.Image, legend: tuple[tuple[CellKind, str], ...], top: int, palette: Palette) -> None:
    """Draw chips with the words for them, centred in a line."""
    image.paste(palette.line, (0, top, WIDTH, top + 3))
    sign, gap, y = CHIP // 2, 30, top + 28
    widths = [text_width(words, Face.NAME, Size.SMALL) + sign + 10 for _, words in legend]
    room = WIDTH - 2 * _LEFT
    share = min(1.0, (room - gap * (len(legend) - 1)) / sum(widths))
    x = (WIDTH - sum(widths) * share - gap * (len(legend) - 1)) / 2
    for (kind, words), width in zip(legend, widths, strict=True):
        if kind in {CellKind.OWN, CellKind.PLAIN, CellKind.ABSENT}:
            draw_cell(image, Cell("", kind), (x + sign / 2, y), palette, (sign, 34))
        else:
            place(image, chip(kind, palette, sign, 28), (x + sign / 2, y))
        write(image, (x + sign + 10, y), words, Face.NAME, Size.SMALL, palette.muted, width=width * share - sign - 10)
        x += width * share + gap
