"""Draws the mats of Puck Bumpers: ice, start spaces, pools, walls, and goals with nets."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.pucks.board.board import STEPS, UNKNOWN, Cell, Mat, cells, goal_front
from engines.pucks.board.box import ROWS, SIDES, Face
from renderers import theme
from renderers.canvas import Layer, Point, with_shadow
from renderers.lettering import write
from renderers.pucks.colours import colours_of
from renderers.pucks.pieces import meeple_shape
from renderers.sliced_sprite import SlicedSprite, slice_sprite
from renderers.sprite_cache import cache_sprite
from renderers.theme import Colour, Palette, Size
from renderers.theme import Face as Typeface

Spot = tuple[int, int]
"""The (column, row) of a space on its mat, with the mat turned as it lies."""

_INSET: Final = 1.5  # free pixels at every side of a mat, which keep neighbouring mats apart
_HINTS_FROM: Final = 64  # the size of a space in pixels from which its number is printed on it without being in the way


def rim(mat: int) -> float:
    """Return how many pixels lie between the edge of a mat of this width and its spaces."""
    return mat * 0.017


def unit(mat: int) -> float:
    """Return the size of a space in pixels on a mat of this width."""
    return (mat - 2 * rim(mat)) / ROWS


@lru_cache(maxsize=512)
def middle_on_mat(spot: Spot, mat: int) -> Point:
    """Return the middle of a space in pixels, measured from the top left corner of its mat, which is `mat` pixels wide."""
    return rim(mat) + (spot[0] + 0.5) * unit(mat), rim(mat) + (spot[1] + 0.5) * unit(mat)


@cache_sprite
def sliced_mat(kind: str, face: Face, turn: int, palette: Palette, side: int, *, starts: bool = False) -> SlicedSprite:
    """Return a `mat_sprite` that has been sliced so that it can be pasted quickly."""
    return slice_sprite(mat_sprite(kind, face, turn, palette, side, starts=starts))


def mat_sprite(kind: str, face: Face, turn: int, palette: Palette, side: int, *, starts: bool = False) -> Image.Image:
    """Return a mat of this width and turn without its letter, and with its start spaces if `starts` is true."""
    laid = Mat("a", kind, (0, 0), turn, face)
    tile = _Tile(side, cells(laid), goal_front(laid), palette)
    colours = colours_of(palette)
    ice = {"goal": colours.ice_goal, "basic": colours.ice, UNKNOWN: colours.hint}.get(kind, colours.ice_block)
    _draw_ice(tile, ice)
    for cell in tile.spaces if starts else ():
        _draw_start(tile, cell, ice)
    _draw_pool(tile)
    _draw_goal(tile)
    _draw_walls(tile)
    image = tile.layer.image()
    if tile.unit >= _HINTS_FROM and kind != UNKNOWN:
        _write_hints(image, tile)
    return image


class _Tile:
    """A mat that is being drawn.

    Attributes:
        spaces: its spaces, as the mat is turned.
        front: the index in `SIDES` of the open side of its goal, or None if it has no goal.
        unit, rim: the size in pixels of a space, and of the edge outside the spaces.
    """

    def __init__(self, side: int, spaces: tuple[Cell, ...], front: str | None, palette: Palette) -> None:
        self.side, self.spaces = side, spaces
        self.palette, self.colours = palette, colours_of(palette)
        self.front = None if front is None else SIDES.index(front)
        self.unit, self.rim = unit(side), rim(side)
        self.layer = Layer(side, side, 3)

    def marked_spaces(self, mark: str) -> set[Spot]:
        return {cell.point for cell in self.spaces if cell.mark == mark}

    def corner(self, column: float, row: float) -> Point:
        """Convert a point from spaces to pixels."""
        return self.rim + column * self.unit, self.rim + row * self.unit

    def middle(self, spot: Spot) -> Point:
        return self.corner(spot[0] + 0.5, spot[1] + 0.5)

    def fill(self, spots: set[Spot], inset: float, radius: float, colour: Colour) -> None:
        """Fill several spaces as one shape with rounded corners."""
        half, inset = self.unit / 2, min(inset, self.unit * 0.42)
        for column, row in spots:
            (left, top), (right, bottom) = self.corner(column, row), self.corner(column + 1, row + 1)
            self.layer.rectangle((left + inset, top + inset, right - inset, bottom - inset), max(0.0, radius), colour)
            east, south = (column + 1, row) in spots, (column, row + 1) in spots
            if east:
                self.layer.rectangle((right - half, top + inset, right + half, bottom - inset), 0, colour)
            if south:
                self.layer.rectangle((left + inset, bottom - half, right - inset, bottom + half), 0, colour)
            if east and south and (column + 1, row + 1) in spots:
                self.layer.rectangle((right - half, bottom - half, right + half, bottom + half), 0, colour)


def _draw_ice(tile: _Tile, ice: Colour) -> None:
    """Draw the mat itself, lit from the top left, with lines between spaces."""
    layer, side, palette, low = tile.layer, tile.side, tile.palette, _INSET
    corner = min(11.0, side * 0.07)
    layer.rectangle((low, low, side - low, side - low), corner, palette.ink)
    layer.rectangle((low + 2, low + 2, side - low - 2, side - low - 2), corner - 2, theme.mix(ice, palette.paper, 0.8))
    layer.rectangle((low + 4, low + 4, side - low - 2, side - low - 2), corner - 2, ice)
    _draw_crease(tile, ice)
    for step in range(1, ROWS):
        at, (start, end) = tile.corner(step, step)[0], (tile.rim + 6, side - tile.rim - 6)
        layer.line([(at, start), (at, end)], 2, tile.colours.line)
        layer.line([(start, at), (end, at)], 2, tile.colours.line)


def _draw_start(tile: _Tile, cell: Cell, ice: Colour) -> None:
    """Draw the outline of the kind of piece that may be placed on a space, as if it were painted under the ice."""
    at, radius, line = tile.middle(cell.point), tile.unit * 0.38, max(2.5, tile.unit * 0.07)
    faint, inside = tile.colours.hint, theme.mix(ice, tile.colours.crease, 0.6)
    if cell.mark == "P":
        tile.layer.ellipse(at, radius, faint)
        tile.layer.ellipse(at, radius - line, inside)
    elif cell.mark == "I":
        for inset, colour in ((0.0, faint), (line, inside)):
            half = radius - inset
            tile.layer.rectangle((at[0] - half, at[1] - half, at[0] + half, at[1] + half), half * 0.25, colour)
    elif cell.mark == "M":
        meeple_shape(tile.layer, at, radius, faint)
        meeple_shape(tile.layer, at, radius, inside, grow=-line)


def _draw_pool(tile: _Tile) -> None:
    pool, palette, space = tile.marked_spaces("~"), tile.palette, tile.unit
    low, edge, line = space * 0.04, max(2.5, space * 0.11), max(2.0, space * 0.06)
    tile.fill(pool, low, space * 0.34, palette.ink)
    tile.fill(pool, low + line, space * 0.3, tile.colours.pool_dark)
    tile.fill(pool, low + line + edge, space * 0.24, tile.colours.pool)
    for number, (column, row) in enumerate(sorted(pool)):
        # The waves are offset from each other, so that they do not look like a pattern.
        x, y = tile.corner(column + 0.24 + 0.1 * (number % 2), row + 0.4 + 0.2 * (number % 2))
        wave = [(x + step * space * 0.055, y + (space * 0.05 if step % 4 in {1, 2} else -space * 0.02)) for step in range(9)]
        tile.layer.line(wave, max(2.0, space * 0.085), tile.colours.pool_light)


# --- goals --------------------------------------------------------------------------------------------------------------


def _mouth(goal: Iterable[Spot], front: int) -> list[Spot]:
    """Return the spaces of a goal along its open side."""
    inside, (dx, dy) = set(goal), STEPS[front]
    return sorted(spot for spot in inside if (spot[0] + dx, spot[1] + dy) not in inside)


def _mouth_middle(tile: _Tile) -> Point:
    assert tile.front is not None, "only a goal has a mouth"
    mouth, (dx, dy) = _mouth(tile.marked_spaces("G"), tile.front), STEPS[tile.front]
    x = sum(spot[0] + 0.5 for spot in mouth) / len(mouth) + dx / 2
    y = sum(spot[1] + 0.5 for spot in mouth) / len(mouth) + dy / 2
    return tile.corner(x, y)


def _draw_crease(tile: _Tile, ice: Colour) -> None:
    """Draw the semicircle of coloured ice in front of a goal, which shows on which side the goal is open."""
    if tile.front is None or not tile.marked_spaces("G"):
        return
    (x, y), (dx, dy) = _mouth_middle(tile), STEPS[tile.front]
    wide, deep = (len(_mouth(tile.marked_spaces("G"), tile.front)) / 2 + 0.36) * tile.unit, tile.unit * 0.86
    for grow, colour in ((0.0, tile.colours.line), (-2.5, tile.colours.crease)):
        across, along = (wide, deep) if dx == 0 else (deep, wide)
        tile.layer.ellipse((x, y), across + grow, colour, along + grow)
    # The half behind the mouth is covered with ice again, but not the edge of the mat.
    back = [(x - dx * deep * a + dy * wide * b, y - dy * deep * a + dx * wide * b) for a, b in ((0.0, -1), (1.1, 1))]
    low, high = 4 + _INSET, tile.side - 2 - _INSET
    columns = sorted(min(max(point[0], low), high) for point in back)
    rows = sorted(min(max(point[1], low), high) for point in back)
    tile.layer.rectangle((columns[0] - 1, rows[0] - 1, columns[1] + 1, rows[1] + 1), 0, ice)


def _draw_goal(tile: _Tile) -> None:
    """Draw the net of a goal, with a chevron that points inwards on each space of the open side."""
    goal, space = tile.marked_spaces("G"), tile.unit
    if tile.front is None or not goal:
        return
    colours, palette = tile.colours, tile.palette
    tile.fill(goal, 0, 0, colours.net)
    for column, row in goal:
        (left, top), (right, bottom) = tile.corner(column, row), tile.corner(column + 1, row + 1)
        half = space / 2
        for start, end in (
            ((left, top), (right, bottom)),
            ((left + half, top), (right, bottom - half)),
            ((left, top + half), (right - half, bottom)),
        ):
            tile.layer.line([start, end], 1.5, colours.mesh)
            tile.layer.line([(left + right - start[0], start[1]), (left + right - end[0], end[1])], 1.5, colours.mesh)
    dx, dy = STEPS[tile.front]
    for spot in _mouth(goal, tile.front):
        x, y = tile.middle(spot)
        tip, wing, back = (x - dx * space * 0.12, y - dy * space * 0.12), space * 0.3, space * 0.3
        ends = [(tip[0] + dx * back + a * dy * wing, tip[1] + dy * back + a * dx * wing) for a in (-1, 1)]
        for width, colour in ((space * 0.3, palette.ink), (space * 0.18, palette.gold)):
            tile.layer.line([ends[0], tip, ends[1]], width, colour)


def _draw_walls(tile: _Tile) -> None:
    """Draw walls as thick lines with a light core, inside their own space."""
    thick, space = max(5.0, tile.unit * 0.24), tile.unit
    ways = []
    for cell in tile.spaces:
        x, y = tile.middle(cell.point)
        for side in cell.walls:
            dx, dy = STEPS[SIDES.index(side)]
            out, half = (space - thick) / 2 + tile.rim * 0.5, space / 2 - thick / 2 + tile.rim * 0.5
            ways.append([(x + dx * out + a * dy * half, y + dy * out + a * dx * half) for a in (-1, 1)])
    for width, colour in ((thick, tile.palette.ink), (thick * 0.42, tile.colours.wall)):
        for way in ways:
            tile.layer.line(way, width, colour)


def _write_hints(image: Image.Image, tile: _Tile) -> None:
    for cell in tile.spaces:
        if cell.mark not in "~G":
            x, y = tile.middle(cell.point)
            write(image, (x, y + 1), cell.space[1:], Typeface.LABEL, Size.SMALL, tile.colours.hint, align="middle")


def bar_middle(mat: Mat, side: int, palette: Palette) -> Point:
    """Return the middle of a closed goal's bar in pixels, measured from the top left corner of its mat."""
    here = Mat(mat.id, mat.kind, (0, 0), mat.turn, mat.face)
    return _mouth_middle(_Tile(side, cells(here), goal_front(here), palette))


