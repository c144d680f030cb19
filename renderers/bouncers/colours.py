"""The colours of Bouncers, in the warm and the high-contrast look."""

from dataclasses import dataclass
from typing import Final

from renderers.theme import Colour, Palette, hex_colour


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
    light=hex_colour("#fbeccd"),
    dark=hex_colour("#b5d6c6"),
    gap=hex_colour("#12343c"),
    spring=hex_colour("#d9e4dc"),
    pad=hex_colour("#1c6a70"),
    pad_light=hex_colour("#2f8a8c"),
    on_pad=hex_colour("#fff3dc"),
)

HIGH_CONTRAST: Final = Colours(
    light=hex_colour("#fcfaf5"),
    dark=hex_colour("#a9b3b8"),
    gap=hex_colour("#0e0b14"),
    spring=hex_colour("#fcfaf5"),
    pad=hex_colour("#1b2430"),
    pad_light=hex_colour("#3a4a5e"),
    on_pad=hex_colour("#fcfaf5"),
)


def colours_of(palette: Palette) -> Colours:
    """The colours of the game that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
