"""Draws the reader's hand on its own, with the full effect of each card."""

from collections.abc import Sequence
from itertools import product
from typing import Final

from PIL import Image

from engines.pucks.board.deck import CardId, card
from engines.pucks.board.views import PucksView
from renderers import canvas, theme
from renderers.canvas import place, with_shadow
from renderers.lettering import break_lines, text_width, write
from renderers.pucks.cards import blank_card, icon, in_short, title_of
from renderers.pucks.colours import colours_of
from renderers.pucks.highlights import card_frame
from renderers.scene import Scene, Translate
from renderers.sliced_sprite import SlicedSprite, slice_sprite
from renderers.sprite_cache import cache_sprite
from renderers.theme import EDGE, MAX_HEIGHT, WIDTH, Face, Palette, Size

_AROUND: Final = EDGE + 16
_GAP: Final = 14
"""Pixels around all the cards, and between two of them."""
_INSET: Final = 12  # pixels between the edge of a card and its icon or its words
_LARGEST_ICON: Final = 112  # the greatest size of an icon in pixels, which leaves room for titles in two columns
_LEADING: Final = 5  # pixels between two lines
_IN_ONE_COLUMN: Final = 6  # the most different cards that stand one below the other. More are in two columns.
_HEIGHTS: Final = (62, 172)  # the least and the greatest height of a card
_TYPE: Final = ((Size.HUGE, Size.HEADING), (Size.HEADING, Size.NAME), (Size.NAME, Size.BODY), (Size.BODY, Size.SMALL))
"""Sizes for the title and the effect of a card. The first pair with which both fit is used."""


def draw(view: PucksView, scene: Scene) -> Image.Image:
    """Draw the hand of the view's seat, and frame the options. Equal cards are drawn once, with their number."""
    palette = theme.palette(scene.high_contrast)
    kinds = list(dict.fromkeys(view.hand))
    columns, width, height = grid_of(len(kinds))
    rows = max(1, -(-len(kinds) // columns))
    image = Image.new("RGB", (WIDTH, 2 * _AROUND + rows * (height + _GAP) - _GAP), colours_of(palette).table)
    options = {option.token for option in scene.options}
    for number, card_id in enumerate(kinds):
        row, column = divmod(number, columns)
        middle = (_AROUND + column * (width + _GAP) + width / 2, _AROUND + row * (height + _GAP) + height / 2)
        _draw_card(image, middle, (card_id, view.hand.count(card_id)), scene.translate, palette, (width, height))
        if card_id in options:
            card_frame(palette, width, height, chosen=False).place(image, middle)
    return canvas.card(image, palette)


def grid_of(kinds: int) -> tuple[int, int, int]:
    """Return the number of columns for `kinds` different cards, and the width and height of each card."""
    columns = 1 if kinds <= _IN_ONE_COLUMN else 2
    rows = max(1, -(-kinds // columns))
    least, most = _HEIGHTS
    height = max(least, min(most, (MAX_HEIGHT - 2 * _AROUND + _GAP) // rows - _GAP))
    return columns, (WIDTH - 2 * _AROUND + _GAP) // columns - _GAP, height


def _draw_card(
    image: Image.Image,
    middle: tuple[float, float],
    held: tuple[CardId, int],
    translate: Translate,
    palette: Palette,
    size: tuple[int, int],
) -> None:
    """Draw a card and how many of it are held. Its icon is on the left, with the title and the effect beside it."""
    (card_id, number), (width, height) = held, size
    _blank(palette, width, height).place(image, middle)
    left, side = middle[0] - width / 2, _icon_side(height)
    place(image, icon(card_id, palette, side), (left + _INSET + side / 2, middle[1]))
    title, lines, (large, small) = words_on(card_id, translate, width, height, number)
    start, room = left + width - _INSET - room_for_words(width, height), room_for_words(width, height)
    y = middle[1] - (large + len(lines) * (small + _LEADING)) / 2
    write(image, (start, y + large / 2), title, Face.LABEL, large, palette.ink, width=room)
    muted = theme.mix(palette.muted, palette.ink, 0.4)
    for index, line in enumerate(lines):
        at = (start, y + large + _LEADING + index * (small + _LEADING) + small / 2)
        write(image, at, line, Face.NAME, small, muted, width=room)


@cache_sprite
def _blank(palette: Palette, width: int, height: int) -> SlicedSprite:
    return slice_sprite(with_shadow(blank_card(width, height, palette).image(), palette.ink))


def room_for_words(width: int, height: int) -> int:
    """Return the width that is left for words on the right of the icon."""
    return width - _icon_side(height) - 3 * _INSET - 6


def _icon_side(height: int) -> int:
    return min(height - 2 * _INSET, _LARGEST_ICON)


def words_on(
    card_id: CardId, translate: Translate, width: int, height: int, number: int = 1
) -> tuple[str, Sequence[str], tuple[Size, Size]]:
    """Return the title and the lines of the effect of a card, as large as possible, with the sizes of both.

    Many effects fit at no size. They are given in their short form.
    """
    room = room_for_words(width, height)
    title = title_of(card_id, translate, number)
    for effect, (large, small) in product((card(card_id).effect, in_short(card_id)), _TYPE):
        lines = break_lines(translate(effect), Face.NAME, small, room)
        high = large + len(lines) * (small + _LEADING)
        widest = max([text_width(title, Face.LABEL, large), *(text_width(line, Face.NAME, small) for line in lines)])
        if widest <= room and high <= height - 8:
            break
    return title, lines, (large, small)
