"""Draws the boards of up to four games, each with its players, and with whose turn it is or who has won.

A single board has its players beside it. Two boards are side by side, with their players below. Of three boards, the first
takes the upper half, and four boards take a quarter each.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from engines.game import View
from renderers import RENDERERS, png, theme
from renderers.banner import cup
from renderers.canvas import Layer, card, lay, place
from renderers.lettering import break_lines, strike, text_width, write
from renderers.pieces import badges, computer_mark, plate
from renderers.poster import corner_mask, small_board
from renderers.scene import Scene
from renderers.sprite_cache import cache_sprite
from renderers.strip import shown_name
from renderers.theme import CORNER, EDGE, MAX_HEIGHT, WIDTH, Face, Palette, Size

MOST: Final = 4
"""The largest number of boards in a picture."""

_SIDE: Final = EDGE + 14
_GAP: Final = 14
_INSET: Final = 12
"""Pixels from the edge of the card to the tiles, between two tiles, and from the edge of a tile to its board."""
_TITLE: Final = 46  # the height of the line above a board, and between its last line and the players beside it
_ROWS: Final = (60, 50, 44)  # the height of a row of players, by how many rows there are
_ALONE: Final = 542  # the height of a tile that has the picture for itself, or a row of two that have
_HALF: Final = (MAX_HEIGHT - 2 * _SIDE - _GAP) // 2  # the height of a tile of which two stand one above the other

Box = tuple[int, int, int, int]

_WIDEST: Final = 0.62  # the part of the width of a wide tile that a board may take. The players stand beside it.


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A game in the picture, with texts in any language.

    Attributes:
        game_id: the game.
        view: its board, as a spectator sees it.
        scene: the players' names, the latest events, and how the game ended (`Scene.finale`), if it is over.
        title: the name of the game.
        number: the number of its table, as written after the title: "#42".
        note: a word about an end without a winner.
    """

    game_id: str
    view: View
    scene: Scene
    title: str
    number: str
    note: str = ""


def draw_mosaic(tiles: Sequence[Tile]) -> bytes:
    """Draw one to four games as a PNG file, deterministically. Raises KeyError for an unknown game."""
    palette = theme.palette(tiles[0].scene.high_contrast)
    picture = paint(tiles, palette)
    anchors = dict.fromkeys(colour for tile in tiles for colour in RENDERERS[tile.game_id].anchors(palette))
    return png.encode(picture, palette.edge, png.choose_colours(picture, tuple(anchors)))


def paint(tiles: Sequence[Tile], palette: Palette) -> Image.Image:
    """Draw the games as a card."""
    boxes = _boxes(len(tiles))
    image = Image.new("RGB", (WIDTH, boxes[-1][3] + _SIDE), palette.ink)
    for tile, box in zip(tiles, boxes, strict=True):
        _draw_tile(image, tile, palette, box)
    return card(image, palette)


