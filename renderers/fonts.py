"""Chooses a font for each character, and loads fonts.

The typefaces have Latin, Greek and Cyrillic. Noto fonts draw other scripts and emoji, Kurinto Sans symbols and rare scripts.
All come with the program, so that a picture is the same on every machine.
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
"""The fonts with a choice of weights."""
SYMBOLS: Final = ANY_SCRIPT[-2:]
"""The fonts of emoji and symbols among them."""
EMOJI: Final = SYMBOLS[0]
FALLBACKS: Final = (*ANY_SCRIPT[:-2], str(CJK), *SYMBOLS, str(_KURINTO / "KurintoSans-Bd.ttf"))
"""The fonts for what a typeface lacks, the preferred ones first."""
FILES: Final = (*(face.value for face in Face), *FALLBACKS)

MISSING: Final = "\U0010ffff"
"""A character in no font: its picture is that of any missing character, a box as a rule."""

UNDRAWABLE: Final = (OSError, RuntimeError)
"""Pillow's errors for text that FreeType cannot draw, such as ﷽ (U+FDFD), or that Raqm cannot lay out."""

_WEIGHTS: Final = {Face.LABEL: 700, Face.NAME: 500, Face.NAME_STRONG: 700}


@lru_cache(maxsize=4096)
def font_for(character: str, face: Face) -> str | None:
    """The file of the font that draws a character: the face's own, the first fallback that can, or None."""
    return next((path for path in (face.value, *FALLBACKS) if has_glyph(path, character)), None)


@lru_cache(maxsize=16384)
def has_glyph(path: str, character: str) -> bool:
    """Whether the font draws more for the character than nothing or the box for missing ones."""
    if character == " ":
        return True
    picture = _glyph(path, character)
    return any(picture) and picture != _missing(path)


def _glyph(path: str, character: str) -> bytes:
    """A glyph's picture, unshaped: shaping takes time, and would draw two boxes for a missing vowel."""
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
    """A font at a size in pixels, as heavy as the face that it stands in for."""
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
    """Whether Pillow can shape letters that change with their neighbours, which needs the machine's FriBiDi."""
    return bool(features.check("raqm"))
