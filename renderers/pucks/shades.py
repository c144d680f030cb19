"""The shades of Puck Bumpers: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write pucks`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#144b7c #14645b #42b48e #4c2d34 #4d4359 #689faf #6a2e40 #743b25 #796d42 #7fb554 #8b441c #938c9b #94373f #948275 "
    "#9c6342 #9ea6b4 #a38653 #a94e11 #b4aaa7 #ba9c89 #bd7637 #c59b3e #c5d262 #c5d3d2 #ce766a #d96e17 #dde0d6 #e28c44 "
    "#e2b33b #eba363 #fff972 #ffffea"
)
HIGH_CONTRAST: Final = hex_colours(
    "#000007 #054534 #1c8b79 #2c1412 #343138 #3a2363 #3c3312 #40a383 #488ca6 #5e2527 #645311 #6b2404 #7c8b95 #7e65a6 "
    "#857d61 #988726 #9acae4 #a9a296 #aca9aa #af403a #b2b9be #b85e5c #bb4204 #c3a40d #d4d2c6 #d9dada #e0bc0b #e46623 "
    "#f2ba9a #f3a43e #fbedac #fffd3d"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
