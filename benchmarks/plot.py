"""The plot of growth, which shows how many times as much something costs when there is more of it to do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from math import log, log2
from typing import Final

from font_roboto import Roboto, RobotoMedium
from PIL import Image, ImageDraw, ImageFont

from benchmarks.figures import Figure, number

SCALE: Final = 2
"""The factor by which everything is drawn larger, for screens with small pixels."""
SIZE: Final = (860, 470)
TOP, BOTTOM = 84, 330
LEGEND: Final = 376
"""Where the legend below a panel begins."""
PAPER, INK, GREY, RULE = "#ffffff", "#1f2328", "#59636e", "#d1d9e0"
COLOURS: Final = ("#0969da", "#cf222e", "#1a7f37", "#8250df")
SHAPES: Final = ((32, 0), (4, 0), (3, 0), (4, 45))
"""The mark of each series: a polygon's number of sides, and the degrees by which it is turned."""
TIMES: Final = (0.5, 1, 2, 4)
"""The multiples with a line. Others are drawn as the nearest one between the first and the last."""


@dataclass(frozen=True)
class Panel:
    """Half of the plot: the name of what grows, as it ends the names of the series, and where the panel begins and ends."""

    by: str
    left: int
    right: int


PANELS: Final = (Panel("open tables", 64, 410), Panel("actions a second", 494, 840))


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
    pen.text(PANELS[0].left - 44, 16, "Growth: how many times as much it costs", INK, 17, strong=True)
    for panel in PANELS:
        _panel(pen, panel, {name: points for name, points in series.items() if name.endswith(f", by {panel.by}")})
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _panel(pen: "Pen", panel: Panel, series: dict[str, list[tuple[int, Figure]]]) -> None:
    pen.text(panel.left, TOP - 34, f"by {panel.by}", INK, 14, strong=True)
    for times in TIMES:
        pen.line([(panel.left, _y(times)), (panel.right, _y(times))], GREY if times == 1 else RULE, 1)
        pen.text(panel.left - 44, _y(times) - 9, f"{times:g} ×", GREY, 14)
    sizes = sorted({size for points in series.values() for size, _ in points})
    places = {size: _x(panel, size, sizes) for size in sizes}
    for size, x in places.items():
        pen.text(x, BOTTOM + 10, f"{size:,}", GREY, 14, centred=True)
    for row, ((name, points), colour, shape) in enumerate(zip(series.items(), COLOURS, SHAPES, strict=False)):
        first, last = points[0][1], points[-1][1]
        spots = [(places[size], _y(one.value / first.value)) for size, one in points]
        for ends in pairwise(spots):
            pen.line(ends, colour, 3)
        for spot in spots:
            pen.mark(spot, colour, shape)
        top = LEGEND + 21 * row
        pen.mark((panel.left, top + 10), colour, shape)
        values = f"{number(first.value)} to {number(last.value)} {first.unit}".rstrip()
        pen.text(panel.left + 16, top, f"{name.removesuffix(f', by {panel.by}')}: {values}", INK, 14)


def _x(panel: Panel, size: int, sizes: Sequence[int]) -> float:
    share = log(size / sizes[0]) / log(sizes[-1] / sizes[0])
    return panel.left + (panel.right - panel.left) * (0.08 + 0.84 * share)


def _y(times: float) -> float:
    share = log2(min(max(times, TIMES[0]), TIMES[-1]) / TIMES[0]) / log2(TIMES[-1] / TIMES[0])
    return BOTTOM - (BOTTOM - TOP) * share


class Pen:
    """Draws on a picture that is `SCALE` times as large."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def line(self, spots: Sequence[tuple[float, float]], colour: str, width: int) -> None:
        self._draw.line([(x * SCALE, y * SCALE) for x, y in spots], fill=colour, width=width * SCALE)

    def mark(self, spot: tuple[float, float], colour: str, shape: tuple[int, int]) -> None:
        sides, turned = shape
        self._draw.regular_polygon((spot[0] * SCALE, spot[1] * SCALE, 6 * SCALE), sides, turned, fill=colour, outline=PAPER)

    def text(
        self, x: float, y: float, words: str, colour: str, size: int, *, strong: bool = False, centred: bool = False
    ) -> None:
        font = ImageFont.truetype(RobotoMedium if strong else Roboto, size * SCALE)
        self._draw.text((x * SCALE, y * SCALE), words, fill=colour, font=font, anchor="ma" if centred else "la")
