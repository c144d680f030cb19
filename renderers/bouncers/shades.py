"""The shades of Bouncers: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write bouncers`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#09629b #125082 #1e5e68 #205462 #2586b8 #4792b0 #4d4359 #546f71 #547a8e #5d332e #66585e #66a6c3 #773c23 #7b898e "
    "#7d564b #8cb9c9 #8e441b #95753f #95a9a6 #a5c1b7 #aa8168 #b4520d #bc943e #c1a87b #c2b4a6 #da701b #df8235 #e4b23d "
    "#e69a58 #edb47d #fed675 #fee5ac"
)
HIGH_CONTRAST: Final = hex_colours(
    "#06295b #171c28 #19202c #245a9d #452d28 #467098 #514a3f #658ab8 #685710 #6c290b #6f4736 #787578 #883208 #8ba6c7 "
    "#949ca2 #986045 #aa8f30 #ac3d05 #be8d72 #c0693b #c3a30d #c6c4c2 #cac076 #d6d4d2 #e2bd0b #e56c2b #eb9362 #eceae6 "
    "#f1b998 #fceead #fde25c #fedc33"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
