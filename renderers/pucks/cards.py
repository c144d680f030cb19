"""Draws the cards of Puck Bumpers, on the table and in hands. The colour of a card shows its kind."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from engines.pucks.deck import CardId, CardKind, card
from engines.text import Text, say
from renderers import theme
from renderers.canvas import Box, Layer, Point, place, with_shadow
from renderers.lettering import text_width, write
from renderers.pucks.colours import colours_of
from renderers.pucks.icons import Pen, draw_icon
from renderers.pucks.pieces import draw_puck
from renderers.scene import Translate
from renderers.theme import Colour, Face, Palette, Size

ROOM: Final = 10
"""Free pixels round a card, for its shadow."""
_PITCH: Final = 25
"""Pixels from one line of text to the next."""
_ICONS_FROM: Final = 24
"""The size in pixels from which a card has its icon; smaller ones show their colour only."""
_NUMBER: Final = re.compile(r" (\d+)$")
"""A number at the end of a title, which stays on the same line as the word before it."""
_LINES_FROM: Final = 160
"""The height in pixels from which an upright card has a line about what it does."""


def colour_of(card_id: CardId, palette: Palette) -> Colour:
    """The colour for the kind of a card."""
    colours = colours_of(palette)
    return {
        CardKind.DRAW: colours.draw_card,
        CardKind.ACTION: colours.action_card,
        CardKind.CHANGER: colours.changer_card,
        CardKind.QUICK: colours.quick_card,
    }[card(card_id).kind]


def in_short(card_id: CardId) -> Text:
    """What a card does, short enough for one line of the card. The whole text is shown where the card is chosen."""
    known = card(card_id)
    if known.kind is CardKind.DRAW:
        return say("each turn")
    if known.kind is CardKind.ACTION:
        return say("actions")
    return _SHORT[card_id]


_SHORT: Final = {
    "shift": say("move a mat"),
    "swap": say("swap mats"),
    "twist": say("turn a mat"),
    "mix": say("three shifts"),
    "borrow": say("move theirs"),
    "salvage": say("reuse a card"),
    "faceoff": say("swap pucks"),
    "review": say("undo a goal"),
    "thin-ice": say("ice slides"),
    "slush": say("short slides"),
    "net-off": say("close a goal"),
    "whistle": say("undo that"),
    "u-turn": say("turn round"),
    "double": say("actions ×2"),
    "extra": say("actions +1"),
    "quick-draw": say("draw two"),
    "sweep": say("reshuffle"),
}


@lru_cache(maxsize=256)
def face(card_id: CardId, translate: Translate, palette: Palette, width: int, height: int) -> Image.Image:
    """A card, face up: its icon, its title and, if there is room, what it does. Wide cards have the icon on the left."""
    layer = Layer(width + 2 * ROOM, height + 2 * ROOM)
    layer.rounded((ROOM, ROOM, ROOM + width, ROOM + height), 12, palette.ink)
    layer.rounded((ROOM + 2, ROOM + 2, ROOM + width - 2, ROOM + height - 2), 10, palette.paper)
    if width > height:
        return _lying_face(layer, card_id, translate, palette, width, height)
    told = height >= _LINES_FROM
    title, typeface = _wrapped(translate(card(card_id).title), width - 7, 3 if told else 2)
    # In a hand all icons are at the same height, except above the longest titles.
    lines = max(len(title), 2)
    low = height - 10 - _PITCH * (lines + told)
    pen = _draw_field(layer, card_id, palette, (ROOM + 5, ROOM + 5, ROOM + width - 5, ROOM + low))
    image = with_shadow(layer.done(), palette.ink)
    pen.write(image)
    x, y = ROOM + width / 2, ROOM + low + 15 + _PITCH * (lines - len(title)) / 2
    for number, line in enumerate(title):
        at = (x, y + number * _PITCH)
        write(image, at, line, typeface, Size.SMALL, palette.ink, align="middle", width=width - 6)
    if told:
        at, muted = (x, ROOM + low + 16 + _PITCH * lines), theme.mix(palette.muted, palette.ink, 0.3)
        write(image, at, translate(in_short(card_id)), Face.NAME, Size.SMALL, muted, align="middle", width=width - 6)
    return image


def _lying_face(layer: Layer, card_id: CardId, translate: Translate, palette: Palette, width: int, height: int) -> Image.Image:
    """A card of a large hand, with its icon on the left and its title beside it."""
    field = min(height - 10, 58)
    pen = _draw_field(layer, card_id, palette, (ROOM + 5, ROOM + 5, ROOM + 5 + field, ROOM + height - 5))
    image = with_shadow(layer.done(), palette.ink)
    pen.write(image)
    left, room = ROOM + field + 13, width - field - 20
    title, typeface = _wrapped(translate(card(card_id).title), room, 2 if height >= 50 else 1)
    told = height >= _HIGHEST - 4
    y = ROOM + height / 2 - _PITCH * (len(title) - 1 + told) / 2
    for number, line in enumerate(title):
        write(image, (left, y + number * _PITCH), line, typeface, Size.SMALL, palette.ink, width=room)
    if told:
        at, muted = (left, y + len(title) * _PITCH), theme.mix(palette.muted, palette.ink, 0.3)
        write(image, at, translate(in_short(card_id)), Face.NAME, Size.SMALL, muted, width=room + 3)
    return image


def _draw_field(layer: Layer, card_id: CardId, palette: Palette, box: Box) -> Pen:
    """Draw the field with the icon, in the colour of the kind. The caller has to `write` with the pen that is returned."""
    colour, (left, top, right, bottom) = colour_of(card_id, palette), box
    layer.rounded(box, 8, theme.mix(colour, palette.paper, 0.3))
    layer.rounded((left, top + 2, right, bottom), 8, colour)
    side = min(74.0, right - left - 4, bottom - top - 4)
    pen = Pen(layer, ((left + right - side) / 2, (top + bottom - side) / 2 + 1), side, palette)
    if side >= _ICONS_FROM:
        draw_icon(pen, card_id)
    return pen


def _wrapped(text: str, width: float, lines: int) -> tuple[list[str], Face]:
    """Break a text into at most `lines` lines, and choose the typeface: the narrower one if a line would be too wide.

    A line that is still too wide is cut when it is written.
    """
    whole = _NUMBER.sub("\u00a0\\1", text).split(" ")
    broken = text.replace("-", "- ").split()
    for words, typeface in ((whole, Face.LABEL), (whole, Face.NAME_STRONG), (broken, Face.NAME_STRONG)):
        found = [""]
        for word in words:
            longer = f"{found[-1]}{word}" if found[-1].endswith("-") else f"{found[-1]} {word}".strip()
            if found[-1] and len(found) < lines and text_width(longer, typeface, Size.SMALL) > width:
                found.append(word)
            else:
                found[-1] = longer
        if all(text_width(line, typeface, Size.SMALL) <= width for line in found):
            break
    return found, typeface


@lru_cache(maxsize=16)
def back(palette: Palette, width: int, height: int, *, pile: bool = False) -> Image.Image:
    """A card, face down; with more cards under it if it is a pile."""
    colours = colours_of(palette)
    layer = Layer(width + 2 * ROOM, height + 2 * ROOM)
    for step in (6, 3, 0) if pile else (0,):
        layer.rounded((ROOM + step, ROOM + step, ROOM + width + step, ROOM + height + step), 12, palette.ink)
        inside = (ROOM + step + 2, ROOM + step + 2, ROOM + width + step - 2, ROOM + height + step - 2)
        layer.rounded(inside, 10, palette.paper)
    layer.rounded((ROOM + 7, ROOM + 7, ROOM + width - 7, ROOM + height - 7), 7, colours.card_back)
    middle = (ROOM + width / 2, ROOM + height / 2)
    light = theme.mix(colours.card_back, colours.on_table, 0.22)
    for corner in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        layer.ellipse((middle[0] + corner[0] * (width / 2 - 19), middle[1] + corner[1] * (height / 2 - 19)), 5, light)
    radius = min(width, height) * 0.32
    layer.ellipse(middle, radius, light)
    layer.ellipse(middle, radius - 4, colours.card_back)
    draw_puck(layer, middle, radius - 8, colours.on_table, palette)
    return with_shadow(layer.done(), palette.ink)


@lru_cache(maxsize=8)
def empty_place(palette: Palette, width: int, height: int) -> Image.Image:
    """An empty place for a card."""
    colours = colours_of(palette)
    layer = Layer(width + 2 * ROOM, height + 2 * ROOM)
    box = (ROOM, ROOM, ROOM + width, ROOM + height)
    layer.rounded(box, 12, theme.mix(colours.panel, colours.on_table, 0.3))
    layer.rounded((box[0] + 2.5, box[1] + 2.5, box[2] - 2.5, box[3] - 2.5), 10, colours.panel)
    return layer.done()


@lru_cache(maxsize=256)
def count(number: int, palette: Palette, *, times: bool = False) -> Image.Image:
    """A number in a small pill: the size of a pile, or with `times` how many equal cards there are."""
    text = f"×{number}" if times else str(number)
    height = 32
    width = max(height, round(text_width(text, Face.LABEL, Size.SMALL)) + 18)
    layer = Layer(width, height)
    layer.rounded((0, 0, width, height), height / 2, palette.ink)
    layer.rounded((2.5, 2.5, width - 2.5, height - 2.5), height / 2 - 2.5, palette.paper)
    image = layer.done()
    write(image, (width / 2, height / 2), text, Face.LABEL, Size.SMALL, palette.ink, align="middle")
    return image


# --- a hand -------------------------------------------------------------------------------------------------------------

HAND: Final = 172
"""The height of a hand of cards under the rink, however many there are."""
ASIDE: Final = 196
"""The width of a hand of cards at the side of the rink."""
_HIGHEST: Final = 84
"""The greatest height of a card at the side of the rink."""
_UPRIGHT: Final = 7
"""Up to this many different cards stand upright in one row; more lie in rows."""
_LYING: Final = 5
"""The number of lying cards in a row."""
_GAP: Final = 8


def draw_hand(
    image: Image.Image, box: tuple[int, int, int, int], cards: Sequence[CardId], translate: Translate, palette: Palette
) -> dict[CardId, tuple[Point, int, int]]:
    """Draw cards side by side, or below each other in a narrow box. Equal cards are drawn once, with their number.

    Returns:
        The middle, the width and the height of each different card.
    """
    kinds = list(dict.fromkeys(cards))
    left, top, right, bottom = box
    if right - left == ASIDE:
        most = columns = 1
        rows = len(kinds)
        height = min(_HIGHEST, (bottom - top + _GAP) // max(1, rows) - _GAP)
        gap = min(3 * _GAP, (bottom - top - rows * height) // max(1, rows - 1))
    else:
        most = _UPRIGHT if len(kinds) <= _UPRIGHT else _LYING
        rows = max(1, -(-len(kinds) // most))
        columns = max(1, -(-len(kinds) // rows))
        height, gap = (bottom - top - _GAP * (rows - 1)) // rows, _GAP
    width = (right - left - _GAP * (most - 1)) // most
    found = {}
    for index, card_id in enumerate(kinds):
        row, column = divmod(index, columns)
        here = min(columns, len(kinds) - row * columns)
        x = (left + right) / 2 + (column - (here - 1) / 2) * (width + _GAP)
        y = top + height / 2 + row * (height + gap)
        place(image, face(card_id, translate, palette, width, height), (x, y))
        if (number := cards.count(card_id)) > 1:
            aside = width / 2 - 20 if width <= height else 46 - width / 2
            place(image, count(number, palette, times=True), (x + aside, y - height / 2 + (14 if width <= height else 6)))
        found[card_id] = ((x, y), width, height)
    return found


def draw_hands(image: Image.Image, box: tuple[int, int, int, int], hands: Sequence[Sequence[CardId]], palette: Palette) -> None:
    """Draw all hands of a finished game as icons, each hand above its seat."""
    left, top, right, bottom = box
    column = (right - left) / max(1, len(hands))
    most = max(map(len, hands), default=0)
    side = next((side for side in range(74, 26, -2) if (column // (side + 6)) * ((bottom - top) // (side + 6)) >= most), 26)
    across = max(1, int(column // (side + 6)))
    for seat, hand in enumerate(hands):
        for index, card_id in enumerate(hand):
            row, place_in_row = divmod(index, across)
            x = left + seat * column + 8 + (place_in_row + 0.5) * (side + 6)
            place(image, _icon(card_id, palette, side), (x, top + (row + 0.5) * (side + 6)))


@lru_cache(maxsize=128)
def _icon(card_id: CardId, palette: Palette, side: int) -> Image.Image:
    """The icon of a card on its own."""
    layer = Layer(side + 2 * ROOM, side + 2 * ROOM)
    layer.rounded((ROOM, ROOM, ROOM + side, ROOM + side), 10, palette.ink)
    pen = _draw_field(layer, card_id, palette, (ROOM + 2, ROOM + 2, ROOM + side - 2, ROOM + side - 2))
    image = with_shadow(layer.done(), palette.ink)
    pen.write(image)
    return image
