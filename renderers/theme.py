"""One look for all pictures: sizes, the type scale, typefaces, and the palettes.

Everything is in pixels of the finished picture, which Discord shows at about half that width on a desktop and a third on a
phone. Light comes from the top left. There is no pure black and no pure white, so that pictures sit well on dark and light.
"""

from dataclasses import dataclass, fields
from enum import Enum, IntEnum
from functools import lru_cache
from typing import Final

import font_fredoka_one
import font_roboto

Colour = tuple[int, int, int]
"""Red, green, blue; 0 to 255."""

WIDTH: Final = 1024
MAX_HEIGHT: Final = 1024
EDGE: Final = 8
"""The transparent margin in which the card's soft edge fades out."""
CORNER: Final = 28
"""The radius of every large corner: the card, inset boards, playing cards."""
STRIP: Final = 80
"""The height of the strip with the seats."""
SUPERSAMPLE: Final = 4
"""How many times larger shapes are drawn before they are reduced."""

SHADOW_OFFSET: Final = (3, 5)
SHADOW_BLUR: Final = 2.5
SHADOW_STRENGTH: Final = 84
"""The one shadow that everything casts: to the bottom right, this far, this soft, this dark (0 to 255)."""


class Size(IntEnum):
    """The type scale. Nothing is written smaller than the first."""

    SMALL = 22
    BODY = 26
    NAME = 30
    HEADING = 36
    HUGE = 48


class Face(Enum):
    """The typefaces, by what they are for: Fredoka One for coordinates, numbers and labels, Roboto for names."""

    LABEL = font_fredoka_one.FredokaOne
    NAME = font_roboto.RobotoMedium
    NAME_STRONG = font_roboto.RobotoBold


class Mark(Enum):
    """The signs that tell seats apart without their colours."""

    DISC = "●"
    SQUARE = "■"
    TRIANGLE = "▲"
    DIAMOND = "◆"
    CROSS = "✚"
    STAR = "★"


@dataclass(frozen=True, slots=True)
class SeatLook:
    """How a seat looks: its colour, its mark, and what the mark is drawn in on that colour."""

    colour: Colour
    mark: Mark
    on_colour: Colour


@dataclass(frozen=True, slots=True)
class BouncersGround:
    """A trampoline from above: the mat's two squares, the gap with the springs, the pad round it and what is written there."""

    light: Colour
    dark: Colour
    gap: Colour
    spring: Colour
    pad: Colour
    pad_light: Colour
    on_pad: Colour


@dataclass(frozen=True, slots=True)
class TrampolineGround:
    """A garden party at dusk.

    Attributes:
        sky: nine bands from the lowest spot to the highest; on_sky: lines and stars there.
        skin: faces, from well to green.
        others: the hill and lawn, the trampoline, cheeks, and a balloon.
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


@dataclass(frozen=True, slots=True)
class BunnyGround:
    """A vegetable patch in a meadow: grass and soil, the cards' backs, the stripe of the shocks, and the small things."""

    grass: Colour
    grass_dark: Colour
    soil: Colour
    soil_dark: Colour
    back: Colour
    back_light: Colour
    back_dark: Colour
    stripe: Colour
    carrot: Colour
    leaf: Colour
    blossom: Colour
    sky: Colour
    on_grass: Colour


@dataclass(frozen=True, slots=True)
class PucksGround:
    """A rink of mats on a table.

    Attributes:
        table, table_light, panel: the table, its lit rim, and the sunk fields for cards; on_table: writing on all of them.
        ice, ice_block, ice_goal: mats by their kind; crease: the ice before a goal.
        line, hint: the lines between spaces, and what is printed on them.
        pool, pool_light, pool_dark: water. net, mesh: a goal's floor and its net.
        draw_card, action_card, changer_card, quick_card: cards by their kind; card_back: their backs.
        block, block_light: ice blocks.
        faded: the seats' colours in trails, and of pieces that are no longer there.
    """

    table: Colour
    table_light: Colour
    panel: Colour
    on_table: Colour
    ice: Colour
    ice_block: Colour
    ice_goal: Colour
    crease: Colour
    line: Colour
    hint: Colour
    pool: Colour
    pool_light: Colour
    pool_dark: Colour
    net: Colour
    mesh: Colour
    draw_card: Colour
    action_card: Colour
    changer_card: Colour
    quick_card: Colour
    card_back: Colour
    block: Colour
    block_light: Colour
    faded: tuple[Colour, ...]


