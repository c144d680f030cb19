"""Questions about pictures: where two of them differ, and which colours are in them."""

from typing import Any

from PIL import Image, ImageChops

from renderers import RENDERERS, canvas
from tests.renderers.scenes import Sample

Box = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def drawn(sample: Sample[Any]) -> Image.Image:
    """The picture of a sample as RGB, its edge as if it were solid."""
    return RENDERERS[sample.game_id].draw(sample.view, sample.scene).convert("RGB")


def changed(one: Image.Image, other: Image.Image) -> Box | None:
    """The box within which two pictures differ; None if they are the same."""
    return ImageChops.difference(one, other).getbbox()


def change(one: Image.Image, other: Image.Image) -> Box:
    """The box within which two pictures differ, which they must."""
    box = changed(one, other)
    assert box is not None, "the pictures are the same"
    return box


def within(inner: canvas.Box, outer: canvas.Box) -> bool:
    """Whether a box lies in another one."""
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def pixel(image: Image.Image, at: tuple[int, int]) -> tuple[int, ...]:
    """The colour of a pixel of a picture with several channels."""
    value = image.getpixel(at)
    assert isinstance(value, tuple), "the picture has one channel"
    return value


def counted(image: Image.Image) -> dict[tuple[int, ...], int]:
    """How many pixels there are of each colour, in a picture with several channels."""
    counts: dict[tuple[int, ...], int] = {}
    for count, colour in image.getcolors(image.width * image.height) or ():
        assert isinstance(colour, tuple), "the picture has one channel"
        counts[colour] = count
    return counts
