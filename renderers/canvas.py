"""Drawing tools that all games share: supersampled layers, shadows, gradients, and the card that every picture becomes.

How a renderer is built:

1. Whatever stays the same during a game is a base layer. This is an RGB image as large as the card, which is drawn on a
   `Layer`, cached with `renderers.sprite_cache`, and copied for each picture.
2. Each thing on it is a sprite: a small RGBA image, which is cached too, and pasted with `place`. Cached functions take plain
   values (numbers, strings, a palette), so that equal things are drawn once per process.
3. `strip.draw_strip` adds the seats, and `card` rounds the corners and softens the edge.

Cached images are shared between threads. So copy a base layer before drawing on it, and never draw on a sprite.
"""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from renderers import theme
from renderers.theme import Colour, Palette

Point = tuple[float, float]
Box = tuple[float, float, float, float]
"""The left, top, right and bottom of a box."""
Bounds = tuple[int, int, int, int]
"""The same in whole pixels."""
Fill = Colour | tuple[int, int, int, int] | tuple[Colour, Colour]
"""A colour; a colour with an opacity (0 to 255); or the colours of a gradient from the top left to the bottom right."""

_Ink = Colour | int
_Stencil = Callable[[ImageDraw.ImageDraw, Callable[[Point], Point], _Ink], None]
_CLEAR: Final = (0, 0, 0, 0)


