"""The marks of seats, and the sprites that several games use: badges, counters, dice and springs."""

from typing import Final

from PIL import Image

from renderers import theme
from renderers.canvas import Fill, Layer, Point, snug, star, with_shadow
from renderers.sprite_cache import cache_sprite
from renderers.theme import Palette


def draw_mark(layer: Layer, mark: theme.Mark, centre: Point, radius: float, fill: Fill) -> None:
    """Draw the mark of a seat. Marks of the same radius look equally large."""
    x, y = centre
    if mark is theme.Mark.DISC:
        layer.ellipse(centre, radius * 0.88, fill)
    elif mark is theme.Mark.SQUARE:
        half = radius * 0.8
        layer.rectangle((x - half, y - half, x + half, y + half), radius * 0.16, fill)
    elif mark is theme.Mark.CROSS:
        long, short = radius, radius * 0.36
        layer.polygon([(x + long * a + short * b, y + long * c + short * d) for a, b, c, d in _CROSS], fill)
    else:
        corners, inner, turn = {
            theme.Mark.TRIANGLE: (3, 0.0, 0.12),
            theme.Mark.DIAMOND: (4, 0.0, 0.0),
            theme.Mark.STAR: (5, 0.5, 0.06),
        }[mark]
        layer.polygon(star((x, y + turn * radius), radius * 1.08, corners, inner), fill)


# The twelve corners of a plus sign: how many long and short arms across, then how many long and short arms down.
_CROSS: Final = (
    (0, -1, -1, 0), (0, 1, -1, 0), (0, 1, 0, -1), (1, 0, 0, -1), (1, 0, 0, 1), (0, 1, 0, 1),
    (0, 1, 1, 0), (0, -1, 1, 0), (0, -1, 0, 1), (-1, 0, 0, 1), (-1, 0, 0, -1), (0, -1, 0, -1),
)  # fmt: skip


@cache_sprite
def badge(seat: int, palette: Palette, diameter: int, *, out: bool = False) -> Image.Image:
    """Return a flat round badge with the colour and the mark of a seat, or a grey one if the seat is out."""
    look = palette.seats[seat]
    colour = theme.mix(palette.paper, palette.muted, 0.55) if out else look.colour
    middle, layer = diameter / 2, Layer(diameter, diameter)
    layer.discs((middle, middle), (middle - 0.5, palette.ink if not out else palette.muted), (middle - 3, colour))
    draw_mark(layer, look.mark, (middle, middle), diameter * 0.25, palette.paper if out else look.on_colour)
    return layer.image()


@cache_sprite
def badges(colours: tuple[int, ...], palette: Palette, diameter: int, *, out: bool = False) -> Image.Image:
    """Return the badges of all colours of a seat, side by side and overlapping, with the first one in front."""
    shown = [badge(colour, palette, diameter, out=out) for colour in colours]
    if len(shown) == 1:
        return shown[0]
    pitch = round(diameter * 0.88)
    image = Image.new("RGBA", (diameter + pitch * (len(shown) - 1), diameter))
    for number, sprite in reversed(list(enumerate(shown))):
        image.alpha_composite(sprite, (number * pitch, 0))
    return image


@cache_sprite
def computer_mark(palette: Palette, side: int) -> Image.Image:
    """Return the mark of a computer: the head of a machine with a spring, outlined so that it shows on any ground."""
    layer, unit = Layer(side, side), side / 100

    def at(x: float, y: float) -> Point:
        return x * unit, y * unit

    def block(left: float, top: float, right: float, bottom: float, radius: float, fill: Fill) -> None:
        layer.rectangle((*at(left, top), *at(right, bottom)), radius * unit, fill)

    spring = [at(50, 34), at(41, 29), at(59, 23), at(41, 17), at(50, 12)]
    for width, colour in ((11, palette.paper), (6, palette.ink)):
        layer.line(spring, width * unit, colour)
    layer.discs(at(50, 11), (10 * unit, palette.paper), (7.5 * unit, palette.gold))
    for left in (4, 84):
        block(left - 3, 47, left + 15, 77, 6, palette.paper)
        block(left, 50, left + 12, 74, 4, palette.ink)
    block(9, 29, 91, 98, 20, palette.paper)
    block(12, 32, 88, 95, 17, palette.ink)
    block(20, 40, 80, 87, 11, palette.paper)
    for x in (37, 63):
        layer.ellipse(at(x, 58), 8.5 * unit, palette.ink)
    block(35, 74, 65, 80, 3, palette.ink)
    return layer.image()


@cache_sprite
def plate(width: int, height: int, radius: float, colour: theme.Colour) -> Image.Image:
    """Return a flat plate with rounded corners."""
    layer = Layer(width, height)
    layer.rectangle((0, 0, width, height), radius, colour)
    return layer.image()


