"""Draws the row of seats in Puck Bumpers, directly above the strip: the scored pucks of each seat and the size of its hand.

While pieces are being placed, the row shows instead how many of each kind a seat has still to place.
"""

from collections.abc import Callable
from typing import Final

from PIL import Image

from engines.pucks.board.box import box
from engines.pucks.board.pieces import Piece, PieceKind
from engines.pucks.board.views import Phase, PucksView
from renderers import theme
from renderers.canvas import Layer, Point, place
from renderers.lettering import write
from renderers.pucks.blocks import Anchors, pip
from renderers.pucks.colours import colours_of
from renderers.pucks.icons import Pen, draw_icon
from renderers.pucks.pieces import emblem
from renderers.signs import burst
from renderers.sprite_cache import cache_sprite
from renderers.theme import EDGE, WIDTH, Face, Palette, Size

SEATS: Final = 48
"""The height of the row in pixels."""


def draw_seats(image: Image.Image, view: PucksView, top: int, scored_now: set[Piece], palette: Palette, to: Anchors) -> None:
    """Draw the row, with each seat above its name in the strip, and note in `to` where the seats are."""
    colours = colours_of(palette)
    image.paste(colours.panel, (EDGE, top, WIDTH - EDGE, top + SEATS))
    image.paste(palette.ink, (EDGE, top, WIDTH - EDGE, top + 2))
    left, width = EDGE + 16, WIDTH - 2 * EDGE - 32
    cell, y = (width - 8 * (view.seats - 1)) / view.seats, top + SEATS / 2 + 1
    for seat in range(view.seats):
        x = left + seat * (cell + 8)
        own = view.colours_of(seat)
        to.colours.update((colour, (x + cell * (number + 0.5) / len(own), y)) for number, colour in enumerate(own))
        if view.phase is Phase.PLACE:
            _draw_to_place(image, view, seat, (x, y), cell, palette)
        else:
            _draw_scored(image, view, seat, (x, y), cell, scored_now, palette)
        if seat and view.seats > 2:
            # Pieces are placed in the opposite direction.
            right = (view.direction > 0) is not (view.phase is Phase.PLACE)
            place(image, _chevron(palette, right=right), (x - 4, y))


def _draw_scored(
    image: Image.Image, view: PucksView, seat: int, at: Point, cell: float, scored_now: set[Piece], palette: Palette
) -> None:
    """Draw the pucks of a seat, hollow until scored, and the size of its hand or, without cards, the actions of its turn."""
    x, y = at
    scored = sorted((puck for puck in view.scored if view.owners.of(puck.colour) == seat), key=_last(scored_now))
    held = 58 if view.has_cards else view.action_rule * 27
    pitch = min(36.0, (cell - held - 22) / max(view.needed, len(scored)))
    side = min(28, round(pitch))
    for index in range(max(view.needed, len(scored))):
        middle, puck = (x + 12 + pitch * (index + 0.5), y), scored[index] if index < len(scored) else None
        if puck in scored_now:
            place(image, burst(palette, 48), middle)
        place(image, emblem(PieceKind.PUCK, palette, side, None if puck is None else puck.colour, hollow=puck is None), middle)
    end = x + cell - 12
    if not view.has_cards:
        for action in range(view.allowed if seat == view.to_move else 0):
            place(image, pip(palette, taken=action < view.taken), (end - 13 - (view.allowed - 1 - action) * 27, y))
        return
    if seat in view.borrowed:
        place(image, _heart(palette), (end - 20, y - 25))
    number = write(
        image, (end, y + 1), str(view.hand_sizes[seat]), Face.LABEL, Size.SMALL, colours_of(palette).on_table, align="right"
    )
    place(image, _cards(palette), (end - number - 20, y))


def _last(scored_now: set[Piece]) -> Callable[[Piece], tuple[int, bool]]:
    """The order of scored pucks: colour by colour, the latest last."""
    return lambda puck: (puck.colour, puck in scored_now)


def _draw_to_place(image: Image.Image, view: PucksView, seat: int, at: Point, cell: float, palette: Palette) -> None:
    """Draw how many pieces of each kind a seat has still to place, of each colour."""
    kinds = [kind for kind in (PieceKind.PUCK, PieceKind.MEEPLE, PieceKind.ICE) if _number(view, kind)]
    shown = [(colour, kind) for colour in view.colours_of(seat) for kind in kinds]
    pitch, colours = min(84.0, (cell - 16) / len(shown)), colours_of(palette)
    for index, (colour, kind) in enumerate(shown):
        number = sum(1 for beside in view.beside if (beside.colour, beside.kind) == (colour, kind))
        x = at[0] + 10 + index * pitch
        place(image, emblem(kind, palette, 26, colour), (x + 13, at[1]))
        ink = colours.on_table if number else theme.mix(colours.panel, colours.on_table, 0.4)
        write(image, (x + 30, at[1] + 1), str(number), Face.LABEL, Size.SMALL, ink)


def _number(view: PucksView, kind: PieceKind) -> int:
    """The number of pieces of a kind that each colour has in this variant."""
    rules = box().games[view.variant]
    return {PieceKind.PUCK: rules.pucks, PieceKind.MEEPLE: rules.meeples, PieceKind.ICE: rules.ice}[kind]


@cache_sprite
def _chevron(palette: Palette, *, right: bool) -> Image.Image:
    """A chevron between two seats that shows which way play goes."""
    layer = Layer(16, 24)
    way = 1 if right else -1
    layer.line([(8 - 3.5 * way, 5), (8 + 3.5 * way, 12), (8 - 3.5 * way, 19)], 4, palette.gold)
    return layer.image()


@cache_sprite
def _cards(palette: Palette) -> Image.Image:
    """Two small cards, beside the number of cards in a hand."""
    layer = Layer(36, 36)
    pen = Pen(layer, (0, 0), 36, palette)
    pen.card(24, 34, -14, colours_of(palette).on_table, 46)
    pen.card(40, 34, 12, colours_of(palette).on_table, 46)
    return layer.image()


@cache_sprite
def _heart(palette: Palette) -> Image.Image:
    """The mark of a seat whose pieces have been borrowed for this turn."""
    layer = Layer(40, 40)
    draw_icon(Pen(layer, (2, 2), 36, palette), "borrow")
    return layer.image()
