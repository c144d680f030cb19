"""The shades of Bouncers: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write bouncers`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#1359c5 #1a4aa0 #1e5e68 #203b7d #205462 #28474e #317ce5 #3465b5 #44507d #4d4359 #508ad6 #546f71 #571d37 #5a75a3 "
    "#66585e #6a8283 #6c553f #6e9fe2 #82182d #8a9e9c #8f9ab4 #924754 #92b4e0 #938686 #95753f #a2bdb3 #a41525 #a46b71 "
    "#ba8b86 #bbada1 #ca9e3e #cabcac #cd3c43 #d45658 #da6c6b #e4b23d #e5998b #ecddc2 #fed675 #fee5ac"
)
HIGH_CONTRAST: Final = hex_colours(
    "#0a4dac #0b3c85 #0c2a5c #171c28 #19202c #2b76dc #343139 #430a17 #4a3e12 #4c88cc #4e6e90 #514a3f #65343e #685710 "
    "#6a9ee3 #71091a #787578 #8496b1 #8a4651 #8eb5e8 #91813c #94091d #962d3c #9ca5aa #af727e #b3960d #b69195 #bf1d32 "
    "#c53244 #c5d8ef #cac076 #cdccca #ce5362 #d3b10c #d46975 #ded19a #e39ea4 #e3e1dd #fceead #fee468"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
