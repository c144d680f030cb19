"""The colours of BOUNCE, in the warm and the high-contrast look."""

from dataclasses import dataclass
from typing import Final

from renderers.theme import Colour, Palette, hex_colour, mix


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a garden party at dusk.

    Attributes:
        sky, on_sky: nine bands from the lowest spot to the highest, and lines and stars on them.
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
    """`count` colours in even steps from the first code to the second and on to the third."""
    first, second, third = map(hex_colour, codes)
    shares = [2 * step / (count - 1) for step in range(count)]
    return tuple(mix(first, second, share) if share <= 1 else mix(second, third, share - 1) for share in shares)


WARM: Final = Colours(
    sky=_through(("#fbb98a", "#a3578f", "#37306f"), 9),
    skin=_through(("#ffdcae", "#e3d992", "#9cc653"), 5),
    on_sky=hex_colour("#fff3dc"),
    hill=hex_colour("#3c5a6e"),
    grass=hex_colour("#4d9a63"),
    grass_dark=hex_colour("#35774f"),
    pad=hex_colour("#1c6a70"),
    pad_light=hex_colour("#35a09c"),
    mat=hex_colour("#2b2140"),
    spring=hex_colour("#d9e4dc"),
    cheek=hex_colour("#f58d7b"),
    balloon=hex_colour("#ef6f8e"),
)

HIGH_CONTRAST: Final = Colours(
    sky=_through(("#aebcd0", "#5b6a86", "#27304a"), 9),
    skin=_through(("#fff0d2", "#dcec9a", "#9ad12f"), 5),
    on_sky=hex_colour("#fcfaf5"),
    hill=hex_colour("#3a4a5e"),
    grass=hex_colour("#8fa08f"),
    grass_dark=hex_colour("#5d6e5f"),
    pad=hex_colour("#1b2430"),
    pad_light=hex_colour("#8b9bb0"),
    mat=hex_colour("#0e0b14"),
    spring=hex_colour("#fcfaf5"),
    cheek=hex_colour("#ff8f78"),
    balloon=hex_colour("#c9d2df"),
)


def colours_of(palette: Palette) -> Colours:
    """The colours of the game that match a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM
