"""Draws the result of an event: the first three on a podium of springs, and below them the last board of the best game."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.game import View
from renderers import RENDERERS, theme
from renderers.banner import cup
from renderers.bouncers.colours import colours_of
from renderers.canvas import Layer, card, place
from renderers.lettering import break_lines, write
from renderers.pieces import badges, draw_spring, plate
from renderers.poster import corner_mask, small_board
from renderers.scene import Scene
from renderers.signs import numbered_dot
from renderers.sprite_cache import cache_sprite
from renderers.strip import shown_name
from renderers.summaries.heading import HEADER, draw_header, encode
from renderers.summaries.lines import BEST, fitting_size, medal, name_or_words, tint
from renderers.theme import EDGE, WIDTH, Face, Palette, Size

FINISHERS_AT_MOST: Final = 5

_STAGE: Final = 414
_FLOOR: Final = 40
_BOARD: Final = 400
_GAP: Final = 20
"""Heights in pixels: of the podium, of its floor, of the board at most, and of the gaps round the board."""
_SIDE: Final = EDGE + 24
_WIDEST: Final = 310
"""The room on both sides, and the greatest width of a step."""
_RISES: Final = (170, 112, 64)
_LOWEST: Final = 40
"""The heights of the springs for the first places, and of the spring for any other place."""
_MEDAL: Final = 46  # the radius of a medal
_RAYS: Final = 18  # the number of rays behind the winners
_LINE: Final = 36
_ROWS: Final = (72, 44)
"""The height of a line of the caption, and the greatest and, if there is room, the least height of a player's row."""


@dataclass(frozen=True, slots=True)
class Finisher:
    """A player on the podium: the place from 1 (shared ones are equally high), the name, and the points with any tie-break."""

    place: int
    name: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BestGame:
    """The best game of an event.

    Attributes:
        game_id: the game.
        view: its end, as a spectator sees it.
        scene: the players' names, and how the game ended (`Scene.finale`).
        title: the heading, such as "The best game: #42".
        caption: a sentence about the game, in at most three lines.
    """

    game_id: str
    view: View
    scene: Scene
    title: str
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Podium:
    """Everything in the picture, with texts in any language.

    Attributes:
        title, subtitle: the name of the event, and the heading below it.
        finishers: the first players, best first. At most `FINISHERS_AT_MOST` are drawn: more than three if they share a place.
        best_game: the game below the podium, or None.
        nameless: the words for a player whose name cannot be drawn.
    """

    title: str
    subtitle: str
    finishers: tuple[Finisher, ...]
    best_game: BestGame | None = None
    nameless: str


def draw(podium: Podium, *, high_contrast: bool = False) -> bytes:
    """Draw a podium as a PNG file, deterministically. Raises KeyError for an unknown game."""
    palette = theme.palette(high_contrast)
    of_board = RENDERERS[podium.best_game.game_id].anchors(palette) if podium.best_game is not None else ()
    return encode(paint(podium, palette), palette, *of_board)


