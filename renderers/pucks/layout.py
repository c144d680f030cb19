"""Lays out a picture of Puck Bumpers so that the board is as large as possible."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.pucks.board.box import ROWS
from renderers.canvas import Box
from renderers.pucks.blocks import BAND, GAP, NARROW, Area, Block, column_height
from renderers.pucks.board import OUTSIDE, Rink
from renderers.pucks.cards import CARD_WIDTH, HANDS, hand_columns, rows_height
from renderers.pucks.fold import SIGN, Fold, extent, folds
from renderers.pucks.seats import SEATS
from renderers.pucks.window import window_of_size
from renderers.theme import EDGE, MAX_HEIGHT, STRIP, WIDTH

PAD: Final = 12
"""Pixels between the parts of the picture."""
_INNER: Final = 8
"""Pixels between the edge of the panel and its blocks."""
_LARGEST: Final = 300
"""The greatest size of a mat in pixels. Without it pieces would be much larger on small boards."""
_SMALL: Final = 90
"""Mats smaller than this need room for letters outside."""
_STEP: Final = 64
"""The height of a picture is a multiple of this, so that there are few different heights."""
_LEAST_CARD: Final = 60
_GOOD_CARD: Final = 88
"""The heights of a card in a hand beside the rink: the least, and with room for two lines about its effect."""
_LEAST: Final = 400
_TALLEST: Final = 720
"""The least and the greatest height of a rink of which only a part is shown."""
_WORTH: Final = 1.15
"""The least gain in the size of mats for which only a part of the rink is shown."""
_FOLDED_BELOW: Final = 84
"""The size of mats in pixels below which the board is cut into parts, if that makes them much larger."""
_WORTH_A_FOLD: Final = 1.3
"""The least gain in the size of mats for which the board is cut into parts."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a picture.

    Attributes:
        height: the height of the picture.
        rink: where the lattice is.
        panel: the panel with its blocks, or None if there are none.
        beside: whether the panel is beside the rink rather than below it.
        hand: where the hand is, or the hands of a finished game.
        window: the part of the board that is shown, in spaces; None if all of it is.
    """

    height: int
    rink: Rink
    panel: Area | None
    beside: bool
    hand: Area
    window: Box | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The contents of a picture.

    Attributes:
        lattice: the `span` of the places to be drawn.
        blocks: the blocks of the panel.
        cards: how many different cards are shown face up.
        hands: whether the hands of a finished game are shown.
        window: the part of the board that matters, in spaces; None if all of it does.
    """

    lattice: tuple[int, int, int, int]
    blocks: Sequence[Block]
    cards: int
    hands: bool
    window: Box | None = None


def inside(panel: Area) -> Area:
    """The part of the panel where its blocks are."""
    left, top, right, bottom = panel
    return left + _INNER, top + _INNER, right - _INNER, bottom - _INNER


def layout_of(wanted: Wanted) -> Layout:
    """The layout with the largest mats. With equal ones, the panel is beside the rink."""
    layouts = [layout for layout in (_beside(wanted), _below(wanted)) if layout is not None]
    return max(layouts, key=lambda layout: layout.rink.mat * (1.04 if layout.beside else 1.0))


def _foot(wanted: Wanted) -> int:
    """The height of the parts below the rink and the panel."""
    return PAD + SEATS + STRIP + EDGE + (HANDS + PAD if wanted.hands else 0)


