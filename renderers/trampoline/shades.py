"""The shades of BOUNCE: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write trampoline`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#0c5c94 #100a3a #1a4b7a #1f81b7 #224d5d #263c52 #31757d #332b5c #3a304b #3e92bd #4c7393 #4d4359 #5d9596 #5da2c2 "
    "#5dbc99 #624c3f #637349 #71698f #73a651 #7b3e23 #7d623f #7f7b78 #835271 #84484a #847195 #8bcdad #8cb9c9 #91b380 "
    "#94743e #958a8e #97769a #9c4e6d #9e706e #9fa3a8 #a55354 #a94e11 #b68881 #bb933e #bdb2ac #beb341 #c2c9c6 #c46958 "
    "#c9ae76 #cadb93 #cd96a4 #d3926f #d46483 #db711b #de8336 #e1b2ab #e3b23d #e49551 #edaa6d #f4e868 #fde5c3 #fffff2"
)
HIGH_CONTRAST: Final = hex_colours(
    "#010004 #04326e #045d44 #0b2953 #0b4236 #1f1c24 #214b83 #2c2513 #2c61a2 #2c9272 #343138 #4b3e11 #4d4b52 #515c33 "
    "#5273a1 #5b86bb #5c240d #5dac92 #6d5c10 #6e6652 #716e72 #732c0b #754436 #796f32 #7b827c #82a942 #8cab7c #92c4b2 "
    "#988739 #99927b #9b6c5e #a48a0e #a5a2a4 #a69f62 #a6c493 #ab3d05 #b48676 #b7592a #be9b89 #bebcbb #c2734a #c34503 "
    "#cbb533 #ccab0c #cdc699 #e25d15 #e3e1dd #e46c2b #e6c20b #ec8e46 #efad86 #f5e471 #fdea2b #fdf28d #fee24c #ffc5aa"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
