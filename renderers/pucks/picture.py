"""Draws Puck Bumpers: a rink of mats on a table, the cards in force, and the hand of the reader."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from PIL import Image

from engines.pucks.deck import CardId
from engines.pucks.views import Phase, PucksView
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
"""Pixels between the parts of the picture."""
_LARGEST: Final = 290
"""The greatest size of a mat in pixels. Without it pieces would be much larger on small boards."""
_SMALL: Final = 90
"""Mats smaller than this need room for letters outside."""
_STEP: Final = 64
"""The height of a picture is a multiple of this, so that there are few different heights."""
_LEAST: Final = 420
"""The least height of the rink if the hand is at its side."""


def draw(view: PucksView, scene: Scene) -> Image.Image:
    """Draw the rink."""
    palette = theme.palette(scene.high_contrast)
    shown = with_prefix(view, scene.prefix)
    events = () if scene.prefix else scene.events
    held = _open_cards(view, scene)
    plan = _plan(shown, scene, with_hand=bool(held) or any(view.hands or ()))
    image = Image.new("RGB", (WIDTH, plan.height), colours_of(palette).table)
    _draw_rim(image, palette)
    rink = plan.rink
    placing = view.phase is Phase.PLACE or pick_of(shown, scene.prefix).meaning is Meaning.SPACE
    draw_mats(image, rink, shown.mats, palette, shown.net_off, starts=placing)
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


def _open_cards(view: PucksView, scene: Scene) -> Sequence[CardId]:
    """The cards to draw face up: the hand of the reader, or the discard pile while a card is picked from it."""
    if pick_of(view, scene.prefix).meaning is Meaning.PILE and scene.options:
        return tuple(option.token for option in scene.options if option.token in view.discard)
    return view.hand


class _Hand(Enum):
    """Where a hand lies."""

    NONE = auto()
    UNDER = auto()
    ASIDE = auto()


@dataclass(frozen=True, slots=True)
class _Plan:
    """The layout of a picture.

    Attributes:
        height: the height of the picture.
        rink: where the lattice is.
        below: whether the panel is below the rink rather than at its side.
        panel, hand: left, top, right, bottom.
        preference: a factor for the size of the mats when layouts are compared.
    """

    height: int
    rink: Rink
    below: bool
    panel: tuple[int, int, int, int]
    hand: tuple[int, int, int, int]
    preference: float


def _plan(view: PucksView, scene: Scene, with_hand: bool) -> _Plan:
    """The layout with the largest mats, or with slightly smaller ones if it looks better."""
    places: set[At] = {mat.at for mat in view.mats}
    places |= places_needed(view.mats, pick_of(view, scene.prefix), scene.options)
    lattice = span(places)
    hands = (_Hand.NONE,) if not with_hand else (_Hand.UNDER,) if view.hands is not None else (_Hand.UNDER, _Hand.ASIDE)
    panels = (False, True) if has_cards(view) else (True,)
    plans = [_plan_with(view, lattice, hand, below) for below in panels for hand in hands]
    return max(plans, key=lambda plan: plan.rink.mat * plan.preference)


def _plan_with(view: PucksView, lattice: tuple[int, int, int, int], hand: _Hand, below: bool) -> _Plan:
    """The layout with the hand and the panel in these places. `lattice` is the `span` of the places to be drawn."""
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
    # Upright cards look better than lying ones, and the panel looks better at the side.
    preference = (1.1 if hand is _Hand.UNDER else 1.0) * (1.0 if below else 1.03)
    return _Plan(bottom + foot, rink, below, panel, cards, preference)


def _draw_rim(image: Image.Image, palette: Palette) -> None:
    """Draw the edge of the table, lit along the top and the left."""
    light = colours_of(palette).table_light
    image.paste(light, (EDGE, EDGE, WIDTH - EDGE, EDGE + 6))
    image.paste(light, (EDGE, EDGE, EDGE + 6, image.height))
