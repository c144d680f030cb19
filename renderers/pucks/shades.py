"""The shades of Puck Bumpers: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write pucks`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#144d7d #14635b #433440 #47456b #48b690 #4d4359 #6a2e40 #6ba0af #756a41 #763c23 #8e8897 #93a4b2 #978c41 #9a6242 "
    "#9e7a68 #a4638d #a49a9a #ab4f10 #b5acaa #b9913e #ba9c88 #bfb342 #c4d2d2 #c9e4ee #cabfb5 #cd786c #d1e8f0 #d96e17 "
    "#dcdfd6 #e28c44 #e6b43d #e8a163"
)
HIGH_CONTRAST: Final = hex_colours(
    "#064938 #323944 #329375 #343138 #3b3211 #4c8ea7 #5d240d #5d4e11 #7d4f3b #8068a7 #823009 #867e41 #9ac7e2 #a0467d "
    "#a58a0e #ac3d05 #ac8a4a #aca9aa #af403a #b0b8bc #b7615f #be947f #c3a30d #d2d1c5 #d3e0e8 #dde7ec #e3be0b #e46623 "
    "#e87e45 #f1b999 #fceeae #feed3d"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
