"""Chooses the part of the rink of Puck Bumpers that a picture shows while an action is picked, and draws the map of the rest.

All lengths are in spaces of the drawn board; a window is the columns and rows between its left, top, right and bottom.
"""

from collections.abc import Iterable
from typing import Final

from PIL import Image

from engines.game import Action, Choice
from engines.pucks.board.board import Mats, cells
from engines.pucks.board.box import ROWS
from engines.pucks.board.views import PucksView
from renderers.canvas import Box, Layer, Point, place
from renderers.pucks.blocks import BAND, NARROW, Area, Block
from renderers.pucks.board import span
from renderers.pucks.colours import colours_of
from renderers.pucks.fold import At
from renderers.pucks.foreseen import ways_of
from renderers.pucks.picks import Meaning, Pick, target
from renderers.sprite_cache import cache_sprite
from renderers.theme import Palette

_MARGIN: Final = 1.5
"""Spaces of margin round the places that matter for a choice."""
_WHOLE: Final = {Meaning.ACT, Meaning.RELATION, Meaning.CARD, Meaning.PILE, Meaning.WAITING, Meaning.COLOUR}
"""The meanings of tokens that are picked with the whole board in view."""

Cell = tuple[int, int]
"""The (column, row) of a space on the drawn board."""


def matters(view: PucksView, pick: Pick, prefix: Action, options: Iterable[Choice]) -> Box | None:
    """The part of the board that matters for a choice, with a margin; None if that is all of it.

    It contains all options and the picks so far.
    """
    if pick.meaning in _WHOLE:
        return None
    tokens = [*prefix[-1:], *(option.token for option in options)]
    points = [point for token in tokens for point in _points(view, pick, token)]
    points += [placed.point for placed in view.pieces if pick.names(placed.piece, pick.piece)]
    points += [point for mat in view.mats if mat.id == pick.mat for point in _corners(mat.at)]
    if not points:
        return None
    columns, rows = zip(*points, strict=True)
    return min(columns) - _MARGIN, min(rows) - _MARGIN, max(columns) + 1 + _MARGIN, max(rows) + 1 + _MARGIN


def _points(view: PucksView, pick: Pick, token: str) -> Iterable[Cell]:
    """The spaces that a token concerns."""
    if pick.meaning is Meaning.SPACE:
        return [cell.point for mat in view.mats if mat.id == token[:1] for cell in cells(mat) if cell.space == token]
    if pick.meaning is Meaning.PIECE:
        return [placed.point for placed in view.pieces if pick.names(placed.piece, token)]
    if pick.meaning is Meaning.MAT:
        return [point for mat in view.mats if mat.id == token for point in _corners(mat.at)]
    if pick.meaning is Meaning.TARGET:
        there = target(view.mats, pick, token)
        return [] if there is None else _corners(there)
    moved = [placed.piece for placed in view.pieces if pick.names(placed.piece, pick.piece)]
    return [point for piece in moved for way in ways_of(view, piece, token) for point in way.points]


def _corners(at: At) -> list[Cell]:
    """The first and the last space of a mat."""
    x, y = at[0] * ROWS, at[1] * ROWS
    return [(x, y), (x + ROWS - 1, y + ROWS - 1)]


def window_of_size(window: Box, size: Point, board: tuple[int, int, int, int]) -> Box:
    """A window of this size (width, height) with the same middle, moved so that it shows as much of the board as possible.

    `board` is the `span` of the places on it.
    """
    column, row, columns, rows = (ROWS * value for value in board)
    left = _window_start((window[0] + window[2]) / 2, size[0], column, columns)
    top = _window_start((window[1] + window[3]) / 2, size[1], row, rows)
    return left, top, left + size[0], top + size[1]


def _window_start(middle: float, length: float, start: int, along: int) -> float:
    """The start of a window of this length. It lies within the board; if it is longer, the board lies in its middle."""
    if length >= along:
        return start + (along - length) / 2
    return min(max(middle - length / 2, start), start + along - length)


# --- the map ------------------------------------------------------------------------------------------------------------


def map_block(mats: Mats, window: Box, palette: Palette) -> Block:
    """A small map of all mats, with the window on it."""
    laid = tuple((mat.at, mat.kind) for mat in mats)

    def draw(image: Image.Image, area: Area) -> None:
        sprite = _map(laid, window, palette, NARROW)
        place(image, sprite, ((area[0] + area[2]) / 2, area[1] + sprite.height / 2))

    _, _, columns, rows = span(at for at, _ in laid)
    height = round(rows * _mat_on_map(columns, rows, NARROW)) + 8
    return Block(NARROW, lambda _width: height, draw)


def _mat_on_map(columns: int, rows: int, width: int) -> float:
    return min((width - 8) / columns, (BAND - 8) / rows)


@cache_sprite
def _map(mats: tuple[tuple[At, str], ...], window: Box, palette: Palette, width: int) -> Image.Image:
    column, row, columns, rows = span(at for at, _ in mats)
    side, colours = _mat_on_map(columns, rows, width), colours_of(palette)
    layer = Layer(round(columns * side) + 8, round(rows * side) + 8)
    inks = {"goal": colours.wall, "pool": colours.pool}
    for at, kind in mats:
        x, y = 4 + (at[0] - column) * side, 4 + (at[1] - row) * side
        layer.rectangle((x + 1, y + 1, x + side - 1, y + side - 1), side * 0.16, colours.ice)
        if kind in inks:
            layer.ellipse((x + side / 2, y + side / 2), side * 0.22, inks[kind])
    left, top, right, bottom = (
        4 + min(max((edge / ROWS - start) * side, 0), count * side)
        for edge, start, count in zip(window, (column, row) * 2, (columns, rows) * 2, strict=True)
    )
    for width_of, ink in ((7.0, palette.ink), (4.0, palette.gold)):
        layer.line([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], width_of, ink)
    return layer.image()
