"""Sprites for Bounce Bunny Bounce: the cards, the Bunnies, the Carrots and the Universal Shocks."""

import math
from typing import Final, Literal

from PIL import Image

from renderers import theme
from renderers.bunny.colours import colours_of
from renderers.canvas import Layer, Point, polar, snug, star, with_shadow
from renderers.lettering import write
from renderers.pieces import draw_mark
from renderers.sprite_cache import cache_sprite
from renderers.theme import CORNER, Face, Palette, Size

CARD_WIDTH: Final = 116
CARD_HEIGHT: Final = 136
_ROOM: Final = 14
"""Free pixels round a card in its sprite. They leave room for the shadow, and for a card that lies askew."""
_BUNNY: Final = 0.76  # the scale of a Bunny, small enough to leave its card's sign visible
_AWAY: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}

Lie = Literal["flat", "aside", "turned"]
"""How a card lies: "flat"; "aside", with its sign to the left of a Bunny; or "turned" just now, and so also askew."""


@cache_sprite
def card_sprite(face: str, palette: Palette, lie: Lie = "flat", title: str = "") -> Image.Image:
    """Return the card with this face, "hidden" being its back and "empty" a hole. A title is at the top, clear of Bunnies."""
    width, height = CARD_WIDTH + 2 * _ROOM, CARD_HEIGHT + 2 * _ROOM
    layer = Layer(width, height)
    if face == "empty":
        _draw_hole(layer, (width / 2, height / 2), palette)
        return layer.image()
    box = (_ROOM, _ROOM, _ROOM + CARD_WIDTH, _ROOM + CARD_HEIGHT)
    layer.rectangle(box, CORNER, palette.ink)
    inner = (box[0] + 2.5, box[1] + 2.5, box[2] - 2.5, box[3] - 2.5)
    if face == "hidden":
        _draw_back(layer, inner, palette)
    else:
        layer.rectangle(inner, CORNER - 2.5, palette.paper)
        if face in _AWAY:
            _draw_stripe(layer, inner, _AWAY[face], palette)
        at, size = _sign_place(lie, titled=bool(title))
        _draw_sign(layer, face, (width / 2 + at[0], height / 2 + at[1]), size, palette)
    image = layer.image()
    if title:
        write(image, (width / 2, _ROOM + 22), title, Face.LABEL, Size.SMALL, palette.ink, align="middle", width=CARD_WIDTH - 12)
    if lie == "turned":
        image = image.rotate(4, Image.Resampling.BICUBIC)
    return snug(with_shadow(image, palette.ink))


def _sign_place(lie: Lie, *, titled: bool) -> tuple[Point, float]:
    """Return the place of a card's sign, measured from the middle of the card, and the scale of the sign."""
    if lie == "flat":
        return ((0, 12), 0.86) if titled else ((0, 0), 1.0)
    return ((-24, 2), 0.58) if titled else ((-22, -20), 0.72)


def _draw_back(layer: Layer, box: tuple[float, float, float, float], palette: Palette) -> None:
    """Draw a green card back, lit at the top left, with a clover in a frame."""
    colours = colours_of(palette)
    layer.rectangle(box, CORNER - 2.5, colours.back_dark)
    layer.rectangle((box[0], box[1], box[2] - 3, box[3] - 4), CORNER - 3, colours.back_light)
    layer.rectangle((box[0] + 3, box[1] + 4, box[2] - 3, box[3] - 4), CORNER - 5, colours.back)
    frame = (box[0] + 11, box[1] + 12, box[2] - 11, box[3] - 12)
    layer.plates(frame, CORNER - 12, (0, colours.back_light), (2.5, colours.back))
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    layer.line([(x, y), (x + 5, y + 16), (x + 12, y + 27)], 5, colours.back_light)
    for angle in (45, 135, 225, 315):
        layer.ellipse(polar((x, y - 4), 14, angle), 12.5, colours.back_light)
        layer.ellipse(polar((x, y - 4), 13, angle), 4, colours.back)


def _draw_hole(layer: Layer, middle: Point, palette: Palette) -> None:
    colours = colours_of(palette)
    x, y = middle
    layer.ellipse((x, y + 8), 42, theme.mix(colours.soil, palette.paper, 0.18), 31)
    layer.ellipse((x, y + 6), 39, colours.soil_dark, 27)
    layer.ellipse((x, y + 12), 32, theme.mix(colours.soil_dark, palette.ink, 0.55), 19)
    for crumb in ((-50, 22, 5), (46, 30, 4), (38, -24, 4), (-34, -26, 3)):
        layer.ellipse((x + crumb[0], y + 8 + crumb[1]), crumb[2], colours.soil_dark)


