"""The shades of Bounce Bunny Bounce: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write bunny`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#0c0329 #1652b4 #1c4493 #23346d #2b4543 #2f787d #357c50 #3d83e4 #412b35 #4d4359 #4d6c3b #4d9aa2 #506d5c #5aa46a "
    "#5c7e43 #5e5466 #647aa7 #6d493e #73a844 #761a30 #7b523d #85ace1 #8e9cb8 #941629 #95753f #958a8e #9e5e66 #9f765a "
    "#a95e2c #ac2d3b #afb874 #bbccdf #bc933e #bdb1ab #d0494d #d86564 #dcac3e #df807c #e79c93 #faba7e"
)
HIGH_CONTRAST: Final = hex_colours(
    "#0a469c #0c2652 #1a5725 #212a28 #337bdc #3b0916 #3b3112 #3e7293 #4a474c #565e4c #5a4b11 #5b94e1 #6495b8 #650b1b "
    "#663031 #757375 #7e9988 #81504d #82ade6 #86091c #87710f #904709 #9ca78b #a87372 #b3960d #b8cfed #bb5b05 #bf1d32 "
    "#c53244 #ce5463 #d3b10c #db7b85 #dedcd9 #e39ea4 #e9b6b9 #edebe7 #f7973d #f8b87a #fceead #fde25c"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