@cache_sprite
def bar(face: Face, turn: int, palette: Palette, side: int) -> Image.Image:
    """Return the striped bar across a goal that the card Net Off has closed."""
    laid = Mat("a", "goal", (0, 0), turn, face)
    front = goal_front(laid)
    assert front is not None, "only goals are closed"
    goal = {cell.point for cell in cells(laid) if cell.mark == "G"}
    length = round(len(_mouth(goal, SIDES.index(front))) * unit(side))
    thick, room = unit(side) * 0.36, 12
    layer = Layer(length + 2 * room, round(thick) + 2 * room)
    middle = layer.height / 2
    low, high, step = middle - thick / 2 + 2, middle + thick / 2 - 2, thick * 0.7
    layer.rectangle((room, low - 2, room + length, high + 2), thick * 0.3, palette.ink)
    layer.rectangle((room + 2, low, room + length - 2, high), thick * 0.25, palette.paper)
    x = room + 2 + step * 0.4
    while x + step + (high - low) < room + length - 2:
        stripe = [(x + high - low, low), (x + high - low + step, low), (x + step, high), (x, high)]
        layer.polygon(stripe, colours_of(palette).action_card)
        x += 2 * step
    drawn = layer.image()
    return with_shadow(drawn if SIDES.index(front) % 2 == 0 else drawn.rotate(90, expand=True), palette.ink)
