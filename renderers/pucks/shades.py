"""The shades of Puck Bumpers: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write pucks`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#1556bd #1a489b #22537a #39816b #3fa37b #433440 #47456b #4a8ae4 #4d4359 #5d5466 #604b3f #6a2e40 #6b8dc4 #70d9aa "
    "#796d30 #7e192e #8a9cac #913f50 #94898e #95753f #977eaf #9d9128 #a38754 #b4d278 #b5636f #b5acaa #c4d2d2 #c82b34 "
    "#c9e4ee #ca9e3e #cabeb5 #d1e8f0 #d4c61c #d55b5c #d7df46 #dcdfd6 #dd7774 #e5b43d #fdee5b #fee5ac"
)
HIGH_CONTRAST: Final = hex_colours(
    "#052644 #0b3a7f #141722 #1d5b84 #323944 #343138 #347b5c #387edd #3b3112 #43a376 #4c8ea7 #5b0a19 #5d4e11 #5e2527 "
    "#7ddfad #8068a7 #842e3b #857d61 #8c555c #93adbd #97cbe5 #998827 #aba9aa #af403a #af920d #b0b8bc #b1ac62 #b5d283 "
    "#b7615f #c02135 #c1b925 #ca4555 #d2d1c5 #d3e0e8 #d8e257 #dde7ec #e39fa4 #e3be0b #fbf35b #fceeae"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
