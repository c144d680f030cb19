"""The banner above the last board of a game, joined to it. It shows the winners, the scores and the changes in ratings."""

import math
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.game import View
from engines.text import Text, say
from renderers import theme
from renderers.canvas import Layer, Point, card, lay, place, star, with_shadow
from renderers.lettering import text_width, write
from renderers.pieces import badges, plate
from renderers.scene import Finale, Scene
from renderers.strip import shown_name
from renderers.theme import EDGE, WIDTH, Face, Palette, Size

HEAD: Final = 104
"""The height in pixels of the part with the winners."""
ROW: Final = 58
"""The height of a row of results."""
_FOOT: Final = 14
_SIDE: Final = EDGE + 24
_GAP: Final = 12
_CUP: Final = 76


def over(board: Image.Image, view: View, scene: Scene, finale: Finale, palette: Palette) -> Image.Image:
    """Join the banner and `board`, the finished card of the last position, into one card."""
    rows = _rows(view, finale)
    height = EDGE + HEAD + len(rows) * ROW + (_FOOT if rows else 0)
    image = Image.new("RGB", (WIDTH, height + board.height - EDGE), palette.ink)
    image.paste(board.crop((0, EDGE, board.width, board.height)), (0, height))
    image.paste(palette.gold, (0, height - 5, WIDTH, height))
    draw_head(image, view, scene, finale, palette, EDGE + HEAD / 2 - 2)
    for number, row in enumerate(rows):
        width = (WIDTH - 2 * _SIDE - _GAP * (len(row) - 1)) / len(row)
        for place_in_row, seat in enumerate(row):
            left = _SIDE + place_in_row * (width + _GAP)
            top = EDGE + HEAD - 4 + number * ROW
            _draw_result(image, view, scene, finale, palette, seat, (left, top, left + width, top + ROW - 10))
    return card(image, palette)


def with_sign(change: int) -> str:
    """Return a change in a rating with its sign: "+13", "−8" or "±0"."""
    return f"+{change}" if change > 0 else f"−{-change}" if change else "±0"


def _rows(view: View, finale: Finale) -> list[tuple[int, ...]]:
    """Return the seats in each row of results, at most three to a row. Without scores or ratings, there are no rows."""
    if view.seats == 1 or not (any(finale.ratings) or any(view.scores)):
        return []
    across = view.seats if view.seats < 4 else math.ceil(view.seats / 2)
    return [tuple(range(first, min(first + across, view.seats))) for first in range(0, view.seats, across)]


def draw_head(image: Image.Image, view: View, scene: Scene, finale: Finale, palette: Palette, middle: float) -> None:
    """Draw the cup, the winners' badges and the words in one line, centred at the height `middle`."""
    words = scene.translate(_words(scene, finale))
    sprites = [cup(palette, _CUP)] if finale.winners else []
    sprites += [badges(view.colours_of(seat), palette, 60) for seat in finale.winners]
    sprites_wide = sum(sprite.width + 12 for sprite in sprites)
    room = WIDTH - 2 * _SIDE - sprites_wide
    x = (WIDTH - sprites_wide - min(room, text_width(words, Face.NAME_STRONG, Size.HUGE))) / 2
    for sprite in sprites:
        place(image, sprite, (x + sprite.width / 2, middle))
        x += sprite.width + 12
    write(image, (x + 2, middle), words, Face.NAME_STRONG, Size.HUGE, palette.gold, width=room)


def _words(scene: Scene, finale: Finale) -> Text:
    match [shown_name(scene, seat) for seat in finale.winners]:
        case []:
            return say("It’s a draw!") if finale.drawn else say("Nobody wins.")
        case [name]:
            return say("{who} wins!", who=name)
        case [*names, last]:
            return say("{who} win together!", who=say("{some} and {who}", some=", ".join(names), who=last))
    raise AssertionError


