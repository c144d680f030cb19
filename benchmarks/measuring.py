"""Runs benchmarks, each in a process of its own, on this checkout and on another checkout of the project."""

import importlib
import json
import os
import pkgutil
import platform
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from pydantic import TypeAdapter

import benchmarks
from benchmarks.figures import Figure, Reference

ROOT: Final = Path(__file__).parents[1]
OURS: Final = frozenset({"benchmarks", "loopback", "tests", ".ci"})
"""The folders that are taken from this checkout when another one is measured: what measures, and what starts its PostgreSQL."""
_FIGURES: Final = TypeAdapter(list[Figure])


@dataclass(frozen=True)
class Measured:
    """A benchmark's figures on this checkout (`now`) and on another one (`before`). `where` is the machine and the date."""

    benchmark: str
    where: str
    now: list[Figure]
    before: list[Figure]

    def pairs(self) -> Iterator[tuple[Figure, Figure | None]]:
        """Return each figure, with that of the other checkout or None."""
        known = {figure.name: figure for figure in self.before}
        return ((figure, known.get(figure.name)) for figure in self.now)


def modules() -> Iterator[Any]:
    """Yield the modules of all benchmarks, sorted by name."""
    for name in sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__)):
        if name != "__main__" and hasattr(module := importlib.import_module(f"benchmarks.{name}"), "run"):
            yield module


def found() -> list[str]:
    return [module.__name__.rpartition(".")[2] for module in modules()]


def here() -> str:
    """Return the machine and the date, in one line."""
    cpu = next((line.partition(":")[2].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), "")
    memory = next((int(line.split()[1]) / 2**20 for line in _lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    return (
        f"{time.strftime('%Y-%m-%d', time.gmtime())}: Python {platform.python_version()}, {platform.system()} on "
        f"{os.cpu_count()} × {cpu or platform.machine()}, {memory:.0f} GB"
    )


def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines() if Path(path).exists() else []


def measure(name: str, before: Path | None, rounds: int) -> Measured:
    """Run a benchmark several times, in turns with another checkout if one is given. Return the median of each figure."""
    print(f"{name} …", file=sys.stderr, flush=True)
    now: list[list[Figure]] = []
    then: list[list[Figure]] = []
    with TemporaryDirectory(prefix="springboard-before-") as folder:
        other = None if before is None else mixed(before, Path(folder))
        for _ in range(rounds):
            if other is not None:
                then.append(in_process(name, other))
            now.append(in_process(name, ROOT))
    return Measured(name, here(), middles(now), middles(then))


def mixed(before: Path, folder: Path) -> Path:
    """Fill a folder with links to the other checkout, but to this one for all that measures (`OURS`). Return the folder."""
    theirs = (place for place in before.resolve().iterdir() if not place.name.startswith(".") and place.name not in OURS)
    for place in (*theirs, *(ROOT / name for name in OURS)):
        (folder / place.name).symlink_to(place)
    return folder


def in_process(name: str, root: Path) -> list[Figure]:
    """Return a benchmark's figures from a process of its own on a checkout. Raise CalledProcessError if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", f"from benchmarks.measuring import tell; tell({name!r})"],
        cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return from_json(json.loads(done.stdout.splitlines()[-1]))


def tell(name: str, **sizes: Any) -> None:
    """Run a benchmark in this process, and write its figures as a line of JSON."""
    print(json.dumps(as_json(importlib.import_module(f"benchmarks.{name}").run(**sizes))))


def as_json(figures: Iterator[Figure] | Sequence[Figure]) -> list[Mapping[str, Any]]:
    """Return figures as they are kept, with a course and pairs only if they have any."""
    return [{name: value for name, value in asdict(one).items() if name not in {"course", "pairs"} or value} for one in figures]


def from_json(read: Any) -> list[Figure]:
    return _FIGURES.validate_python(read)


def middles(rounds: Sequence[Sequence[Figure]]) -> list[Figure]:
    """Return the figures of several rounds as one round: the median of each figure and of its reference, and all pairs."""
    return [_middle(same) for same in zip(*rounds, strict=True)]


def _middle(same: Sequence[Figure]) -> Figure:
    value, pairs = median(figure.value for figure in same), tuple(pair for figure in same for pair in figure.pairs)
    references = [figure.reference for figure in same if figure.reference is not None]
    if not references:
        return replace(same[-1], value=value)
    return replace(
        same[-1], value=value, pairs=pairs, reference=Reference(references[0].name, median(one.value for one in references))
    )