def _beside(wanted: Wanted) -> Layout | None:
    """The layout with the panel, and the hand under it, beside the rink; None if there is not enough height for that."""
    left, top, right = EDGE + PAD, EDGE + PAD, WIDTH - EDGE - PAD
    columns = hand_columns(wanted.cards)
    inside = columns * (CARD_WIDTH + GAP) - GAP if wanted.cards else NARROW
    panel = inside + 2 * _INNER if wanted.blocks or wanted.cards else 0
    room = MAX_HEIGHT - top - _foot(wanted)
    blocks = column_height(wanted.blocks, inside) if wanted.blocks else 0
    rows = -(-wanted.cards // columns)
    least = blocks + 2 * _INNER
    if wanted.cards:
        least += rows * (GAP + max(_LEAST_CARD, min(_GOOD_CARD, (room - least) // rows - GAP)))
    if least > room:
        return None
    width = right - left - (panel + PAD if panel else 0)
    scale = _scale(wanted, width, room, least)
    bottom = min(top + scale.high + -(top + scale.high + _foot(wanted)) % _STEP, top + room)
    rink, window = _lay_rink(wanted, scale, (left, top, left + width, bottom))
    at = (right - panel, top, right, bottom)
    hand = (at[0] + _INNER, top + _INNER + blocks, at[2] - _INNER, bottom - _INNER)
    if wanted.hands:
        hand = (left, bottom + PAD, right, bottom + PAD + HANDS)
    return Layout(bottom + _foot(wanted), rink, at if panel else None, beside=True, hand=hand, window=window)


def _below(wanted: Wanted) -> Layout:
    """The layout with the panel and the hand below the rink."""
    left, top, right = EDGE + PAD, EDGE + PAD, WIDTH - EDGE - PAD
    band = BAND + 2 * _INNER + PAD if wanted.blocks else 0
    cards = rows_height(wanted.cards, right - left) + PAD if wanted.cards else 0
    foot = _foot(wanted) + band + cards
    room = MAX_HEIGHT - top - foot
    scale = _scale(wanted, right - left, room, 0)
    bottom = min(top + scale.high + -(top + scale.high + foot) % _STEP, top + room)
    rink, window = _lay_rink(wanted, scale, (left, top, right, bottom))
    panel = (left, bottom + PAD, right, bottom + band)
    low = bottom + band + PAD
    height = HANDS if wanted.hands else cards - PAD
    return Layout(
        bottom + foot,
        rink,
        panel if wanted.blocks else None,
        beside=False,
        hand=(left, low, right, low + height),
        window=window,
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """The scale of the board.

    Attributes:
        mat: the size of a mat in pixels.
        high: the height of the rink in pixels.
        fold: how the board is cut, or None.
        closer: whether only a part of it is shown.
    """

    mat: int
    high: int
    fold: Fold | None = None
    closer: bool = False


def _scale(wanted: Wanted, width: int, room: int, least: int) -> _Scale:
    """The scale with the largest mats for this room, in a rink of at least the height `least`."""
    _, _, columns, rows = wanted.lattice
    mat, around = min(width // columns, room // rows, _LARGEST), 0
    if mat < _SMALL:
        around = OUTSIDE
        mat = min((width - 2 * around) // columns, (room - 2 * around) // rows)
    whole = _Scale(mat, max(rows * mat + 2 * around, least))
    if mat < _FOLDED_BELOW:
        cut = [_fold_scale(wanted, fold, width, room, least) for fold in folds(columns, rows)]
        whole = max(whole, *cut, key=lambda scale: scale.mat / (1 if scale.fold is None else _WORTH_A_FOLD)) if cut else whole
    if wanted.window is not None:
        wide, tall = wanted.window[2] - wanted.window[0], wanted.window[3] - wanted.window[1]
        # Sprites are cached by their size, so there are not too many sizes.
        closer = int(min(width * ROWS / wide, min(room, _TALLEST) * ROWS / tall, _LARGEST)) // 8 * 8
        if closer >= _WORTH * whole.mat:
            return _Scale(closer, min(room, max(least, _LEAST, round(tall * closer / ROWS))), closer=True)
    return whole


def _fold_scale(wanted: Wanted, fold: Fold, width: int, room: int, least: int) -> _Scale:
    """The scale of a board with these cuts."""
    _, _, columns, rows = wanted.lattice
    across, down, aside, below = extent(columns, rows, fold)
    mat = min((width - aside - SIGN) // across, (room - below - SIGN) // down, _LARGEST)
    return _Scale(mat, max(down * mat + below + SIGN, least), fold)


def _lay_rink(wanted: Wanted, scale: _Scale, area: Area) -> tuple[Rink, Box | None]:
    """The rink, which fills the area with the board in its middle, and the window on it if only a part is shown."""
    column, row, columns, rows = wanted.lattice
    left, top, right, bottom = area
    mat = scale.mat
    if not scale.closer or wanted.window is None:
        across, down, aside, below = extent(columns, rows, scale.fold)
        x, y = left + (right - left - across * mat - aside) // 2, top + (bottom - top - down * mat - below) // 2
        return Rink(x, y, mat, (column, row), area, scale.fold), None
    window = window_of_size(wanted.window, ((right - left) * ROWS / mat, (bottom - top) * ROWS / mat), wanted.lattice)
    x, y = left - round((window[0] / ROWS - column) * mat), top - round((window[1] / ROWS - row) * mat)
    return Rink(x, y, mat, (column, row), area), window
