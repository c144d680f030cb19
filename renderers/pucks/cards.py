"""Draws the cards of Puck Bumpers, both on the table and in hands. The colour of a card shows its kind."""

import re
from collections.abc import Sequence
from itertools import product
from typing import Final

from PIL import Image

from engines.pucks.board.deck import CardId, CardKind, card
from engines.steps import colours_of as colours_of_seat
from engines.text import Text, say
from renderers import theme
from renderers.canvas import Box, Layer, Point, place, with_shadow
from renderers.lettering import text_width, write
from renderers.pieces import badges
from renderers.pucks.colours import colours_of
from renderers.pucks.icons import Pen, draw_icon
from renderers.pucks.pieces import draw_puck
from renderers.scene import Translate
from renderers.sliced_sprite import SlicedSprite, slice_sprite
from renderers.sprite_cache import cache_sprite
from renderers.theme import Colour, Face, Palette, Size

ROOM: Final = 10
"""Free pixels round a card, for its shadow."""
_ICON: Final = 54
_SLIM_ICON: Final = 44
"""The largest size of an icon in a hand, in pixels. On cards narrower than `CARD_WIDTH`, it is `_SLIM_ICON`."""
_INSIDE: Final = 5  # pixels between the text on a card and its edge, above and below
_LEADING: Final = 1.08  # the height of a line, for each pixel of the size of its type
_ICONS_FROM: Final = 24  # the size in pixels from which a card has its icon; smaller ones show their colour only
_NUMBER: Final = re.compile(r" (\d+)$")  # a number at the end of a title, which stays on the same line as the word before it
_BREAK: Final = re.compile(r" |(?<=\w-)(?=\w)")
"""Where a text may be broken into lines: at a space, and after a hyphen in a word."""


def colour_of(card_id: CardId, palette: Palette) -> Colour:
    """Return the colour for the kind of a card."""
    colours = colours_of(palette)
    return {
        CardKind.DRAW: colours.draw_card, CardKind.ACTION: colours.action_card, CardKind.CHANGER: colours.changer_card,
        CardKind.QUICK: colours.quick_card,
    }[card(card_id).kind]  # fmt: skip


def in_short(card_id: CardId) -> Text:
    """Return the effect of a card in one line. The rules pages give it in full."""
    known = card(card_id)
    if known.kind is CardKind.DRAW:
        return say("cards each turn")
    if known.kind is CardKind.ACTION:
        return say("actions a turn")
    return _SHORT[card_id]


_SHORT: Final = {
    "shift": say("move an outer mat"), "swap": say("swap outer mats"), "twist": say("turn any mat"),
    "mix": say("move three mats"), "borrow": say("move theirs too"), "salvage": say("reuse a discard"),
    "faceoff": say("swap two pucks"), "review": say("undo a goal"), "thin-ice": say("moved ice slides"),
    "slush": say("slides of 4 at most"), "net-off": say("close a goal"), "whistle": say("undo their action"),
    "u-turn": say("end turn, reverse"), "double": say("twice the actions"), "extra": say("one more action"),
    "quick-draw": say("draw two cards"), "sweep": say("reshuffle discards"),
}  # fmt: skip


def blank_card(width: int, height: int, palette: Palette) -> Layer:
    """Return a card without anything on it, to be drawn on."""
    layer = Layer(width + 2 * ROOM, height + 2 * ROOM, 3)
    layer.plates((ROOM, ROOM, ROOM + width, ROOM + height), 12, (0, palette.ink), (2, palette.paper))
    return layer


@cache_sprite
def face(card_id: CardId, translate: Translate, palette: Palette, width: int, height: int, number: int = 1) -> SlicedSprite:
    """Return a card, face up: its icon, its title, the number held if several are, and its effect if there is room."""
    layer, icon = blank_card(width, height, palette), icon_side(width, height)
    pen = _draw_field(layer, card_id, palette, (ROOM + 5, ROOM + 5, ROOM + 5 + icon, ROOM + height - 5))
    image = with_shadow(layer.image(), palette.ink)
    pen.write(image)
    lines = lines_on(card_id, translate, palette, width - icon - 28, height - 2 * _INSIDE, number)
    y = ROOM + (height - _high(lines)) / 2
    for text, typeface, size, colour in lines:
        write(image, (ROOM + icon + 15, y + size * _LEADING / 2), text, typeface, size, colour, width=width - icon - 20)
        y += size * _LEADING
    return slice_sprite(image)


def icon_side(width: int, height: int) -> int:
    """Return the size of the icon on a card of this size in a hand."""
    return min(height - 10, _ICON if width >= CARD_WIDTH else _SLIM_ICON)


