"""The poster of a table that waits for players. It shows the start of the game, and the terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from engines.game import View
from engines.steps import colours_of
from renderers import RENDERERS, theme
from renderers.canvas import card, place
from renderers.lettering import break_lines, write
from renderers.pieces import badges
from renderers.renderer import Renderer
from renderers.scene import Scene, Translate
from renderers.theme import EDGE, WIDTH, Face, Palette, Size

HEIGHT: Final = 440
_MARGIN: Final = EDGE + 26
_GAP: Final = 40
_LEADING: Final = 46
_WIDEST: Final = 600
"""The greatest width of a board in pixels. It leaves room for words beside the board."""


@dataclass(frozen=True, slots=True)
class Poster:
    """A poster's texts in its readers' language: the title, the terms in short lines, and how many seats' marks to show."""

    title: str
    lines: Sequence[str] = ()
    seats: int = 0


def draw_poster(game_id: str, view: View, poster: Poster, translate: Translate = str) -> bytes:
    """Draw a poster as a PNG file. `view` is the start as a spectator sees it. Raises KeyError for an unknown game."""
    palette, renderer = theme.palette(high_contrast=False), RENDERERS[game_id]
    image = Image.new("RGB", (WIDTH, HEIGHT), palette.ink)
    small = small_board(renderer, view, Scene(names=("",) * view.seats, translate=translate), _WIDEST, HEIGHT - 2 * _MARGIN)
    image.paste(small, (_MARGIN, (HEIGHT - small.height) // 2), corner_mask(small.size))
    _write(image, view, poster, palette, _MARGIN + small.width + _GAP)
    return renderer.encode(card(image, palette), palette)


def small_board(renderer: Renderer, view: View, scene: Scene, width: int, height: int) -> Image.Image:
    """Return the board without what is below it, as large as the box allows, and with square corners."""
    board, foot = renderer.draw(view, scene), renderer.foot or renderer.strip
    inset = EDGE + 4
    board = board.crop((inset, inset, board.width - inset, board.height - EDGE - foot(view, scene)))
    scale = min(height / board.height, width / board.width)
    return board.resize((round(board.width * scale), round(board.height * scale)), Image.Resampling.LANCZOS)


@lru_cache(maxsize=16)
def corner_mask(size: tuple[int, int]) -> Image.Image:
    """Return the mask that rounds the corners of a small board."""
    scale = theme.SUPERSAMPLE
    mask = Image.new("L", (size[0] * scale, size[1] * scale))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), theme.CORNER * scale, fill=255)
    return mask.resize(size, Image.Resampling.LANCZOS)


def _write(image: Image.Image, view: View, poster: Poster, palette: Palette, left: int) -> None:
    room = WIDTH - _MARGIN - left
    titles = break_lines(poster.title, Face.LABEL, Size.HUGE, room)
    lines = [part for line in poster.lines for part in break_lines(line, Face.NAME, Size.NAME, room)]
    marks = 76 if poster.seats else 0
    y = (HEIGHT - 64 * len(titles) - _LEADING * len(lines) - marks) / 2 + 32
    for title in titles:
        write(image, (left, y), title, Face.LABEL, Size.HUGE, palette.gold, width=room)
        y += 64
    for line in lines:
        write(image, (left, y - 6), line, Face.NAME, Size.NAME, palette.paper, width=room)
        y += _LEADING
    if poster.seats:
        seats = [colours_of(seat, poster.seats, view.colours) for seat in range(poster.seats)]
        side = int(min(58.0, (room / len(seats) - 8) / len(seats[0])))
        for colours in seats:
            mark = badges(colours, palette, side)
            place(image, mark, (left + mark.width / 2, y + 16))
            left += mark.width + 8
