"""The colours of Puck Bumpers, in the warm and the high-contrast look."""

from dataclasses import dataclass
from typing import Final

from renderers import theme
from renderers.theme import Colour, Palette, hex_colour, hex_colours, mix


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a rink of mats on a table.

    Attributes:
        table, table_light: the table and its lit edge.
        panel, on_table: sunken fields of the table, and the text on both the table and these fields.
        ice, ice_block, ice_goal: mats, by kind.
        crease: the ice in front of a goal.
        line, hint: the lines between spaces, and the numbers printed on spaces.
        pool, pool_light, pool_dark: water.
        net, mesh, wall: the floor of a goal, its net, and the wall round it.
        draw_card, action_card, changer_card, quick_card, card_back: cards, by kind, and the backs of all cards.
        block, block_light, block_dark, block_deep: blocks of ice: the face, and the edges from lit to shaded.
        button: the arrows of directions, coloured like the emoji on their buttons.
        faded: the faded part of each seat's trails.
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
    wall: Colour
    draw_card: Colour
    action_card: Colour
    changer_card: Colour
    quick_card: Colour
    card_back: Colour
    block: Colour
    block_light: Colour
    block_dark: Colour
    block_deep: Colour
    button: Colour
    faded: tuple[Colour, ...]


def _faded(palette: Palette, ice: str, share: float) -> tuple[Colour, ...]:
    """Return the colours of the seats, mixed with a share (0 to 1) of the ice."""
    return tuple(mix(look.colour, hex_colour(ice), share) for look in palette.seats)


WARM: Final = Colours(
    table=hex_colour("#32315f"), table_light=hex_colour("#4d4c8a"), panel=hex_colour("#26254c"),
    on_table=hex_colour("#fff3dc"), ice=hex_colour("#edf5f4"), ice_block=hex_colour("#d8e9ef"),
    ice_goal=hex_colour("#f5ecda"), crease=hex_colour("#bfe0ee"), line=hex_colour("#abc5ce"), hint=hex_colour("#a8c0ca"),
    pool=hex_colour("#4fb4d8"), pool_light=hex_colour("#ade3f0"), pool_dark=hex_colour("#1e6c97"),
    net=hex_colour("#424a6b"), mesh=hex_colour("#6d789b"), wall=hex_colour("#e8483f"), draw_card=hex_colour("#2c7c9c"),
    action_card=hex_colour("#b8433c"), changer_card=hex_colour("#6a4c9c"), quick_card=hex_colour("#c9851a"),
    card_back=hex_colour("#43427e"), block=hex_colour("#a5dcf0"), block_light=hex_colour("#f2fbfb"),
    block_dark=hex_colour("#6cb8dc"), block_deep=hex_colour("#3d8fc0"), button=hex_colour("#2f7fc0"),
    faded=_faded(theme.WARM, "#edf5f4", 0.52),
)  # fmt: skip

HIGH_CONTRAST: Final = Colours(
    table=hex_colour("#1b2430"), table_light=hex_colour("#3a4a5e"), panel=hex_colour("#0e0b14"),
    on_table=hex_colour("#fcfaf5"), ice=hex_colour("#fcfaf5"), ice_block=hex_colour("#e2e7ea"),
    ice_goal=hex_colour("#f6eed8"), crease=hex_colour("#c9dbe6"), line=hex_colour("#8a97a0"), hint=hex_colour("#6d7a84"),
    pool=hex_colour("#58a9d4"), pool_light=hex_colour("#e6f6fb"), pool_dark=hex_colour("#00345c"),
    net=hex_colour("#1b2430"), mesh=hex_colour("#5f7085"), wall=hex_colour("#ff5a4d"), draw_card=hex_colour("#005f86"),
    action_card=hex_colour("#9a1f1f"), changer_card=hex_colour("#4b2a86"), quick_card=hex_colour("#8a5a00"),
    card_back=hex_colour("#3a4a5e"), block=hex_colour("#bfe3f5"), block_light=hex_colour("#fcfaf5"),
    block_dark=hex_colour("#6fb3dc"), block_deep=hex_colour("#2a72aa"), button=hex_colour("#0a4f96"),
    faded=_faded(theme.HIGH_CONTRAST, "#fcfaf5", 0.45),
)  # fmt: skip


def colours_of(palette: Palette) -> Colours:
    """Return the colours of the game that go with a palette."""
    return HIGH_CONTRAST if palette.high_contrast else WARM


# --- shades, which `python -m tests.renderers.shades --write pucks` chooses from all samples ---

_WARM_SHADES: Final = hex_colours(
    "#1556bd #1a489b #22537a #39816b #3fa37b #433440 #47456b #4a8ae4 #4d4359 #5d5466 #604b3f #6a2e40 #6b8dc4 #70d9aa "
    "#796d30 #7e192e #8a9cac #913f50 #94898e #95753f #977eaf #9d9128 #a38754 #b4d278 #b5636f #b5acaa #c4d2d2 #c82b34 "
    "#c9e4ee #ca9e3e #cabeb5 #d1e8f0 #d4c61c #d55b5c #d7df46 #dcdfd6 #dd7774 #e5b43d #fdee5b #fee5ac"
)
_HIGH_CONTRAST_SHADES: Final = hex_colours(
    "#052644 #0b3a7f #141722 #1d5b84 #323944 #343138 #347b5c #387edd #3b3112 #43a376 #4c8ea7 #5b0a19 #5d4e11 #5e2527 "
    "#7ddfad #8068a7 #842e3b #857d61 #8c555c #93adbd #97cbe5 #998827 #aba9aa #af403a #af920d #b0b8bc #b1ac62 #b5d283 "
    "#b7615f #c02135 #c1b925 #ca4555 #d2d1c5 #d3e0e8 #d8e257 #dde7ec #e39fa4 #e3be0b #fbf35b #fceeae"
)


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """Return the colours of shadows, smooth edges and translucent parts that go with a palette."""
    return _HIGH_CONTRAST_SHADES if palette.high_contrast else _WARM_SHADES
