"""Encodes pictures as PNG files with a palette, without dithering, and with a smooth edge.

The channel's background shows through only at the rim and the corners. So the colours of the picture are reduced without regard
to opacity, and the rim has palette entries of its own: the colour of the edge at several opacities.

Each game has one palette for each look. It contains the colours of the theme, so that large areas look the same in every
picture, and further colours that `tests.renderers.shades` has chosen from many pictures. `choose_colours` chooses colours for a
single picture.

The file is put together here because Pillow compresses with the machine's zlib, which took half of the time of a picture. ISA-L
takes a quarter of the time of zlib-ng, for files that are a sixth larger. Only Discord receives those files: its clients load
what its media proxy makes of them.
"""

import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from isal import isal_zlib
from PIL import Image, ImageChops
from zlib_ng import zlib_ng

from renderers.canvas import Bounds, card_sides, opacity, visible_part
from renderers.theme import Colour

_CHOSEN: Final = 32  # the number of colours chosen for a single picture besides the anchors
_LEVELS: Final = 24  # the number of palette entries for the rim, from transparent to almost opaque
_SAMPLE_STEP: Final = 6  # colours are chosen from every n-th pixel of every n-th row
_TOLERANCE: Final = 10
"""Colours that differ by no more than this in red, green and blue count as one, which removes faint rings left by scaling."""
_COMPRESSION: Final = 1  # level 0 makes files a sixth larger in the same time, and level 3 takes four times as long
_CLEARING: Final = 64  # so many bytes make zlib-ng use vector registers for a checksum
_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_PALETTE: Final = (8, 3, 0, 0, 0)
"""The end of a PNG header: eight bits a pixel, a palette, the only compression and filtering there are, and no interlacing."""


def encode(picture: Image.Image, edge: Colour, colours: Sequence[Colour]) -> bytes:
    """Encode a card as a PNG file, giving each pixel the nearest of at most 232 colours."""
    colours = tuple(colours)
    indexed = picture.quantize(palette=key(colours), dither=Image.Dither.NONE)
    for part, box, see_through in _rim(picture.size, len(colours)):
        # Image.paste would first give the part a palette.
        indexed.im.paste(part.im, box, *(() if see_through is None else (see_through.im,)))
    return _file(indexed, *_tables(colours, edge))


def _file(indexed: Image.Image, entries: bytes, opacities: bytes) -> bytes:
    """Return a PNG file of palette indices. The format is described at https://www.w3.org/TR/png-3/."""
    # Each row begins with its filter: 0 for none.
    rows = b"".join((b"\0", memoryview(indexed.tobytes("raw", "P", indexed.width + 1, 1))[:-1]))
    parts = (
        (b"IHDR", struct.pack(">2I5B", *indexed.size, *_PALETTE)),
        (b"PLTE", entries),
        (b"tRNS", opacities),
        (b"IDAT", _compress(rows)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib_ng.crc32(data, zlib_ng.crc32(kind)))
        for kind, data in parts
    )


def _compress(rows: bytes) -> bytes:
    """Compress the rows of a picture, and leave the processor as fast as it was.

    ISA-L returns while the upper halves of the vector registers are in use. Until something clears them, older instructions
    wait for them, and Pillow takes three times as long to paste a sprite. A checksum by zlib-ng clears them at once.
    """
    compressed: bytes = isal_zlib.compress(rows, _COMPRESSION)
    zlib_ng.adler32(rows[:_CLEARING])
    return compressed


@lru_cache(maxsize=32)
def key(colours: tuple[Colour, ...]) -> Image.Image:
    """Return an image with this palette, by which other images can be quantized."""
    image = Image.new("P", (1, 1))
    image.putpalette([value for colour in colours for value in colour])
    return image


@lru_cache(maxsize=32)
def _tables(colours: tuple[Colour, ...], edge: Colour) -> tuple[bytes, bytes]:
    """Return the palette of a file, and the opacities of its entries. Those of the rim come after the colours."""
    entries = bytes(value for colour in (*colours, *[edge] * _LEVELS) for value in colour)
    return entries, bytes([255] * len(colours) + [level * 255 // _LEVELS for level in range(_LEVELS)])


def choose_colours(picture: Image.Image, anchors: Sequence[Colour]) -> tuple[Colour, ...]:
    """Choose the colours of an RGB image: the anchors exactly as they are, and others for what no anchor can stand for."""
    colours = list(dict.fromkeys(anchors))
    sample = picture.resize((picture.width // _SAMPLE_STEP, picture.height // _SAMPLE_STEP), Image.Resampling.NEAREST)
    # Everything that an anchor stands for becomes one colour, which takes only one place among the colours found.
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
def _rim(size: tuple[int, int], first: int) -> tuple[tuple[Image.Image, Bounds, Image.Image | None], ...]:
    """Return the palette indices of each part of a card's rim (from `first` on), its box, and its mask, if it needs one."""
    whole = opacity(size)
    indices = whole.point([first + value * _LEVELS // 256 for value in range(256)])
    see_through = whole.point([255 if value < 255 else 0 for value in range(256)])
    parts = (visible_part(see_through, box) for box in card_sides(size))
    return tuple((indices.crop(box), box, mask) for box, mask in parts)
