"""Golden pictures: what a few samples look like, kept as files and compared pixel by pixel.

`python -m tests.renderers.golden --write` draws them anew; look at each before it is committed. The comparison is exact: shapes
are drawn by Pillow with whole numbers, and Pillow brings its own FreeType, so a new picture means a change here or in Pillow.
"""

import sys
from pathlib import Path
from typing import Final

from renderers import draw
from tests.renderers.scenes import SAMPLES

FOLDER: Final = Path(__file__).parent / "golden"
NAMES: Final = (
    "bouncers-move",
    "bouncers-options",
    "bouncers-high-contrast",
    "trampoline-bump",
    "trampoline-landing",
    "bunny-chain",
    "bunny-swap",
    "pucks-chain",
    "pucks-targets",
    "pucks-old-school",
)


def drawn(name: str) -> bytes:
    """The sample's picture as it is drawn now."""
    sample = SAMPLES[name]()
    return draw(sample.game_id, sample.view, sample.scene)


def write() -> None:
    """Write all golden pictures, and remove those that are none any more."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.glob("*.png"):
        if path.stem not in NAMES:
            path.unlink()
    for name in NAMES:
        (FOLDER / f"{name}.png").write_bytes(drawn(name))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit("Say --write to draw the golden pictures anew.")
    write()