@dataclass(frozen=True, slots=True)
class Palette:
    """All colours of one look. A game's own ground stands under its id: a dataclass of nothing but colours, and tuples of them.

    Attributes:
        ink, paper: dark and light: text, outlines, the strip. muted: text of seats that are out, on paper.
        line: thin lines on paper. gold: options, crowns, bursts; gold_dark: its shade. edge: the card's outline and soft edge.
        faint: the strength (0 to 1) of the oldest part of a trail.
        seats: by seat number.
    """

    ink: Colour
    paper: Colour
    muted: Colour
    line: Colour
    gold: Colour
    gold_dark: Colour
    edge: Colour
    faint: float
    seats: tuple[SeatLook, ...]
    bouncers: BouncersGround
    trampoline: TrampolineGround
    bunny: BunnyGround
    pucks: PucksGround


def hex_colour(code: str) -> Colour:
    """The colour written as ``#RRGGBB``."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def _through(codes: tuple[str, str, str], count: int) -> tuple[Colour, ...]:
    """So many colours in even steps from the first code through the second to the third."""
    first, second, third = map(hex_colour, codes)
    shares = [2 * step / (count - 1) for step in range(count)]
    return tuple(mix(first, second, share) if share <= 1 else mix(second, third, share - 1) for share in shares)


def anchors(of: Palette, game_id: str) -> tuple[Colour, ...]:
    """The colours that pictures of a game keep exactly: those that all games share, and the ground of its own."""
    shared = (of.ink, of.paper, of.muted, of.line, of.gold, of.gold_dark, of.edge, *(look.colour for look in of.seats))
    ground = getattr(of, game_id)
    own: list[Colour] = []
    for field in fields(ground):
        value = getattr(ground, field.name)
        own.extend([value] if isinstance(value[0], int) else value)
    return (*shared, *own)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`one` with this share (0 to 1) of `other` in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours from 1 to 21, as the Web Content Accessibility Guidelines 2.2 define it."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    parts = [value / 255 for value in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _seats(codes: tuple[str, ...], light: Colour, dark: Colour, enough: float) -> tuple[SeatLook, ...]:
    """Looks in the order of the marks; a mark is light where that has enough contrast with its colour."""
    looks = []
    for code, mark in zip(codes, Mark, strict=True):
        colour = hex_colour(code)
        looks.append(SeatLook(colour, mark, light if contrast(colour, light) >= enough else dark))
    return tuple(looks)


_INK: Final = hex_colour("#2b2140")
_PAPER: Final = hex_colour("#fff3dc")

# Seats: the palette of Okabe and Ito, which people with any of the usual colour-blindnesses can tell apart.
WARM: Final = Palette(
    ink=_INK,
    paper=_PAPER,
    muted=hex_colour("#6f6475"),
    line=hex_colour("#e6d3b1"),
    gold=hex_colour("#ffc83d"),
    gold_dark=hex_colour("#c98a12"),
    edge=hex_colour("#1d2b38"),
    faint=0.3,
    seats=_seats(("#d55e00", "#0072b2", "#009e73", "#f0e442", "#cc79a7", "#e69f00"), _PAPER, _INK, 3.0),
    bouncers=BouncersGround(
        light=hex_colour("#fbeccd"),
        dark=hex_colour("#b5d6c6"),
        gap=hex_colour("#12343c"),
        spring=hex_colour("#d9e4dc"),
        pad=hex_colour("#1c6a70"),
        pad_light=hex_colour("#2f8a8c"),
        on_pad=hex_colour("#fff3dc"),
    ),
    trampoline=TrampolineGround(
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
    ),
    bunny=BunnyGround(
        grass=hex_colour("#8cc152"),
        grass_dark=hex_colour("#5f9438"),
        soil=hex_colour("#8a5b3d"),
        soil_dark=hex_colour("#5b3827"),
        back=hex_colour("#3f8f5b"),
        back_light=hex_colour("#74b978"),
        back_dark=hex_colour("#2a6945"),
        stripe=hex_colour("#d3323b"),
        carrot=hex_colour("#f58220"),
        leaf=hex_colour("#4fa04a"),
        blossom=hex_colour("#f6a5b8"),
        sky=hex_colour("#5aa9d6"),
        on_grass=hex_colour("#2b2140"),
    ),
    pucks=PucksGround(
        table=hex_colour("#32315f"),
        table_light=hex_colour("#4d4c8a"),
        panel=hex_colour("#26254c"),
        on_table=hex_colour("#fff3dc"),
        ice=hex_colour("#edf5f4"),
        ice_block=hex_colour("#d8e9ef"),
        ice_goal=hex_colour("#f5ecda"),
        crease=hex_colour("#bfe0ee"),
        line=hex_colour("#bdd2d8"),
        hint=hex_colour("#a8c0ca"),
        pool=hex_colour("#4fb4d8"),
        pool_light=hex_colour("#ade3f0"),
        pool_dark=hex_colour("#1e6c97"),
        net=hex_colour("#424a6b"),
        mesh=hex_colour("#8591b3"),
        draw_card=hex_colour("#2c7c9c"),
        action_card=hex_colour("#b8433c"),
        changer_card=hex_colour("#6a4c9c"),
        quick_card=hex_colour("#c9851a"),
        card_back=hex_colour("#43427e"),
        block=hex_colour("#bfe6f1"),
        block_light=hex_colour("#f2fbfb"),
        faded=tuple(map(hex_colour, ("#e1ad7f", "#7bb6d4", "#7bcbb6", "#eeed9f", "#ddb9cf", "#eacc7f"))),
    ),
)

_HIGH_INK: Final = hex_colour("#0e0b14")
_HIGH_PAPER: Final = hex_colour("#fcfaf5")

HIGH_CONTRAST: Final = Palette(
    ink=_HIGH_INK,
    paper=_HIGH_PAPER,
    muted=hex_colour("#5f5966"),
    line=hex_colour("#8a8492"),
    gold=hex_colour("#ffd60a"),
    gold_dark=hex_colour("#8a6a00"),
    edge=hex_colour("#0e0b14"),
    faint=0.75,
    seats=_seats(("#e04e00", "#003f8f", "#007a55", "#ffe800", "#d05aa0", "#ff8c00"), _HIGH_PAPER, _HIGH_INK, 4.5),
    bouncers=BouncersGround(
        light=hex_colour("#fcfaf5"),
        dark=hex_colour("#a9b3b8"),
        gap=hex_colour("#0e0b14"),
        spring=hex_colour("#fcfaf5"),
        pad=hex_colour("#1b2430"),
        pad_light=hex_colour("#3a4a5e"),
        on_pad=hex_colour("#fcfaf5"),
    ),
    trampoline=TrampolineGround(
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
    ),
    bunny=BunnyGround(
        grass=hex_colour("#c3cbb4"),
        grass_dark=hex_colour("#7d8a6a"),
        soil=hex_colour("#3a3530"),
        soil_dark=hex_colour("#0e0b14"),
        back=hex_colour("#5f7d6a"),
        back_light=hex_colour("#9db5a5"),
        back_dark=hex_colour("#33493c"),
        stripe=hex_colour("#c40018"),
        carrot=hex_colour("#f57600"),
        leaf=hex_colour("#1f7a2c"),
        blossom=hex_colour("#fcfaf5"),
        sky=hex_colour("#0a62a8"),
        on_grass=hex_colour("#0e0b14"),
    ),
    pucks=PucksGround(
        table=hex_colour("#1b2430"),
        table_light=hex_colour("#3a4a5e"),
        panel=hex_colour("#0e0b14"),
        on_table=hex_colour("#fcfaf5"),
        ice=hex_colour("#fcfaf5"),
        ice_block=hex_colour("#e2e7ea"),
        ice_goal=hex_colour("#f6eed8"),
        crease=hex_colour("#c9dbe6"),
        line=hex_colour("#8a97a0"),
        hint=hex_colour("#6d7a84"),
        pool=hex_colour("#58a9d4"),
        pool_light=hex_colour("#e6f6fb"),
        pool_dark=hex_colour("#00345c"),
        net=hex_colour("#1b2430"),
        mesh=hex_colour("#aebcd0"),
        draw_card=hex_colour("#005f86"),
        action_card=hex_colour("#9a1f1f"),
        changer_card=hex_colour("#4b2a86"),
        quick_card=hex_colour("#8a5a00"),
        card_back=hex_colour("#3a4a5e"),
        block=hex_colour("#d5eaf2"),
        block_light=hex_colour("#fcfaf5"),
        faded=tuple(map(hex_colour, ("#ed9b6e", "#7193bd", "#71b49d", "#fef06e", "#e4a2c6", "#febe6e"))),
    ),
)


@lru_cache(maxsize=2)
def palette(high_contrast: bool) -> Palette:
    """The palette a person has chosen."""
    return HIGH_CONTRAST if high_contrast else WARM
