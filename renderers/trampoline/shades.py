"""The shades of BOUNCE: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write trampoline`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#0c5c94 #1f81b7 #224d5d #3a304b #3e92bd #4d4359 #5da2c2 #5dbc99 #73a651 #7b3e23 #7f7b78 #84484a #847195 #8bcdad "
    "#8cb9c9 #91b380 #94743e #958a8e #9e706e #9fa3a8 #a94e11 #bb933e #bdb2ac #c46958 #c9ae76 #cd96a4 #d3926f #de8336 "
    "#e1b2ab #e3b23d #e49551 #f4e868"
)
HIGH_CONTRAST: Final = hex_colours(
    "#010004 #04326e #2c2513 #2c61a2 #2c9272 #343138 #4b3e11 #5b86bb #5dac92 #6d5c10 #732c0b #754436 #796f32 #82a942 "
    "#9b6c5e #a48a0e #a5a2a4 #a69f62 #a6c493 #ab3d05 #b7592a #be9b89 #bebcbb #cbb533 #ccab0c #cdc699 #e3e1dd #e46c2b "
    "#ec8e46 #efad86 #f5e471 #fee24c"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
