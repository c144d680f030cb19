"""The colours of Bounce Bunny Bounce, in the warm and the high-contrast look."""

from dataclasses import dataclass
from typing import Final

from renderers.theme import Colour, Palette, hex_colour, hex_colours


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a vegetable patch in a meadow.

    Attributes:
        grass, grass_dark, on_grass: the meadow, and text on it.
        soil, soil_dark: the patch.
        back, back_light, back_dark: the backs of the cards.
        stripe: the red of the shocks and of the Stop card.
        carrot, leaf, blossom: Carrots, leaves, and flowers (also Bunnies' noses and ears).
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
    grass=hex_colour("#8cc152"), grass_dark=hex_colour("#5f9438"), soil=hex_colour("#8a5b3d"),
    soil_dark=hex_colour("#5b3827"), back=hex_colour("#3f8f5b"), back_light=hex_colour("#74b978"),
    back_dark=hex_colour("#2a6945"), stripe=hex_colour("#d3323b"), carrot=hex_colour("#f58220"), leaf=hex_colour("#4fa04a"),
    blossom=hex_colour("#f6a5b8"), sky=hex_colour("#5aa9d6"), way=hex_colour("#2f6fa8"), on_grass=hex_colour("#2b2140"),
)  # fmt: skip

HIGH_CONTRAST: Final = Colours(
    grass=hex_colour("#c3cbb4"), grass_dark=hex_colour("#7d8a6a"), soil=hex_colour("#3a3530"),
    soil_dark=hex_colour("#0e0b14"), back=hex_colour("#5f7d6a"), back_light=hex_colour("#9db5a5"),
    back_dark=hex_colour("#33493c"), stripe=hex_colour("#c40018"), carrot=hex_colour("#f57600"), leaf=hex_colour("#1f7a2c"),
    blossom=hex_colour("#fcfaf5"), sky=hex_colour("#0a62a8"), way=hex_colour("#0a3f7a"), on_grass=hex_colour("#0e0b14"),
)  # fmt: skip


def colours_of(palette: Palette) -> Colours:
    """Return the colours of the game that go with a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM


# --- shades, which `python -m tests.renderers.shades --write bunny` chooses from all samples ---

_WARM_SHADES: Final = hex_colours(
    "#0c0329 #1652b4 #1c4493 #23346d #2b4543 #2f787d #357c50 #3d83e4 #412b35 #4d4359 #4d6c3b #4d9aa2 #506d5c #5aa46a "
    "#5c7e43 #5e5466 #647aa7 #6d493e #73a844 #761a30 #7b523d #85ace1 #8e9cb8 #941629 #95753f #958a8e #9e5e66 #9f765a "
    "#a95e2c #ac2d3b #afb874 #bbccdf #bc933e #bdb1ab #d0494d #d86564 #dcac3e #df807c #e79c93 #faba7e"
)
_HIGH_CONTRAST_SHADES: Final = hex_colours(
    "#0a469c #0c2652 #1a5725 #212a28 #337bdc #3b0916 #3b3112 #3e7293 #4a474c #565e4c #5a4b11 #5b94e1 #6495b8 #650b1b "
    "#663031 #757375 #7e9988 #81504d #82ade6 #86091c #87710f #904709 #9ca78b #a87372 #b3960d #b8cfed #bb5b05 #bf1d32 "
    "#c53244 #ce5463 #d3b10c #db7b85 #dedcd9 #e39ea4 #e9b6b9 #edebe7 #f7973d #f8b87a #fceead #fde25c"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """Return the colours of shadows, smooth edges and translucent parts that go with a palette."""
    return _HIGH_CONTRAST_SHADES if palette.high_contrast else _WARM_SHADES
