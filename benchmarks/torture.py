"""`make torture`: kills the bot with SIGKILL again and again while people play, and checks that nothing is lost.

`python -m benchmarks.torture [KILLS] [SEED]` kills a thousand times by default; with `--announcing` it kills each time at one
of the two calls of a message that pings. It is not part of `make bench`, because it takes minutes and should find no problem.
See tests/loopback/torment.py.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.databases import quick_folder
from tests.loopback.torment import Figures, torment

KILLS = 1000
TOLD_EVERY = 25
ANNOUNCING = "--announcing"


def main(kills: int = KILLS, seed: int = 1, *, announcing: bool = False) -> int:
    """Print the figures. Return the exit status: 1 if something is lost, doubled or left to do."""

    def tell(figures: Figures) -> None:
        if figures.kills % TOLD_EVERY == 0:
            print(f"{figures.kills:>6} kills, {figures.seconds:>6.0f} s, {figures.calls:>7,} calls", flush=True)

    with TemporaryDirectory(prefix="springboard-torture-", dir=quick_folder()) as folder:
        figures = asyncio.run(torment(Path(folder), kills, seed=seed, progress=tell, announcing=announcing))
    print(*figures.lines(), sep="\n")
    for problem in figures.problems:
        print(f"- {problem}")
    return 1 if figures.problems else 0


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word != ANNOUNCING]
    sys.exit(main(*numbers, announcing=ANNOUNCING in sys.argv))
