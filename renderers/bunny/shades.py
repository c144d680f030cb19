"""The shades of Bounce Bunny Bounce: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write bunny`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#0c0329 #0d5a91 #164a7a #27847c #2b4543 #357c50 #3e92bc #412b35 #489e8e #4d4359 #4d6c3b #506d5c #5aa46a #5f7d96 "
    "#6d493e #73a844 #7b523d #804020 #80b3c7 #95753f #958a8e #9a2c3c #9f765a #a24c13 #b8cfd0 #bc933e #bdb1ab #da701b "
    "#de6364 #eaa76c #efba89 #ffd775"
)
HIGH_CONTRAST: Final = hex_colours(
    "#072553 #212a28 #2c60a1 #391e10 #3b6578 #4975ac #540615 #565e4c #5a4b11 #772c0a #7e9988 #7e9dc2 #87710f #906b42 "
    "#940316 #9ca78b #a13a06 #b5c6d8 #b68d66 #bb5b05 #c3a30d #ce2f41 #d85d6a #d9b19a #dedcd9 #e1bd0b #e56c2b #edebe7 "
    "#f4cbb1 #f79b45 #f8b87a #fde25c"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
