"""The plot of growth, which shows how many times as much something costs at 4 n and 16 n as at n."""

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from itertools import pairwise
from math import log2
from typing import Final

from font_roboto import Roboto, RobotoMedium
from PIL import Image, ImageDraw, ImageFont

from benchmarks.figures import Figure, number

SCALE: Final = 2
"""The factor by which everything is drawn larger, for screens with small pixels."""
SIZE: Final = (860, 420)
LEFT, TOP, RIGHT, BOTTOM = 70, 60, 480, 360
PAPER, INK, GREY, RULE = "#ffffff", "#1f2328", "#59636e", "#d1d9e0"
COLOURS: Final = ("#0969da", "#cf222e", "#1a7f37", "#8250df", "#9a6700")
SHAPES: Final = ((32, 0), (4, 0), (3, 0), (4, 45), (6, 0))
"""The mark of each series: a polygon's number of sides, and the degrees by which it is turned."""
TIMES: Final = (1, 4, 16)
LEAST: Final = 0.6
"""The lowest multiple that is drawn. Smaller ones are drawn as this one, because there is no room below."""


def series_of(figures: Iterable[Figure]) -> dict[str, list[tuple[int, Figure]]]:
    """Return the figures of each series with their sizes, in order of size."""
    found: dict[str, list[tuple[int, Figure]]] = {}
    for figure in figures:
        if figure.point is not None:
            found.setdefault(figure.point.series, []).append((figure.point.size, figure))
    return {name: sorted(points, key=lambda point: point[0]) for name, points in found.items()}


def drawn(figures: Iterable[Figure]) -> bytes:
    """Return the plot as a PNG file, on a white background of its own, so that it can be read on dark pages, too."""
    series = series_of(figures)
    image = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), PAPER)
    pen = Pen(ImageDraw.Draw(image))
    pen.text(LEFT - 40, 18, "Growth: how many times as much it costs as at n", INK, 17, strong=True)
    for times in TIMES:
        pen.line([(LEFT, _y(times)), (RIGHT, _y(times))], RULE, 1)
        pen.text(LEFT - 40, _y(times) - 9, f"{times} ×", GREY, 14)
        pen.text(_x(times) - 12, BOTTOM + 14, f"{times} n" if times > 1 else "n", GREY, 14)
    pen.line([(_x(1), _y(1)), (_x(16), _y(16))], GREY, 1)
    pen.text(_x(4) - 12, _y(8) - 16, "in proportion", GREY, 13)
    _lines(pen, series)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _lines(pen: "Pen", series: Mapping[str, Sequence[tuple[int, Figure]]]) -> None:
    for place, ((name, points), colour, shape) in enumerate(zip(series.items(), COLOURS, SHAPES, strict=False)):
        first_size, first = points[0]
        spots = [(_x(size / first_size), _y(max(one.value / first.value, LEAST))) for size, one in points]
        for one, other in pairwise(spots):
            pen.line([one, other], colour, 3)
        for spot in spots:
            pen.mark(spot, colour, shape)
        top = TOP + 14 + 62 * place
        pen.mark((RIGHT + 40, top + 10), colour, shape)
        pen.text(RIGHT + 56, top, name, INK, 14)
        pen.text(RIGHT + 56, top + 20, f"n = {first_size:,}: {number(first.value)} {first.unit}", GREY, 13)


def _x(times: float) -> float:
    return LEFT + (RIGHT - LEFT) * (0.06 + 0.88 * log2(times) / 4)


def _y(times: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * (0.2 + 0.75 * log2(times) / 4)


class Pen:
    """Draws on a picture that is `SCALE` times as large."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def line(self, spots: Sequence[tuple[float, float]], colour: str, width: int) -> None:
        self._draw.line([(x * SCALE, y * SCALE) for x, y in spots], fill=colour, width=width * SCALE)

    def mark(self, spot: tuple[float, float], colour: str, shape: tuple[int, int]) -> None:
        sides, turned = shape
        self._draw.regular_polygon((spot[0] * SCALE, spot[1] * SCALE, 6 * SCALE), sides, turned, fill=colour, outline=PAPER)

    def text(self, x: float, y: float, words: str, colour: str, size: int, *, strong: bool = False) -> None:
        font = ImageFont.truetype(RobotoMedium if strong else Roboto, size * SCALE)
        self._draw.text((x * SCALE, y * SCALE), words, fill=colour, font=font)
