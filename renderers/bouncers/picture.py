"""Draws Bouncers as a trampoline from above: the mat is the board, and the springs are its rim."""

from collections import Counter
from dataclasses import replace
from typing import Final

from PIL import Image

from engines.bouncers import BouncersView
from engines.text import plain
from renderers import theme
from renderers.bouncers.colours import colours_of
from renderers.bouncers.ground import TRAYS, Squares, ground
from renderers.bouncers.story import Move, draw_numbers, draw_trails, landings_of, moves_of, picked_move
from renderers.canvas import Box, card, place
from renderers.lettering import write
from renderers.pieces import counter
from renderers.scene import Scene
from renderers.signs import draw_option, ring, tag
from renderers.strip import draw_strip
from renderers.theme import Face, Palette, Size

_LIFT: Final = 9  # how far a picked piece is lifted to the top left, in pixels
_STACKED: Final = 54  # the diameter of a piece in a tray


def draw(view: BouncersView, scene: Scene) -> Image.Image:
    """Draw the whole picture of a view."""
    palette = theme.palette(scene.high_contrast)
    turned = scene.seen_from == 1
    image = ground(view.size, turned, palette).copy()
    squares = Squares(view.size, turned)
    picked = picked_move(view, scene.prefix)
    moves = moves_of(view, scene.events) if picked is None else [picked]
    standing = {piece.square for piece in view.pieces}
    if picked is not None:
        standing -= {picked.piece.square, *(square for square, _, _ in picked.path.captured)}
        standing.add(picked.path.squares[-1])
    landings = landings_of(squares, moves, standing, palette)
    draw_trails(image, squares, moves, landings, palette)
    marked = {option.token: at for option in scene.options if (at := squares.middle_of(option.token)) is not None}
    for square, at in marked.items():
        if square in standing:
            place(image, ring(squares.side - 8, palette, filled=False), at)
    _draw_pieces(image, squares, view, moves, palette, picked)
    draw_numbers(image, landings, palette)
    for square, at in marked.items():
        draw_option(image, at, square, palette, squares.side - 8, taken=square in standing)
    for seat in (0, 1):
        _draw_tray(image, view, seat, moves, palette, TRAYS[(seat == 0) != turned], picking=picked is not None)
    draw_strip(image, view if picked is None else _after(view, picked), scene, palette)
    return card(image, palette)


def _after(view: BouncersView, picked: Move) -> BouncersView:
    """Return the view with the pieces counted as they will be after the picked path."""
    gone = Counter(seat for _, seat, _ in picked.path.captured)
    left = Counter(piece.seat for piece in view.pieces) - gone
    return replace(view, scores=tuple(plain(str(left[seat])) for seat in range(view.seats))) if gone else view


def _draw_pieces(
    image: Image.Image, squares: Squares, view: BouncersView, moves: list[Move], palette: Palette, picked: Move | None
) -> None:
    """Draw all pieces, new ones ringed. A picked path shows its piece lifted at the end, and leaves out its captures."""
    gone = {square for square, _, _ in picked.path.captured} if picked else set()
    arrived = {move.path.squares[-1]: move.piece.seat for move in moves} if picked is None else {}
    for piece in view.pieces:
        at = squares.middle_of(piece.square)
        if at is None or piece.square in gone or (picked and piece.square == picked.piece.square):
            continue
        if arrived.get(piece.square) == piece.seat:
            place(image, ring(squares.side - 2, palette, filled=False, colour=palette.paper), at)
        place(image, counter(piece.seat, palette, squares.piece, crowned=piece.king), at)
    if picked and (at := squares.middle_of(picked.path.squares[-1])) is not None:
        place(image, ring(squares.side + 8, palette, filled=True), at)
        lifted = (at[0] - _LIFT / 2, at[1] - _LIFT)
        place(image, counter(picked.piece.seat, palette, round(squares.piece * 1.06), crowned=picked.piece.king), lifted)


def _draw_tray(
    image: Image.Image, view: BouncersView, seat: int, moves: list[Move], palette: Palette, tray: Box, *, picking: bool
) -> None:
    """Draw the pieces that a seat has captured as a counted stack. The latest ones are ringed and counted separately."""
    enemy = 1 - seat
    new = sum(taken == enemy for move in moves for _, taken, _ in move.path.captured)
    count = view.lost[enemy] + (new if picking else 0)
    if not count:
        return
    colours = colours_of(palette)
    middle, from_top = (tray[0] + tray[2]) / 2, tray is TRAYS[0]
    outer, way = (tray[1], 1) if from_top else (tray[3], -1)
    write(image, (middle, outer + way * 32), str(count), Face.LABEL, Size.HEADING, colours.on_pad, align="middle")
    first, room = outer + way * 86, tray[3] - tray[1] - 86 - 72
    pitch = min(46.0, room / max(1, count - 1))
    for index in range(count):
        at = (middle, first + way * index * pitch)
        if index >= count - new:
            place(image, ring(_STACKED + 14, palette, filled=False), at)
        place(image, counter(enemy, palette, _STACKED), at)
    if new:
        place(image, tag(f"+{new}", palette), (middle, first + way * ((count - 1) * pitch + 46)))
