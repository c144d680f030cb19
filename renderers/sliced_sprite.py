"""Sliced sprites. The solid middle of a large sprite can be pasted without a mask, which takes a tenth of the time.

Pillow applies a mask to every pixel, even where the mask hides nothing. So a sprite is cut into its solid middle and the four
strips round it. The resulting picture is the same.
"""

import math
from dataclasses import dataclass

from PIL import Image

from renderers.canvas import Bounds, Point, lay


@dataclass(frozen=True, slots=True, eq=False)
class SlicedSprite:
    """A sliced sprite.

    Attributes:
        size: the size of the sprite in pixels.
        core: the solid middle as an RGB image, or None if there is none.
        solid: the box of the middle: left, top, right, bottom.
        strips: the strips round the middle as RGBA images, each with its top left corner.
    """

    size: tuple[int, int]
    core: Image.Image | None
    solid: Bounds
    strips: tuple[tuple[Image.Image, tuple[int, int]], ...]

    def lay(self, image: Image.Image, at: tuple[int, int]) -> None:
        """Paste the sprite onto an RGB image, with its top left corner at a point. What lies outside is cut off."""
        x, y = at
        if self.core is not None:  # it is opaque, so it needs no mask
            left, top, right, bottom = self.solid
            image.im.paste(self.core.im, (x + left, y + top, x + right, y + bottom))
        for strip, (left, top) in self.strips:
            lay(image, strip, (x + left, y + top))

    def place(self, image: Image.Image, centre: Point) -> None:
        """Paste the sprite with its middle at a point, as `canvas.place` does."""
        width, height = self.size
        self.lay(image, (math.floor(centre[0] - width / 2 + 0.5), math.floor(centre[1] - height / 2 + 0.5)))


def slice_sprite(sprite: Image.Image) -> SlicedSprite:
    """Cut an RGBA sprite into its opaque middle and the strips round it, or into one strip if it has no opaque middle."""
    solid = _middle(sprite, opacity=255)
    core = sprite.crop(solid).convert("RGB") if solid[0] < solid[2] else None
    return SlicedSprite(sprite.size, core, solid, _strips(sprite, solid))


def slice_frame(sprite: Image.Image) -> SlicedSprite:
    """Cut an RGBA frame into strips, so that pasting it skips the clear middle."""
    return slice_around(sprite, _middle(sprite, opacity=0))


def slice_around(sprite: Image.Image, hidden: Bounds) -> SlicedSprite:
    """Cut an RGBA sprite into strips round a box that other sprites will hide."""
    return SlicedSprite(sprite.size, None, hidden, _strips(sprite, hidden))


def _middle(sprite: Image.Image, opacity: int) -> Bounds:
    """Return a large box in the middle of a sprite that has this opacity throughout, or an empty box."""
    there = sprite.getchannel("A").point([255 if value == opacity else 0 for value in range(256)])
    left, top, right, bottom = there.getbbox() or (0, 0, 0, 0)
    inset = 1
    while left < right and top < bottom and there.crop((left, top, right, bottom)).getextrema()[0] != 255:
        left, top, right, bottom = left + inset, top + inset, right - inset, bottom - inset
        inset *= 2
    return (left, top, right, bottom) if left < right and top < bottom else (0, 0, 0, 0)


def _strips(sprite: Image.Image, inner: Bounds) -> tuple[tuple[Image.Image, tuple[int, int]], ...]:
    """Return the strips above, left of, right of and below a box, without their clear edges."""
    (width, height), (left, top, right, bottom) = sprite.size, inner
    boxes = ((0, 0, width, top), (0, top, left, bottom), (right, top, width, bottom), (0, bottom, width, height))
    strips = []
    for box in boxes:
        part = sprite.crop(box)
        if (seen := part.getchannel("A").getbbox()) is not None:
            strips.append((part.crop(seen), (box[0] + seen[0], box[1] + seen[1])))
    return tuple(strips)
