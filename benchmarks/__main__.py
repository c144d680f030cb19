"""`make bench`: measures what the project promises, and prints one table.

`python -m benchmarks [NAMES] [--before PATH] [--rounds N] [--write]`. A benchmark is a module of this folder that has a
function `run`, which yields figures (`benchmarks/figures.py`), and small sizes, `TINY`, for trying it out. Each benchmark runs
in a process of its own. `--before` also measures another checkout by the same benchmarks, in turns with this one. `--write`
updates docs/performance.md, where the figures of benchmarks that are not named stay as they are.
"""

import argparse
import sys
from pathlib import Path
from subprocess import CalledProcessError
from time import monotonic

from benchmarks import page
from benchmarks.measuring import found, here, measure


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks that are named, or all. Return the exit status: 1 if one failed, 2 if there is no such benchmark."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure what the project promises.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which benchmarks; all unless some are named")
    parser.add_argument("--before", type=Path, help="another checkout, measured by the same benchmarks in turns with this one")
    parser.add_argument("--rounds", type=int, default=1, help="how often everything is measured; the medians count")
    parser.add_argument("--write", action="store_true", help="write the figures to docs/performance.md")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if name not in found()]:
        print(f"No benchmark is called {', '.join(unknown)}; there are: {', '.join(found())}.", file=sys.stderr)
        return 2
    measured, failed = [], []
    for name in asked.names or found():
        began = monotonic()
        try:
            measured.append(measure(name, asked.before, asked.rounds))
        except CalledProcessError:  # it has said why
            failed.append(name)
            continue
        print(f"{name}: {monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        if asked.write:
            page.write(measured[-1:])
    beside = [page.in_pairs(measured)] if any(figure.pairs for one in measured for figure in one.now) else []
    print(here(), page.table(measured), *beside, sep="\n\n")
    if failed:
        print(f"Not measured: {', '.join(failed)}.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
