"""Measures how far apart the colours of the seats look, and writes the page about it.

`python -m tests.renderers.colour_table` prints docs/colours.md; with ``--write`` it writes the file.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from engines import GAMES
from engines.text import SEAT_COLOURS
from renderers import theme
from renderers.bouncers.colours import colours_of as bouncers_colours
from renderers.bunny.colours import colours_of as bunny_colours
from renderers.pucks.colours import colours_of as pucks_colours
from renderers.theme import Colour, Palette, hex_colour, hex_colours
from renderers.trampoline.colours import colours_of as trampoline_colours
from tests.renderers.colour_vision import SIGHTS, chroma, difference, hue, lab

FILE: Final = Path(__file__).parents[2] / "docs/colours.md"
PALETTES: Final[Mapping[str, Palette]] = {"normal": theme.WARM, "high contrast": theme.HIGH_CONTRAST}
EARLIER: Final[Mapping[str, Sequence[Colour]]] = {
    "normal": hex_colours("#d55e00 #0072b2 #009e73 #f0e442 #cc79a7 #e69f00"),
    "high contrast": hex_colours("#e04e00 #003f8f #007a55 #ffe800 #d05aa0 #ff8c00"),
}
"""The seats' colours of versions up to 0.1: those of Okabe and Ito, and brighter ones. The present ones are further apart."""
HUES: Final[Mapping[str, tuple[int, int]]] = {
    "Red": (15, 46), "Blue": (240, 302), "Green": (130, 175), "Yellow": (85, 112), "Purple": (308, 335), "Orange": (50, 72),
}  # fmt: skip
"""The hue angles in CIELAB, in degrees, that people call by a name. In the gaps between them they disagree."""
BASIC: Final[Mapping[str, Colour]] = {
    name: hex_colour(code)
    for name, code in {
        "Red": "#e50000", "Orange": "#f97306", "Yellow": "#ffff14", "Green": "#15b01a", "Blue": "#0343df", "Purple": "#7e1e9c",
        "Pink": "#ff81c0", "Brown": "#653700", "Grey": "#929591", "Black": "#000000", "White": "#ffffff",
    }.items()
}  # fmt: skip
"""What people call by the eleven basic names of colours in English, on average, by the survey of xkcd (2010)."""


def seats(palette: Palette) -> dict[str, Colour]:
    """The colours of the seats by their names."""
    return {str(name): look.colour for name, look in zip(SEAT_COLOURS, palette.seats, strict=True)}


def nearest_name(colour: Colour) -> str:
    """The basic name whose colour differs least from this one."""
    return min(BASIC, key=lambda name: difference(colour, BASIC[name]))


def pairs(colours: Mapping[str, Colour], sight: str) -> dict[tuple[str, str], float]:
    """The difference of every two colours by their names, as people with this sight see them."""
    return {(one, other): difference(colours[one], colours[other], sight) for one, other in combinations(colours, 2)}


def _mat(palette: Palette) -> dict[str, Colour]:
    colours = bouncers_colours(palette)
    return {"light square": colours.light, "dark square": colours.dark, "padding": colours.pad}


def _patch(palette: Palette) -> dict[str, Colour]:
    colours = bunny_colours(palette)
    return {"card": colours.back, "soil": colours.soil, "grass": colours.grass}


def _rink(palette: Palette) -> dict[str, Colour]:
    colours = pucks_colours(palette)
    return {
        "ice": colours.ice, "mat of blocks": colours.ice_block, "mat of a goal": colours.ice_goal, "crease": colours.crease,
    }  # fmt: skip


def _sky(palette: Palette) -> dict[str, Colour]:
    return {f"sky at {height}": colour for height, colour in enumerate(trampoline_colours(palette).sky, 1)}


GROUNDS: Final[Mapping[str, Callable[[Palette], dict[str, Colour]]]] = {
    "bouncers": _mat, "bunny": _patch, "trampoline": _sky, "pucks": _rink,
}  # fmt: skip
"""The large areas of each game's board, by its id, on which things in the colours of the seats lie, by their names."""


def nearest_ground(colour: Colour, game_id: str, palette: Palette, sight: str) -> tuple[float, str]:
    """The ground of a game that differs least from a colour under a sight: how much it does, and its name."""
    return min((difference(colour, ground, sight), name) for name, ground in GROUNDS[game_id](palette).items())


# --- the page -------------------------------------------------------------------------------------------------------------


