"""Draws the icons on the cards of Puck Bumpers."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from PIL import Image

from engines.pucks.board.deck import CardId, card
from renderers.canvas import Layer, Point, polar
from renderers.pucks.colours import colours_of
from renderers.pucks.pieces import draw_ice, draw_meeple, draw_puck, write_outlined
from renderers.theme import Colour, Palette, Size

UNITS: Final = 64
"""The side of the square on which every icon is designed."""


class Pen:
    """A pen that draws on a layer in units of the icon. It remembers words, and writes them once the layer is finished."""

    def __init__(self, layer: Layer, corner: Point, side: float, palette: Palette) -> None:
        self.layer, self.palette, self.colours = layer, palette, colours_of(palette)
        self._corner, self._scale = corner, side / UNITS
        self._words: list[tuple[Point, str, Size]] = []

    def at(self, x: float, y: float) -> Point:
        """Convert a point from units to pixels."""
        return self._corner[0] + x * self._scale, self._corner[1] + y * self._scale

    def size(self, length: float) -> float:
        """Convert a length from units to pixels."""
        return length * self._scale

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a disc with an outline."""
        self.layer.discs(self.at(x, y), (self.size(radius) + 2, self.palette.ink), (self.size(radius), colour))

    def shape(self, points: Sequence[Point], colour: Colour) -> None:
        """Draw a filled polygon with an outline."""
        there = [self.at(*point) for point in points]
        self.layer.line([*there, there[0]], 4, self.palette.ink)
        self.layer.polygon(there, colour)

    def stroke(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """Draw a thick line with an outline."""
        there = [self.at(*point) for point in points]
        self.layer.line(there, self.size(width) + 4, self.palette.ink)
        self.layer.line(there, self.size(width), colour)

    def arrow(self, points: Sequence[Point], width: float, colour: Colour) -> None:
        """Draw a thick line that ends in an arrowhead."""
        (bx, by), (x, y) = points[-2], points[-1]
        length = math.dist((bx, by), (x, y)) or 1.0
        ux, uy = (x - bx) / length, (y - by) / length
        back, half = width * 1.9, width * 1.7
        foot = (x - ux * back * 0.8, y - uy * back * 0.8)
        head = [
            (x, y),
            (x - ux * back - uy * half, y - uy * back + ux * half),
            (x - ux * back + uy * half, y - uy * back - ux * half),
        ]
        there, tips = [self.at(*point) for point in (*points[:-1], foot)], [self.at(*point) for point in head]
        self.layer.line([*tips, tips[0]], 4, self.palette.ink)
        self.layer.line(there, self.size(width) + 4, self.palette.ink)
        self.layer.line(there, self.size(width), colour)
        self.layer.polygon(tips, colour)

    def mat(self, x: float, y: float, side: float, tilt: float = 0.0) -> None:
        """Draw a small mat with its middle at a point, rotated by `tilt` degrees."""
        half, colours = side / 2, self.colours
        corners = [_rotate((x, y), (a * half, b * half), tilt) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        self.shape(corners, colours.ice)
        for along in (-0.34, 0.34):
            for ends in (((along, -1), (along, 1)), ((-1, along), (1, along))):
                there = [self.at(*_rotate((x, y), (a * half, b * half), tilt)) for a, b in ends]
                self.layer.line(there, max(1.2, self.size(1.6)), colours.line)

    def card(self, x: float, y: float, tilt: float, colour: Colour, high: float = 38) -> None:
        """Draw a small playing card with its middle at a point, rotated by `tilt` degrees."""
        wide = high * 0.36
        corners = [_rotate((x, y), (a * wide, b * high / 2), tilt) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        self.shape(corners, colour)

    def word(self, x: float, y: float, text: str, size: Size) -> None:
        """Remember a word, with its middle at a point, for `write`."""
        self._words.append((self.at(x, y), text, size))

    def write(self, image: Image.Image) -> None:
        """Write the remembered words on the image of the finished layer, in smaller type if the icon is small."""
        for at, text, size in self._words:
            size = size if self._scale >= 0.95 else Size.NAME if self._scale >= 0.7 else Size.SMALL
            write_outlined(image, at, text, size, self.palette.paper, self.palette.ink)


def _rotate(centre: Point, point: Point, degrees: float) -> Point:
    angle = math.radians(degrees)
    x, y = point
    return centre[0] + x * math.cos(angle) - y * math.sin(angle), centre[1] + x * math.sin(angle) + y * math.cos(angle)


def circle(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    """Return points on an arc. The angles are in degrees, clockwise from three o'clock."""
    steps = max(3, round(abs(end - start) / 12))
    return [polar(centre, radius, start + (end - start) * step / steps) for step in range(steps + 1)]


def draw_icon(pen: Pen, card_id: CardId) -> None:
    """Draw the icon of a card."""
    known = card(card_id)
    if known.number:
        (_draw_number if card_id.startswith("draw") else _take_number)(pen, known.number)
    else:
        _ICONS[card_id](pen)


def _draw_number(pen: Pen, number: int) -> None:
    """Draw a fan of cards, with the number of cards to draw on it."""
    paper, back = pen.palette.paper, pen.colours.card_back
    pen.card(18, 34, -18, back, 44)
    pen.card(46, 34, 18, back, 44)
    pen.card(32, 32, 0, paper, 56)
    pen.word(32, 32, str(number), Size.HUGE)


def _take_number(pen: Pen, number: int) -> None:
    """Draw a bolt, with the number of actions on it."""
    pen.shape(_bolt(2.1, 28), pen.palette.gold)
    pen.word(38, 34, str(number), Size.HUGE)


def _bolt(scale: float, x: float = 32, y: float = 32) -> list[Point]:
    corners = ((3, -15), (-9, 3), (-2, 3), (-5, 15), (9, -5), (2, -5), (6, -15))
    return [(x + a * scale, y + b * scale) for a, b in corners]


def _shift(pen: Pen) -> None:
    pen.mat(19, 40, 30)
    pen.arrow([(24, 20), (38, 14), (54, 20), (54, 44)], 6, pen.palette.gold)


def _swap(pen: Pen) -> None:
    pen.mat(19, 19, 26)
    pen.mat(45, 45, 26)
    pen.arrow([(38, 12), (50, 14), (50, 27)], 5, pen.palette.gold)
    pen.arrow([(26, 52), (14, 50), (14, 37)], 5, pen.palette.gold)


def _twist(pen: Pen) -> None:
    pen.mat(32, 33, 30, 18)
    pen.arrow(circle((32, 33), 27, 150, 385), 5.5, pen.palette.gold)


def _mix(pen: Pen) -> None:
    pen.mat(16, 46, 22, -14)
    pen.mat(46, 48, 22, 12)
    pen.mat(32, 18, 22, 6)
    pen.arrow(circle((32, 38), 23, 205, 232), 4.5, pen.palette.gold)
    pen.arrow(circle((32, 38), 23, 300, 352), 4.5, pen.palette.gold)


def _borrow(pen: Pen) -> None:
    draw_meeple(pen.layer, pen.at(25, 38), pen.size(22), pen.palette.paper, pen.palette)
    red = pen.colours.action_card
    heart = [(47, 32), (34, 18), (34, 9), (41, 6), (47, 12), (53, 6), (60, 9), (60, 18)]
    pen.shape(heart, red)


def _salvage(pen: Pen) -> None:
    back = pen.colours.card_back
    for low in (54, 49, 44):
        pen.shape([(10, low), (54, low), (50, low + 7), (14, low + 7)], back)
    pen.card(32, 28, 0, pen.palette.paper, 34)
    pen.arrow([(32, 36), (32, 8)], 6, pen.palette.gold)


def _faceoff(pen: Pen) -> None:
    draw_puck(pen.layer, pen.at(16, 32), pen.size(14), pen.palette.paper, pen.palette)
    draw_puck(pen.layer, pen.at(48, 32), pen.size(14), pen.colours.action_card, pen.palette)
    pen.arrow([(16, 12), (28, 5), (46, 12)], 5, pen.palette.gold)
    pen.arrow([(48, 52), (36, 59), (18, 52)], 5, pen.palette.gold)


def _review(pen: Pen) -> None:
    pen.shape([(6, 8), (58, 8), (58, 46), (6, 46)], pen.colours.net)
    pen.shape([(22, 56), (42, 56), (38, 48), (26, 48)], pen.palette.paper)
    draw_puck(pen.layer, pen.at(42, 27), pen.size(11), pen.palette.paper, pen.palette)
    pen.arrow([(34, 27), (14, 27)], 5.5, pen.palette.gold)


def _thin_ice(pen: Pen) -> None:
    draw_ice(pen.layer, pen.at(41, 34), pen.size(20), pen.palette.paper, pen.palette)
    for y, start in ((20, 8), (34, 2), (48, 8)):
        pen.stroke([(start, y), (16, y)], 4, pen.palette.gold)


def _slush(pen: Pen) -> None:
    colours = pen.colours
    for low, colour in ((34, colours.pool_light), (46, colours.pool)):
        wave = [(2 + step * 4, low + 4 * math.sin(step * math.pi / 3.5)) for step in range(16)]
        pen.shape([*wave, (62, low + 14), (2, low + 14)], colour)
    draw_puck(pen.layer, pen.at(24, 24), pen.size(15), pen.palette.paper, pen.palette)
    pen.word(48, 30, "4", Size.HEADING)


def _net_off(pen: Pen) -> None:
    colours = pen.colours
    pen.shape([(8, 12), (56, 12), (56, 46), (8, 46)], colours.net)
    for x in (16, 24, 32, 40, 48):
        pen.layer.line([pen.at(x, 14), pen.at(x, 45)], 1.5, colours.mesh)
    for y in (20, 28, 36):
        pen.layer.line([pen.at(10, y), pen.at(55, y)], 1.5, colours.mesh)
    pen.stroke([(8, 48), (8, 12), (56, 12), (56, 48)], 4, pen.palette.paper)
    for slope in (-1, 1):
        pen.stroke([(18, 34 - slope * 14), (46, 34 + slope * 14)], 7, colours.action_card)


def _whistle(pen: Pen) -> None:
    gold, paper = pen.palette.gold, pen.palette.paper
    pen.shape([(26, 24), (60, 20), (60, 34), (40, 36)], gold)
    pen.disc(25, 41, 16, gold)
    pen.disc(25, 41, 5.5, pen.palette.ink)
    for start, end in (((22, 18), (18, 8)), ((34, 15), (36, 5)), ((11, 24), (4, 17))):
        pen.stroke([start, end], 3.5, paper)


def _u_turn(pen: Pen) -> None:
    pen.arrow([(16, 58), (16, 26), *circle((30, 26), 14, 180, 360), (44, 26), (44, 54)], 9, pen.palette.gold)


def _double(pen: Pen) -> None:
    pen.shape(_bolt(1.7, 22, 30), pen.palette.gold)
    pen.shape(_bolt(1.7, 42, 30), pen.palette.gold)
    pen.word(32, 46, "×2", Size.HEADING)


def _extra(pen: Pen) -> None:
    pen.shape(_bolt(2.0), pen.palette.gold)
    pen.word(36, 40, "+1", Size.HEADING)


def _quick_draw(pen: Pen) -> None:
    pen.card(22, 30, -14, pen.colours.card_back, 46)
    pen.card(38, 30, 10, pen.palette.paper, 46)
    pen.word(36, 42, "+2", Size.HEADING)


def _sweep(pen: Pen) -> None:
    pen.stroke([(56, 4), (32, 34)], 4.5, pen.colours.quick_card)
    bristles = [(38, 32), (26, 24), (4, 46), (22, 60)]
    pen.shape(bristles, pen.palette.gold)
    for start, end in (((30, 32), (11, 49)), ((34, 35), (17, 54))):
        pen.layer.line([pen.at(*start), pen.at(*end)], 2, pen.palette.gold_dark)
    pen.stroke([(38, 32), (26, 24)], 4, pen.palette.paper)
    pen.card(48, 50, 24, pen.palette.paper, 22)


_ICONS: Final[dict[CardId, Callable[[Pen], None]]] = {
    "shift": _shift, "swap": _swap, "twist": _twist, "mix": _mix, "borrow": _borrow, "salvage": _salvage,
    "faceoff": _faceoff, "review": _review, "thin-ice": _thin_ice, "slush": _slush, "net-off": _net_off,
    "whistle": _whistle, "u-turn": _u_turn, "double": _double, "extra": _extra, "quick-draw": _quick_draw, "sweep": _sweep,
}  # fmt: skip
