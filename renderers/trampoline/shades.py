"""The shades of BOUNCE: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write trampoline`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#224d5d #3a304b #4a6e8e #4d4359 #5bbc99 #5da1c2 #605667 #735a3f #73a651 #773c23 #7f7b78 #816d93 #8cb9c9 #8ccdad "
    "#91b380 #95753f #958a8e #9e706e #9fa3a8 #ab4f10 #b38c3e #bca176 #bdb2ac #c6cecb #cc94a3 #d17857 #d1a43e #da701b "
    "#df8336 #ed9656 #f6aab1 #fed469"
)
HIGH_CONTRAST: Final = hex_colours(
    "#052c62 #2a2213 #2c60a1 #2c9071 #343138 #4a3e12 #4a474c #58a78d #5b86bb #5d7b23 #6c290b #6d5c10 #738474 #754436 "
    "#82a942 #8bc0ad #998739 #9b6c5e #a48a0e #a5a1a4 #a69f62 #ac3d05 #babea8 #c19281 #caaa0c #e3be0b #e56c2b #e6e4e2 "
    "#ec8e46 #efad87 #fdf287 #feee56"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
