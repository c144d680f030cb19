"""The shades of Bouncers: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write bouncers`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#001c26 #053b6f #0b5d94 #125184 #205462 #22345a #2585b8 #4792b0 #4d4359 #506b6e #5c322e #6a8283 #725a40 #753b24 "
    "#7bb0c6 #8a9d9c #8d431b #95743f #a2bdb3 #aa826a #b4520d #baada1 #bb933e #c1a87b #d2c4b1 #db711b #de8236 #e3b33d "
    "#e4924d #edb57e #fed674 #fee5ab"
)
HIGH_CONTRAST: Final = hex_colours(
    "#000003 #033373 #06295b #255a9e #2b1512 #35333a #467098 #524a3d #53210d #5c4d11 #5c83b5 #6c290c #747579 #7b4e3a "
    "#7b9ac1 #893308 #949da2 #a89136 #b54004 #bb6235 #bdbbba #be8d72 #c2a30d #c6bb8a #d3d1ce #dee3e9 #e56c2b #ea8954 "
    "#f1b998 #fceead #fde25c #fedc34"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