def paint(podium: Podium, palette: Palette) -> Image.Image:
    """Draw a podium as a card."""
    game, top, board = podium.best_game, HEADER + _STAGE, None
    if game is not None:
        scene = replace(game.scene, high_contrast=palette.high_contrast)
        board = small_board(RENDERERS[game.game_id], game.view, scene, WIDTH // 2, _BOARD)
    image = Image.new("RGB", (WIDTH, top + (EDGE if board is None else board.height + 2 * _GAP + EDGE)), palette.paper)
    _draw_stage(image, podium, palette)
    draw_header(image, podium.title, podium.subtitle, palette)
    if game is not None and board is not None:
        image.paste(board, (_SIDE, top + _GAP), corner_mask(board.size))
        left = _SIDE + board.width + _GAP + 4
        _draw_beside(image, game, palette, (left, top + _GAP, WIDTH - _SIDE, top + _GAP + board.height))
    return card(image, palette)


def _draw_stage(image: Image.Image, podium: Podium, palette: Palette) -> None:
    """Draw the players side by side, with the first in the middle and the others on alternate sides."""
    order: list[Finisher] = []
    for number, finisher in enumerate(podium.finishers[:FINISHERS_AT_MOST]):
        order.insert(0 if number % 2 else len(order), finisher)
    width = min(_WIDEST, (WIDTH - 2 * _SIDE) // max(1, len(order)))
    left = (WIDTH - width * len(order)) / 2
    middles = [left + width * (number + 0.5) for number in range(len(order))]
    first = [x for x, finisher in zip(middles, order, strict=True) if finisher.place == 1] or [WIDTH / 2]
    image.paste(_ground(palette, round(sum(first) / len(first))), (0, HEADER))
    for x, finisher in zip(middles, order, strict=True):
        beside = width if finisher.place > 1 or len(first) > 1 else 2 * min(width, round(x) - _SIDE, WIDTH - _SIDE - round(x))
        _draw_finisher(image, finisher, podium.nameless, x, (width, beside - 16), palette)


@lru_cache(maxsize=8)
def _ground(palette: Palette, middle: int) -> Image.Image:
    layer = Layer(WIDTH, _STAGE, 3, ground=palette.paper)
    x, y = middle, 170.0
    for number in range(_RAYS):
        angles = [2 * math.pi * (number + side) / _RAYS for side in (-0.25, 0.25)]
        ends = [(x + 2 * WIDTH * math.sin(angle), y - 2 * WIDTH * math.cos(angle)) for angle in angles]
        layer.polygon([(x, y), *ends], tint(palette))
    colours, low = colours_of(palette), _STAGE - _FLOOR
    layer.rectangle((0, low, WIDTH, _STAGE), 0, colours.pad)
    layer.rectangle((0, low, WIDTH, low + 6), 0, colours.pad_light)
    return layer.image().convert("RGB")


def _draw_finisher(
    image: Image.Image, finisher: Finisher, nameless: str, x: float, widths: tuple[int, int], palette: Palette
) -> None:
    """Draw a player centred at `x`, with name, points, medal and spring. `widths` are those of the step and of the name."""
    width, room = widths
    rise = _RISES[finisher.place - 1] if finisher.place <= BEST else _LOWEST
    sprite = _spring(min(84, round(width * 0.34)), rise, palette)
    floor = HEADER + _STAGE - _FLOOR + 12
    top = floor - rise
    place(image, sprite, (x, floor - rise / 2))
    number, at = str(finisher.place), (x, top - 22 - _MEDAL)
    if finisher.place <= BEST:
        place(image, medal(finisher.place, palette, _MEDAL), at)
        write(image, at, number, Face.LABEL, Size.HUGE, palette.ink, align="middle")
    else:
        place(image, numbered_dot(finisher.place, palette.muted, palette, 2 * _MEDAL - 16, Size.HEADING), (x, at[1] + 6))
    name = name_or_words(finisher.name, nameless)
    sizes = (Size.HUGE, Size.HEADING, Size.NAME, Size.BODY, Size.SMALL)[finisher.place > 1 :]
    write(image, (x, top - 2 * _MEDAL - 79), name, Face.NAME_STRONG, fitting_size(name, Face.NAME_STRONG, sizes, room),
          palette.ink, align="middle", width=room)  # fmt: skip
    size = fitting_size(finisher.points, Face.LABEL, (Size.BODY, Size.SMALL), width - 16)
    write(image, (x, top - 2 * _MEDAL - 42), finisher.points, Face.LABEL, size, palette.muted, align="middle", width=width - 16)


@cache_sprite
def _spring(half: int, rise: int, palette: Palette) -> Image.Image:
    """Return a spring, centred in its sprite, whose upper plate lies `rise` pixels above its lower one."""
    room = round(half * 0.22) + 2
    layer = Layer(round(half * 2.4), rise + 2 * room)
    draw_spring(layer, (layer.width / 2, room), half, rise, palette, turns=max(2, round(rise / 30)))
    return layer.image()


def _draw_beside(image: Image.Image, game: BestGame, palette: Palette, box: tuple[int, int, int, int]) -> None:
    """Write the heading and the caption beside the board, above a row for each player."""
    left, top, right, bottom = box
    room = right - left
    size = fitting_size(game.title, Face.LABEL, (Size.HEADING, Size.NAME, Size.BODY), room)
    write(image, (left, top + 24), game.title, Face.LABEL, size, palette.ink, width=room)
    y = top + 52
    for line in _caption(game, room, bottom - y):
        write(image, (left, y + 18), line, Face.NAME, Size.BODY, palette.ink, width=room)
        y += _LINE
    rows = game.view.seats
    height = min(_ROWS[0], (bottom - y - 8) // rows)
    first = y + 8 + max(0, bottom - y - 8 - height * rows) // 2
    for seat in range(rows):
        _draw_player(image, game, seat, (left, first + height * seat + 3, right, first + height * (seat + 1) - 3), palette)


def _caption(game: BestGame, room: int, height: int) -> list[str]:
    """Return the caption in as many lines as leave room for the players. The last line has the rest, which `write` cuts."""
    lines = break_lines(game.caption, Face.NAME, Size.BODY, room)
    most = max(1, (height - 8 - _ROWS[1] * game.view.seats) // _LINE)
    return [*lines[: most - 1], " ".join(lines[most - 1 :])] if len(lines) > most else lines


def _draw_player(image: Image.Image, game: BestGame, seat: int, box: tuple[int, int, int, int], palette: Palette) -> None:
    """Draw a player of the best game with mark, name and score, on gold with a cup if they have won."""
    (left, top, right, bottom), view = box, game.view
    height, middle = bottom - top, (top + bottom) / 2
    won = game.scene.finale is not None and seat in game.scene.finale.winners
    row = plate(right - left, height, height / 2, palette.gold if won else tint(palette))
    image.paste(row, (left, top), row)
    mark = badges(view.colours_of(seat), palette, min(44, height - 6))
    place(image, mark, (left + 6 + mark.width / 2, middle))
    x, end = left + 16 + mark.width, right - 18.0
    if won:
        sign = cup(palette, min(46, height - 2))
        place(image, sign, (end - sign.width / 2 + 8, middle))
        end -= sign.width
    score = game.scene.translate(view.scores[seat]) if seat < len(view.scores) else ""
    end -= write(image, (end, middle), score, Face.LABEL, Size.SMALL, palette.ink, align="right", width=130) + 12
    name = shown_name(game.scene, seat)
    size = fitting_size(name, Face.NAME_STRONG, (Size.NAME, Size.BODY, Size.SMALL)[height < 48 :], end - x)
    write(image, (x, middle), name, Face.NAME_STRONG, size, palette.ink, width=end - x)
