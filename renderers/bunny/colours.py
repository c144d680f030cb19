"""The colours of Bounce Bunny Bounce, in the warm and the high-contrast look."""

from dataclasses import dataclass
from typing import Final

from renderers.theme import Colour, Palette, hex_colour


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a vegetable patch in a meadow.

    Attributes:
        grass, grass_dark, on_grass: the meadow, and text on it.
        soil, soil_dark: the patch.
        back, back_light, back_dark: the backs of the cards.
        stripe: the red of the shocks and of the Stop card.
        carrot, leaf, blossom: Carrots, leaves, and flowers; Bunnies have noses and ears in the colour of the blossoms.
        sky: the blue of the Spy and Swap cards.
        way: the blue behind arrows of directions that can be chosen.
    """

    grass: Colour
    grass_dark: Colour
    soil: Colour
    soil_dark: Colour
    back: Colour
    back_light: Colour
    back_dark: Colour
    stripe: Colour
    carrot: Colour
    leaf: Colour
    blossom: Colour
    sky: Colour
    way: Colour
    on_grass: Colour


WARM: Final = Colours(
    grass=hex_colour("#8cc152"),
    grass_dark=hex_colour("#5f9438"),
    soil=hex_colour("#8a5b3d"),
    soil_dark=hex_colour("#5b3827"),
    back=hex_colour("#3f8f5b"),
    back_light=hex_colour("#74b978"),
    back_dark=hex_colour("#2a6945"),
    stripe=hex_colour("#d3323b"),
    carrot=hex_colour("#f58220"),
    leaf=hex_colour("#4fa04a"),
    blossom=hex_colour("#f6a5b8"),
    sky=hex_colour("#5aa9d6"),
    way=hex_colour("#2f6fa8"),
    on_grass=hex_colour("#2b2140"),
)

HIGH_CONTRAST: Final = Colours(
    grass=hex_colour("#c3cbb4"),
    grass_dark=hex_colour("#7d8a6a"),
    soil=hex_colour("#3a3530"),
    soil_dark=hex_colour("#0e0b14"),
    back=hex_colour("#5f7d6a"),
    back_light=hex_colour("#9db5a5"),
    back_dark=hex_colour("#33493c"),
    stripe=hex_colour("#c40018"),
    carrot=hex_colour("#f57600"),
    leaf=hex_colour("#1f7a2c"),
    blossom=hex_colour("#fcfaf5"),
    sky=hex_colour("#0a62a8"),
    way=hex_colour("#0a3f7a"),
    on_grass=hex_colour("#0e0b14"),
)


def colours_of(palette: Palette) -> Colours:
    """The colours of the game that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
