"""Measures how far apart the seats' colours look, and writes the page about it.

`python -m tests.renderers.colour_table` prints docs/colours.md; with ``--write`` it writes the file.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Final

from engines.text import SEAT_COLOURS
from renderers import theme
from renderers.theme import Colour, Palette, hex_colour, hex_colours
from tests.renderers.colour_vision import SIGHTS, chroma, difference, hue, lab

FILE: Final = Path(__file__).parents[2] / "docs/colours.md"
PALETTES: Final[Mapping[str, Palette]] = {"normal": theme.WARM, "high contrast": theme.HIGH_CONTRAST}
EARLIER: Final[Mapping[str, Sequence[Colour]]] = {
    "normal": hex_colours("#d55e00 #0072b2 #009e73 #f0e442 #cc79a7 #e69f00"),
    "high contrast": hex_colours("#e04e00 #003f8f #007a55 #ffe800 #d05aa0 #ff8c00"),
}
"""The seats' colours of versions up to 0.1: those of Okabe and Ito, and brighter ones."""
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
"""The average colours of the eleven basic names in English, according to the xkcd survey (2010)."""


def seats(palette: Palette) -> dict[str, Colour]:
    """The colours of the seats by name."""
    return {str(name): look.colour for name, look in zip(SEAT_COLOURS, palette.seats, strict=True)}


def nearest_name(colour: Colour) -> str:
    """The basic name whose colour differs least from this one."""
    return min(BASIC, key=lambda name: difference(colour, BASIC[name]))


def pairs(colours: Mapping[str, Colour], sight: str) -> dict[tuple[str, str], float]:
    """The differences of every two colours by name, as people with this sight see them."""
    return {(one, other): difference(colours[one], colours[other], sight) for one, other in combinations(colours, 2)}


_SMALLEST: Final = """\
# Colours

Each seat has a name, a colour and a mark. The colour is the one that the name says, and the mark identifies the seat without
any colour. In messages, the bot’s own emoji shows both. Until that emoji is uploaded, and wherever text is pasted elsewhere, an
ordinary round emoji takes its place.

The colours are defined in `renderers/theme.py`, and the figures in the tables are measured from them. After changing a colour,
run `python -m tests.renderers.colour_table --write`. A test checks that this page is up to date.

Differences are given in CIEDE2000 (Sharma, Wu and Dalal 2005). A difference of 1 is just visible between large fields that
touch, and small marks with something between them need about 10. *Protan*, *deutan* and *tritan* describe how people see who
lack the cones for long, middle or short waves. Their sight is simulated in linear RGB with the matrices of Machado, Oliveira
and Fernandes (2009) for severity 1. Contrasts are those of WCAG 2.2.

## The smallest difference between two seats

No difference may fall below that of version 0.1 (*before*), whose normal palette was that of Okabe and Ito. There is no such
limit for boards, because pieces and guests have a dark outline that shows on any background.
"""
_NAMES: Final = """
## What the names say

The hue is an angle in CIELAB. It lies in the range that people call by the name of the seat. Among the eleven basic colour
names of English, each colour is nearest to its own name, according to the averages of the xkcd survey (2010). The marks and
digits on a colour are light or dark, with a contrast of at least 4.5.
"""


def page() -> str:
    """The page as it has to be."""
    return "\n".join([_SMALLEST, *_smallest(), _NAMES, *_named()]) + "\n"


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
