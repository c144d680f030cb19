"""Writes text on pictures: names in any script, cut to a width, and never with an error.

Each piece of a text is written in a font that can draw its letters (see `renderers.fonts`). Letters that no font has are left
out. If nothing visible remains of a name, callers write the name of the seat instead.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from engines.text import BLANK_LETTERS
from renderers.fonts import EMOJI, SYMBOLS, UNDRAWABLE, can_shape, font_for, has_glyph, load
from renderers.sprite_cache import cache_sprite
from renderers.theme import Colour, Face, Size

ELLIPSIS: Final = "…"
_KEPT: Final = re.compile(f"([{ELLIPSIS}½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞¨¯´¸\u02d8-\u02dd\u0e33\u0eb3\u3131-\u318e\ufe30-\ufe4f])")
"""Characters that NFKC normalisation would spoil.

It would turn an ellipsis into three full stops, "½" after a 2 into "21/2", an accent that stands alone into a space, and single
Hangul letters into parts of a syllable. It would also part Thai and Lao vowels from their tone marks, and lay upright brackets
on their sides.
"""
_LONGEST: Final = 64  # the most letters drawn: more never fit, and a long name must not take long
_MARKS_AT_MOST: Final = 2  # the most combining marks kept on a letter
_ABOVE: Final = 1.1
_BELOW: Final = 0.55
"""How far letters may reach above and below their baseline, as multiples of the font size."""

_FIRST_MARK: Final = "\u0300"
"""The first combining mark. The Latin letters before it do not change with their neighbours."""
_JOINERS: Final = "\u200c\u200d"
"""Invisible characters that decide whether their neighbours join, which occur between letters in some scripts, and in emoji."""
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
"""Letters of which each pair makes a flag."""
_BLACK_FLAG: Final = "🏴"
_TAGS: Final = range(0xE0020, 0xE0080)
"""Invisible characters that follow a black flag, and turn it into the flag of England, Scotland or Wales."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A piece of text in one font, and its width in pixels."""

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
    """Write one line of text, and return its width in pixels.

    `at` gives the x coordinate of the left end, the middle or the right end, depending on `align` ("left", "middle" or
    "right"), and the y coordinate of the middle of the capital letters. Text wider than `width` pixels is cut, and ends in an
    ellipsis.
    """
    runs = _laid_out(text, face, size, width)
    total = sum(run.width for run in runs)
    x = at[0] - {"left": 0.0, "middle": total / 2, "right": total}[align]
    baseline = round(at[1] + _capital_height(face, size) / 2)
    for run in runs:
        shape, (left, top) = _shape(run, face, size)
        image.paste(colour, (round(x) + left, baseline + top), shape)
        x += run.width
    return total


def strike(image: Image.Image, at: tuple[float, float], width: float, colour: Colour) -> None:
    """Strike out a text that `write` has written, `width` pixels wide and with its left end at `at`."""
    (x, y) = at
    image.paste(colour, (round(x) - 4, round(y) - 1, round(x + width) + 4, round(y) + 3))


@cache_sprite
def _shape(run: _Run, face: Face, size: Size) -> tuple[Image.Image, tuple[int, int]]:
    """Return a run's mask (empty if undrawable), and its top left corner as seen from the left end of the baseline."""
    # Without a shaping library, right-to-left text has to be reversed.
    text = run.text[::-1] if not can_shape() and _reads_from_right(run.text) else run.text
    try:
        mask, (left, top) = _mask(load(run.path, size, face), text)
    except UNDRAWABLE:
        return Image.new("L", (1, 1)), (0, 0)
    above, below = round(_ABOVE * size), round(_BELOW * size)
    if top >= -above and top + mask.height <= below:
        return mask, (left, top)
    share = min(1.0, (above + below) / mask.height)
    smaller = mask.resize((max(1, round(mask.width * share)), round(mask.height * share)))
    return smaller, (left + (mask.width - smaller.width) // 2, min(max(top, -above), below - smaller.height))


def _mask(font: ImageFont.FreeTypeFont, text: str) -> tuple[Image.Image, tuple[int, int]]:
    left, top, right, bottom = (round(side) for side in font.getbbox(text, anchor="ls"))
    mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font, anchor="ls")
    return mask, (left, top)


def _width(text: str, path: str, face: Face, size: Size) -> float:
    """Return the width of letters in one font, or 0 if they cannot be laid out."""
    try:
        return load(path, size, face).getlength(text)
    except UNDRAWABLE:
        return 0.0


def text_width(text: str, face: Face, size: Size) -> float:
    """Return the width in pixels that the text has if it is not cut."""
    return sum(run.width for run in _laid_out(text, face, size, None))


