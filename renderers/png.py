"""Encodes pictures as PNG files with a palette, without dithering, and with a smooth edge.

Nearly all pixels of a picture are opaque; only the rim and the corners let the background of the channel show through. The
colours are therefore reduced to a palette regardless of opacity, and the rim gets a few entries of its own: the colour of the
edge at several opacities.

Each game has one palette for each look. The colours of the theme are in it, so that large areas look the same in every picture;
`tests.renderers.shades` has chosen the others from many pictures. `choose_colours` chooses them for a single one.

The file is put together here, since Pillow compresses with the zlib of the machine, which takes nearly twice as long as zlib-ng
for a larger file; that was half of all the time that a picture takes.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops
from zlib_ng import zlib_ng

from renderers.canvas import card_sides, opacity
from renderers.theme import Colour

_CHOSEN: Final = 32
"""The number of palette entries chosen for a single picture, in addition to the anchors."""
_LEVELS: Final = 24
"""The number of palette entries for the rim, from transparent to almost opaque."""
_SAMPLE_STEP: Final = 6
"""The palette is chosen from every n-th pixel of every n-th row."""
_TOLERANCE: Final = 10
"""Colours that differ by no more than this in red, green and blue count as one. This removes faint rings left by scaling."""
_COMPRESSION: Final = 4
"""At this level of zlib-ng a file takes five sixths of the time of the next one, and is larger by a tenth."""
_FAST_COMPRESSION: Final = 2
"""At this level it takes half of that time, and is larger by an eighth."""
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PALETTE: Final = (8, 3, 0, 0, 0)
"""Eight bits a pixel, colours from a palette, the only methods of compressing and filtering there are, no interlacing."""


def encode(picture: Image.Image, edge: Colour, colours: Sequence[Colour], *, fast: bool = False) -> bytes:
    """Encode a picture as a PNG file.

    Args:
        picture: a card, as `canvas.card` returns it.
        edge: the colour of its edge.
        colours: the colours of the file, at most 232. Each pixel gets the one that is nearest.
        fast: whether to compress it less.
    """
    indexed = picture.quantize(palette=key(tuple(colours)), dither=Image.Dither.NONE)
    for part, at, see_through in _rim(picture.size, len(colours)):
        indexed.paste(part, at, see_through)
    entries = bytes(value for colour in (*colours, *[edge] * _LEVELS) for value in colour)
    opacities = bytes([255] * len(colours) + [level * 255 // _LEVELS for level in range(_LEVELS)])
    return _file(indexed, entries, opacities, _FAST_COMPRESSION if fast else _COMPRESSION)


def _file(indexed: Image.Image, entries: bytes, opacities: bytes, compression: int) -> bytes:
    """A PNG file of an image of palette indices: https://www.w3.org/TR/png-3/."""
    # Before each row stands its filter: 0, which is none.
    rows = b"\0" + indexed.tobytes("raw", "P", indexed.width + 1, 1)[:-1]
    parts = (
        (b"IHDR", struct.pack(">2I5B", *indexed.size, *_PALETTE)),
        (b"PLTE", entries),
        (b"tRNS", opacities),
        (b"IDAT", zlib_ng.compress(rows, compression)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(data, zlib_ng.crc32(kind)))
        for kind, data in parts
    )


@lru_cache(maxsize=32)
def key(colours: tuple[Colour, ...]) -> Image.Image:
    """An image whose palette consists of these colours, to quantize others by."""
    image = Image.new("P", (1, 1))
    image.putpalette([value for colour in colours for value in colour])
    return image


def choose_colours(picture: Image.Image, anchors: Sequence[Colour]) -> tuple[Colour, ...]:
    """Choose the colours of an RGB image: the anchors, which are kept exactly, and the colours that no anchor can stand for."""
    colours = list(dict.fromkeys(anchors))
    sample = picture.resize((picture.width // _SAMPLE_STEP, picture.height // _SAMPLE_STEP), Image.Resampling.NEAREST)
    # All that an anchor stands for becomes one colour, which takes up a single place among the colours found.
    covered = sample.quantize(palette=key(tuple(anchors)), dither=Image.Dither.NONE).convert("RGB")
    bands = ImageChops.difference(sample, covered).split()
    furthest = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    sample.paste(anchors[0], (0, 0), furthest.point([255 if value <= _TOLERANCE else 0 for value in range(256)]))
    found = sample.quantize(_CHOSEN, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    for red, green, blue in zip(found[::3], found[1::3], found[2::3], strict=True):
        if all(max(abs(red - r), abs(green - g), abs(blue - b)) > _TOLERANCE for r, g, b in colours):
            colours.append((red, green, blue))
    return tuple(colours)


@lru_cache(maxsize=64)
def _rim(size: tuple[int, int], first: int) -> tuple[tuple[Image.Image, tuple[int, int], Image.Image], ...]:
    """For each side of a card its palette indices (from `first` on), its top left corner, and a mask of the rim."""
    parts = []
    for box in card_sides(size):
        side = opacity(size).crop(box)
        indices = side.point([first + value * _LEVELS // 256 for value in range(256)])
        see_through = side.point([255 if value < 255 else 0 for value in range(256)])
        parts.append((indices, box[:2], see_through))
    return tuple(parts)
