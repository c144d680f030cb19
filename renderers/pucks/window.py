"""Chooses the part of Puck Bumpers' rink that a picture shows alone, and draws the map of the whole rink.

While an action is being picked, this is the part with the options. Otherwise, on a large board, it is the part with the last
turn. Lengths are in spaces of the drawn board. A window consists of the columns and rows between its left, top, right and
bottom.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.game import Action, Choice
from engines.pucks.board.board import cells
from engines.pucks.board.box import ROWS, Face
from engines.pucks.board.views import PucksView
from renderers.canvas import Box, Point, place
from renderers.pucks.blocks import Area, Block
from renderers.pucks.board import DrawnRink, span
from renderers.pucks.colours import colours_of
from renderers.pucks.fold import At
from renderers.pucks.mats import sliced_mat
from renderers.pucks.picks import Meaning, Pick, target, ways_of
from renderers.pucks.pieces import piece
from renderers.pucks.steps import Story
from renderers.pucks.story import draw_under
from renderers.sprite_cache import cache_sprite
from renderers.theme import Palette

_MARGIN: Final = 1.5  # spaces of margin round the places that matter
_EDGE: Final = 0.4  # spaces of margin at most on a side where the board ends
_WHOLE: Final = {Meaning.ACT, Meaning.RELATION, Meaning.CARD, Meaning.PILE, Meaning.WAITING, Meaning.COLOUR}
"""The meanings of tokens that are picked while the whole board is in view."""

Cell = tuple[int, int]
"""The (column, row) of a space on the drawn board."""


def matters(view: PucksView, pick: Pick, prefix: Action, options: Iterable[Choice]) -> Box | None:
    """Return the part of the board with all options, the picks so far and a margin, or None if that is the whole board."""
    if pick.meaning in _WHOLE:
        return None
    tokens = [*prefix[-1:], *(option.token for option in options)]
    points = [point for token in tokens for point in _points(view, pick, token)]
    points += [placed.point for placed in view.pieces if pick.names(placed.piece, pick.piece)]
    points += [point for mat in view.mats if mat.id == pick.mat for point in _corners(mat.at)]
    return _around(points, view)


def latest(view: PucksView, story: Story) -> list[Box]:
    """Return parts of the board with actions of the last turn: all of them, then all but the first, down to only the last."""
    points: list[Cell] = []
    found: list[Box] = []
    last = next((step.seat for step in reversed(story.steps) if not step.quick), None)
    for step in reversed(story.steps):
        if step.seat != last and not step.quick:
            break
        points += [point for trace in step.traces for point in (trace.start, trace.end)]
        points += [point for _, point in (*step.placed, *step.swapped)]
        points += [point for _, after in step.mats for mat in view.mats if mat.id == after.id for point in _corners(mat.at)]
        if (part := _around(points, view)) is not None and part not in found:
            found.insert(0, part)
    return found


def _around(points: Sequence[Cell], view: PucksView) -> Box | None:
    """Return the part of the board with these spaces, and a margin that hardly leaves the mats, or None without spaces."""
    if not points:
        return None
    column, row, wide, high = (ROWS * number for number in span(mat.at for mat in view.mats))
    sides = []
    for places, first, length in zip(zip(*points, strict=True), (column, row), (wide, high), strict=True):
        start, end = min(places), max(places) + 1
        sides.append((max(start - _MARGIN, min(start, first) - _EDGE), min(end + _MARGIN, max(end, first + length) + _EDGE)))
    (left, right), (top, bottom) = sides
    return left, top, right, bottom


def _points(view: PucksView, pick: Pick, token: str) -> Iterable[Cell]:
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
    x, y = at[0] * ROWS, at[1] * ROWS
    return [(x, y), (x + ROWS - 1, y + ROWS - 1)]


@lru_cache(maxsize=64)
def window_of_size(part: Box, size: Point, places: frozenset[At]) -> Box:
    """Return a window of this size (width, height) round a part of the board that shows as much of the mats as possible.

    The window is cut off where it would show nothing of the mats, or less than a space. `places` are those of the mats, and any
    others that belong to the board. Of several equal windows, the one that has the part nearest to its middle is returned.
    """
    corners = [(column * ROWS, row * ROWS) for column, row in places]
    lefts, tops = (list(_starts(part, size[axis], axis, corners)) for axis in (0, 1))

    def seen(window: Box) -> float:
        sides = ((_overlap(window, 0, x), _overlap(window, 1, y)) for x, y in corners)
        return sum(wide * high for wide, high in sides if wide > 0 and high > 0)

    def off(window: Box) -> float:
        return sum(abs(window[axis] + window[axis + 2] - part[axis] - part[axis + 2]) for axis in (0, 1))

    windows = [(left, top, left + size[0], top + size[1]) for left in lefts for top in tops]
    best = max(windows, key=lambda window: (round(seen(window), 3), -off(window)))
    there = [(x, y) for x, y in corners if _overlap(best, 0, x) >= 1 and _overlap(best, 1, y) >= 1]
    columns, rows = zip(*there, strict=True)
    return (
        max(best[0], min(part[0], *columns)),
        max(best[1], min(part[1], *rows)),
        min(best[2], max(part[2], *(x + ROWS for x in columns))),
        min(best[3], max(part[3], *(y + ROWS for y in rows))),
    )


def _starts(part: Box, length: float, axis: int, corners: Sequence[Cell]) -> Iterable[float]:
    """Return where a window round the part may begin, so that it begins or ends with a mat, or has the part in its middle."""
    first, last = sorted((part[axis], part[axis + 2] - length))
    edges = {corner[axis] for corner in corners} | {corner[axis] + ROWS - length for corner in corners}
    return {(first + last) / 2, *(min(max(edge, first), last) for edge in edges)}


def _overlap(window: Box, axis: int, start: int) -> float:
    """Return the length along which the window shows a mat that begins at `start`."""
    return min(window[axis + 2], start + ROWS) - max(window[axis], start)


MAP: Final = 300
"""The greatest width and height of a map in pixels."""
_FRAME: Final = 4  # the thickness of the frame round the window on a map in pixels


def map_block(view: PucksView, story: Story, window: Box, palette: Palette) -> Block:
    """Return a block with a small picture of the whole board and the latest events, and a frame round the window."""
    column, row, columns, rows = span(mat.at for mat in view.mats)
    side = min(MAP // columns, MAP // rows)
    laid = tuple((mat.kind, mat.face, mat.turn, (mat.at[0] - column, mat.at[1] - row)) for mat in view.mats)

    def draw(image: Image.Image, area: Area) -> None:
        left, top = (area[0] + area[2] - columns * side) // 2, area[1]
        board = (left, top, left + columns * side, top + rows * side)
        rink = DrawnRink(left, top, side, (column, row), board)
        image.paste(_mats_on_map(laid, side, palette), board)
        draw_under(image, rink, view, story, palette)
        for placed in view.pieces:
            owned = view.owners.of(placed.piece.colour) not in view.out
            place(image, piece(placed.piece, palette, rink.space, owned=owned), rink.middle(placed.point))
        _draw_frame(image, tuple(_on_map(rink, window)), palette)

    return Block(MAP, lambda _width: rows * side, draw)


@cache_sprite
def _mats_on_map(mats: tuple[tuple[str, Face, int, At], ...], side: int, palette: Palette) -> Image.Image:
    _, _, columns, rows = span([(0, 0), *(at for *_, at in mats)])
    image = Image.new("RGB", (columns * side, rows * side), colours_of(palette).panel)
    for kind, face, turn, (column, row) in mats:
        sliced_mat(kind, face, turn, palette, side).lay(image, (column * side, row * side))
    return image


def _on_map(rink: DrawnRink, window: Box) -> Iterable[int]:
    """Yield the left, top, right and bottom of a window (in spaces) in pixels of the map, limited to the map's edges."""
    for number, edge in enumerate(window):
        axis = number % 2
        pixel = (rink.left, rink.top)[axis] + (edge / ROWS - rink.first[axis]) * rink.mat
        yield round(min(max(pixel, rink.area[axis]), rink.area[axis + 2]))


def _draw_frame(image: Image.Image, box: tuple[int, ...], palette: Palette) -> None:
    """Draw a golden frame with a dark outline inside a box."""
    for inset, thick, colour in ((0, _FRAME + 4, palette.ink), (2, _FRAME, palette.gold)):
        left, top, right, bottom = box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset
        for side in (
            (left, top, right, top + thick),
            (left, bottom - thick, right, bottom),
            (left, top, left + thick, bottom),
            (right - thick, top, right, bottom),
        ):
            image.paste(colour, side)