@lru_cache(maxsize=8)
def cup(palette: Palette, side: int) -> Image.Image:
    """Return a golden cup with a star on it."""
    layer, x, unit = Layer(side, side), side / 2, side / 100

    def shape(grow: float, bowl: theme.Colour, dark: theme.Colour) -> None:
        for way in (-1, 1):
            layer.arc((x + way * 30 * unit, 33 * unit), 15 * unit, 0, 360, (9 + grow) * unit, dark)
        layer.polygon(_bowl(x, unit, grow), bowl)
        layer.rectangle((x - (6 + grow / 2) * unit, 60 * unit, x + (6 + grow / 2) * unit, 82 * unit), 2 * unit, dark)
        foot = (x - (23 + grow / 2) * unit, (79 - grow / 2) * unit, x + (23 + grow / 2) * unit, (90 + grow / 2) * unit)
        layer.rectangle(foot, 4 * unit, dark)

    shape(0, palette.gold, palette.gold_dark)
    shade = [(x + dx * unit, y * unit) for dx, y in ((12, 14), (27, 14), (22, 45), (7, 62))]
    layer.polygon(shade, theme.mix(palette.gold, palette.gold_dark, 0.45))
    layer.polygon(star((x - 1 * unit, 35 * unit), 15 * unit, 5, 0.45), palette.paper)
    return with_shadow(layer.image(), palette.ink)


def _bowl(x: float, unit: float, grow: float) -> list[Point]:
    wide = 28 * unit + grow * unit
    sides = [(wide, 12.0), (wide * 0.96, 34.0), (wide * 0.72, 51.0), (wide * 0.3, 64.0)]
    right = [(x + dx, y * unit) for dx, y in sides]
    return [*right, *((2 * x - px, py) for px, py in reversed(right))]


def _draw_result(
    image: Image.Image, view: View, scene: Scene, finale: Finale, palette: Palette, seat: int, box: tuple[float, ...]
) -> None:
    """Draw a seat's pill: its badge, its score, and its rating before and after."""
    left, top, right, bottom = (round(value) for value in box)
    middle, won = (top + bottom) / 2, seat in finale.winners
    ground = palette.gold if won else theme.mix(palette.ink, palette.paper, 0.16)
    ink = palette.ink if won else palette.paper
    pill = plate(right - left, bottom - top, (bottom - top) / 2, ground)
    lay(image, pill, (left, top))
    mark = badges(view.colours_of(seat), palette, 38, out=seat in view.out and not won)
    place(image, mark, (left + 6 + mark.width / 2, middle))
    x, end = left + 16.0 + mark.width, right - 20.0
    score = scene.translate(view.scores[seat]) if seat < len(view.scores) else ""
    change = finale.ratings[seat] if seat < len(finale.ratings) else None
    if change is None:
        write(image, (x, middle), score, Face.LABEL, Size.NAME, ink, width=end - x)
        return
    before, after = change
    crowded = right - left < 400
    size, delta = (Size.BODY, with_sign(after - before)) if crowded else (Size.NAME, f"({with_sign(after - before)})")
    end -= write(image, (end, middle), delta, Face.LABEL, size, ink, align="right") + 10
    end -= write(image, (end, middle), str(after), Face.NAME_STRONG, size, ink, align="right") + 8
    arrow = _arrow(ink)
    place(image, arrow, (end - arrow.width / 2, middle))
    end -= arrow.width + 8
    end -= write(image, (end, middle), str(before), Face.NAME, size, ink, align="right") + 16
    if text_width(score, Face.LABEL, Size.NAME) <= end - x:  # otherwise the strip alone has it
        write(image, (x, middle), score, Face.LABEL, Size.NAME, ink)


@lru_cache(maxsize=8)
def _arrow(ink: theme.Colour) -> Image.Image:
    """Return a small arrow pointing right. It is drawn because not every typeface has one."""
    layer = Layer(28, 22)
    layer.line([(3, 11), (24, 11)], 3, ink)
    layer.line([(16, 4), (24, 11), (16, 18)], 3, ink)
    return layer.image()
