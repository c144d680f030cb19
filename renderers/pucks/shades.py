"""The shades of Puck Bumpers: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write pucks`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#1556bd #1c4493 #22537a #39816b #3fa37b #433440 #47456b #4a8ae4 #4d4359 #5f698b #604b3f #6a2e40 #6ba0af #796d30 "
    "#7ad9a5 #7e192e #8e8897 #913f50 #93a4b2 #95753f #986272 #9c1627 #9d9128 #a2cb66 #a38754 #a49a9a #b5acaa #c4d2d2 "
    "#c82a33 #c9e4ee #ca9e3e #cabfb5 #d1e8f0 #d4c61c #d86666 #dcdfd6 #e6b43d #f9f04e #fdef6e #fee5ac"
)
HIGH_CONTRAST: Final = hex_colours(
    "#052644 #0b3a7f #1d5b84 #323944 #343138 #347b5c #397fdd #3a0a17 #3b3112 #43a376 #4c8ea7 #5b0a19 #5c4d11 #5e2527 "
    "#713a45 #7cdfad #8068a7 #85804b #8b555c #908a20 #97cbe5 #a9db74 #ac8a4a #aca9aa #af403a #af920d #b0b8bc #b7615f "
    "#c02135 #c1b925 #c7d14a #ca4555 #d2d1c5 #d3e0e8 #d6c995 #dde7ec #e39fa4 #e3be0b #fbf35c #fceeae"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
