"""Chooses a game's shades: the colours beside those of the theme that its palette of fixed length needs.

`python -m tests.renderers.shades --write [GAME …]` draws all samples of all games, or of those named, in both looks, and writes
the best shades at the end of `renderers/<game>/colours.py`. Run it when a test says that the shades of a game no longer suit
its pictures. Golden pictures change with them.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from PIL import Image, ImageChops

from engines import GAMES
from renderers import RENDERERS, banner, theme
from renderers.scene import Finale
from renderers.theme import Colour, Palette
from tests.renderers.samples import BY_GAME
from tests.renderers.scenes import Sample

COUNT: Final = 40
"""How many shades there are. With 32, trails and ghosts in some seats' colours are off; with 56, files are larger by a tenth,
take longer to compress, and look the same."""
_STEP: Final = 3
"""Every n-th pixel of every n-th row is looked at: an odd number, since much of what is drawn lies at even distances."""
_FOLDER: Final = Path(__file__).parents[2] / "renderers"
_LOOKS: Final = {"WARM": theme.WARM, "HIGH_CONTRAST": theme.HIGH_CONTRAST}
_MARK: Final = "# --- shades, which `python -m tests.renderers.shades --write {game_id}` chooses from all samples ---"
_SECTION: Final = '''
{looks}


def shades_of(palette: Palette) -> tuple[Colour, ...]:
    """The colours of shadows, smooth edges and translucent parts that match a palette."""
    return _HIGH_CONTRAST_SHADES if palette.high_contrast else _WARM_SHADES
'''


def cards(game_id: str, palette: Palette) -> list[Image.Image]:
    """All samples of a game in a palette, and the banner above a board."""
    samples = [make() for make in BY_GAME[game_id].named.values()]
    drawn = [_card(sample, palette) for sample in samples]
    finale = Finale(winners=(0,), ratings=((1500, 1513),) * samples[0].view.seats)
    return [*drawn, banner.over(drawn[0], samples[0].view, samples[0].scene, finale, palette)]


def _card(sample: Sample[Any], palette: Palette) -> Image.Image:
    return RENDERERS[sample.game_id].draw(sample.view, replace(sample.scene, high_contrast=palette.high_contrast))


def chosen(game_id: str, palette: Palette) -> tuple[Colour, ...]:
    """The shades that suit all samples of a game best.

    First come those of large areas, then one after the other whichever colour is worst off so far. How far off counts for more
    than how often: everybody sees that a thin trail has another hue.
    """
    anchors, pictures = RENDERERS[game_id].anchors(palette), cards(game_id, palette)
    shades = sorted({colour for picture in pictures for colour in broad(picture)} - {*anchors})
    there = _colours_in(pictures)
    off = {colour: min(_distance(colour, other) for other in (*anchors, *shades)) for colour in there}
    while len(shades) < COUNT:
        worst = max(there, key=lambda colour: there[colour] * off[colour] ** 3)
        shades.append(worst)
        off = {colour: min(before, _distance(colour, worst)) for colour, before in off.items()}
    return tuple(sorted(shades))


def broad(card: Image.Image) -> set[Colour]:
    """The colours that fill more than a sixtieth of a picture each."""
    pixels = card.width * card.height
    return {_three(colour) for count, colour in card.getcolors(pixels) or [] if count > pixels / 60}


def _three(colour: object) -> Colour:
    """A colour as Pillow tells it."""
    assert isinstance(colour, tuple)
    red, green, blue = colour
    return red, green, blue


def _colours_in(cards: Sequence[Image.Image]) -> dict[Colour, int]:
    """How often each colour occurs in pictures. Those that differ by no more than 7 count as one, their mean."""
    sums: dict[Colour, list[int]] = {}
    for card in cards:
        sample = card.resize((card.width // _STEP, card.height // _STEP), Image.Resampling.NEAREST)
        for count, colour in sample.getcolors(sample.width * sample.height) or []:
            red, green, blue = _three(colour)
            kept = sums.setdefault((red // 8, green // 8, blue // 8), [0, 0, 0, 0])
            for place, value in enumerate((1, red, green, blue)):
                kept[place] += count * value
    return {(round(r / count), round(g / count), round(b / count)): count for count, r, g, b in sums.values()}


def _distance(one: Colour, other: Colour) -> int:
    """The squared distance of two colours, by which Pillow finds the nearest of a palette."""
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def amiss(card: Image.Image, file: bytes) -> tuple[float, float]:
    """The shares of a card's pixels, without the rim, that a file puts off by more than 16, and by more than 32."""
    rim = theme.EDGE + 2
    inside = (rim, rim, card.width - rim, card.height - rim)
    bands = ImageChops.difference(card, Image.open(BytesIO(file)).convert("RGB")).crop(inside).split()
    counts = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2]).histogram()
    return sum(counts[17:]) / sum(counts), sum(counts[33:]) / sum(counts)


def write(game_id: str) -> None:
    """Write the shades at the end of the module with the colours of a game."""
    looks = "\n".join(_listed(f"_{name}_SHADES", chosen(game_id, palette)) for name, palette in _LOOKS.items())
    file, mark = _FOLDER / game_id / "colours.py", _MARK.format(game_id=game_id)
    colours = file.read_text("utf-8").partition(mark)[0].rstrip()
    file.write_text(f"{colours}\n\n\n{mark}\n{_SECTION.format(looks=looks)}", "utf-8")


def _listed(name: str, colours: tuple[Colour, ...]) -> str:
    """A tuple of colours in Python."""
    codes = ["#{:02x}{:02x}{:02x}".format(*colour) for colour in colours]
    rows = [" ".join(codes[first : first + 14]) for first in range(0, len(codes), 14)]
    return "\n".join([f"{name}: Final = hex_colours(", *(f'    "{row}{" " * (row != rows[-1])}"' for row in rows), ")"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.renderers.shades", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", choices=[[], *GAMES], help="the games' ids; all if none is named")
    parser.add_argument("--write", action="store_true", required=True, help="write the shades")
    for game_id in parser.parse_args().games or GAMES:
        write(game_id)


if __name__ == "__main__":
    main()