class Layer:
    """A layer whose shapes are drawn several times too large, and scaled down by `image` so that they are smooth.

    It is transparent unless `ground` is given. Lengths are in pixels of the finished image, and may be fractions.
    """

    def __init__(self, width: int, height: int, scale: int = theme.SUPERSAMPLE, ground: Colour | None = None) -> None:
        self.width, self.height, self.scale = width, height, scale
        # Colours are multiplied by their opacity from the start. Scaling them down would require it anyway.
        self._large = Image.new("RGBa", (width * scale, height * scale), _CLEAR if ground is None else (*ground, 255))
        self._pen = ImageDraw.Draw(self._large)

    def image(self, zoom: float = 1.0) -> Image.Image:
        """Return the finished RGBA image, `zoom` times the size of the layer."""
        if zoom == 1.0:
            return self._large.reduce(self.scale).convert("RGBA")
        size = (round(self.width * zoom), round(self.height * zoom))
        return self._large.resize(size, Image.Resampling.LANCZOS).convert("RGBA")

    def ellipse(self, centre: Point, rx: float, fill: Fill, ry: float | None = None) -> None:
        """Draw a filled ellipse with the radii `rx` and `ry`, or a circle if `ry` is not given."""
        (x, y), ry = centre, rx if ry is None else ry
        box = (x - rx, y - ry, x + rx, y + ry)
        self._paint(box, fill, lambda pen, to, ink: pen.ellipse([to(box[:2]), to(box[2:])], fill=ink))

    def rectangle(self, box: Box, radius: float, fill: Fill) -> None:
        """Draw a filled rectangle with rounded corners. A rectangle without an inside is left out."""

        def stencil(pen: ImageDraw.ImageDraw, to: Callable[[Point], Point], ink: _Ink) -> None:
            (left, top), (right, bottom) = to(box[:2]), to(box[2:])
            if left <= right - 1 and top <= bottom - 1:
                pen.rounded_rectangle((left, top, right - 1, bottom - 1), max(0.0, radius) * self.scale, fill=ink)

        self._paint(box, fill, stencil)

    def discs(self, centre: Point, *discs: tuple[float, Fill]) -> None:
        """Draw discs on top of each other. Each is given as its radius and its fill."""
        for radius, fill in discs:
            self.ellipse(centre, radius, fill)

    def plates(self, box: Box, radius: float, *plates: tuple[float, Fill]) -> None:
        """Draw rounded rectangles on top of each other. Each is given as its inset on all sides and its fill."""
        left, top, right, bottom = box
        for inset, fill in plates:
            self.rectangle((left + inset, top + inset, right - inset, bottom - inset), radius - inset, fill)

    def polygon(self, points: Sequence[Point], fill: Fill) -> None:
        """Draw a filled polygon."""
        self._paint(_bounds(points), fill, lambda pen, to, ink: pen.polygon([to(point) for point in points], fill=ink))

    def line(self, points: Sequence[Point], width: float, fill: Fill) -> None:
        """Draw a line through the points, with round ends and joints."""
        left, top, right, bottom = _bounds(points)
        half = width / 2

        def stencil(pen: ImageDraw.ImageDraw, to: Callable[[Point], Point], ink: _Ink) -> None:
            there = [to(point) for point in points]
            pen.line(there, fill=ink, width=max(1, round(width * self.scale)))
            for x, y in there:
                reach = half * self.scale
                pen.ellipse((x - reach, y - reach, x + reach, y + reach), fill=ink)

        self._paint((left - half, top - half, right + half, bottom + half), fill, stencil)

    def arc(self, centre: Point, radius: float, start: float, end: float, width: float, fill: Fill) -> None:
        """Draw an arc with round ends. The angles are in degrees, clockwise from three o'clock."""
        steps = max(2, round(abs(end - start) / 3))
        self.line([polar(centre, radius, start + (end - start) * step / steps) for step in range(steps + 1)], width, fill)

    def _paint(self, box: Box, fill: Fill, stencil: _Stencil) -> None:
        scale = self.scale
        if len(fill) == 3:
            stencil(self._pen, lambda point: (point[0] * scale, point[1] * scale), fill)
            return
        left, top = math.floor(box[0] * scale) - 1, math.floor(box[1] * scale) - 1
        size = (math.ceil(box[2] * scale) + 2 - left, math.ceil(box[3] * scale) + 2 - top)
        mask = Image.new("L", size)
        stencil(ImageDraw.Draw(mask), lambda point: (point[0] * scale - left, point[1] * scale - top), 255)
        if len(fill) == 2:
            layer = gradient(size, fill[0], fill[1])
        else:
            layer = Image.new("RGB", size, fill[:3])
            mask = mask.point([value * fill[3] // 255 for value in range(256)])
        self._large.paste(layer, (left, top), mask)


def _bounds(points: Sequence[Point]) -> Box:
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def polar(centre: Point, radius: float, degrees: float) -> Point:
    """Return the point on a circle at an angle, measured clockwise from three o'clock."""
    angle = math.radians(degrees)
    return centre[0] + radius * math.cos(angle), centre[1] + radius * math.sin(angle)


def star(centre: Point, radius: float, corners: int, inner: float = 0.0) -> list[Point]:
    """Return the corners of a star that points up. If `inner` is not 0, there are inner corners at that share of the radius."""
    steps = corners * 2 if inner else corners
    points = []
    for step in range(steps):
        reach = radius * (inner if inner and step % 2 else 1.0)
        angle = 2 * math.pi * step / steps - math.pi / 2
        points.append((centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)))
    return points


def gradient(size: tuple[int, int], first: Colour, second: Colour, *, upright: bool = False) -> Image.Image:
    """Return an RGB gradient that runs from the top left to the bottom right, or from top to bottom if `upright`."""
    down = Image.linear_gradient("L").resize(size, Image.Resampling.BILINEAR)
    share = down
    if not upright:
        across = Image.linear_gradient("L").transpose(Image.Transpose.TRANSPOSE).resize(size, Image.Resampling.BILINEAR)
        share = Image.blend(down, across, 0.5)
    return Image.merge(
        "RGB", [share.point([round(a + (b - a) * v / 255) for v in range(256)]) for a, b in zip(first, second, strict=True)]
    )


def with_shadow(image: Image.Image, ink: Colour, strength: int = theme.SHADOW_STRENGTH) -> Image.Image:
    """Return the RGBA image with a shadow. The shadow needs about 12 free pixels on the right and at the bottom."""
    dark = image.getchannel("A").point([value * strength // 255 for value in range(256)])
    moved = Image.new("L", image.size)
    moved.paste(dark, theme.SHADOW_OFFSET)
    shadow = Image.new("RGBA", image.size, (*ink, 0))
    shadow.putalpha(moved.filter(ImageFilter.GaussianBlur(theme.SHADOW_BLUR)))
    return Image.alpha_composite(shadow, image)


def fade(image: Image.Image, share: float) -> Image.Image:
    """Return the RGBA image at a share (0 to 1) of its opacity."""
    copy = image.copy()
    copy.putalpha(image.getchannel("A").point(_fading(share)))
    return copy


@lru_cache(maxsize=16)
def _fading(share: float) -> list[int]:
    return [round(value * share) for value in range(256)]


def lay(image: Image.Image, sprite: Image.Image, at: tuple[int, int]) -> None:
    """Paste an RGBA sprite onto an RGB or RGBA image, with its top left corner at a point. What lies outside is cut off.

    `Image.paste` does the same, but with checks that take as long as pasting a small sprite.
    """
    core = sprite.im
    image.im.paste(core, (*at, at[0] + core.size[0], at[1] + core.size[1]), core)


def place(image: Image.Image, sprite: Image.Image, centre: Point) -> None:
    """Paste an RGBA sprite with its middle at a point; see `lay`."""
    width, height = sprite.im.size
    # `round` would round halves to even numbers, which makes equal distances unequal.
    lay(image, sprite, (math.floor(centre[0] - width / 2 + 0.5), math.floor(centre[1] - height / 2 + 0.5)))


def snug(sprite: Image.Image) -> Image.Image:
    """Return an RGBA sprite without the clear pixels round it. It is cropped evenly, so that its middle stays where it is."""
    left, top, right, bottom = sprite.getchannel("A").getbbox() or (0, 0, *sprite.size)
    across, down = min(left, sprite.width - right), min(top, sprite.height - bottom)
    return sprite.crop((across, down, sprite.width - across, sprite.height - down))


# --- the card -------------------------------------------------------------------------------------------------------

_DEEP: Final = theme.EDGE + theme.CORNER + 4  # the extent of a card's corners in pixels


def card(image: Image.Image, palette: Palette) -> Image.Image:
    """Draw the outline of a card with rounded corners on an RGB image, in place, and return the image.

    The outer `theme.EDGE` pixels take on the colour of the outline. How far the background shows through them follows from the
    size alone (see `opacity`), so pictures do not have to carry that information.
    """
    for box, mask in outline(image.size):
        image.paste(palette.edge, box, mask)
    return image


@lru_cache(maxsize=2)
def opacity(size: tuple[int, int]) -> Image.Image:
    """Return the opacity of a card of this size, with rounded corners and a soft edge of `theme.EDGE` pixels."""
    return _stretch(_small_card()[1], size)


@lru_cache(maxsize=16)
def outline(size: tuple[int, int]) -> tuple[tuple[Bounds, Image.Image | None], ...]:
    """Return the box of each part of a card's outline, and its mask, or None if it fills its box."""
    whole = _stretch(_small_card()[0], size)
    return tuple(visible_part(whole, box) for box in card_sides(size))


@lru_cache(maxsize=1)
def _small_card() -> tuple[Image.Image, Image.Image]:
    """Return the mask of the outline and the opacity of a card hardly larger than its corners."""
    scale, line, side = 4, 3, 2 * _DEEP + 1
    masks = []
    for inset, radius in ((theme.EDGE, theme.CORNER), (theme.EDGE + line, theme.CORNER - line)):
        mask = Image.new("L", (side * scale, side * scale))
        box = (inset * scale, inset * scale, (side - inset) * scale - 1, (side - inset) * scale - 1)
        ImageDraw.Draw(mask).rounded_rectangle(box, radius * scale, fill=255)
        # A plain mean: sharper filters leave a faint ring inside, where the card must be solid.
        masks.append(mask.reduce(scale))
    shape, inner = masks
    soft = shape.filter(ImageFilter.GaussianBlur(theme.EDGE / 3)).point([value * 2 // 5 for value in range(256)])
    return ImageChops.invert(inner), ImageChops.lighter(shape, soft)


def _stretch(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """Return a larger image with the same quarters, made by repeating the column and the row in the middle."""
    turn = Image.Transpose.TRANSPOSE
    return _widen(_widen(image, size[0]).transpose(turn), size[1]).transpose(turn)


def _widen(image: Image.Image, width: int) -> Image.Image:
    """Return a wider image with the same halves, made by repeating the column in the middle."""
    half, height = image.width // 2, image.height
    wider = Image.new("L", (width, height))
    wider.paste(image.crop((0, 0, half, height)), (0, 0))
    wider.paste(image.crop((half, 0, half + 1, height)).resize((width - 2 * half, height)), (half, 0))
    wider.paste(image.crop((image.width - half, 0, image.width, height)), (width - half, 0))
    return wider


def visible_part(mask: Image.Image, box: Bounds) -> tuple[Bounds, Image.Image | None]:
    """Return the smallest box that contains what a mask shows in a box, and the mask there, or None if it shows all there.

    To paste without a mask takes a tenth of the time.
    """
    part = mask.crop(box)
    left, top, right, bottom = part.getbbox() or (0, 0, 0, 0)
    part = part.crop((left, top, right, bottom))
    where = (box[0] + left, box[1] + top, box[0] + right, box[1] + bottom)
    return where, None if part.getextrema() == (255, 255) else part


def card_sides(size: tuple[int, int]) -> tuple[Bounds, ...]:
    """Return boxes that together contain the whole edge of a card: its four corners, and the sides between them."""
    (width, height), narrow = size, theme.EDGE + 4
    return (
        *((x, y, x + _DEEP, y + _DEEP) for x in (0, width - _DEEP) for y in (0, height - _DEEP)),
        *((_DEEP, y, width - _DEEP, y + narrow) for y in (0, height - narrow)),
        *((x, _DEEP, x + narrow, height - _DEEP) for x in (0, width - narrow)),
    )
