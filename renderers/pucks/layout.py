"""Lays out the picture of Puck Bumpers so that the board is as large as possible."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engines.pucks.board.box import ROWS
from renderers.canvas import Box
from renderers.pucks.blocks import GAP, NARROW, WIDE, Area, Block, band_height, column_height
from renderers.pucks.board import OUTSIDE, DrawnRink, span
from renderers.pucks.cards import CARD_WIDTH, HANDS, SLIM_CARD, hand_columns, rows_height
from renderers.pucks.fold import SIGN, At, Fold, extent, folds
from renderers.pucks.window import MAP, window_of_size
from renderers.theme import EDGE, TALLEST, WIDTH

PAD: Final = 8
"""Pixels between the parts of the picture."""
_INNER: Final = 8  # pixels between the edge of the panel and its blocks
_LARGEST: Final = 336  # the greatest size of a mat in pixels: three such mats take the whole width
_SMALL: Final = 90  # mats smaller than this need room for letters outside
_STEP: Final = 32  # the height of a picture is a multiple of this, so that there are few different heights
_LEAST_CARD: Final = 60
_GOOD_CARD: Final = 88
"""The least height of a card in a hand beside the rink. With `_GOOD_CARD`, there is room for two lines of its effect."""
READABLE: Final = 190
"""The size of mats in pixels at which pieces show well enough on a phone. Nothing is shrunk to make mats larger than this."""
_TINY: Final = 170  # the size of mats in pixels below which less than all that matters is shown, if that makes them much larger
_ROOMY_CARDS: Final = 330  # the width of the cards in a hand beside the rink, if there is more room than the board needs
_WORTH: Final = 1.15  # the least gain in the size of mats for which only a part of the rink is shown
_FOLDED_BELOW: Final = 150  # the size of mats in pixels below which the board is cut into parts, if that makes them much larger
_WORTH_A_FOLD: Final = 1.3  # the least gain in the size of mats for which the board is cut into parts


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a picture.

    Attributes:
        height: the height of the picture.
        rink: where the rink is.
        panel: where the panel is, or None if there are no blocks.
        beside: whether the panel is beside the rink rather than below it.
        hand: where the hand is, or the hands of a finished game.
        window: the part of the board that is shown, in spaces, or None for the whole board.
        card_width: the least width of a card in the hand.
    """

    height: int
    rink: DrawnRink
    panel: Area | None
    beside: bool
    hand: Area
    window: Box | None = None
    card_width: int = CARD_WIDTH


