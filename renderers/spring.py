"""A spring between two plates, which the bot's own pictures and the podium of an event stand on."""

from renderers.canvas import Layer, Point
from renderers.theme import Palette


def draw_spring(layer: Layer, top: Point, half: float, height: float, palette: Palette, turns: int = 6) -> None:
    """Draw a spring between two plates: the upper one with its middle at `top`, `half` of it to each side, the other below.

    Args:
        layer: the layer to draw on.
        top: the middle of the upper plate.
        half: half the width of that plate, in pixels.
        height: the distance of the middles of the plates.
        palette: the colours.
        turns: the number of straight pieces of wire.
    """
    (x, y), unit = top, half / 128
    step = height / turns
    wire = [(x + half * (0.72 if n % 2 else -0.72), y + step * n) for n in range(turns + 1)]
    layer.line(wire, 40 * unit, palette.ink)
    layer.line(wire, 20 * unit, palette.gold)
    for middle, wide in ((y, half), (y + height, half * 1.1)):
        for rim, colour in ((10 * unit, palette.ink), (0, palette.paper)):
            tall = 16 * unit + rim
            layer.rectangle((x - wide - rim, middle - tall, x + wide + rim, middle + tall), tall, colour)
