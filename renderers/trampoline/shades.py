"""The shades of BOUNCE: the colours of shadows, of smooth edges, and of translucent parts.

Written by `python -m tests.renderers.shades --write trampoline`, which chooses them from all samples.
"""

from typing import Final

from renderers.theme import Colour, Palette, hex_colours

WARM: Final = hex_colours(
    "#184da8 #1e408b #224d5d #2b78e5 #338487 #3a304b #4989e4 #4d4359 #4f6aa2 #605667 #659ae2 #6e1a31 #735a3f #73a651 "
    "#73d7a2 #7f7b78 #816d93 #85ace1 #893847 #91b380 #95753f #958a8e #9e706e #9fa3a8 #abe2b9 #ae3d64 #b38c3e #bc82a4 "
    "#bca176 #c5bab2 #c6cecb #c92e36 #cc94a3 #d0494d #d1a43e #d4c61c #d96564 #f6aab1 #fcee5c #fdf082"
)
HIGH_CONTRAST: Final = hex_colours(
    "#0a408e #0b316c #1f1c24 #2874db #2b62af #2e664e #343138 #390a17 #3b3112 #43a376 #4587df #4a474c #5c4d11 #650c1c "
    "#6a99c7 #709527 #738474 #773c56 #796f32 #82a942 #8e091c #8eb5e8 #8ee3b6 #985e76 #998739 #a5a1a4 #a69f62 #ae920d "
    "#b1eaca #b2788d #babea8 #c4c4c3 #c53244 #d2616e #d4b20c #de8d95 #e38e44 #e6e4e2 #f5e471 #fea88e"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The shades that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
