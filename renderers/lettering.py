"""Writes text on pictures: names in any script, cut to a width, without boxes for missing letters and without errors.

The typefaces have the Latin, Greek and Cyrillic letters. Other scripts are drawn with fallback fonts, if the machine has any
(from a Debian package such as ``fonts-noto-core`` or ``fonts-dejavu-core``). Characters that no font has are left out. If
nothing of a name is left, callers write the name of the seat instead.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont, features

from renderers.theme import Colour, Face, Size

ELLIPSIS: Final = "…"
_LONGEST: Final = 64
"""The number of letters that are considered: more would never fit, and a long name must not cost much time."""
_MARKS_AT_MOST: Final = 2
"""The number of combining marks kept on a letter."""

_FALLBACK_FONTS: Final = (
    "NotoSans-Bold.ttf",
    "NotoSansArabic-Bold.ttf",
    "NotoSansHebrew-Bold.ttf",
    "NotoSansDevanagari-Bold.ttf",
    "NotoSansBengali-Bold.ttf",
    "NotoSansTamil-Bold.ttf",
    "NotoSansTelugu-Bold.ttf",
    "NotoSansThai-Bold.ttf",
    "NotoSansArmenian-Bold.ttf",
    "NotoSansGeorgian-Bold.ttf",
    "NotoSansEthiopic-Bold.ttf",
    "NotoSansCJK-Bold.ttc",
    "DejaVuSans-Bold.ttf",
)
_FONT_FOLDERS: Final = ("/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "C:/Windows/Fonts")


@dataclass(frozen=True, slots=True)
class _Run:
    """A piece of text drawn with one font, and its width in pixels."""

    text: str
    path: str
    width: float


def write(
    image: Image.Image,
    at: tuple[float, float],
    text: str,
    face: Face,
    size: Size,
    colour: Colour,
    *,
    align: str = "left",
    width: float | None = None,
) -> float:
    """Write one line of text.

    Args:
        image: the image to write on, RGB or RGBA.
        at: x of the left end, the middle or the right end, as `align` says; and y of the middle of capital letters.
        text: any text at all.
        face: the typeface.
        size: the font size, from the type scale.
        colour: the colour of the text.
        align: "left", "middle" or "right".
        width: the greatest width in pixels. Wider text is cut and ends in an ellipsis.

    Returns:
        The width of what was written, in pixels.
    """
    runs = _laid_out(text, face, size, width)
    total = sum(run.width for run in runs)
    x = at[0] - {"left": 0.0, "middle": total / 2, "right": total}[align]
    baseline = round(at[1] + _capital_height(face, size) / 2)
    draw = ImageDraw.Draw(image)
    for run in runs:
        draw.text((round(x), baseline), _in_drawing_order(run), fill=colour, font=_font(run.path, size), anchor="ls")
        x += run.width
    return total


def text_width(text: str, face: Face, size: Size) -> float:
    """The width of the text in pixels if it is not cut."""
    return sum(run.width for run in _laid_out(text, face, size, None))


def can_write(text: str, face: Face) -> bool:
    """Whether any visible character of the text can be drawn."""
    return any(not character.isspace() for character in _cleaned(text, face))


@lru_cache(maxsize=2048)
def _laid_out(text: str, face: Face, size: Size, width: float | None) -> tuple[_Run, ...]:
    """The text as runs from left to right, cut to the width."""
    letters = list(_letters(_cleaned(text, face)))
    runs = _runs("".join(letters), face, size)
    if width is None or sum(run.width for run in runs) <= width:
        return runs
    fits, too_many = 0, len(letters)
    while too_many - fits > 1:
        tried = (fits + too_many) // 2
        cut = _runs("".join(letters[:tried]).rstrip() + ELLIPSIS, face, size)
        fits, too_many = (tried, too_many) if sum(run.width for run in cut) <= width else (fits, tried)
    cut = _runs("".join(letters[:fits]).rstrip() + ELLIPSIS, face, size)
    return cut if sum(run.width for run in cut) <= width else ()


def _runs(text: str, face: Face, size: Size) -> tuple[_Run, ...]:
    """The text as runs from left to right. Text that begins in a right-to-left script is laid out from the right."""
    paths: list[str] = []
    for character in text:
        # Spaces and marks are drawn with the font of the letters before them, so that words are shaped as a whole.
        joins = bool(paths) and (character == " " or unicodedata.combining(character) != 0)
        paths.append(paths[-1] if joins and _has_glyph(paths[-1], character) else _path_for(character, face) or face.value)
    runs = []
    for path, pairs in groupby(zip(paths, text, strict=True), key=lambda pair: pair[0]):
        piece = "".join(character for _, character in pairs)
        runs.append(_Run(piece, path, _font(path, size).getlength(piece)))
    return tuple(reversed(runs)) if _reads_from_right(text) else tuple(runs)


def _in_drawing_order(run: _Run) -> str:
    """The letters in drawing order: without a shaping library, right-to-left text has to be reversed."""
    return run.text[::-1] if not _can_shape() and _reads_from_right(run.text) else run.text


def _reads_from_right(text: str) -> bool:
    first = next((way for way in map(unicodedata.bidirectional, text) if way in {"L", "R", "AL"}), "L")
    return first != "L"


@lru_cache(maxsize=1024)
def _cleaned(text: str, face: Face) -> str:
    """The text as one line of characters that some font has. Stylised letters (𝓐, Ａ) become plain ones."""
    kept: list[str] = []
    marks = 0
    parts = text[: 4 * _LONGEST].split(ELLIPSIS)  # NFKC would turn an ellipsis into three full stops
    for character in ELLIPSIS.join(unicodedata.normalize("NFKC", part) for part in parts):
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if category[0] in "CZ" or character in "\n\t":
            kept.append(" " if category != "Cf" else "")
        elif category[0] == "M":
            # A mark that NFKC did not combine with its letter is kept only in the scripts of fallback fonts, which need it.
            before = _path_for(kept[-1], face) if kept and kept[-1] else None
            if before not in (None, face.value) and marks <= _MARKS_AT_MOST and _has_glyph(before or "", character):
                kept.append(character)
        elif _path_for(character, face) is not None:
            kept.append(character)
        elif unicodedata.decomposition(character) and not category.startswith("S"):
            plain = unicodedata.normalize("NFD", character)[0]
            kept.append(plain if _path_for(plain, face) else "")
        else:
            kept.append(" ")
    return " ".join("".join(kept).split())[:_LONGEST]


def _letters(text: str) -> Iterator[str]:
    """Yield the letters of the text, each with its combining marks."""
    letter = ""
    for character in text:
        if letter and unicodedata.category(character)[0] != "M":
            yield letter
            letter = ""
        letter += character
    if letter:
        yield letter


@lru_cache(maxsize=4096)
def _path_for(character: str, face: Face) -> str | None:
    """The font file that draws a character: the one of the face if it can, else a fallback."""
    return next((path for path in (str(face.value), *_fallback_fonts()) if _has_glyph(path, character)), None)


@lru_cache(maxsize=1)
def _fallback_fonts() -> tuple[str, ...]:
    """The fallback fonts of this machine, in order of preference."""
    found = {path.name: str(path) for folder in _FONT_FOLDERS for path in sorted(Path(folder).rglob("*.tt[fc]"))}
    return tuple(found[name] for name in _FALLBACK_FONTS if name in found)


@lru_cache(maxsize=8192)
def _has_glyph(path: str, character: str) -> bool:
    """Whether the font has a glyph for the character: one that is neither empty nor the glyph for missing characters."""
    if character == " ":
        return True
    picture = _glyph(path, character)
    return any(picture) and picture != _glyph(path, "\U0010ffff")


def _glyph(path: str, character: str) -> bytes:
    return bytes(_font(path, Size.HEADING).getmask(character))


@lru_cache(maxsize=64)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    # The typefaces need no shaping, and without it their spacing is the same on every machine.
    own = path in {face.value for face in Face}
    engine = ImageFont.Layout.BASIC if own or not _can_shape() else ImageFont.Layout.RAQM
    return ImageFont.truetype(path, size, layout_engine=engine)


@lru_cache(maxsize=1)
def _can_shape() -> bool:
    """Whether Pillow can shape scripts whose letters change with their neighbours."""
    return bool(features.check("raqm"))


@lru_cache(maxsize=32)
def _capital_height(face: Face, size: int) -> float:
    box = _font(face.value, size).getbbox("H", anchor="ls")
    return float(-box[1])
