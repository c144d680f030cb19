"""The shades of Puck Bumpers: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write pucks`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#144c7d #14645b #40b38d #433440 #49716f #4d4359 #6a2e40 #6ba0af #756a41 #763c23 #8e8897 #977eaf #978c41 #9a6242 "
    "#9e7a68 #9ea6b5 #ab4f10 #b5acaa #ba913e #ba9c88 #bb7537 #c3cf62 #c4d2d2 #cabfb5 #cbbf42 #cd786c #d96e17 #dcdfd6 "
    "#e28c44 #e6b43d #e8a163 #f7eb86"
)
HIGH_CONTRAST: Final = hex_colours(
    "#064838 #1c8877 #343138 #372060 #3b3211 #3f9a7d #4c8ea7 #5c4d11 #5e2527 #772d0a #7d4f3b #8068a7 #857d61 #97cbe5 "
    "#998827 #a49408 #a9a297 #ac8a4a #aca9aa #af403a #b0b8bc #b7615f #ba4204 #c3a30d #c46737 #d2d1c5 #e3be0b #e46623 "
    "#e87e45 #efe73d #f1b999 #fceeae"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
