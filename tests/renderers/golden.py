"""Golden pictures: pictures of a few samples, stored as files and compared pixel by pixel.

`python -m tests.renderers.golden --write [GAME …]` draws them anew, for all games or those named; look at each before it is
committed. With ``--show`` instead, all samples are drawn into a temporary folder, as wide as Discord shows them on a desktop
(550 pixels) and on a phone (350), and there also in grey.

Shapes are drawn by Pillow with whole numbers, and Pillow brings its own FreeType, so a new picture means a change here or in
Pillow.
"""

import argparse
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from engines import GAMES
from renderers import draw
from tests.renderers.samples import BY_GAME, SAMPLES

FOLDER: Final = Path(__file__).parent / "golden"
GOLDEN: Final = {game_id: tuple(f"{game_id}-{name}" for name in samples.golden) for game_id, samples in BY_GAME.items()}
"""The names of every game's golden pictures."""
WIDTHS: Final = (550, 350)  # how wide Discord shows a picture on a desktop and on a phone, in pixels
NAMES: Final = tuple(name for names in GOLDEN.values() for name in names)


def drawn(name: str) -> bytes:
    """The sample's picture as it is drawn now."""
    sample = SAMPLES[name]()
    return draw(sample.game_id, sample.view, sample.scene)


def write(games: list[str]) -> None:
    """Write the golden pictures of these games, and remove those that are none any more."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.png"):
        if path.stem not in NAMES:
            path.unlink()
    for game_id in games:
        for name in GOLDEN[game_id]:
            (FOLDER / f"{name}.png").write_bytes(drawn(name))


def show(games: list[str]) -> Path:
    """Draw all samples of these games at the sizes that people see them in, and return the folder."""
    folder = Path(tempfile.mkdtemp(prefix="springboard-samples-"))
    for name, sample in SAMPLES.items():
        if sample().game_id not in games:
            continue
        picture = Image.open(BytesIO(drawn(name)))
        for width in WIDTHS:
            small = picture.convert("RGBA").resize((width, picture.height * width // picture.width), Image.Resampling.LANCZOS)
            small.save(folder / f"{name}-{width}.png")
        small.convert("LA").save(folder / f"{name}-{width}-grey.png")
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.renderers.golden", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games' ids; all if none is named")
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--write", action="store_true", help="write the files that the tests compare with")
    wanted.add_argument("--show", action="store_true", help="draw all samples as Discord shows them, into a temporary folder")
    arguments = parser.parse_args()
    games = arguments.games
    if unknown := set(games) - set(GAMES):
        parser.error(f"there is no game {', '.join(sorted(unknown))}")
    if arguments.show:
        sys.stdout.write(f"{show(games or list(GAMES))}\n")
    else:
        write(games or list(GAMES))


if __name__ == "__main__":
    main()
