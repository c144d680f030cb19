"""Reads from a font file which characters it has glyphs for: a second opinion on what Pillow draws."""

import struct
from functools import lru_cache
from pathlib import Path

NOTDEF = 0  # the glyph of every character that a font lacks: a box as a rule


@lru_cache(maxsize=64)
def character_map(path: str) -> dict[int, int]:
    """The glyph of each code point that the font has: OpenType's table "cmap" in its two usual formats."""
    data = Path(path).read_bytes()
    tables = {data[at : at + 4]: struct.unpack_from(">I", data, at + 8)[0] for at in _records(data, 12, 16, 4)}
    start = tables[b"cmap"]
    found: dict[int, int] = {}
    for at in _records(data, start + 4, 8, start + 2):
        table = start + struct.unpack_from(">I", data, at + 4)[0]
        match struct.unpack_from(">H", data, table)[0]:
            case 4:
                found |= _segments(data, table)
            case 12:
                found |= _groups(data, table)
    return {code: glyph for code, glyph in found.items() if glyph != NOTDEF}


def _records(data: bytes, start: int, size: int, count_at: int) -> range:
    """Where each of some records of one size starts; their number is written elsewhere."""
    return range(start, start + size * struct.unpack_from(">H", data, count_at)[0], size)


def _segments(data: bytes, table: int) -> dict[int, int]:
    """Format 4: stretches of the first 65,536 code points."""
    count = struct.unpack_from(">H", data, table + 6)[0] // 2
    ends, starts, deltas, offsets = (table + 14 + skipped for skipped in (0, 2 * count + 2, 4 * count + 2, 6 * count + 2))
    glyphs = {}
    for number in range(count):
        end, first, delta, offset = (
            struct.unpack_from(">H", data, at + 2 * number)[0] for at in (ends, starts, deltas, offsets)
        )
        for code in range(first, end + 1):
            glyph = code
            if offset:
                glyph = struct.unpack_from(">H", data, offsets + 2 * number + offset + 2 * (code - first))[0]
            if not offset or glyph != NOTDEF:
                glyphs[code] = (glyph + delta) % 0x10000
    return glyphs


def _groups(data: bytes, table: int) -> dict[int, int]:
    """Format 12: stretches of all code points."""
    count = struct.unpack_from(">I", data, table + 12)[0]
    groups = (struct.unpack_from(">III", data, table + 16 + 12 * number) for number in range(count))
    return {code: glyph + code - first for first, last, glyph in groups for code in range(first, last + 1)}