def _draw_stripe(layer: Layer, box: tuple[float, float, float, float], away: tuple[int, int], palette: Palette) -> None:
    """Draw a shock's red stripe along the side towards which it sends a Bunny."""
    left, top, right, bottom = box
    layer.rectangle(box, CORNER - 2.5, colours_of(palette).stripe)
    wide = 17
    rest = (
        left + (wide if away[0] < 0 else 0),
        top + (wide if away[1] < 0 else 0),
        right - (wide if away[0] > 0 else 0),
        bottom - (wide if away[1] > 0 else 0),
    )
    layer.rectangle(rest, CORNER - 8, palette.paper)


# --- signs on the faces --------------------------------------------------------------------------------------------------


def _draw_sign(layer: Layer, face: str, at: Point, size: float, palette: Palette) -> None:
    if face in _AWAY:
        _draw_arrow(layer, at, size, _AWAY[face], palette)
    else:
        _SIGNS[face](layer, at, size, palette)


def _draw_arrow(layer: Layer, at: Point, size: float, away: tuple[int, int], palette: Palette) -> None:
    along, across = away, (-away[1], away[0])

    def shape(grow: float) -> list[Point]:
        tip, half, stem, tail, neck = 36 + grow * 1.3, 30 + grow * 1.3, 12 + grow, 32 + grow, 2 - grow * 0.5
        corners = ((tip, 0), (neck, half), (neck, stem), (-tail, stem), (-tail, -stem), (neck, -stem), (neck, -half))
        return [
            (at[0] + size * (a * along[0] + b * across[0]), at[1] + size * (a * along[1] + b * across[1])) for a, b in corners
        ]

    layer.polygon(shape(4.5), palette.ink)
    layer.polygon(shape(0), colours_of(palette).stripe)


def _draw_stop(layer: Layer, at: Point, size: float, palette: Palette) -> None:
    for radius, colour in ((44.0, palette.ink), (40.5, palette.paper), (36.5, colours_of(palette).stripe)):
        layer.polygon([polar(at, size * radius, 22.5 + 45 * corner) for corner in range(8)], colour)
    layer.rectangle((at[0] - 22 * size, at[1] - 7 * size, at[0] + 22 * size, at[1] + 7 * size), 4, palette.paper)


def draw_carrot(layer: Layer, at: Point, size: float, palette: Palette) -> None:
    """Draw a carrot with its leaves, about 90 by 100 pixels at size 1."""
    colours = colours_of(palette)
    x, y = at

    def to(across: float, down: float) -> Point:
        # The carrot leans to the left.
        return x + size * (across * 0.86 - down * 0.5), y + size * (across * 0.5 + down * 0.86)

    for grow, colour in ((3.5, palette.ink), (0.0, colours.leaf)):
        for leaf in (-16, 0, 16):
            layer.line([to(leaf * 0.3, -16), to(leaf, -44)], (11 + 2 * grow) * size, colour)
    for grow, colour in ((3.5, palette.ink), (0.0, colours.carrot)):
        shoulders = [to(-17 - grow, -14), to(17 + grow, -14)]
        layer.polygon([*shoulders, to(4 + grow, 46 + grow), to(-4 - grow, 46 + grow)], colour)
        for side in (-9, 9):
            layer.ellipse(to(side, -12), (9.5 + grow) * size, colour)
        layer.ellipse(to(0, -14), (9 + grow) * size, colour)
        layer.ellipse(to(0, 46), (4.5 + grow) * size, colour)
    light = theme.mix(colours.carrot, palette.paper, 0.5)
    for start, end, down in ((-15, -6, -2), (4, 12, 10), (-9, -2, 22)):
        layer.line([to(start, down), to(end, down + 2)], 3.5 * size, light)


