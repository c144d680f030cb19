"""The shades of Puck Bumpers: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write pucks`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#0b7c64 #144b7c #14645b #21163a #25ab82 #3b324d #42b48e #4c2d34 #4d4359 #4d7493 #4e7472 #54516c #624c3f #62be9b "
    "#63a38e #689faf #6a2e40 #743b25 #796d42 #7fb554 #89d1e7 #8b441c #8d8389 #938c9b #94373f #948275 #94863b #9c6342 "
    "#9ea6b4 #a38653 #a389ba #a93b3f #a94e11 #acaeb7 #b4aaa7 #ba9c89 #bd7637 #c59b3e #c5d262 #c5d3d2 #c9e4ee #cadde4 "
    "#ce766a #d1c6bb #d96e17 #dd7c2e #dde0d6 #e0e56f #e28c44 #e2b33b #e2d6c4 #eb665a #eba363 #f4ae9c #fff972 #ffffea"
)
HIGH_CONTRAST: Final = hex_colours(
    "#000007 #010413 #043473 #052644 #054534 #064d6c #09192c #1c1922 #1c8b79 #2c1412 #323944 #343138 #3a2363 #3c3312 "
    "#40a383 #416fa9 #441c0f #488ca6 #5e2527 #645311 #6b2404 #7c5342 #7c8b95 #7e65a6 #7eae5c #857d61 #8b3308 #988726 "
    "#9acae4 #a19209 #a33b06 #a9a296 #ac8946 #aca9aa #af403a #b2b9be #b85e5c #bb4204 #bb8e71 #bcb355 #c3a40d #c6ced2 "
    "#c76938 #ccad9c #ccce2b #d4d2c6 #d9dada #e0bc0b #e46623 #e97e45 #f2ba9a #f3a43e #fbedac #fc776b #fffd3d #fffde5"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
