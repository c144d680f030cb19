"""The shades of Bounce Bunny Bounce: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write bunny`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#0d5a90 #1c1335 #1c416c #27837c #2a4542 #357c50 #3c324c #3d6285 #3e92bc #412b35 #465342 #465a55 #499e8e #4d312e "
    "#4d4359 #4d6c3b #5a3d3e #5aa469 #5b8264 #5c7b95 #5c7d43 #6491b5 #73a844 #744d3e #797d39 #79c47c #7b3a1c #7db1c7 "
    "#7e293d #95743e #958a8e #99964b #9c2c3c #a24c13 #a45b2d #a47a5d #acc4c4 #ada4a1 #bb957a #bc560c #bc943e #bdb482 "
    "#c4bab2 #db701b #dcb490 #de6364 #de8336 #e3b33d #e49552 #e4daca #ea343a #eb938b #fab97c #fcd5cd #ffffe9 #fffffa"
)
HIGH_CONTRAST: Final = hex_colours(
    "#000004 #010215 #0c2954 #184b22 #1d1a1e #202a28 #2b446a #2c61a2 #2e2929 #3b6578 #496353 #4a250d #4b3f11 #4c4a4d "
    "#4c74ab #565e4c #635410 #6a0516 #6c2302 #757275 #786444 #7d9cc2 #7e9987 #83410a #858284 #8a4a2d #8ca695 #916c43 "
    "#930316 #9ca78b #a13a06 #a8c2b0 #ad910e #b58d66 #b5b3b3 #b5c6d8 #b6592a #c24504 #c2b682 #cc343c #ccad0c #d75b65 "
    "#d9b19b #db0018 #dcdcda #e25d15 #e38b93 #e56c2b #ea8b5b #f2ba99 #f4cab1 #f69132 #f6ab63 #f8bd82 #fde25c #fdeea9"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
