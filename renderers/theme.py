"""The look that all pictures share: sizes, the type scale, the typefaces, and two palettes.

Lengths are in pixels of the finished picture, which Discord shows at about half its width on a desktop and a third on a phone.
Light comes from the top left. Nothing is pure black or white, so that pictures suit both dark and light channels. The colours
of each game are in the game's own package.
"""

from dataclasses import Field, dataclass, fields
from enum import Enum, IntEnum
from functools import partial
from typing import Any, ClassVar, Final, Protocol

import font_fredoka_one
import font_roboto

Colour = tuple[int, int, int]
"""The red, green and blue of a colour, from 0 to 255."""

WIDTH: Final = 1024
MAX_HEIGHT: Final = 1024
TALLEST: Final = 1312
"""The greatest height of a picture whose board needs the whole width. For other pictures, it is `MAX_HEIGHT`."""
EDGE: Final = 8
"""The width of the transparent margin in which the edge of the card fades out."""
CORNER: Final = 28
"""The radius of all large corners: those of the card, of inset boards and of playing cards."""
STRIP: Final = 80
"""The height of the strip with the seats."""
SUPERSAMPLE: Final = 4
"""How many times too large shapes are drawn before they are scaled down."""

SHADOW_OFFSET: Final = (3, 5)
SHADOW_BLUR: Final = 2.5
SHADOW_STRENGTH: Final = 84
"""The shadow of every sprite: its offset to the bottom right, its blur radius, and its opacity (0 to 255)."""


class Size(IntEnum):
    """The type scale: font sizes in pixels. No text is smaller than the first of them."""

    SMALL = 22
    BODY = 26
    NAME = 30
    HEADING = 36
    HUGE = 48


class Face(Enum):
    """The typefaces by purpose: Fredoka One for coordinates, numbers and labels, and Roboto for names."""

    LABEL = font_fredoka_one.FredokaOne
    NAME = font_roboto.RobotoMedium
    NAME_STRONG = font_roboto.RobotoBold


class Mark(Enum):
    """The marks by which seats can be told apart without their colours."""

    DISC = "●"
    SQUARE = "■"
    TRIANGLE = "▲"
    DIAMOND = "◆"
    CROSS = "✚"
    STAR = "★"


@dataclass(frozen=True, slots=True)
class SeatLook:
    """The colour and the mark of a seat, and the colour of marks and digits on top of that colour."""

    colour: Colour
    mark: Mark
    on_colour: Colour


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """The colours that all pictures share.

    This module has the only two palettes, and each of them equals only itself. If the colours of a palette were hashed for the
    key of a cached sprite, that would often take longer than pasting the sprite.

    Attributes:
        high_contrast: whether this is the high-contrast palette.
        ink, paper: the dark and the light colour of text, outlines and the strip.
        muted: text of seats that are out, on paper.
        line: thin lines on paper.
        gold, gold_dark: options, crowns and bursts, and their shade.
        edge: the outline and the soft edge of the card.
        faint: the strength (0 to 1) of the oldest part of a trail.
        seats: the looks of the seats, by number.
    """

    high_contrast: bool
    ink: Colour
    paper: Colour
    muted: Colour
    line: Colour
    gold: Colour
    gold_dark: Colour
    edge: Colour
    faint: float
    seats: tuple[SeatLook, ...]


def hex_colour(code: str) -> Colour:
    """Parse a colour written as ``#RRGGBB``."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def hex_colours(codes: str) -> tuple[Colour, ...]:
    """Parse space-separated colours written as ``#RRGGBB``."""
    return tuple(map(hex_colour, codes.split()))


class ColourSet(Protocol):
    """A dataclass whose fields are all colours or tuples of colours."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


def anchors(palette: Palette, own: ColourSet | None = None) -> tuple[Colour, ...]:
    """Return the colours that a picture keeps exactly when its colours are reduced: the shared ones, and those in `own`."""
    shared = (palette.ink, palette.paper, palette.muted, palette.line, palette.gold, palette.gold_dark, palette.edge)
    found = [*shared, *(look.colour for look in palette.seats)]
    for field in fields(own) if own is not None else ():
        value = getattr(own, field.name)
        found.extend([value] if isinstance(value[0], int) else value)  # a colour, or several
    return tuple(found)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Mix two colours. `share` (0 to 1) is the proportion of `other`."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as defined by the Web Content Accessibility Guidelines 2.2."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def linear_rgb(colour: Colour) -> tuple[float, float, float]:
    """Return the amounts of red, green and blue light of an sRGB colour, each from 0 to 1."""
    parts = [value / 255 for value in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = linear_rgb(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _seats(codes: str, light: Colour, dark: Colour) -> tuple[SeatLook, ...]:
    """Return the seats' looks in the order of the marks, each with `light` or `dark` on top, whichever contrasts more."""
    return tuple(
        SeatLook(colour, mark, max(light, dark, key=partial(contrast, colour)))
        for colour, mark in zip(hex_colours(codes), Mark, strict=True)
    )


_INK: Final = hex_colour("#2b2140")
_PAPER: Final = hex_colour("#fff3dc")

# Red, blue, green, yellow, purple and orange: each is what its name says, and they are far apart for colour-blind people, too.
# docs/colours.md has the measurements; tests/renderers/colour_table.py measures again.
WARM: Final = Palette(
    high_contrast=False, ink=_INK, paper=_PAPER, muted=hex_colour("#6f6475"), line=hex_colour("#e6d3b1"),
    gold=hex_colour("#ffc83d"), gold_dark=hex_colour("#c98a12"), edge=hex_colour("#1d2b38"), faint=0.3,
    seats=_seats("#c1121f #0d67e6 #45ce8f #fbec14 #742878 #ef8309", _PAPER, _INK),
)  # fmt: skip

_HIGH_INK: Final = hex_colour("#0e0b14")
_HIGH_PAPER: Final = hex_colour("#fcfaf5")

HIGH_CONTRAST: Final = Palette(
    high_contrast=True, ink=_HIGH_INK, paper=_HIGH_PAPER, muted=hex_colour("#5f5966"), line=hex_colour("#8a8492"),
    gold=hex_colour("#ffd60a"), gold_dark=hex_colour("#8a6a00"), edge=hex_colour("#0e0b14"), faint=0.75,
    seats=_seats("#b9081f #0860d7 #54d696 #fbf12a #611667 #e57b0a", _HIGH_PAPER, _HIGH_INK),
)  # fmt: skip


def palette(high_contrast: bool) -> Palette:
    """Return the high-contrast palette or the warm one."""
    return HIGH_CONTRAST if high_contrast else WARM
