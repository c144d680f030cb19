"""PNG files from pictures: a palette of their own, no dithering, and the card's edge kept smooth.

Nearly all pixels of a picture are opaque; only its rim and corners let the channel's ground show through. So the colours are
reduced to a palette without regard to opacity, and the rim gets a few entries of its own: the edge's colour at several
opacities. The colours of the theme are always in the palette, so that large areas keep their colour from picture to picture;
the rest of it is chosen from the picture.
"""

from collections.abc import Iterable
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageChops

from renderers.canvas import card_edge, card_sides
from renderers.theme import Colour

_CHOSEN: Final = 32
"""Palette entries that are chosen from the picture, beside the anchors."""
_LEVELS: Final = 24
"""Palette entries for the rim, from clear to nearly opaque."""
_SAMPLE: Final = 6
"""The palette is chosen from every so many-th pixel of every so many-th row."""
_ALIKE: Final = 10
"""Colours that differ by no more than this in red, green and blue are one; so the faint rings that reduction leaves go."""
_COMPRESSION: Final = 6


def encode(picture: Image.Image, edge: Colour, anchors: tuple[Colour, ...] = ()) -> bytes:
    """The picture as a PNG file.

    Args:
        picture: a card as `canvas.card` cuts it.
        edge: the colour of its edge.
        anchors: colours that are kept as they are.
    """
    rgb = picture.convert("RGB")
    colours = _colours(rgb, anchors)
    indexed = rgb.quantize(palette=_key(colours), dither=Image.Dither.NONE)
    for part, at, see_through in _rim(picture.size, len(colours)):
        indexed.paste(part, at, see_through)
    indexed.putpalette([value for colour in (*colours, *[edge] * _LEVELS) for value in colour])
    opacities = bytes([255] * len(colours) + [level * 255 // _LEVELS for level in range(_LEVELS)])
    file = BytesIO()
    indexed.save(file, "PNG", transparency=opacities, compress_level=_COMPRESSION)
    return file.getvalue()


def _key(colours: Iterable[Colour]) -> Image.Image:
    """An image whose palette is these colours."""
    key = Image.new("P", (1, 1))
    key.putpalette([value for colour in colours for value in colour])
    return key


def _colours(rgb: Image.Image, anchors: tuple[Colour, ...]) -> list[Colour]:
    """The anchors, and colours of the picture that none of them can stand for."""
    sample = rgb.resize((rgb.width // _SAMPLE, rgb.height // _SAMPLE), Image.Resampling.NEAREST)
    if anchors:
        # What the anchors stand for is made one colour, so that it takes up one place among those that are found.
        covered = sample.quantize(palette=_key(anchors), dither=Image.Dither.NONE).convert("RGB")
        bands = ImageChops.difference(sample, covered).split()
        furthest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
        sample.paste(anchors[0], (0, 0), furthest.point([255 if value <= _ALIKE else 0 for value in range(256)]))
    found = sample.quantize(_CHOSEN, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    chosen = list(anchors)
    for red, green, blue in zip(found[::3], found[1::3], found[2::3], strict=True):
        if all(max(abs(red - r), abs(green - g), abs(blue - b)) > _ALIKE for r, g, b in chosen):
            chosen.append((red, green, blue))
    return chosen


@lru_cache(maxsize=64)
def _rim(size: tuple[int, int], first: int) -> tuple[tuple[Image.Image, tuple[int, int], Image.Image], ...]:
    """The four sides of a card of this size: palette indices from `first`, where they go, and which of them are meant."""
    _, opacity = card_edge(size)
    parts = []
    for box in card_sides(size):
        side = opacity.crop(box)
        indices = side.point([first + value * _LEVELS // 256 for value in range(256)])
        see_through = side.point([255 if value < 255 else 0 for value in range(256)])
        parts.append((indices, box[:2], see_through))
    return tuple(parts)
