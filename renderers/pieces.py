"""What stands on boards: seats' marks, badges, counters, crowns and dice. All are cached sprites."""

from functools import lru_cache
from typing import Final

from PIL import Image

from renderers import theme
from renderers.canvas import Fill, Point, Sheet, star, with_shadow
from renderers.theme import Palette


def draw_mark(sheet: Sheet, mark: theme.Mark, centre: Point, radius: float, fill: Fill) -> None:
    """A seat's mark; all marks of one radius look equally large."""
    x, y = centre
    if mark is theme.Mark.DISC:
        sheet.ellipse(centre, radius * 0.88, fill)
    elif mark is theme.Mark.SQUARE:
        half = radius * 0.8
        sheet.rounded((x - half, y - half, x + half, y + half), radius * 0.16, fill)
    elif mark is theme.Mark.CROSS:
        long, short = radius, radius * 0.36
        sheet.polygon(
            [(x + long * a + short * b, y + long * c + short * d) for a, b, c, d in _CROSS],
            fill,
        )
    else:
        corners, inner, turn = {
            theme.Mark.TRIANGLE: (3, 0.0, 0.12),
            theme.Mark.DIAMOND: (4, 0.0, 0.0),
            theme.Mark.STAR: (5, 0.5, 0.06),
        }[mark]
        sheet.polygon(star((x, y + turn * radius), radius * 1.08, corners, inner), fill)


# The twelve corners of a plus sign: along the long and the short arm, across and down.
_CROSS: Final = (
    (0, -1, -1, 0), (0, 1, -1, 0), (0, 1, 0, -1), (1, 0, 0, -1), (1, 0, 0, 1), (0, 1, 0, 1),
    (0, 1, 1, 0), (0, -1, 1, 0), (0, -1, 0, 1), (-1, 0, 0, 1), (-1, 0, 0, -1), (0, -1, 0, -1),
)  # fmt: skip


@lru_cache(maxsize=64)
def badge(seat: int, palette: Palette, diameter: int, *, out: bool = False) -> Image.Image:
    """A flat round badge with a seat's colour and mark, for the strip and for labels; grey for a seat that is out."""
    look = palette.seats[seat]
    colour = theme.mix(palette.paper, palette.muted, 0.55) if out else look.colour
    middle, sheet = diameter / 2, Sheet(diameter, diameter)
    sheet.ellipse((middle, middle), middle - 0.5, palette.ink if not out else palette.muted)
    sheet.ellipse((middle, middle), middle - 3, colour)
    draw_mark(sheet, look.mark, (middle, middle), diameter * 0.25, palette.paper if out else look.on_colour)
    return sheet.done()


@lru_cache(maxsize=64)
def counter(seat: int, palette: Palette, diameter: int, *, crowned: bool = False) -> Image.Image:
    """A round counter with its seat's mark embossed, lit from the top left; a king is two counters high and wears a crown.

    The sprite's middle is the middle of the counter's foot, so that kings and counters stand in line.
    """
    look = palette.seats[seat]
    room, radius = 18, diameter / 2
    side = diameter + 2 * room
    sheet, x = Sheet(side, side), side / 2
    dark = theme.mix(look.colour, palette.ink, 0.42)
    top = foot = side / 2 + diameter * 0.03
    for _ in range(2 if crowned else 1):
        foot, top = top, top - diameter * 0.075
        sheet.ellipse((x, foot), radius, palette.ink)
        sheet.rounded((x - radius, top, x + radius, foot), 0, palette.ink)
        sheet.ellipse((x, top), radius, palette.ink)
        sheet.ellipse((x, foot), radius - 2.5, dark)
        sheet.rounded((x - radius + 2.5, top, x + radius - 2.5, foot), 0, dark)
    # Flat tones, shifted against each other: a lit rim, a groove in its own shade (a king's is gold), the face.
    light = theme.mix(look.colour, palette.paper, 0.4)
    sheet.ellipse((x, top), radius - 2.5, light)
    sheet.ellipse((x + 1.2, top + 1.2), radius - 3.7, look.colour)
    if crowned:
        sheet.ellipse((x, top), radius * 0.82, palette.gold_dark)
        sheet.ellipse((x, top), radius * 0.79, palette.gold)
        sheet.ellipse((x, top), radius * 0.72, look.colour)
    else:
        sheet.ellipse((x, top), radius * 0.79, dark)
        sheet.ellipse((x + 1, top + 1), radius * 0.785, look.colour)
    if crowned:
        _emboss(sheet, look, (x, top + diameter * 0.17), diameter * 0.15, palette)
        _crown(sheet, (x, top - diameter * 0.2), diameter * 0.3, palette)
    else:
        _emboss(sheet, look, (x, top), diameter * 0.22, palette)
    return with_shadow(sheet.done(), palette.ink)


def _emboss(sheet: Sheet, look: theme.SeatLook, centre: Point, radius: float, palette: Palette) -> None:
    """A mark pressed into a piece: shaded at the top left, lit at the bottom right."""
    depth = max(1.0, radius * 0.09)
    x, y = centre
    draw_mark(sheet, look.mark, (x - depth, y - depth), radius, theme.mix(look.colour, palette.ink, 0.55))
    draw_mark(sheet, look.mark, (x + depth, y + depth), radius, theme.mix(look.colour, palette.paper, 0.55))
    draw_mark(sheet, look.mark, centre, radius, look.on_colour)


def _crown(sheet: Sheet, centre: Point, half: float, palette: Palette) -> None:
    """A golden crown with three points, outlined in ink."""
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
    sheet.polygon(outline(3), palette.ink)
    for tip in tips:
        sheet.ellipse(tip, half * 0.17 + 3, palette.ink)
    sheet.polygon(outline(0), palette.gold)
    for tip in tips:
        sheet.ellipse(tip, half * 0.17, theme.mix(palette.gold, palette.paper, 0.4))
    sheet.rounded((x - half * 0.86, y + half * 0.36, x + half * 0.86, y + half * 0.62), 0, palette.gold_dark)


@lru_cache(maxsize=64)
def die(value: int, palette: Palette, side: int, tilt: int = 0) -> Image.Image:
    """A die that shows `value` (0: nothing yet), turned by `tilt` degrees."""
    room = 14
    sheet, middle, half = Sheet(side + 2 * room, side + 2 * room), side / 2 + room, side / 2
    box = (middle - half, middle - half, middle + half, middle + half)
    sheet.rounded(box, side * 0.22, palette.ink)
    sheet.rounded((box[0] + 2.5, box[1] + 2.5, box[2] - 2.5, box[3] - 2.5), side * 0.2, palette.line)
    sheet.rounded((box[0] + 2.5, box[1] + 2.5, box[2] - 7, box[3] - 7), side * 0.18, palette.paper)
    for across, down in _PIPS[value]:
        sheet.ellipse((middle - 2 + across * side * 0.25, middle - 2 + down * side * 0.25), side * 0.095, palette.ink)
    turned = sheet.done().rotate(tilt, Image.Resampling.BICUBIC)
    return with_shadow(turned, palette.ink)


_PIPS: Final = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
