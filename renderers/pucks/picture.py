"""Puck Bumpers: a rink of mats on a table at night, the cards in force beside it, and in private pictures the own hand."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from PIL import Image

from engines.pucks.deck import CardId
from engines.pucks.views import PucksView
from renderers import theme
from renderers.canvas import card, place
from renderers.pucks.board import OUTSIDE, At, Rink, draw_letters, draw_mats, span
from renderers.pucks.cards import ASIDE, HAND, draw_hand, draw_hands
from renderers.pucks.choices import Cards, draw_choices
from renderers.pucks.colours import colours_of
from renderers.pucks.panel import SIDE, band_height, draw_band, draw_side, has_cards, side_height
from renderers.pucks.picks import Meaning, pick_of, places_needed, with_prefix
from renderers.pucks.pieces import piece
from renderers.pucks.seats import SEATS, draw_seats
from renderers.pucks.story import draw_over, draw_under, scored_now
from renderers.scene import Scene
from renderers.strip import draw_strip
from renderers.theme import EDGE, MAX_HEIGHT, STRIP, WIDTH, Palette

_PAD: Final = 14
"""Between the parts of the picture."""
_LARGEST: Final = 290
"""Mats are drawn no larger than this, so that pieces of small boards look like those of large ones."""
_SMALL: Final = 90
"""Smaller mats have their letters outside."""
_STEP: Final = 64
"""Heights of pictures are multiples of this, so that not every board has its own."""
_LEAST: Final = 420
"""The least height of the rink beside which cards lie."""


def draw(view: PucksView, scene: Scene) -> Image.Image:
    """The rink as a picture."""
    palette = theme.palette(scene.high_contrast)
    shown = with_prefix(view, scene.prefix)
    events = () if scene.prefix else scene.events
    held = _held(view, scene)
    plan = _plan(shown, scene, with_hand=bool(held) or any(view.hands or ()))
    image = Image.new("RGB", (WIDTH, plan.height), colours_of(palette).table)
    _draw_rim(image, palette)
    rink = plan.rink
    draw_mats(image, rink, shown.mats, palette, shown.net_off)
    draw_under(image, rink, shown, events, palette)
    for placed in shown.pieces:
        sprite = piece(placed.piece, palette, rink.space, owned=placed.piece.seat not in shown.out)
        place(image, sprite, rink.middle(placed.point))
    draw_over(image, rink, shown, events, palette)
    draw_letters(image, rink, shown.mats, palette, shown.mats)
    anchors = (draw_band if plan.below else draw_side)(image, view, plan.panel, scene.translate, palette)
    draw_seats(image, view, plan.height - EDGE - STRIP - SEATS, scored_now(events), palette, anchors)
    cards: Cards = draw_hand(image, plan.hand, held, scene.translate, palette) if held else {}
    if view.hands is not None and not held:
        draw_hands(image, plan.hand, view.hands, palette)
    draw_choices(image, rink, shown, scene, palette, anchors, cards)
    draw_strip(image, view, scene, palette)
    return card(image, palette)


def _held(view: PucksView, scene: Scene) -> Sequence[CardId]:
    """The cards to be shown open: the own hand, or those of the discard pile while one of them is being taken."""
    if pick_of(view, scene.prefix).meaning is Meaning.PILE and scene.options:
        return tuple(option.token for option in scene.options if option.token in view.discard)
    return view.hand


class _Hand(Enum):
    """Where open cards lie."""

    NONE = auto()
    UNDER = auto()
    ASIDE = auto()


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where everything goes.

    Attributes:
        height: of the picture.
        rink: where the lattice lies.
        below: whether the panel lies under the rink rather than at its side.
        panel, hand: left, top, right, bottom.
        charm: how much smaller mats may be for the sake of it.
    """

    height: int
    rink: Rink
    below: bool
    panel: tuple[int, int, int, int]
    hand: tuple[int, int, int, int]
    charm: float


def _plan(view: PucksView, scene: Scene, with_hand: bool) -> _Plan:
    """The plan that draws the mats as large as possible, or not much smaller where it looks better."""
    places: set[At] = {mat.at for mat in view.mats}
    places |= places_needed(view.mats, pick_of(view, scene.prefix), scene.options)
    lattice = span(places)
    hands = (_Hand.NONE,) if not with_hand else (_Hand.UNDER,) if view.hands is not None else (_Hand.UNDER, _Hand.ASIDE)
    panels = (False, True) if has_cards(view) else (True,)
    plans = [_plan_with(view, lattice, hand, below) for below in panels for hand in hands]
    return max(plans, key=lambda plan: plan.rink.mat * plan.charm)


def _plan_with(view: PucksView, lattice: tuple[int, int, int, int], hand: _Hand, below: bool) -> _Plan:
    column, row, columns, rows = lattice
    left, top, right = EDGE + _PAD, EDGE + _PAD, WIDTH - EDGE - _PAD
    band = band_height(view) + _PAD if below and band_height(view) else 0
    foot = SEATS + STRIP + EDGE + _PAD + band + (HAND + _PAD if hand is _Hand.UNDER else 0)
    width = right - left - (0 if below else SIDE + _PAD) - (ASIDE + _PAD if hand is _Hand.ASIDE else 0)
    room = MAX_HEIGHT - top - foot
    mat, around = min(width // columns, room // rows, _LARGEST), 0
    if mat < _SMALL:
        around = OUTSIDE
        mat = min((width - 2 * around) // columns, (room - 2 * around) // rows)
    least = _LEAST if hand is _Hand.ASIDE else 0
    high = max(rows * mat + 2 * around, least, 0 if below else side_height(view))
    high += -(top + high + foot) % _STEP
    bottom, x = top + high, left + (width - columns * mat) // 2
    rink = Rink(x, top + (high - rows * mat) // 2, mat, (column, row), (left, top, left + width, bottom))
    panel = (left, bottom + min(_PAD, band), right, bottom + band) if below else (right - SIDE, top, right, bottom)
    cards = (left, bottom + band + _PAD, right, bottom + band + _PAD + HAND)
    if hand is _Hand.ASIDE:
        cards = (left + width + _PAD, top, left + width + _PAD + ASIDE, bottom)
    # Upright cards and the panel at the side are the better looking ones.
    charm = (1.1 if hand is _Hand.UNDER else 1.0) * (1.0 if below else 1.03)
    return _Plan(bottom + foot, rink, below, panel, cards, charm)


def _draw_rim(image: Image.Image, palette: Palette) -> None:
    """The table's edge, lit along the top and the left."""
    light = colours_of(palette).table_light
    image.paste(light, (EDGE, EDGE, WIDTH - EDGE, EDGE + 6))
    image.paste(light, (EDGE, EDGE, EDGE + 6, image.height))