Line = tuple[str, Face, Size, Colour]
"""A line of text on a card."""


def title_of(card_id: CardId, translate: Translate, number: int) -> str:
    """Return the title of a card, with the number of such cards if there are several: "Double Action ×2" for two."""
    title = translate(card(card_id).title)
    return f"{title}\u00a0×{number}" if number > 1 else title


def lines_on(
    card_id: CardId, translate: Translate, palette: Palette, width: float, height: float, number: int = 1
) -> list[Line]:
    """Return the lines that a card has room for: the title, as large as possible, and then the effect if it fits."""
    muted = theme.mix(palette.muted, palette.ink, 0.4)
    told = translate(in_short(card_id))
    effects: list[list[Line]] = [
        [(line, Face.NAME, size, muted) for line in wrap(told, Face.NAME, size, width, most)] for size, most in _EFFECTS
    ]
    titles = [
        [
            (line, typeface, size, palette.ink)
            for line in wrap(title_of(card_id, translate, number), typeface, size, width, most)
        ]
        for typeface, size, most in _TITLES
    ]
    for title, rest in (*product(titles, filter(None, effects)), *((title, []) for title in titles)):
        if title and _high([*title, *rest]) <= height:
            return [*title, *rest]
    return [(title_of(card_id, translate, number), Face.NAME_STRONG, Size.SMALL, palette.ink)]


_TITLES: Final = (
    (Face.LABEL, Size.BODY, 1), (Face.LABEL, Size.BODY, 2), (Face.LABEL, Size.SMALL, 2), (Face.NAME_STRONG, Size.SMALL, 2),
)  # fmt: skip
"""The types for a title, each with the largest number of lines. The first type in which the title fits is used."""

_EFFECTS: Final = ((Size.NAME, 1), (Size.BODY, 1), (Size.SMALL, 2))
"""The types for an effect, chosen as for a title. They are large because a phone shows the picture at a third of its size."""


def _high(lines: Sequence[Line]) -> float:
    return sum(size * _LEADING for _, _, size, _ in lines)


def _draw_field(layer: Layer, card_id: CardId, palette: Palette, box: Box) -> Pen:
    """Draw the field with the icon, in the colour of the card's kind. The caller must call `write` on the returned pen."""
    colour, (left, top, right, bottom) = colour_of(card_id, palette), box
    layer.rectangle(box, 8, theme.mix(colour, palette.paper, 0.3))
    layer.rectangle((left, top + 2, right, bottom), 8, colour)
    side = min(74.0, right - left - 4, bottom - top - 4)
    pen = Pen(layer, ((left + right - side) / 2, (top + bottom - side) / 2 + 1), side, palette)
    if side >= _ICONS_FROM:
        draw_icon(pen, card_id)
    return pen


def wrap(text: str, typeface: Face, size: Size, width: float, lines: int) -> list[str]:
    """Return a text broken into at most `lines` lines, or an empty list if it does not fit."""
    found = [""]
    for word in _BREAK.split(_NUMBER.sub("\u00a0\\1", text)):
        longer = f"{found[-1]}{'' if found[-1].endswith('-') else ' '}{word}".strip()
        if found[-1] and text_width(longer, typeface, size) > width:
            found.append(word)
        else:
            found[-1] = longer
    fits = len(found) <= lines and all(text_width(line, typeface, size) <= width for line in found)
    return found if fits else []


@cache_sprite
def back(palette: Palette, width: int, height: int) -> Image.Image:
    """Return a card that lies face down, with more cards under it."""
    colours = colours_of(palette)
    layer = Layer(width + 2 * ROOM, height + 2 * ROOM)
    for step in (ROOM + 4, ROOM):
        layer.plates((step, step, step + width, step + height), 9, (0, palette.ink), (2, palette.paper))
    layer.rectangle((ROOM + 5, ROOM + 5, ROOM + width - 5, ROOM + height - 5), 5, colours.card_back)
    middle = (ROOM + width / 2, ROOM + height / 2)
    draw_puck(layer, middle, min(width, height) * 0.27, colours.on_table, palette)
    return with_shadow(layer.image(), palette.ink)


@cache_sprite
def count(number: int, palette: Palette) -> Image.Image:
    """Return a small pill that shows the size of a pile."""
    text = str(number)
    height = 32
    width = max(height, round(text_width(text, Face.LABEL, Size.SMALL)) + 18)
    layer = Layer(width, height)
    layer.plates((0, 0, width, height), height / 2, (0, palette.ink), (2.5, palette.paper))
    image = layer.image()
    write(image, (width / 2, height / 2), text, Face.LABEL, Size.SMALL, palette.ink, align="middle")
    return image


