"""Golden pictures: what a few samples look like, kept as files and compared pixel by pixel.

`python -m tests.renderers.golden --write [GAME …]` draws them anew, for all games or those named; look at each before it is
committed. The comparison is exact: shapes are drawn by Pillow with whole numbers, and Pillow brings its own FreeType, so a new
picture means a change here or in Pillow.
"""

import argparse
from pathlib import Path
from typing import Final

from engines import GAMES
from renderers import draw
from tests.renderers.samples import BY_GAME, SAMPLES

FOLDER: Final = Path(__file__).parent / "golden"
GOLDEN: Final = {game_id: tuple(f"{game_id}-{name}" for name in samples.golden) for game_id, samples in BY_GAME.items()}
"""The names of every game's golden pictures."""
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


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.renderers.golden", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="the games' ids; all if none is named")
    parser.add_argument("--write", action="store_true", required=True, help="write the files that the tests compare with")
    games = parser.parse_args().games
    if unknown := set(games) - set(GAMES):
        parser.error(f"there is no game {', '.join(sorted(unknown))}")
    write(games or list(GAMES))


if __name__ == "__main__":
    main()
