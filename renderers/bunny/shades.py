"""The shades of Bounce Bunny Bounce: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write bunny`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#0d5a91 #164a7a #27847c #2b4543 #357c50 #412b35 #489e8e #4d4359 #4d6c3b #5a3e3e #5aa46a #5f7d96 #73a844 #744d3e "
    "#7db1c7 #804020 #95753f #958a8e #99964a #9dc1cc #9f765a #a24c13 #ab2e3c #bbb47f #bc933e #bdb1ab #da701b #de6263 "
    "#e49551 #e5d9c9 #ec9182 #faba7e"
)
HIGH_CONTRAST: Final = hex_colours(
    "#072552 #212a28 #2c60a1 #3b6578 #4a3e12 #4a474c #4b0715 #4b76ad #565e4c #685710 #772c0a #7e9988 #7e9dc2 #840416 "
    "#906b42 #9ca78b #a13a06 #a58a0e #b5c6d8 #b68d66 #c3a30d #cf2f41 #d85d6a #dedcd9 #e1bd0b #e48c94 #e56c2b #f2b999 "
    "#f69335 #f7ac63 #fde25c #fdeea7"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
