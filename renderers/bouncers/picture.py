"""Draws the board of Bouncers as a trampoline seen from above: the mat is the board, and the springs are its rim."""

from functools import lru_cache
from itertools import pairwise
from typing import Final

from PIL import Image

from engines.bouncers import BouncersView, Path, Piece
from renderers import theme
from renderers.bouncers.colours import Colours, colours_of
from renderers.canvas import Layer, Point, card, place
from renderers.lettering import write
from renderers.pieces import counter
from renderers.scene import Scene
from renderers.signs import burst, draw_ghost, draw_hop, draw_option, numbered_dot, ring, trail_strength
from renderers.strip import draw_strip
from renderers.theme import EDGE, STRIP, WIDTH, Face, Palette, Size

_BOARD: Final = 840
"""The width of the mat in pixels, divisible into 8 and into 10 squares."""
_LEFT: Final = (WIDTH - _BOARD) // 2
_TOP: Final = EDGE + 32
_HEIGHT: Final = _TOP + _BOARD + 56 + STRIP + EDGE
_GAP: Final = 15
"""The width of the gap with the springs."""
_FILES: Final = "abcdefghij"


def draw(view: BouncersView, scene: Scene) -> Image.Image:
    """Draw the board."""
    palette = theme.palette(scene.high_contrast)
    turned = scene.seen_from == 1
    image = _ground(view.size, turned, palette).copy()
    squares = _Squares(view.size, turned)
    picked = _picked(view, scene)
    if picked is None:
        for event in scene.events:
            if isinstance(event.detail, Path) and event.seat is not None:
                _draw_path(image, squares, event.detail, _mover(view, event.detail, event.seat), palette)
    else:
        _draw_path(image, squares, *picked, palette)
    taken = {piece.square for piece in view.pieces}
    marked = {option.token: at for option in scene.options if (at := squares.middle_of(option.token)) is not None}
    for square, at in marked.items():
        if square in taken:
            place(image, ring(squares.side - 8, palette, filled=False), at)
    _draw_pieces(image, squares, view, palette, picked)
    for square, at in marked.items():
        draw_option(image, at, square, palette, squares.side - 8, taken=square in taken)
    draw_strip(image, view, scene, palette)
    return card(image, palette)


class _Squares:
    """The geometry of the squares in the picture."""

    def __init__(self, size: int, turned: bool) -> None:
        self.size, self.turned, self.side = size, turned, _BOARD // size
        self.piece = round(self.side * 0.78)

    def middle_of(self, square: str) -> Point | None:
        """The middle of a square ("c2"), or None if the board has no such square."""
        file, rank = _FILES.find(square[:1]), square[1:]
        if not square or file < 0 or not rank.isdecimal() or not (file < self.size and 1 <= int(rank) <= self.size):
            return None
        column, row = file, self.size - int(rank)
        if self.turned:
            column, row = self.size - 1 - column, self.size - 1 - row
        return _LEFT + (column + 0.5) * self.side, _TOP + (row + 0.5) * self.side


def _mover(view: BouncersView, path: Path, seat: int) -> Piece:
    """The piece that moved along a path, as it was before."""
    crowned = any(piece.king for piece in view.pieces if piece.square == path.squares[-1])
    return Piece(path.squares[0], seat, crowned and not path.promoted)


def _picked(view: BouncersView, scene: Scene) -> tuple[Path, Piece] | None:
    """The path picked so far and the piece that moves along it, or None if no piece is picked."""
    standing = {piece.square: piece for piece in view.pieces}
    moving = standing.get(scene.prefix[0]) if scene.prefix else None
    if moving is None:
        return None
    captured = []
    for before, here in pairwise(scene.prefix):
        # A step captures an enemy on the next square in the same direction.
        file = 2 * _FILES.find(here[:1]) - _FILES.find(before[:1])
        ahead = f"{_FILES[file] if 0 <= file < view.size else '-'}{2 * int(here[1:]) - int(before[1:])}"
        enemy = standing.get(ahead)
        if enemy is not None and enemy.seat != moving.seat:
            captured.append((enemy.square, enemy.seat, enemy.king))
            del standing[ahead]
    return Path(scene.prefix, tuple(captured), promoted=False), moving


def _draw_path(image: Image.Image, squares: _Squares, path: Path, mover: Piece, palette: Palette) -> None:
    """Draw a move: a ghost where it began, a hop for each step, a number for each bounce, and a burst for each capture."""
    places = [at for square in path.squares if (at := squares.middle_of(square)) is not None]
    for square, enemy, king in path.captured:
        if (at := squares.middle_of(square)) is not None:
            place(image, burst(palette, round(squares.side * 1.12)), at)
            draw_ghost(image, counter(enemy, palette, round(squares.side * 0.56), crowned=king), at, 0.72)
    if not places:
        return
    colour = palette.seats[mover.seat].colour
    draw_ghost(image, counter(mover.seat, palette, squares.piece, crowned=mover.king), places[0])
    for index, (start, end) in enumerate(pairwise(places)):
        draw_hop(image, start, end, colour, palette, strength=trail_strength(index, len(places) - 1, palette), bend=0.11)
    visits: dict[Point, int] = {}
    for number, at in enumerate(places[1:-1], start=1):
        # If a square was visited twice, its numbers are drawn side by side.
        aside = 24 * visits.get(at, 0)
        visits[at] = visits.get(at, 0) + 1
        place(image, numbered_dot(number, colour, palette), (at[0] + aside, at[1] + aside))