_HEAD: Final = """\
# Colours

Each seat has a name, a colour and a mark. The colour is what the name says, and the mark tells the seat without any colour.
In messages an emoji of the bot’s own shows both; until it is uploaded, and where words are pasted elsewhere, a round emoji of
everybody’s stands in for it.

This page measures the colours that `renderers/theme.py` has. A test compares it; after a change of a colour,
`python -m tests.renderers.colour_table --write` writes it anew.

Differences are CIEDE2000 (Sharma, Wu and Dalal 2005): 1 is just visible between large fields that touch. *Protan*, *deutan*
and *tritan* are the sights of people without cones for long, middle or short waves, simulated in linear RGB by the matrices
of Machado, Oliveira and Fernandes (2009) for severity 1. Contrasts are those of WCAG 2.2.

## The smallest difference between two seats

*Before* are the palettes of version 0.1, of which the normal one is that of Okabe and Ito. No difference may fall below
theirs.
"""
_NAMES: Final = """
## What the names say

The hue is the angle in CIELAB. It has to be in the range that people call by the name of the seat. Of the eleven basic names
of colours in English, each colour is nearest to its own, by the averages of the survey of xkcd (2010). Marks and digits on a
colour are light or dark, and have a contrast of at least 4.5.
"""
_PAIRS: Final = """
## Between every two seats

After each number stands that of the high-contrast palette.
"""
_GROUNDS: Final = """
## Between seats and boards

The ground of each game that differs least from each seat. Pieces and guests have a dark outline besides, so they can be seen
on any ground.
"""


def page() -> str:
    """The page as it has to be."""
    parts = [_HEAD, *_smallest(), _NAMES, *_named(), _PAIRS, *_apart(), _GROUNDS, *_on_grounds()]
    return "\n".join(parts) + "\n"


def _smallest() -> Iterator[str]:
    yield from _table_head("palette", *(f"{sight}{when}" for sight in SIGHTS for when in (", before", "")))
    for name, palette in PALETTES.items():
        before = dict(zip(seats(palette), EARLIER[name], strict=True))
        smallest = (min(pairs(colours, sight).values()) for sight in SIGHTS for colours in (before, seats(palette)))
        yield _row(name, *(f"{value:.1f}" for value in smallest))


def _named() -> Iterator[str]:
    yield from _table_head("palette", "seat", "colour", "lightness", "chroma", "hue", "range", "marks and digits")
    for name, palette in PALETTES.items():
        for number, (seat, look) in enumerate(zip(SEAT_COLOURS, palette.seats, strict=True), 1):
            on, (low, high) = "dark" if look.on_colour == palette.ink else "light", HUES[seat]
            yield _row(
                name, f"{number} {look.mark.value} {seat}", "`#{:02x}{:02x}{:02x}`".format(*look.colour),
                f"{lab(look.colour)[0]:.0f}", f"{chroma(look.colour):.0f}", f"{hue(look.colour):.0f}°", f"{low}°–{high}°",
                f"{on}, {theme.contrast(look.colour, look.on_colour):.1f} : 1",
            )  # fmt: skip


def _apart() -> Iterator[str]:
    yield from _table_head("seats", *SIGHTS)
    found = {sight: [pairs(seats(palette), sight) for palette in PALETTES.values()] for sight in SIGHTS}
    for pair in combinations(map(str, SEAT_COLOURS), 2):
        yield _row(
            " – ".join(pair), *(" / ".join(f"{differences[pair]:.0f}" for differences in found[sight]) for sight in SIGHTS)
        )


def _on_grounds() -> Iterator[str]:
    yield from _table_head("palette", "game", "seat", *SIGHTS)
    for name, palette in PALETTES.items():
        for game_id in GROUNDS:
            game = GAMES[game_id]
            for seat, colour in list(seats(palette).items())[: game.seats[-1]]:
                found = (nearest_ground(colour, game_id, palette, sight) for sight in SIGHTS)
                yield _row(name, game.title, seat, *(f"{value:.0f} ({ground})" for value, ground in found))


def _table_head(*titles: str) -> Iterator[str]:
    yield _row(*titles)
    yield _row(*("---" for _ in titles))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.renderers.colour_table", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/colours.md, not the standard output")
    if parser.parse_args().write:
        FILE.write_text(page(), "utf-8")
    else:
        sys.stdout.write(page())


if __name__ == "__main__":
    main()