@cache_sprite
def counter(seat: int, palette: Palette, diameter: int, *, crowned: bool = False) -> Image.Image:
    """Return a round counter with its seat's mark, centred on its foot. A king is two counters high and wears a crown."""
    look = palette.seats[seat]
    room, radius = 18, diameter / 2
    side = diameter + 2 * room
    layer, x = Layer(side, side), side / 2
    dark = theme.mix(look.colour, palette.ink, 0.42)
    top = foot = side / 2 + diameter * 0.03
    for _ in range(2 if crowned else 1):
        foot, top = top, top - diameter * 0.075
        layer.ellipse((x, foot), radius, palette.ink)
        layer.rectangle((x - radius, top, x + radius, foot), 0, palette.ink)
        layer.ellipse((x, top), radius, palette.ink)
        layer.ellipse((x, foot), radius - 2.5, dark)
        layer.rectangle((x - radius + 2.5, top, x + radius - 2.5, foot), 0, dark)
    # Flat tones, offset from each other: a lit rim, a groove (golden for a king, else a darker shade) and the face.
    light = theme.mix(look.colour, palette.paper, 0.4)
    layer.ellipse((x, top), radius - 2.5, light)
    layer.ellipse((x + 1.2, top + 1.2), radius - 3.7, look.colour)
    if crowned:
        layer.discs((x, top), (radius * 0.82, palette.gold_dark), (radius * 0.79, palette.gold), (radius * 0.72, look.colour))
        _emboss(layer, look, (x, top + diameter * 0.17), diameter * 0.15, palette)
        _crown(layer, (x, top - diameter * 0.2), diameter * 0.3, palette)
    else:
        layer.ellipse((x, top), radius * 0.79, dark)
        layer.ellipse((x + 1, top + 1), radius * 0.785, look.colour)
        _emboss(layer, look, (x, top), diameter * 0.22, palette)
    return snug(with_shadow(layer.image(), palette.ink))


def _emboss(layer: Layer, look: theme.SeatLook, centre: Point, radius: float, palette: Palette) -> None:
    """Draw a mark that looks pressed into a piece, shaded at the top left and lit at the bottom right."""
    depth = max(1.0, radius * 0.09)
    x, y = centre
    draw_mark(layer, look.mark, (x - depth, y - depth), radius, theme.mix(look.colour, palette.ink, 0.55))
    draw_mark(layer, look.mark, (x + depth, y + depth), radius, theme.mix(look.colour, palette.paper, 0.55))
    draw_mark(layer, look.mark, centre, radius, look.on_colour)


def _crown(layer: Layer, centre: Point, half: float, palette: Palette) -> None:
    x, y = centre

    def outline(grow: float) -> list[Point]:
        h = half
        return [
            (x - h * 0.86 - grow, y + h * 0.62 + grow), (x - h - grow, y - h * 0.42 - grow),
            (x - h * 0.48, y + h * 0.06 - grow), (x, y - h * 0.82 - grow * 1.4), (x + h * 0.48, y + h * 0.06 - grow),
            (x + h + grow, y - h * 0.42 - grow),
            (x + h * 0.86 + grow, y + h * 0.62 + grow),
        ]  # fmt: skip

    tips = ((x - half, y - half * 0.46), (x, y - half * 0.86), (x + half, y - half * 0.46))
    layer.polygon(outline(3), palette.ink)
    for tip in tips:
        layer.ellipse(tip, half * 0.17 + 3, palette.ink)
    layer.polygon(outline(0), palette.gold)
    for tip in tips:
        layer.ellipse(tip, half * 0.17, theme.mix(palette.gold, palette.paper, 0.4))
    layer.rectangle((x - half * 0.86, y + half * 0.36, x + half * 0.86, y + half * 0.62), 0, palette.gold_dark)


@cache_sprite
def die(value: int, palette: Palette, side: int, tilt: int = 0) -> Image.Image:
    """Return a die that shows `value`, or nothing if it is 0, rotated by `tilt` degrees."""
    room = 14
    layer, middle, half = Layer(side + 2 * room, side + 2 * room), side / 2 + room, side / 2
    box = (middle - half, middle - half, middle + half, middle + half)
    layer.rectangle(box, side * 0.22, palette.ink)
    layer.rectangle((box[0] + 2.5, box[1] + 2.5, box[2] - 2.5, box[3] - 2.5), side * 0.2, palette.line)
    layer.rectangle((box[0] + 2.5, box[1] + 2.5, box[2] - 7, box[3] - 7), side * 0.18, palette.paper)
    for across, down in _PIPS[value]:
        layer.ellipse((middle - 2 + across * side * 0.25, middle - 2 + down * side * 0.25), side * 0.095, palette.ink)
    turned = layer.image().rotate(tilt, Image.Resampling.BICUBIC)
    return snug(with_shadow(turned, palette.ink))


_PIPS: Final = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def draw_spring(layer: Layer, top: Point, half: float, height: float, palette: Palette, turns: int = 6) -> None:
    """Draw a spring of `turns` straight wires. The plate on top of it is centred at `top`, and is twice `half` wide."""
    (x, y), unit = top, half / 128
    step = height / turns
    wire = [(x + half * (0.72 if n % 2 else -0.72), y + step * n) for n in range(turns + 1)]
    layer.line(wire, 40 * unit, palette.ink)
    layer.line(wire, 20 * unit, palette.gold)
    for middle, wide in ((y, half), (y + height, half * 1.1)):
        for rim, colour in ((10 * unit, palette.ink), (0, palette.paper)):
            tall = 16 * unit + rim
            layer.rectangle((x - wide - rim, middle - tall, x + wide + rim, middle + tall), tall, colour)