def _draw_spy(layer: Layer, at: Point, size: float, palette: Palette) -> None:
    x, y = at

    def lids(half: float, high: float) -> list[Point]:
        across = [-half + half * step / 8 for step in range(17)]
        upper = [(x + size * a, y - size * high * math.cos(a / half * math.pi / 2) ** 0.8) for a in across]
        return upper + [(x + size * a, y + size * high * math.cos(a / half * math.pi / 2) ** 0.8) for a in reversed(across)]

    for lash in (-30, -10, 10, 30):
        layer.line([(x + lash * 0.7 * size, y - 20 * size), (x + lash * 1.15 * size, y - 37 * size)], 5 * size, palette.ink)
    layer.polygon(lids(48, 30), palette.ink)
    layer.polygon(lids(42, 25), theme.mix(palette.paper, colours_of(palette).sky, 0.12))
    layer.discs(at, (20 * size, palette.ink), (17 * size, colours_of(palette).sky), (9 * size, palette.ink))
    layer.ellipse((x - 6 * size, y - 6 * size), 5 * size, palette.paper)


def _draw_swap(layer: Layer, at: Point, size: float, palette: Palette) -> None:
    for start, colour in ((195.0, colours_of(palette).carrot), (15.0, colours_of(palette).sky)):
        end = start + 122
        for grow, ink in ((7.0, palette.ink), (0.0, colour)):
            layer.arc(at, 29 * size, start, end, (13 + grow) * size, ink)
            reach = 19 + grow * 0.75
            base = [polar(at, size * (29 + side * reach), end + 6) for side in (-1, 1)]
            point = polar(at, size * (29 + grow * 0.2), end + 52)
            layer.polygon([*base, point], ink)
            if grow:
                layer.line([*base, point, base[0]], 4 * size, ink)


def draw_bolt(layer: Layer, at: Point, size: float, palette: Palette) -> None:
    """Draw a lightning bolt, the sign of a Universal Shock."""
    x, y = at
    corners = ((8, -44), (-26, 6), (-5, 6), (-12, 44), (26, -10), (4, -10), (20, -44))
    points = [(x + a * size, y + b * size) for a, b in corners]
    layer.line([*points, points[0]], 9 * size, palette.ink)
    layer.polygon(points, palette.gold)


def _draw_bonus(layer: Layer, at: Point, size: float, palette: Palette) -> None:
    draw_bolt(layer, (at[0] - 10 * size, at[1]), size, palette)
    for grow, colour in ((5.0, palette.ink), (0.0, colours_of(palette).leaf)):
        x, y, half = at[0] + 29 * size, at[1] + 22 * size, 12 * size
        layer.line([(x - half, y), (x + half, y)], (8 + 2 * grow) * size, colour)
        layer.line([(x, y - half), (x, y + half)], (8 + 2 * grow) * size, colour)


_SIGNS: Final = {"stop": _draw_stop, "carrot": draw_carrot, "spy": _draw_spy, "swap": _draw_swap, "bonus": _draw_bonus}


# --- Bunnies, and what they collect ----------------------------------------------------------------------------------------


@cache_sprite
def bunny_sprite(seat: int, palette: Palette) -> Image.Image:
    """Return a Bunny in the colour of its seat, with the seat's mark on its belly. The sprite is centred on the Bunny."""
    side = 150
    layer = Layer(side, side)
    look, colours = palette.seats[seat], colours_of(palette)
    x, y = side / 2, side / 2 - 2
    light = theme.mix(look.colour, palette.paper, 0.72)
    for grow, fur in ((4.0, palette.ink), (0.0, look.colour)):
        for ear in (-1, 1):
            layer.line(_ear(seat, ear, x, y), 22 + 2 * grow, fur)
        layer.ellipse((x, y + 40), 35 + grow, fur, 30 + grow)
        for foot in (-1, 1):
            layer.ellipse((x + foot * 20, y + 63), 15 + grow, fur, 8 + grow)
        layer.ellipse((x, y), 35 + grow, fur, 31 + grow)
    for ear in (-1, 1):
        layer.line([(a + (x - a) * 0.03, b + 1) for a, b in _ear(seat, ear, x, y)][-2:], 9, colours.blossom)
    layer.ellipse((x, y + 41), 29, palette.paper, 26)
    draw_mark(layer, look.mark, (x, y + 41), 22, theme.mix(look.colour, palette.ink, 0.3))
    for eye in (-1, 1):
        layer.ellipse((x + eye * 14, y - 7), 9.5, palette.paper)
        layer.ellipse((x + eye * 13, y - 6), 7, palette.ink)
        layer.ellipse((x + eye * 13 - 2, y - 8.5), 2.5, palette.paper)
        layer.ellipse((x + eye * 9, y + 8), 10, light, 6.5)
    layer.polygon([(x - 6.5, y + 1), (x + 6.5, y + 1), (x, y + 8)], colours.blossom)
    large = layer.image()
    size = round(side * _BUNNY)
    return snug(with_shadow(large.resize((size, size), Image.Resampling.LANCZOS), palette.ink))


