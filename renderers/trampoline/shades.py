"""The shades of BOUNCE: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write trampoline`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#184da8 #224d5d #338487 #3a304b #4989e4 #4d4359 #4f6aa2 #659ae2 #6e1a31 #735a3f #73a651 #73d7a2 #7f7b78 #816d93 "
    "#85ace1 #893847 #91b380 #95753f #958a8e #9e706e #9fa3a8 #abe2b9 #b38c3e #bc82a4 #bca176 #c5bab2 #c92e36 #d0494d "
    "#d1a43e #d96564 #fcee5c #fdf082"
)
HIGH_CONTRAST: Final = hex_colours(
    "#0a408e #0b316c #2874db #2b62af #343138 #390a17 #43a376 #4587df #4a474c #5c4d11 #650c1c #6a99c7 #738474 #773c56 "
    "#796f32 #82a942 #8e091c #8eb5e8 #8ee3b6 #985e76 #a5a1a4 #a69f62 #ae920d #b1eaca #b2788d #babea8 #c53244 #d2616e "
    "#d4b20c #de8d95 #f5e471 #fea88e"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
