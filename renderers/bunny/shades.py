"""The shades of Bounce Bunny Bounce: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write bunny`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#0d5a90 #1c416c #27837c #2a4542 #357c50 #412b35 #499e8e #4d4359 #4d6c3b #5a3d3e #5aa469 #73a844 #744d3e #797d39 "
    "#7db1c7 #95743e #958a8e #9c2c3c #a24c13 #a47a5d #acc4c4 #ada4a1 #bc943e #bdb482 #c4bab2 #db701b #dcb490 #de6364 "
    "#e3b33d #e49552 #fab97c #fffffa"
)
HIGH_CONTRAST: Final = hex_colours(
    "#000004 #0c2954 #202a28 #2c61a2 #3b6578 #4a250d #4c74ab #565e4c #635410 #6c2302 #7d9cc2 #7e9987 #916c43 #930316 "
    "#9ca78b #a13a06 #ad910e #b58d66 #b5c6d8 #c24504 #c2b682 #cc343c #ccad0c #d75b65 #dcdcda #e38b93 #e56c2b #f2ba99 "
    "#f69132 #f6ab63 #fde25c #fdeea9"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