def _ear(seat: int, side: int, x: float, y: float) -> list[Point]:
    """Return the outline of an ear, upright for the first seat and lopped for others, so that Bunnies differ in shape."""
    if seat == 0:
        return [(x + side * 13, y - 20), (x + side * 20, y - 56)]
    return [(x + side * 13, y - 20), (x + side * 26, y - 42), (x + side * 50, y - 26)]


@cache_sprite
def token(kind: Literal["carrot", "shock"], palette: Palette, *, held: bool) -> Image.Image:
    """Return a round place for a Carrot or a Universal Shock, which is filled if the seat holds one."""
    side = 68
    layer, middle = Layer(side, side), (side / 2, side / 2)
    colours = colours_of(palette)
    layer.discs(middle, (29, palette.ink), (26, palette.paper if held else colours.grass_dark))
    sign = Layer(side, side)
    if kind == "carrot":
        draw_carrot(sign, (middle[0] + 5, middle[1] - 1), 0.46, palette)
    else:
        draw_bolt(sign, middle, 0.5, palette)
    image, over = layer.image(), sign.image()
    if held:
        image.alpha_composite(over)
        return snug(with_shadow(image, palette.ink))
    image.paste(theme.mix(colours.grass_dark, palette.ink, 0.35), (0, 0), over)
    return image


@cache_sprite
def small_eye(palette: Palette, seat: int) -> Image.Image:
    """Return the eye that is drawn on a card at which a seat's Spy peeks."""
    side = 76
    layer, middle = Layer(side, side), (side / 2, side / 2)
    layer.discs(middle, (31, palette.ink), (28, palette.seats[seat].colour), (24, palette.paper))
    _draw_spy(layer, (middle[0], middle[1] + 4), 0.46, palette)
    return with_shadow(layer.image(), palette.ink)


@cache_sprite
def card_outline(palette: Palette, *, picked: bool = False) -> Image.Image:
    """Return the golden outline of a card that can be chosen. It is broader, and has a tick, once the card is picked."""
    width, height = CARD_WIDTH + 2 * _ROOM, CARD_HEIGHT + 2 * _ROOM
    layer, hole = Layer(width, height), Layer(width, height)
    insets = (0.0, 3.5, 19.0) if picked else (7.0, 9.5, 17.5)
    colours = (palette.ink, palette.gold, palette.ink)
    layer.plates((0, 0, width, height), CORNER + _ROOM, *zip(insets, colours, strict=True))
    inner = insets[-1] + 2.5
    hole.rectangle((inner, inner, width - inner, height - inner), CORNER + _ROOM - inner, palette.ink)
    image = layer.image()
    image.paste((*palette.gold, 0), (0, 0), hole.image())
    if picked:
        tick = Layer(54, 54)
        tick.discs((27, 27), (25, palette.ink), (22, palette.gold))
        tick.line([(16, 28), (24, 37), (38, 18)], 8, palette.ink)
        image.alpha_composite(tick.image(), (width - 56, 2))
    return image


@cache_sprite
def way_sign(away: tuple[int, int], palette: Palette) -> Image.Image:
    """Return the sign of a direction that can be chosen. Like its button, it is a light arrow on a blue square."""
    side = 76
    layer, at = Layer(side, side), (side / 2, side / 2)
    rims = ((5.0, palette.ink), (7.5, palette.gold), (12.0, palette.ink), (14.0, colours_of(palette).way))
    layer.plates((0, 0, side, side), 20, *rims)
    along, across = away, (-away[1], away[0])
    corners = ((21, 0), (1, 19), (1, 8), (-19, 8), (-19, -8), (1, -8), (1, -19))
    arrow = [(at[0] + a * along[0] + b * across[0], at[1] + a * along[1] + b * across[1]) for a, b in corners]
    layer.polygon(arrow, palette.paper)
    return with_shadow(layer.image(), palette.ink)


def draw_flower(layer: Layer, at: Point, palette: Palette) -> None:
    """Draw a small flower in the grass."""
    for corner in star(at, 6.5, 5):
        layer.ellipse(corner, 4.6, colours_of(palette).blossom)
    layer.ellipse(at, 4, palette.gold)


def write_word(image: Image.Image, at: Point, word: str, palette: Palette) -> None:
    """Write a coordinate at the edge of the field."""
    write(image, at, word, Face.LABEL, Size.HEADING, colours_of(palette).on_grass, align="middle")