@dataclass(frozen=True, slots=True)
class Closer:
    """The part of the board that matters, which may be shown alone to make it larger.

    Attributes:
        parts: the whole of that part, measured in spaces, and then smaller parts within it that matter more.
        readable: the size of mats that is large enough. A part is shown alone only if the mats of the whole board are smaller.
            Of several parts, the first whose mats are this large is shown, or else the one with the largest mats.
        largest: the greatest size of mats in a part that is shown alone.
        tallest: the greatest height of the rink in pixels if a part is shown alone.
        map: the block with a map of the whole board.
    """

    parts: Sequence[Box]
    readable: int
    largest: int
    tallest: int
    map: Block


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of a picture.

    Attributes:
        places: the places of the lattice that must be drawn.
        blocks: the blocks of the panel.
        cards: how many different cards are face up.
        hands: whether the hands of a finished game are shown.
        strip: the height of the strip with the seats.
        tallest: whether the picture is as high as pictures may be, whatever its contents.
        closer: the part of the board that matters, or None if all of it does.
        low: whether the rink is kept low because many buttons follow below the picture.
    """

    places: frozenset[At]
    blocks: Sequence[Block]
    cards: int
    hands: bool
    strip: int
    tallest: bool = False
    closer: Closer | None = None
    low: bool = False

    @property
    def lattice(self) -> tuple[int, int, int, int]:
        """The area that contains all places, as `span` returns it."""
        return span(self.places)


def inside(panel: Area) -> Area:
    """Return the part of the panel that its blocks can use."""
    left, top, right, bottom = panel
    return left + _INNER, top + _INNER, right - _INNER, bottom - _INNER


def layout_of(contents: Contents) -> Layout:
    """Return the layout with the largest mats, preferring a panel beside the rink. Only a much larger part is shown alone."""
    whole, closer = _largest(_layouts(contents, None)), contents.closer
    if closer is None or whole.rink.mat >= closer.readable:
        return whole
    near, found = replace(contents, blocks=(*contents.blocks, closer.map)), whole
    for part in closer.parts if whole.rink.mat < _TINY else closer.parts[:1]:
        layout = _largest(_layouts(near, part))
        if layout.rink.mat >= max(_WORTH * whole.rink.mat, found.rink.mat + 1):
            found = layout
        if found.rink.mat >= closer.readable:
            break
    return found


def _largest(layouts: Iterator[Layout]) -> Layout:
    return max(layouts, key=lambda layout: layout.rink.mat * (1.04 if layout.beside else 1.0))


def _layouts(contents: Contents, part: Box | None) -> Iterator[Layout]:
    """Yield the possible layouts of the board or, if given, a `part` of it. Slim cards are tried only if mats are too small."""
    found = list(_layouts_with(contents, part, CARD_WIDTH))
    yield from found
    if contents.cards and all(layout.rink.mat < READABLE for layout in found):
        yield from _layouts_with(contents, part, SLIM_CARD)


def _layouts_with(contents: Contents, part: Box | None, card_width: int) -> Iterator[Layout]:
    columns = hand_columns(contents.cards)
    narrow = columns * (card_width + GAP) - GAP if contents.cards else NARROW
    roomy = _ROOMY_CARDS if contents.cards else WIDE
    if not (contents.blocks or contents.cards):
        widths: tuple[int, ...] = (0,)
    elif part is not None:
        widths = (max(narrow, MAP),)
    else:
        widths = (roomy, narrow) if columns == 1 and card_width == CARD_WIDTH else (narrow,)
    beside = [layout for width in widths if (layout := _beside(contents, part, width)) is not None]
    below = [_below(contents, part, card_width)] if part is None or not beside else []  # a map would take up its height there
    yield from (replace(layout, card_width=card_width) for layout in (*beside, *below))


def _foot(contents: Contents) -> int:
    """Return the height of everything below the rink and the panel."""
    return PAD + contents.strip + EDGE + (HANDS + PAD if contents.hands else 0)


_LOW: Final = 800  # the greatest height in pixels of a rink that is low: with four rows of buttons, a phone shows all of it
_SIDE: Final = EDGE + PAD  # pixels between the edge of the picture and its parts


def _beside(contents: Contents, part: Box | None, inner: int) -> Layout | None:
    """Return the layout with a panel beside the rink, `inner` pixels wide (0: no panel), or None if that would be too high."""
    left, top, right = _SIDE, _SIDE, WIDTH - _SIDE
    panel = inner + 2 * _INNER if inner else 0
    room = min(TALLEST - top - _foot(contents), _LOW if contents.low else TALLEST)
    blocks = column_height(contents.blocks, inner) if contents.blocks else 0
    rows = -(-contents.cards // hand_columns(contents.cards))
    least = blocks + 2 * _INNER
    if contents.cards:
        least += rows * (GAP + max(_LEAST_CARD, min(_GOOD_CARD, (room - least) // rows - GAP)))
    if least > room:
        return None
    width = right - left - (panel + PAD if panel else 0)
    scale = _scale(contents, part, width, room, least)
    bottom = _bottom(contents, top, scale.high, _foot(contents), room)
    rink = _lay_rink(contents, scale, (left, top, left + width, bottom))
    at = (right - panel, top, right, bottom)
    hand = (at[0] + _INNER, top + _INNER + blocks, at[2] - _INNER, bottom - _INNER)
    if contents.hands:
        hand = (left, bottom + PAD, right, bottom + PAD + HANDS)
    return Layout(bottom + _foot(contents), rink, at if panel else None, beside=True, hand=hand, window=scale.window)


def _below(contents: Contents, part: Box | None, card_width: int) -> Layout:
    left, top, right = _SIDE, _SIDE, WIDTH - _SIDE
    band = band_height(contents.blocks, right - left - 2 * _INNER) + 2 * _INNER + PAD if contents.blocks else 0
    cards = rows_height(contents.cards, right - left, card_width) + PAD if contents.cards else 0
    foot = _foot(contents) + band + cards
    room = min(TALLEST - top - foot, _LOW if contents.low else TALLEST)
    scale = _scale(contents, part, right - left, room, 0)
    bottom = _bottom(contents, top, scale.high, foot, room)
    rink = _lay_rink(contents, scale, (left, top, right, bottom))
    panel = (left, bottom + PAD, right, bottom + band)
    low = bottom + band + PAD
    height = HANDS if contents.hands else cards - PAD
    hand = (left, low, right, low + height)
    return Layout(bottom + foot, rink, panel if contents.blocks else None, beside=False, hand=hand, window=scale.window)


def _bottom(contents: Contents, top: int, high: int, foot: int, room: int) -> int:
    """Return the lower edge of a rink of this height or more, so that pictures have few different heights."""
    return top + room if contents.tallest else min(top + high + -(top + high + foot) % _STEP, top + room)


@dataclass(frozen=True, slots=True)
class _Scale:
    """The scale of the board: the size of the mats and the height of the rink in pixels, the cuts, and the part shown."""

    mat: int
    high: int
    fold: Fold | None = None
    window: Box | None = None


def _scale(contents: Contents, part: Box | None, width: int, room: int, least: int) -> _Scale:
    """Return the scale with the largest mats that fit, in a rink at least `least` pixels high."""
    _, _, columns, rows = contents.lattice
    if part is not None and contents.closer is not None:
        wide, tall = part[2] - part[0], part[3] - part[1]
        # Sprites are cached by their size, so there are not too many sizes.
        high = min(room, max(contents.closer.tallest, least))
        mat = int(min(width * ROWS / wide, high * ROWS / tall, contents.closer.largest)) // 8 * 8
        window = window_of_size(part, (width * ROWS / mat, high * ROWS / mat), contents.places)
        return _Scale(mat, max(round((window[3] - window[1]) * mat / ROWS), least), window=window)
    mat, around = min(width // columns, room // rows, _LARGEST), 0
    if mat < _SMALL:
        around = OUTSIDE
        mat = min((width - 2 * around) // columns, (room - 2 * around) // rows)
    whole = _Scale(mat, max(rows * mat + 2 * around, least))
    if mat < _FOLDED_BELOW:
        cut = [_fold_scale(contents, fold, width, room, least) for fold in folds(columns, rows)]
        whole = max(whole, *cut, key=lambda scale: scale.mat / (1 if scale.fold is None else _WORTH_A_FOLD)) if cut else whole
    return whole


def _fold_scale(contents: Contents, fold: Fold, width: int, room: int, least: int) -> _Scale:
    _, _, columns, rows = contents.lattice
    across, down, aside, below = extent(columns, rows, fold)
    mat = min((width - aside - SIGN) // across, (room - below - SIGN) // down, _LARGEST)
    return _Scale(mat, max(down * mat + below + SIGN, least), fold)


def _lay_rink(contents: Contents, scale: _Scale, area: Area) -> DrawnRink:
    """Return the rink, with the board in the middle of the area."""
    column, row, columns, rows = contents.lattice
    left, top, right, bottom = area
    mat, window = scale.mat, scale.window
    if window is None:
        across, down, aside, below = extent(columns, rows, scale.fold)
        x, y = left + (right - left - across * mat - aside) // 2, top + (bottom - top - down * mat - below) // 2
        return DrawnRink(x, y, mat, (column, row), area, scale.fold)
    wide, high = round((window[2] - window[0]) * mat / ROWS), round((window[3] - window[1]) * mat / ROWS)
    x, y = left + (right - left - wide) // 2, top + (bottom - top - high) // 2
    corner = x - round((window[0] / ROWS - column) * mat), y - round((window[1] / ROWS - row) * mat)
    return DrawnRink(*corner, mat, (column, row), (x, y, x + wide, y + high))
