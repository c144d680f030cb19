"""The plot of a day of a small server: its memory every ten minutes, and when people did something."""

from collections.abc import Sequence
from io import BytesIO
from itertools import pairwise
from math import ceil
from typing import Final

from PIL import Image, ImageDraw

from benchmarks.figures import Figure, number
from benchmarks.load.day import HOUR, POSTED, SAMPLED_EVERY
from benchmarks.measuring import Measured
from benchmarks.plot import COLOURS, GREY, INK, PAPER, RULE, SCALE, Pen
from benchmarks.small_server import ACTED, MEMORY, MEMORY_AT_NIGHT

BENCHMARK: Final = "small_server"
SIZE: Final = (860, 400)
LEFT, TOP, RIGHT, BOTTOM = 70, 64, 700, 322
HOURS: Final = 24
STEP: Final = 50
"""The megabytes between two lines."""
LINE: Final = 18
"""The height of a label."""
LIMIT: Final = MEMORY / 1e6


def drawn(measured: Measured) -> bytes:
    """Return the plot as a PNG file. If another checkout was measured, too, its memory is drawn beside."""
    image = Image.new("RGB", (SIZE[0] * SCALE, SIZE[1] * SCALE), PAPER)
    pen = Pen(ImageDraw.Draw(image))
    pen.text(LEFT - 40, 18, "A day of a small server: the memory of the bot and its processes", INK, 17, strong=True)
    courses = [(name, _memory(figures)) for name, figures in (("now", measured.now), ("1.0.0", measured.before)) if figures]
    most = ceil(max(LIMIT, *(max(course) for _, course in courses)) / STEP) * STEP
    for megabytes in range(0, most + 1, STEP):
        pen.line([(LEFT, _y(megabytes, most)), (RIGHT, _y(megabytes, most))], RULE, 1)
        pen.text(LEFT - 40, _y(megabytes, most) - 9, f"{megabytes}", GREY, 14)
    pen.text(LEFT - 40, _y(0, most) + 8, "MB", GREY, 13)
    for hour in range(0, HOURS + 1, 3):
        pen.text(_x(hour) - 16, BOTTOM + 30, f"{hour}:00", GREY, 13)
    for acted in next(one.course for one in measured.now if one.name == ACTED):
        pen.line([(_x(acted), BOTTOM + 6), (_x(acted), BOTTOM + 22)], GREY, 1)
    pen.text(RIGHT + 16, BOTTOM + 5, "people act", GREY, 13)
    pen.text(_x(POSTED) + 8, TOP, "the daily puzzle", GREY, 13)
    pen.line([(LEFT, _y(LIMIT, most)), (RIGHT, _y(LIMIT, most))], COLOURS[1], 1)
    pen.text(LEFT + 6, _y(LIMIT, most) - 19, f"{number(LIMIT)} MB", COLOURS[1], 13)
    top = -1.0
    for (name, course), colour in sorted(zip(courses, (COLOURS[0], GREY), strict=False), key=lambda one: -one[0][1][-1]):
        spots = [(_x((place + 1) * SAMPLED_EVERY / HOUR), _y(one, most)) for place, one in enumerate(course)]
        for one, other in pairwise(spots):
            pen.line([one, other], colour, 2)
        top = max(spots[-1][1] - 9, top + LINE)
        pen.text(RIGHT + 16, top, f"{name}: {number(round(course[-1]))}", colour, 14, strong=True)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _memory(figures: Sequence[Figure]) -> tuple[float, ...]:
    return next(one.course for one in figures if one.name == MEMORY_AT_NIGHT)


def _x(hour: float) -> float:
    return LEFT + (RIGHT - LEFT) * hour / HOURS


def _y(megabytes: float, most: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * megabytes / most
