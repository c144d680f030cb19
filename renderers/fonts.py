"""Chooses a font for each character, and loads fonts.

The typefaces cover Latin, Greek and Cyrillic. Noto fonts draw other scripts and emoji, and Kurinto Sans draws symbols and rare
scripts. All of them come with the program, so that a picture is the same on every machine.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Final

from noto_cjk_sans_jp_bold import FONT_PATH as CJK
from PIL import ImageFont, features

from renderers.theme import Face, Size

_NOTO: Final = files("manimgx_fonts")
_KURINTO: Final = files("weblate_fonts") / "static" / "weblate_fonts" / "kurinto" / "ttf"
_SCRIPTS: Final = (
    "Sans", "SansArabic", "SansHebrew", "SansDevanagari", "SansBengali", "SansTamil", "SansTelugu", "SansThai", "SansArmenian",
    "SansGeorgian", "SansEthiopic", "SansGujarati", "SansGurmukhi", "SansKannada", "SansKhmer", "SansLao", "SansMalayalam",
    "SansMyanmar", "SansOriya", "SansSinhala", "Emoji", "SansSymbols",
)  # fmt: skip

ANY_SCRIPT: Final = tuple(str(_NOTO / f"Noto{script}[wght].ttf") for script in _SCRIPTS)
"""The fallback fonts that come in several weights."""
SYMBOLS: Final = ANY_SCRIPT[-2:]
"""The fallback fonts for emoji and symbols."""
EMOJI: Final = SYMBOLS[0]
FALLBACKS: Final = (*ANY_SCRIPT[:-2], str(CJK), *SYMBOLS, str(_KURINTO / "KurintoSans-Bd.ttf"))
"""The fonts for characters that a typeface lacks, the preferred fonts first."""
FILES: Final = (*(face.value for face in Face), *FALLBACKS)

MISSING: Final = "\U0010ffff"
"""A character that is in no font. Its picture is what a font draws for any missing character, usually a box."""

UNDRAWABLE: Final = (OSError, RuntimeError)
"""The errors that Pillow raises for text that FreeType cannot draw, such as ﷽ (U+FDFD), or that Raqm cannot lay out."""

_WEIGHTS: Final = {Face.LABEL: 700, Face.NAME: 500, Face.NAME_STRONG: 700}


@lru_cache(maxsize=4096)
def font_for(character: str, face: Face) -> str | None:
    """Return the file of the font that draws a character: the face's own, or the first fallback that has it, or None."""
    return next((path for path in (face.value, *FALLBACKS) if has_glyph(path, character)), None)


@lru_cache(maxsize=16384)
def has_glyph(path: str, character: str) -> bool:
    """Return whether the font has a picture for the character, other than an empty one or the box for missing characters."""
    if character == " ":
        return True
    picture = _glyph(path, character)
    return any(picture) and picture != _missing(path)


def _glyph(path: str, character: str) -> bytes:
    """Return the picture of a glyph, without shaping. Shaping takes time, and would draw two boxes for a missing vowel."""
    try:
        return bytes(_unshaped(path).getmask(character))
    except UNDRAWABLE:
        return b""


@lru_cache(maxsize=32)
def _unshaped(path: str) -> ImageFont.FreeTypeFont:
    return _opened(path, Size.HEADING, Face.NAME, ImageFont.Layout.BASIC)


@lru_cache(maxsize=32)
def _missing(path: str) -> bytes:
    return _glyph(path, MISSING)


@lru_cache(maxsize=128)
def load(path: str, size: int, face: Face) -> ImageFont.FreeTypeFont:
    """Return a font at a size in pixels, in the weight of the face that it stands in for."""
    # The typefaces need no shaping, and without it their spacing is the same on every machine.
    own = path not in FALLBACKS
    return _opened(path, size, face, ImageFont.Layout.BASIC if own or not can_shape() else ImageFont.Layout.RAQM)


def _opened(path: str, size: int, face: Face, engine: ImageFont.Layout) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(path, size, layout_engine=engine)
    if path in ANY_SCRIPT:
        font.set_variation_by_axes([_WEIGHTS[face]])
    return font


@lru_cache(maxsize=1)
def can_shape() -> bool:
    """Return whether Pillow can shape letters that change with their neighbours, for which FriBiDi must be installed."""
    return bool(features.check("raqm"))