def _draw_pieces(
    image: Image.Image, squares: _Squares, view: BouncersView, palette: Palette, picked: tuple[Path, Piece] | None
) -> None:
    """Draw all pieces. While a path is picked, its piece stands at the end of it, and what it captures is gone."""
    gone = {square for square, _, _ in picked[0].captured} if picked else set()
    for piece in view.pieces:
        square = piece.square
        if square in gone:
            continue
        if picked and square == picked[0].squares[0]:
            square = picked[0].squares[-1]
        at = squares.middle_of(square)
        if at is not None:
            place(image, counter(piece.seat, palette, squares.piece, crowned=piece.king), at)


@lru_cache(maxsize=8)
def _ground(size: int, turned: bool, palette: Palette) -> Image.Image:
    """The trampoline without pieces: padding, springs, mat and coordinates."""
    colours = colours_of(palette)
    layer = Layer(WIDTH, _HEIGHT, 3, ground=colours.pad)
    left, top, right, bottom = _LEFT, _TOP, _LEFT + _BOARD, _TOP + _BOARD
    _draw_pad(layer, palette)
    layer.rounded((left - _GAP, top - _GAP, right + _GAP, bottom + _GAP), _GAP, colours.gap)
    _draw_springs(layer, colours)
    layer.rounded((left - 3, top - 3, right + 3, bottom + 3), 6, colours.gap)
    side = _BOARD // size
    for column in range(size):
        for row in range(size):
            # a1, at the bottom left, is dark. Turning the board by half a turn does not change the pattern.
            colour = colours.dark if (column + row) % 2 else colours.light
            box = (left + column * side, top + row * side, left + (column + 1) * side, top + (row + 1) * side)
            layer.rounded(box, 0, colour)
    image = layer.done().convert("RGB")
    _write_coordinates(image, size, turned, colours)
    return image


def _draw_pad(layer: Layer, palette: Palette) -> None:
    """Draw the padding round the springs, lit along the top and the left, with a seam at each corner."""
    colours = colours_of(palette)
    shade = theme.mix(colours.pad, palette.ink, 0.3)
    bottom = _HEIGHT - STRIP - EDGE
    layer.rounded((EDGE, EDGE, WIDTH - EDGE, EDGE + 8), 0, colours.pad_light)
    layer.rounded((EDGE, EDGE, EDGE + 9, bottom), 0, colours.pad_light)
    inner = (_LEFT - _GAP, _TOP - _GAP, _LEFT + _BOARD + _GAP, _TOP + _BOARD + _GAP)
    for x, y, outer_x, outer_y in (
        (inner[0], inner[1], EDGE, EDGE),
        (inner[2], inner[1], WIDTH - EDGE, EDGE),
        (inner[0], inner[3], EDGE, bottom),
        (inner[2], inner[3], WIDTH - EDGE, bottom),
    ):
        layer.line([(x, y), (outer_x, outer_y)], 3, shade)
    layer.rounded((inner[0] - 5, inner[1] - 5, inner[2] + 5, inner[3] + 5), _GAP + 5, shade)


def _draw_springs(layer: Layer, colours: Colours) -> None:
    """Draw the springs between the mat and the padding, each as a coil seen from the side."""
    count, coils, half = 28, 3, 6.0
    for step in range(count):
        along = (step + 0.5) * _BOARD / count
        for low, level in ((_TOP - _GAP, True), (_TOP + _BOARD, True), (_LEFT - _GAP, False), (_LEFT + _BOARD, False)):
            for coil in range(coils):
                out = low + (coil + 0.5) * _GAP / coils
                across = (_LEFT if level else _TOP) + along
                ends = ((across - half, out + 0.9), (across + half, out - 0.9))
                layer.line([end if level else (end[1], end[0]) for end in ends], 2.6, colours.spring)


def _write_coordinates(image: Image.Image, size: int, turned: bool, colours: Colours) -> None:
    """Write the letters of the files below the board and the numbers of the ranks on both sides."""
    side = _BOARD // size
    for index in range(size):
        along = index if not turned else size - 1 - index
        x, y = _LEFT + (along + 0.5) * side, _TOP + _BOARD - (along + 0.5) * side
        write(image, (x, _TOP + _BOARD + _GAP + 19), _FILES[index], Face.LABEL, Size.HEADING, colours.on_pad, align="middle")
        for column in (EDGE + 36, WIDTH - EDGE - 36):
            write(image, (column, y), str(index + 1), Face.LABEL, Size.HEADING, colours.on_pad, align="middle")