def _boxes(count: int) -> tuple[Box, ...]:
    """Return the boxes of the tiles. If their number is odd, the first has a row to itself."""
    height = _ALONE if count <= 2 else _HALF
    middle, right, lower = WIDTH // 2, WIDTH - _SIDE, _SIDE + height + _GAP
    columns = ((_SIDE, middle - _GAP // 2), (middle + _GAP // 2, right))
    alone = ((_SIDE, _SIDE, right, _SIDE + height),) * (count % 2)
    tops = (_SIDE, lower)[count % 2 : math.ceil(count / 2)]
    return (*alone, *((x, top, end, top + height) for top in tops for x, end in columns))


def _draw_tile(image: Image.Image, tile: Tile, palette: Palette, box: Box) -> None:
    """Draw a game on its plate. The players are beside the board if the plate is wide, and below it if not."""
    left, top, right, bottom = box
    ground = plate(right - left, bottom - top, CORNER - 8, palette.paper)
    lay(image, ground, (left, top))
    if right - left > WIDTH // 2:
        board = _board(tile, round(_WIDEST * (right - left)), bottom - top - 2 * _INSET)
        image.paste(board, (left + _INSET, top + _INSET), corner_mask(board.size))
        _draw_beside(image, tile, palette, (left + _INSET + board.width + 2 * _INSET, top, right - 2 * _INSET, bottom))
        return
    rows = _rows(tile.view.seats)
    row = _ROWS[len(rows) - 1]
    below = bottom - 6 - row * len(rows)
    board = _board(tile, right - left - 2 * _INSET, below - 4 - top - _TITLE)
    across = left + (right - left - board.width) // 2
    image.paste(board, (across, top + _TITLE), corner_mask(board.size))
    _draw_title(image, tile, palette, (left + 20, right - 20), top + _TITLE // 2 + 1)
    _draw_below(image, tile, palette, (left + 8, below, right - 8, bottom - 6))


def _board(tile: Tile, width: int, height: int) -> Image.Image:
    return small_board(RENDERERS[tile.game_id], tile.view, tile.scene, width, height)


def _rows(seats: int) -> list[tuple[int, ...]]:
    return [tuple(range(first, min(first + 2, seats))) for first in range(0, seats, 2)]


def _draw_title(image: Image.Image, tile: Tile, palette: Palette, ends: tuple[int, int], middle: float) -> None:
    """Write the title and the number on the left, with the title cut if necessary, and the note on the right."""
    left, right = ends
    noted = write(image, (right, middle), tile.note, Face.NAME_STRONG, Size.SMALL, palette.muted, align="right", width=160)
    behind = text_width(tile.number, Face.LABEL, Size.BODY) + 8
    room = right - left - behind - (noted + 16 if noted else 0)
    written = write(image, (left, middle), tile.title, Face.LABEL, Size.BODY, palette.ink, width=room)
    write(image, (left + written + 8, middle), tile.number, Face.LABEL, Size.BODY, palette.ink)


def _draw_beside(image: Image.Image, tile: Tile, palette: Palette, box: Box) -> None:
    """Write the title and the note above a row for each player, all of it centred vertically."""
    left, top, right, bottom = box
    lines = break_lines(f"{tile.title} {tile.number}", Face.LABEL, Size.HEADING, right - left)
    head = _TITLE * (len(lines) + bool(tile.note)) + _INSET
    row = min(_ROWS[0] + 8, (bottom - top - 2 * _INSET - head) // tile.view.seats)
    y = (top + bottom - head - row * tile.view.seats) // 2
    for line in lines:
        write(image, (left, y + _TITLE / 2), line, Face.LABEL, Size.HEADING, palette.ink, width=right - left)
        y += _TITLE
    write(image, (left, y + _TITLE / 2 - 6), tile.note, Face.NAME_STRONG, Size.BODY, palette.muted, width=right - left)
    for seat in range(tile.view.seats):
        y = (top + bottom + head - row * tile.view.seats) // 2 + row * seat
        _draw_seat(image, tile, seat, palette, (left - 10, y + 3, right + 8, y + row - 3))


def _draw_below(image: Image.Image, tile: Tile, palette: Palette, box: Box) -> None:
    """Draw the players in rows of two. The last of three is no wider than the others."""
    left, top, right, bottom = box
    rows, across = _rows(tile.view.seats), min(2, tile.view.seats)
    row, width = (bottom - top) // len(rows), (right - left) // across
    for number, seats in enumerate(rows):
        for column, seat in enumerate(seats):
            x, y = left + width * column, top + row * number
            _draw_seat(image, tile, seat, palette, (x, y + 3, x + width, y + row - 3))


def _draw_seat(image: Image.Image, tile: Tile, seat: int, palette: Palette, box: Box) -> None:
    """Draw a player: on ink with an arrow if it is their turn, on gold with a cup if they have won, struck out if out."""
    (left, top, right, bottom), view, finale = box, tile.view, tile.scene.finale
    height, middle = bottom - top, (top + bottom) / 2
    won = finale is not None and seat in finale.winners
    awaited = finale is None and seat in view.to_act
    out = seat in view.out and not won
    if won or awaited:
        pill = plate(right - left - 4, height, height // 2, palette.gold if won else palette.ink)
        lay(image, pill, (left + 2, top))
    ink = palette.muted if out else palette.paper if awaited else palette.ink
    mark = badges(view.colours_of(seat), palette, min(44, height - 6), out=out)
    place(image, mark, (left + 7 + mark.width / 2, middle))
    x, end = left + 16.0 + mark.width, right - 14.0
    if won or awaited:
        sign = cup(palette, min(46, height - 4)) if won else _arrow(palette)
        place(image, sign, (end - sign.width / 2 + 2, middle))
        end -= sign.width + 4
    if seat in tile.scene.computers:
        sign = computer_mark(palette, 30)
        place(image, sign, (x + sign.width / 2, middle - 2))
        x += sign.width + 6
    name = shown_name(tile.scene, seat)
    size = Size.NAME if height >= 48 and text_width(name, Face.NAME_STRONG, Size.NAME) <= end - x else Size.BODY
    written = write(image, (x, middle), name, Face.NAME_STRONG, size, ink, width=end - x)
    if out:
        strike(image, (x, middle), written, ink)


@cache_sprite
def _arrow(palette: Palette) -> Image.Image:
    """Return a golden arrow that points back at the name before it."""
    layer = Layer(22, 26)
    layer.polygon([(4, 13), (19, 4), (19, 22)], palette.gold)
    return layer.image()
