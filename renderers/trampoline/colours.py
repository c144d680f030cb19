"""The colours of BOUNCE, in the warm and the high-contrast look."""

from dataclasses import dataclass
from typing import Final

from renderers.theme import Colour, Palette, hex_colour, hex_colours, mix


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a garden party at dusk.

    Attributes:
        sky, on_sky: nine bands from the lowest spot to the highest, and the lines and stars on them.
        skin: faces, from well to sick.
        hill, grass, grass_dark: the hills and the lawn.
        pad, pad_light, mat, spring: the trampoline.
        cheek, balloon: cheeks and tongues, and the balloon, cake and flags.
    """

    sky: tuple[Colour, ...]
    skin: tuple[Colour, ...]
    on_sky: Colour
    hill: Colour
    grass: Colour
    grass_dark: Colour
    pad: Colour
    pad_light: Colour
    mat: Colour
    spring: Colour
    cheek: Colour
    balloon: Colour


def _through(codes: tuple[str, str, str], count: int) -> tuple[Colour, ...]:
    """Return `count` colours in even steps, from the first code through the second to the third."""
    first, second, third = map(hex_colour, codes)
    shares = [2 * step / (count - 1) for step in range(count)]
    return tuple(mix(first, second, share) if share <= 1 else mix(second, third, share - 1) for share in shares)


WARM: Final = Colours(
    sky=_through(("#fbb98a", "#a3578f", "#37306f"), 9), skin=_through(("#ffdcae", "#e3d992", "#9cc653"), 5),
    on_sky=hex_colour("#fff3dc"), hill=hex_colour("#3c5a6e"), grass=hex_colour("#4d9a63"), grass_dark=hex_colour("#35774f"),
    pad=hex_colour("#1c6a70"), pad_light=hex_colour("#35a09c"), mat=hex_colour("#2b2140"), spring=hex_colour("#d9e4dc"),
    cheek=hex_colour("#f58d7b"), balloon=hex_colour("#ef6f8e"),
)  # fmt: skip

HIGH_CONTRAST: Final = Colours(
    sky=_through(("#aebcd0", "#5b6a86", "#27304a"), 9), skin=_through(("#fff0d2", "#dcec9a", "#9ad12f"), 5),
    on_sky=hex_colour("#fcfaf5"), hill=hex_colour("#3a4a5e"), grass=hex_colour("#8fa08f"), grass_dark=hex_colour("#5d6e5f"),
    pad=hex_colour("#1b2430"), pad_light=hex_colour("#8b9bb0"), mat=hex_colour("#0e0b14"), spring=hex_colour("#fcfaf5"),
    cheek=hex_colour("#ff8f78"), balloon=hex_colour("#c9d2df"),
)  # fmt: skip


def colours_of(palette: Palette) -> Colours:
    """Return the colours of the game that go with a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM


# --- shades, which `python -m tests.renderers.shades --write trampoline` chooses from all samples ---

_WARM_SHADES: Final = hex_colours(
    "#184da8 #1e408b #224d5d #2b78e5 #338487 #3a304b #4989e4 #4d4359 #4f6aa2 #605667 #659ae2 #6e1a31 #735a3f #73a651 "
    "#73d7a2 #7f7b78 #816d93 #85ace1 #893847 #91b380 #95753f #958a8e #9e706e #9fa3a8 #abe2b9 #ae3d64 #b38c3e #bc82a4 "
    "#bca176 #c5bab2 #c6cecb #c92e36 #cc94a3 #d0494d #d1a43e #d4c61c #d96564 #f6aab1 #fcee5c #fdf082"
)
_HIGH_CONTRAST_SHADES: Final = hex_colours(
    "#0a408e #0b316c #1f1c24 #2874db #2b62af #2e664e #343138 #390a17 #3b3112 #43a376 #4587df #4a474c #5c4d11 #650c1c "
    "#6a99c7 #709527 #738474 #773c56 #796f32 #82a942 #8e091c #8eb5e8 #8ee3b6 #985e76 #998739 #a5a1a4 #a69f62 #ae920d "
    "#b1eaca #b2788d #babea8 #c4c4c3 #c53244 #d2616e #d4b20c #de8d95 #e38e44 #e6e4e2 #f5e471 #fea88e"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """Return the colours of shadows, smooth edges and translucent parts that go with a palette."""
    return _HIGH_CONTRAST_SHADES if palette.high_contrast else _WARM_SHADES
