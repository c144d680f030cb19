"""The shades of BOUNCE: what comes of shadows, of smooth edges, and of what shines through.

Written by `python -m tests.renderers.shades --write trampoline`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#1f82b7 #224d5d #3a304b #3e92bc #4d4359 #563030 #5bbc99 #5da1c2 #73a651 #7f7b78 #804020 #816d93 #84484a #8cb9c9 "
    "#8ccdad #91b380 #95743f #958a8e #9e706e #9fa3a8 #ab4f10 #ba923e #bdb1ab #c46958 #c9ae76 #cc94a3 #da701b #df8336 "
    "#e1b1aa #e49551 #e5b43d #f4e869"
)
HIGH_CONTRAST: Final = hex_colours(
    "#043271 #072552 #2b2313 #2c60a1 #2c9071 #343138 #443812 #536d22 #59a78d #5b86bb #6c290b #6e5c10 #754436 #787579 "
    "#82a942 #998739 #9b6c5e #a58a0e #a69f62 #a6c493 #ac3d05 #b55626 #b5b2b3 #c09d8b #cbaa0c #cbb533 #e1dfdc #e56c2b "
    "#ec8e46 #efad87 #f5e471 #fee14c"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
