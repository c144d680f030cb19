"""The shades of Bouncers: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write bouncers`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#09629b #125082 #205462 #2485b8 #4792b0 #4d4359 #546f71 #547a8e #5d332e #66585e #66a6c3 #719e99 #768289 #773c23 "
    "#8cb9c9 #8e441b #95753f #958a8c #95a9a6 #a2bdb3 #aa8168 #b4520d #bbada1 #bc943e #c1a87b #d2c4b1 #da701b #e4924d "
    "#e4b23d #edb47d #fed675 #fee5ac"
)
HIGH_CONTRAST: Final = hex_colours(
    "#033373 #06295b #245a9d #2c1511 #343239 #467098 #4a3e12 #4b1f0e #514a3f #658ab8 #6c290b #787578 #7d4f3b #883208 "
    "#8ba6c7 #949da2 #a58a0e #b44004 #ba6335 #be8d72 #c3a30d #c9be8d #d3d1ce #e0e5ea #e1bd0b #e56c2b #eb9362 #f1b998 "
    "#fceeae #fde25c #fedc33 #fee985"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
