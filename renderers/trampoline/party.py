"""The party of BOUNCE: the guests, who turn greener with every jump, and the garden with the trampoline."""

import math
from typing import Final, Literal

from PIL import Image

from engines.trampoline.track import LAST_JUMP
from renderers import theme
from renderers.canvas import Layer, Point, place, polar, snug, star, with_shadow
from renderers.lettering import text_width, write
from renderers.pieces import badge
from renderers.sprite_cache import cache_sprite
from renderers.theme import Colour, Face, Palette, Size
from renderers.trampoline.colours import colours_of

Pose = Literal["waiting", "up", "down", "landed", "ill"]

GUEST: Final = 190
"""The side in pixels of a guest's sprite at zoom 1."""
_FACE: Final = 40.0
_GAUGE: Final = 52.0
_LARGE_COIN: Final = 60
"""The diameter in pixels above which a coin has room for a large figure."""


@cache_sprite
def guest(seat: int, palette: Palette, jumps: int, pose: Pose, zoom: float = 1.0) -> Image.Image:
    """Return a guest with a party hat and a gauge of the jumps, centred on the face, at most `zoom` times `GUEST` pixels."""
    layer = Layer(GUEST, GUEST)
    middle = (GUEST / 2, GUEST / 2)
    look, colours = palette.seats[seat], colours_of(palette)
    skin = colours.skin[max(0, min(jumps - 3, 11)) * (len(colours.skin) - 1) // 11]
    _draw_hands(layer, middle, pose, skin, palette)
    _draw_gauge(layer, middle, jumps, look.colour, palette)
    layer.discs(middle, (_FACE + 2.5, palette.ink), (_FACE, theme.mix(skin, palette.paper, 0.45)))
    layer.ellipse((middle[0] + 2, middle[1] + 2), _FACE - 2, skin)
    _draw_face(layer, middle, jumps, pose, palette)
    _draw_hat(layer, (middle[0], middle[1] - _FACE + (2 if pose != "down" else -7)), look.colour, palette)
    return snug(with_shadow(layer.image(zoom), palette.ink))


@cache_sprite
def label(seat: int, palette: Palette, words: str, zoom: float) -> Image.Image:
    """Return the label below a guest, with the badge of the seat and the number of jumps in words ("4 of 15")."""
    size = Size.BODY if zoom < 1.1 else Size.NAME
    mark, height = badge(seat, palette, round(40 * zoom)), round(40 * zoom)
    width = math.ceil(mark.width + text_width(words, Face.LABEL, size) + 22)
    layer = Layer(width, height)
    layer.plates((0, 0, width, height), height / 2, (0, palette.ink), (2.5, palette.paper))
    image = layer.image()
    place(image, mark, (mark.width / 2, height / 2))
    write(image, (mark.width + 7, height / 2), words, Face.LABEL, size, palette.ink)
    return image


def _draw_gauge(layer: Layer, middle: Point, jumps: int, colour: Colour, palette: Palette) -> None:
    """Draw fifteen parts clockwise from the top. Each jump fills one of them, and the last ends the game for the guest."""
    layer.ellipse(middle, _GAUGE + 8, palette.ink)
    part = 360 / LAST_JUMP
    empty = theme.mix(palette.paper, palette.ink, 0.7)
    for jump in range(LAST_JUMP):
        start = -90 + jump * part + 6
        fill = colour if jump < jumps else empty
        if jump < jumps:
            layer.arc(middle, _GAUGE, start, start + part - 12, 11, theme.mix(colour, palette.paper, 0.35))
            layer.arc(middle, _GAUGE - 0.8, start + 0.8, start + part - 11.2, 8.5, fill)
        else:
            layer.arc(middle, _GAUGE, start, start + part - 12, 7, fill)


def _draw_hands(layer: Layer, middle: Point, pose: Pose, skin: Colour, palette: Palette) -> None:
    """Draw two hands, which are raised in joy, spread in a fall, or hanging down."""
    across, up = {"up": (60, 30), "landed": (62, 34), "down": (70, 8), "waiting": (62, -22), "ill": (60, -34)}[pose]
    for side in (-1, 1):
        hand = (middle[0] + side * across, middle[1] - up)
        layer.discs(hand, (13, palette.ink), (10.5, skin))


def _draw_hat(layer: Layer, foot: Point, colour: Colour, palette: Palette) -> None:
    """Draw a striped party hat with a bobble. The middle of its brim is at `foot`, which is higher in a fall."""
    x, y = foot
    wide, high = 24, 40
    layer.polygon([(x - wide - 3, y + 8), (x, y - high - 5), (x + wide + 3, y + 8)], palette.ink)
    layer.polygon([(x - wide + 2, y + 5), (x, y - high + 2), (x + wide - 2, y + 5)], colour)
    light = theme.mix(colour, palette.paper, 0.55)
    for low, top in ((0.78, 0.6), (0.42, 0.26)):
        corners = ((-low, low), (-top, top), (top, top), (low, low))
        layer.polygon([(x + (wide - 2) * across, y + 5 - (high + 3) * (1 - share)) for across, share in corners], light)
    layer.line([(x - wide, y + 6), (x + wide, y + 6)], 9, palette.ink)
    layer.line([(x - wide, y + 6), (x + wide, y + 6)], 4.5, palette.gold)
    layer.discs((x, y - high), (9.5, palette.ink), (7, palette.gold))


def _draw_face(layer: Layer, middle: Point, jumps: int, pose: Pose, palette: Palette) -> None:
    """Draw the eyes, the cheeks and the mouth. The more jumps there are, the less of a smile is left."""
    colours, ink = colours_of(palette), palette.ink
    x, y = middle
    unwell = 0 if jumps < 5 else 1 if jumps < 10 else 2 if jumps < 13 else 3
    _draw_eyes(layer, (x, y - 8), pose, unwell, palette)
    if pose == "ill":
        layer.ellipse((x, y + 17), 11, ink, 9)
        layer.rectangle((x - 6, y + 16, x + 8, y + 31), 6, colours.cheek)
        return
    cheeks = colours.cheek if unwell < 2 or pose == "landed" else theme.mix(colours.skin[-1], colours.grass_dark, 0.4)
    for side in (-1, 1):
        if unwell == 3 and pose != "landed":
            layer.ellipse((x + side * 27, y + 10), 12, ink, 11)
            layer.ellipse((x + side * 26, y + 10), 10.5, cheeks, 9.5)
        else:
            layer.ellipse((x + side * 25, y + 8), 7, (*cheeks, 190), 5)
    if pose == "landed" or unwell == 0:
        _draw_grin(layer, (x, y + 11), 17, palette)
    elif unwell == 1:
        layer.arc((x, y + 6), 15, 35, 145, 4.5, ink)
    elif unwell == 2:
        layer.line(_wave((x - 17, y + 18), 34, 3.5, 3), 4.5, ink)
    else:
        layer.line(_wave((x - 10, y + 19), 20, 2.5, 3), 4.5, ink)
    if unwell >= 2 and pose != "landed":
        drop = (x + 30, y - 22)
        layer.polygon([(drop[0], drop[1] - 13), (drop[0] - 6.5, drop[1]), (drop[0] + 6.5, drop[1])], palette.seats[1].colour)
        layer.ellipse(drop, 6.6, palette.seats[1].colour)
        layer.ellipse((drop[0] - 2, drop[1] + 1), 2, palette.paper)


def _draw_eyes(layer: Layer, middle: Point, pose: Pose, unwell: int, palette: Palette) -> None:
    """Draw eyes that look where the token is going, are closed with joy after landing, or are crosses after the last jump."""
    ink = palette.ink
    for side in (-1, 1):
        x, y = middle[0] + side * 14, middle[1]
        if pose == "ill":
            for slope in (-1, 1):
                layer.line([(x - 6, y - 6 * slope), (x + 6, y + 6 * slope)], 4.5, ink)
        elif pose == "landed":
            layer.arc((x, y + 4), 8, 200, 340, 4.5, ink)
        else:
            look = {"up": -3.5, "down": 4.0, "waiting": 0.0}[pose]
            layer.discs((x, y), (11.5, ink), (9.2, palette.paper))
            layer.ellipse((x + (0 if unwell < 3 else side * -3), y + look), 5.2 if unwell < 3 else 3.2, ink)
            layer.ellipse((x - 1.8, y + look - 1.8), 1.7, palette.paper)
            if unwell >= 1:
                lid = 15 if unwell > 1 else 17
                layer.line([(x - side * 9 - 0, y - lid - 3 * unwell + 3), (x + side * 9, y - lid + 3)], 4, ink)


def _draw_grin(layer: Layer, middle: Point, half: float, palette: Palette) -> None:
    x, y = middle
    layer.polygon([(x - half, y), *(polar(middle, half, angle) for angle in range(0, 181, 12))], palette.ink)
    layer.line([(x - half + 1, y), (x + half - 1, y)], 4, palette.ink)
    layer.ellipse((x, y + half * 0.66), half * 0.5, colours_of(palette).cheek, half * 0.3)
    layer.rectangle((x - half + 5, y, x + half - 5, y + 4.5), 2, palette.paper)


def _wave(start: Point, length: float, height: float, waves: int) -> list[Point]:
    steps = waves * 8
    return [
        (start[0] + length * step / steps, start[1] + height * math.sin(2 * math.pi * waves * step / steps / 1.5))
        for step in range(steps + 1)
    ]


@cache_sprite
def big_arrow(palette: Palette, colour: Colour, zoom: float, *, up: bool) -> Image.Image:
    """Return the arrow beside a guest that shows which way the token faces."""
    layer = Layer(56, 76)
    way = -1 if up else 1
    x, y = 28, 38

    def shape(grow: float) -> list[Point]:
        half, stem = 17 + grow * 1.3, 8 + grow
        return [
            (x, y + way * (28 + grow * 1.3)), (x + half, y + way * (4 - grow * 0.6)), (x + stem, y + way * (4 - grow * 0.6)),
            (x + stem, y - way * (24 + grow)), (x - stem, y - way * (24 + grow)), (x - stem, y + way * (4 - grow * 0.6)),
            (x - half, y + way * (4 - grow * 0.6)),
        ]  # fmt: skip

    layer.polygon(shape(5.5), palette.ink)
    layer.polygon(shape(3), palette.paper)
    layer.polygon(shape(0), colour)
    return snug(with_shadow(layer.image(zoom), palette.ink))


@cache_sprite
def bucket(palette: Palette, zoom: float) -> Image.Image:
    """Return the bucket for a guest who feels ill."""
    layer = Layer(84, 84)
    colours = colours_of(palette)
    layer.polygon([(12, 26), (70, 26), (62, 74), (20, 74)], palette.ink)
    layer.polygon([(15, 28), (67, 28), (59.5, 71), (22.5, 71)], colours.spring)
    layer.polygon([(41, 28), (67, 28), (59.5, 71), (45, 71)], theme.mix(colours.spring, palette.ink, 0.25))
    layer.ellipse((41, 26), 31, palette.ink, 10)
    layer.ellipse((41, 26), 28, colours.skin[-1], 7.5)
    for bubble in ((30, 25, 4), (46, 27, 5), (55, 24, 3)):
        layer.ellipse(bubble[:2], bubble[2], theme.mix(colours.skin[-1], palette.paper, 0.5), bubble[2] * 0.7)
    return snug(with_shadow(layer.image(zoom), palette.ink))


@cache_sprite
def coin(value: int | None, palette: Palette, diameter: int) -> Image.Image:
    """Return the coin of the faceplant, with its 1 or 2, or with a question mark until it is flipped."""
    side = diameter + 24
    layer, middle = Layer(side, side), side / 2
    layer.discs((middle, middle), (diameter / 2, palette.ink), (diameter / 2 - 2.5, palette.gold_dark))
    layer.ellipse((middle - 1.5, middle - 1.5), diameter / 2 - 4.5, palette.gold)
    layer.ellipse((middle, middle), diameter / 2 - 11, palette.gold_dark)
    layer.ellipse((middle + 1, middle + 1), diameter / 2 - 12, palette.gold)
    image = with_shadow(layer.image(), palette.ink)
    size = Size.HUGE if diameter > _LARGE_COIN else Size.BODY
    write(image, (middle, middle), "?" if value is None else str(value), Face.LABEL, size, palette.ink, align="middle")
    return image


# --- the garden -------------------------------------------------------------------------------------------------------


def draw_bunting(layer: Layer, palette: Palette, width: float) -> None:
    """Draw a line of flags along the top."""
    colours = colours_of(palette)
    bright = (palette.gold, colours.balloon, colours.pad_light, palette.paper)
    spans, flags = 3, 8
    for span in range(spans):
        left = span * width / spans

        def hang(share: float, left: float = left) -> Point:
            return left + share * width / spans, 10 + 52 * (1 - (2 * share - 1) ** 2)

        layer.line([hang(step / 20) for step in range(21)], 4, palette.ink)
        for flag in range(flags):
            (ax, ay), (bx, by) = hang((flag + 0.16) / flags), hang((flag + 0.84) / flags)
            tip = ((ax + bx) / 2, (ay + by) / 2 + 34)
            layer.polygon([(ax - 3, ay - 2), (bx + 3, by - 2), (tip[0], tip[1] + 6)], palette.ink)
            layer.polygon([(ax, ay), (bx, by), tip], bright[(flag + span) % len(bright)])


def draw_cake(layer: Layer, palette: Palette, foot: Point) -> None:
    """Draw a cake on a small table. The middle of the table's foot is at `foot`."""
    colours = colours_of(palette)
    x, y = foot
    for leg in (-44, 44):
        layer.line([(x + leg, y), (x + leg * 0.86, y - 58)], 10, palette.ink)
    layer.rectangle((x - 66, y - 72, x + 66, y - 52), 10, palette.ink)
    layer.rectangle((x - 63, y - 69, x + 63, y - 55), 7, palette.gold_dark)
    for low, half, colour in ((72, 44, colours.balloon), (106, 30, palette.paper)):
        layer.rectangle((x - half - 3, y - low - 37, x + half + 3, y - low + 3), 8, palette.ink)
        layer.rectangle((x - half, y - low - 34, x + half, y - low), 6, colour)
        icing = palette.paper if colour != palette.paper else colours.balloon
        for drip in range(-2, 3):
            layer.ellipse((x + drip * half / 2.5, y - low - 26), half / 5, icing, 10)
        layer.rectangle((x - half, y - low - 34, x + half, y - low - 24), 5, icing)
    for candle in (-14, 0, 14):
        layer.line([(x + candle, y - 141), (x + candle, y - 158)], 6, palette.ink)
        layer.line([(x + candle, y - 141), (x + candle, y - 157)], 3, colours.pad_light)
        layer.ellipse((x + candle, y - 167), 4.5, palette.gold, 7)


def draw_trampoline(layer: Layer, palette: Palette, left: float, right: float, y: float, ground_at: float) -> None:
    """Draw the trampoline from slightly above, with the mat at `y` and the feet at `ground_at`."""
    colours = colours_of(palette)
    x, half = (left + right) / 2, (right - left) / 2
    for leg in (-0.82, -0.36, 0.36, 0.82):
        foot = (x + half * leg * 1.04, ground_at - (0 if abs(leg) > 0.5 else -16))
        top = (x + half * leg, y + 20)
        layer.line([top, foot], 17, palette.ink)
        layer.line([top, foot], 11, colours.spring)
        layer.line([(foot[0] - 20, foot[1]), (foot[0] + 20, foot[1])], 13, palette.ink)
        layer.line([(foot[0] - 18, foot[1]), (foot[0] + 18, foot[1])], 7, colours.spring)
    layer.ellipse((x, y + 12), half + 3, palette.ink, 47)
    layer.ellipse((x, y + 12), half, theme.mix(colours.pad, palette.ink, 0.4), 44)
    layer.ellipse((x, y), half + 3, palette.ink, 47)
    layer.ellipse((x, y), half, colours.pad_light, 44)
    layer.ellipse((x, y + 2), half - 3, colours.pad, 42)
    layer.ellipse((x, y), half - 34, palette.ink, 29)
    for step in range(44):
        angle = 2 * math.pi * step / 44
        inner, outer = (half - 60, 19.0), (half - 37, 27.0)
        ends = [(x + math.cos(angle) * a, y + math.sin(angle) * b) for a, b in (inner, outer)]
        layer.line(ends, 3.4, colours.spring)
    layer.ellipse((x, y), half - 56, colours.mat, 20)
    layer.ellipse((x, y - 1), half - 62, theme.mix(colours.mat, palette.paper, 0.16), 16.5)
    layer.ellipse((x, y + 1), half - 70, theme.mix(colours.mat, palette.paper, 0.07), 14)


def draw_stars(layer: Layer, palette: Palette, places: tuple[Point, ...]) -> None:
    """Draw the first stars of the evening."""
    for index, at in enumerate(places):
        layer.polygon(star(at, 5 + index % 3 * 2, 4, 0.35), theme.mix(colours_of(palette).on_sky, palette.gold, 0.3))
