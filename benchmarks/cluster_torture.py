"""`make torture-cluster`: kills one of three bots after another while people play on twelve shards, and checks everything.

`python -m benchmarks.cluster_torture [KILLS]` kills a hundred times by default. `--help` says what else can happen to the bots
and to their PostgreSQL. It is not part of `make bench`, because it takes half an hour and should find no problem. See
tests/loopback/cluster_torment.py.
"""

import argparse
import asyncio
import dataclasses
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.databases import quick_folder
from tests.loopback.cluster_torment import Figures, Plan, torment


def _tell(figures: Figures) -> None:
    blow = figures.blows[-1]
    taken = [blow.answered.get(shard, float("inf")) for shard in blow.shards]
    late = f"answers again after {max(taken):.1f} s at most" if taken else "it had no shards"
    print(f"{figures.seconds:>6.0f} s, {len(figures.blows):>4} {blow.kind}: {late}", flush=True)
    for problem in figures.problems[: 3 if len(figures.blows) % 10 == 0 else 0]:
        print(f"    {problem[:300]}", flush=True)


def main() -> int:
    """Print the figures. Return the exit status: 1 if there is any problem."""
    defaults = {field.name: field.default for field in dataclasses.fields(Plan)}
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cluster_torture", description="Torture a cluster of bots.")
    parser.add_argument("kills", nargs="?", type=int, default=100, help="how often one is killed")
    for name in ("freezes", "stops", "restarts", "shards", "servers", "tables", "concurrency", "bots"):
        parser.add_argument(f"--{name}", type=int, default=defaults[name])
    parser.add_argument("--lease", type=float, help="the seconds for which a lease lasts")
    parser.add_argument("--pace", type=float, default=defaults["pace"], help="the seconds that people think")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, help="where to keep what the bots have logged")
    asked = vars(parser.parse_args())
    seed, log = asked.pop("seed"), asked.pop("log")
    with TemporaryDirectory(prefix="springboard-torture-", dir=quick_folder()) as folder:
        try:
            figures = asyncio.run(torment(Path(folder), Plan(**asked), seed=seed, progress=_tell))
        finally:
            if log is not None:
                log.write_bytes(b"".join(path.read_bytes() for path in Path(folder).glob("*.log")))
    print(*figures.lines(), sep="\n")
    for problem in figures.problems:
        print(f"- {problem}")
    return 1 if figures.problems else 0


if __name__ == "__main__":
    sys.exit(main())
