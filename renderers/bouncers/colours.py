"""The colours of Bouncers, in the warm and the high-contrast look."""

from dataclasses import dataclass
from typing import Final

from renderers.theme import Colour, Palette, hex_colour, hex_colours


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a trampoline seen from above.

    Attributes:
        light, dark: the squares of the mat.
        gap, spring: the gap round the mat, and the springs across it.
        pad, pad_light, on_pad: the padding outside, its lit edge, and text on it.
    """

    light: Colour
    dark: Colour
    gap: Colour
    spring: Colour
    pad: Colour
    pad_light: Colour
    on_pad: Colour


WARM: Final = Colours(
    light=hex_colour("#fbeccd"), dark=hex_colour("#b5d6c6"), gap=hex_colour("#12343c"), spring=hex_colour("#d9e4dc"),
    pad=hex_colour("#1c6a70"), pad_light=hex_colour("#2f8a8c"), on_pad=hex_colour("#fff3dc"),
)  # fmt: skip

HIGH_CONTRAST: Final = Colours(
    light=hex_colour("#fcfaf5"), dark=hex_colour("#a9b3b8"), gap=hex_colour("#0e0b14"), spring=hex_colour("#fcfaf5"),
    pad=hex_colour("#1b2430"), pad_light=hex_colour("#3a4a5e"), on_pad=hex_colour("#fcfaf5"),
)  # fmt: skip


def colours_of(palette: Palette) -> Colours:
    """Return the colours of the game that go with a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM


# --- shades, which `python -m tests.renderers.shades --write bouncers` chooses from all samples ---

_WARM_SHADES: Final = hex_colours(
    "#1359c5 #1a4aa0 #1e5e68 #203b7d #205462 #28474e #317ce5 #3465b5 #44507d #4d4359 #508ad6 #546f71 #571d37 #5a75a3 "
    "#66585e #6a8283 #6c553f #6e9fe2 #82182d #8a9e9c #8f9ab4 #924754 #92b4e0 #938686 #95753f #a2bdb3 #a41525 #a46b71 "
    "#ba8b86 #bbada1 #ca9e3e #cabcac #cd3c43 #d45658 #da6c6b #e4b23d #e5998b #ecddc2 #fed675 #fee5ac"
)
_HIGH_CONTRAST_SHADES: Final = hex_colours(
    "#0a4dac #0b3c85 #0c2a5c #171c28 #19202c #2b76dc #343139 #430a17 #4a3e12 #4c88cc #4e6e90 #514a3f #65343e #685710 "
    "#6a9ee3 #71091a #787578 #8496b1 #8a4651 #8eb5e8 #91813c #94091d #962d3c #9ca5aa #af727e #b3960d #b69195 #bf1d32 "
    "#c53244 #c5d8ef #cac076 #cdccca #ce5362 #d3b10c #d46975 #ded19a #e39ea4 #e3e1dd #fceead #fee468"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """Return the colours of shadows, smooth edges and translucent parts that go with a palette."""
    return _HIGH_CONTRAST_SHADES if palette.high_contrast else _WARM_SHADES