def break_lines(words: str, face: Face, size: Size, room: float) -> list[str]:
    """Break words into lines at most `room` pixels wide. No line has more letters than are ever drawn."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and len(longer) <= _LONGEST and text_width(longer, face, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def can_write(text: str, face: Face) -> bool:
    """Return whether at least one visible character of the text can be drawn."""
    return any(not character.isspace() for character in _drawable_line(text, face))


@lru_cache(maxsize=2048)
def _laid_out(text: str, face: Face, size: Size, width: float | None) -> tuple[_Run, ...]:
    """Return the text as runs from left to right, cut to the width."""
    letters = list(letters_of(_drawable_line(text, face)))
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
    """Return the text as runs from left to right, ordered so that text in either direction reads correctly."""
    paths: list[str] = []
    before = ""
    for character in text:
        same = bool(paths) and _joins(character, before, paths[-1])
        paths.append(paths[-1] if same else font_for(character, face) or face.value)
        if paths[-1] == EMOJI and ord(character) in _SKIN_TONES and before and has_glyph(EMOJI, before):
            paths[-2] = EMOJI
        before = character
    runs = []
    for path, pairs in groupby(zip(paths, text, strict=True), key=lambda pair: pair[0]):
        piece = "".join(character for _, character in pairs)
        runs.append(_Run(piece, path, _width(piece, path, face, size)))
    return tuple(_in_reading_order(runs, from_right=_reads_from_right(text)))


def _joins(character: str, before: str, path: str) -> bool:
    """Return whether a character takes the font of the one before it, so that words and emoji are shaped as a whole."""
    if character < _FIRST_MARK:
        return character == " " and path not in SYMBOLS  # there, a space is as wide as a symbol
    if character in _JOINERS or ord(character) in _TAGS:
        return True
    return (before in _JOINERS or unicodedata.category(character)[0] == "M") and has_glyph(path, character)


def _in_reading_order(runs: list[_Run], *, from_right: bool) -> list[_Run]:
    """Return the runs from left to right. Neighbouring runs against the text's direction keep their own order."""
    ordered: list[_Run] = []
    for right, group in groupby(runs, key=lambda run: _reads_from_right(run.text, otherwise=from_right)):
        together = list(group)
        ordered += together if right == from_right else together[::-1]
    return ordered[::-1] if from_right else ordered


def _reads_from_right(text: str, *, otherwise: bool = False) -> bool:
    """Return whether a text begins in a right-to-left script, or `otherwise` if none of its letters has a direction."""
    first = next((way for way in map(unicodedata.bidirectional, text) if way in {"L", "R", "AL"}), None)
    return otherwise if first is None else first != "L"


@lru_cache(maxsize=1024)
def _drawable_line(text: str, face: Face) -> str:
    """Return the text as one line of drawable characters, with stylised letters (𝓐, Ａ) made plain."""
    if text.isascii() and text.isprintable():  # most names are like this
        return " ".join(text[: 4 * _LONGEST].split())[:_LONGEST]
    letters: list[str] = []
    marks, path = 0, face.value  # the number of marks on the last letter, and its font
    parts = _KEPT.split(text[: 4 * _LONGEST])
    for character in "".join(part if _KEPT.match(part) else unicodedata.normalize("NFKC", part) for part in parts):
        category = unicodedata.category(character)
        marks = marks + 1 if category[0] == "M" else 0
        if category in {"Cc", "Zs", "Zl", "Zp"} or character in BLANK_LETTERS:
            letters.append(" ")
        elif category in {"Cf", "Mn", "Mc", "Me"}:
            # Joiners, tags, and marks that NFKC did not combine with their letters, are kept only in scripts that need them.
            if path != face.value and _is_needed(character, letters, marks, path):
                letters.append(character)
        elif drawable := _drawable(character, face):
            letters.append(drawable)
            path = font_for(drawable, face) or face.value
        else:
            path = face.value  # marks of a letter that is left out must not go to the letter before it
    return " ".join("".join(letters).split())[:_LONGEST].strip(_JOINERS)


def _is_needed(character: str, letters: Sequence[str], marks: int, path: str) -> bool:
    """Return whether a mark or an invisible character is needed to make the letters before it look right.

    `marks` counts the marks of the last letter, including this one, and `path` is that letter's font.
    """
    code = ord(character)
    if marks:
        return marks <= _MARKS_AT_MOST and has_glyph(path, character)
    if code in _TAGS:
        return bool(letters) and (letters[-1] == _BLACK_FLAG or ord(letters[-1]) in _TAGS)
    return character in _JOINERS


def _drawable(character: str, face: Face) -> str:
    """Return the character if some font has it, otherwise the letter it is made from, or an empty string."""
    if font_for(character, face) is not None:
        return character
    plain = unicodedata.normalize("NFD", character)[0] if unicodedata.category(character)[0] != "S" else ""
    return plain if plain and font_for(plain, face) is not None else ""


def letters_of(text: str) -> Iterator[str]:
    """Yield the letters of the text, each together with its marks or the other parts of its emoji."""
    letter = ""
    for character in text:
        if letter and not _belongs(letter, character):
            yield letter
            letter = ""
        letter += character
    if letter:
        yield letter


def _belongs(letter: str, character: str) -> bool:
    if unicodedata.category(character)[0] == "M" or character in _JOINERS or letter[-1] in _JOINERS:
        return True
    code = ord(character)
    return code in _TAGS or code in _SKIN_TONES or (code in _FLAG_LETTERS and len(letter) == 1 and ord(letter) in _FLAG_LETTERS)


@lru_cache(maxsize=32)
def _capital_height(face: Face, size: int) -> float:
    box = load(face.value, size, face).getbbox("H", anchor="ls")
    return float(-box[1])
