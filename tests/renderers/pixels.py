"""Questions about pictures: where two of them differ, and which colours are in them."""

import sys
from io import BytesIO
from types import ModuleType
from typing import Any

from PIL import Image, ImageChops, ImageSequence

from renderers import RENDERERS, canvas, theme
from tests.renderers.scenes import Sample

Box = tuple[int, int, int, int]  # Left, top, right, bottom


def drawn(sample: Sample[Any]) -> Image.Image:
    """A sample's picture as RGB, with its edge as if solid."""
    return RENDERERS[sample.game_id].draw(sample.view, sample.scene).convert("RGB")


def changed(one: Image.Image, other: Image.Image) -> Box | None:
    """The box within which two pictures differ, or None."""
    return ImageChops.difference(one, other).getbbox()


def change(one: Image.Image, other: Image.Image) -> Box:
    """The box within which two pictures differ, which they must."""
    box = changed(one, other)
    assert box is not None, "the pictures are the same"
    return box


def within(inner: canvas.Box, outer: canvas.Box) -> bool:
    """Whether a box lies in another one."""
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def assert_fits(image: Image.Image) -> None:
    """The picture is as wide as all pictures, and no higher than Discord shows."""
    assert image.width == theme.WIDTH
    assert image.height <= theme.MAX_HEIGHT


def assert_clear_corners(file: bytes) -> None:
    """The corners of a PNG file let the channel show through, and its middle does not."""
    image = Image.open(BytesIO(file)).convert("RGBA")
    assert pixel(image, (0, 0))[3] == 0
    assert pixel(image, (image.width // 2, image.height // 2))[3] == 255


def frames_of(gif: bytes) -> list[Image.Image]:
    """The frames of an animation."""
    return [frame.convert("RGBA") for frame in ImageSequence.Iterator(Image.open(BytesIO(gif)))]


def dark(image: Image.Image, below: int) -> Image.Image:
    """The picture with all that is darker than some grey in white, the rest in black."""
    return image.convert("L").point([255 if value < below else 0 for value in range(256)])


def pixel(image: Image.Image, at: tuple[int, int]) -> tuple[int, ...]:
    """The colour of a pixel of a picture with several channels."""
    value = image.getpixel(at)
    assert isinstance(value, tuple), "the picture has one channel"
    return value


def counted(image: Image.Image) -> dict[tuple[int, ...], int]:
    """How many pixels of each colour there are, in a picture with several channels."""
    counts: dict[tuple[int, ...], int] = {}
    for count, colour in image.getcolors(image.width * image.height) or ():
        assert isinstance(colour, tuple), "the picture has one channel"
        counts[colour] = count
    return counts


def modules() -> list[ModuleType]:
    """The modules of the renderers that are loaded."""
    return [module for name, module in sorted(sys.modules.items()) if name.startswith("renderers.")]


def caches() -> list[Any]:
    """The caches of the renderers."""
    named = [value for module in modules() for value in vars(module).values() if not isinstance(value, type)]
    return list({id(value): value for value in named if hasattr(value, "cache_clear")}.values())