# --- a hand -------------------------------------------------------------------------------------------------------------

CARD_WIDTH: Final = 260
SLIM_CARD: Final = 196
"""The least width of a card in a hand. It is `SLIM_CARD` if the board would otherwise be too small."""
_CARD_HEIGHTS: Final = (44, 112)  # the least and the greatest height of a card in a hand
_STEP: Final = 8  # the step of the heights between, in pixels, so that cards drawn before fit into most hands
_GAP: Final = 8


def hand_columns(kinds: int) -> int:
    """Return how many columns a hand of `kinds` different cards needs beside the rink."""
    return max(1, -(-kinds // 9))


def rows_height(kinds: int, width: int, card_width: int = CARD_WIDTH) -> int:
    """Return the height below the rink of a hand of `kinds` different cards, each at least `card_width` wide."""
    rows = -(-kinds // _across(width, card_width))
    return rows * (84 if rows < 3 else 66 if rows == 3 else 60) + (rows - 1) * _GAP


def _across(width: int, card_width: int) -> int:
    return max(1, (width + _GAP) // (card_width + _GAP))


def draw_hand(
    image: Image.Image,
    box: tuple[int, int, int, int],
    cards: Sequence[CardId],
    translate: Translate,
    palette: Palette,
    card_width: int = CARD_WIDTH,
) -> dict[CardId, tuple[Point, int, int]]:
    """Draw cards in as many columns as fit, but equal cards once. Return each different card's middle, width and height."""
    kinds = list(dict.fromkeys(cards))
    left, top, right, bottom = box
    columns = min(_across(right - left, card_width), max(1, len(kinds)))
    rows = max(1, -(-len(kinds) // columns))
    least, most = _CARD_HEIGHTS
    height = max(least, min(most, (bottom - top - _GAP * (rows - 1)) // rows // _STEP * _STEP))
    width = min(340, (right - left - _GAP * (columns - 1)) // columns)
    inset = (right - left - columns * width - (columns - 1) * _GAP) / 2
    found = {}
    for index, card_id in enumerate(kinds):
        row, column = divmod(index, columns)
        middle = (left + inset + column * (width + _GAP) + width / 2, top + row * (height + _GAP) + height / 2)
        face(card_id, translate, palette, width, height, cards.count(card_id)).place(image, middle)
        found[card_id] = (middle, width, height)
    return found


HANDS: Final = 172
"""The height of the hands of a finished game, which are shown below the rink."""
_MARK: Final = 36  # the size of the mark of a seat beside its hand


def draw_hands(
    image: Image.Image,
    box: tuple[int, int, int, int],
    hands: Sequence[Sequence[CardId]],
    rows: Sequence[Sequence[int]],
    colours: int,
    palette: Palette,
) -> None:
    """Draw all hands of a finished game as icons, in the same rows as the seats and each beside its seat's marks."""
    left, top, right, bottom = box
    column, high = (right - left) / max(map(len, rows)), (bottom - top) / len(rows)
    room = int(column) - _MARK * colours - 2 * _GAP
    most = max(map(len, hands), default=0)
    side = next((side for side in range(74, 26, -2) if (room // (side + 6)) * (high // (side + 6)) >= most), 26)
    across = max(1, room // (side + 6))
    for number, row in enumerate(rows):
        inset = left + (max(map(len, rows)) - len(row)) * column / 2
        for place_in_rows, seat in enumerate(row):
            x, y = inset + place_in_rows * column, top + number * high
            mark = badges(colours_of_seat(seat, len(hands), colours), palette, _MARK)
            place(image, mark, (x + mark.width / 2, y + (side + 6) / 2))
            for index, card_id in enumerate(hands[seat]):
                down, along = divmod(index, across)
                middle = (x + mark.width + _GAP + (along + 0.5) * (side + 6), y + (down + 0.5) * (side + 6))
                place(image, icon(card_id, palette, side), middle)


@cache_sprite
def icon(card_id: CardId, palette: Palette, side: int) -> Image.Image:
    """Return the icon of a card alone, on the colour of the card's kind."""
    layer = Layer(side + 2 * ROOM, side + 2 * ROOM)
    layer.rectangle((ROOM, ROOM, ROOM + side, ROOM + side), 10, palette.ink)
    pen = _draw_field(layer, card_id, palette, (ROOM + 2, ROOM + 2, ROOM + side - 2, ROOM + side - 2))
    image = with_shadow(layer.image(), palette.ink)
    pen.write(image)
    return image
