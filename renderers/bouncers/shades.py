"""The shades of Bouncers: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write bouncers`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#001c26 #053b6f #0b5d94 #125184 #1e5e68 #205462 #22345a #23444b #2585b8 #33729c #345257 #442a37 #4792b0 #4d4359 "
    "#4d6e8b #506b6e #5c322e #64a4c2 #65545a #6a8283 #719e99 #725a40 #753b24 #7bb0c6 #8a7e83 #8a9d9c #8d431b #925a3d "
    "#95743f #9bc0cb #a2bdb3 #a34c13 #a59e85 #aa826a #b4520d #b5c3be #b67b52 #b96e39 #baada1 #bb933e #c1a87b #d1d192 "
    "#d2c4b1 #db711b #de8236 #e3b33d #e4924d #eaa262 #eaf3e9 #ebdcc2 #edb57e #f1c294 #fed674 #fee5ab #ffd15b #fffff3"
)
HIGH_CONTRAST: Final = hex_colours(
    "#000003 #001443 #033373 #06295b #1d1a22 #255a9e #2b1512 #2b4e7e #35333a #3c3213 #467098 #4b6174 #4c4b52 #524a3d "
    "#53210d #5c4d11 #5c83b5 #6c290c #747579 #7b4e3a #7b9ac1 #7c745b #893308 #949da2 #996045 #9bb2cd #9c3906 #9c8275 "
    "#9d4c24 #a48a0e #a5a3a3 #a89136 #b54004 #bb6235 #bdbbba #be8d72 #c2a30d #c6bb8a #c94702 #ca7e56 #d3d1ce #d4ba3a "
    "#dee3e9 #e25d15 #e2bd0b #e56c2b #ea8954 #eceae6 #f1b998 #f39c6b #f4d3bd #fceead #fcf7e1 #fde25c #fedc34 #fee984"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
