"""`make bench`: measures what the project promises.

A benchmark is a module in this folder with a function `run` that yields lines of text. All of them run, unless some are named:
`python -m benchmarks bouncers_perft`.
"""

import importlib
import pkgutil
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import benchmarks

Run = Callable[[], Iterator[str]]


def found() -> dict[str, Run]:
    """The benchmarks, by the names of their modules."""
    names = sorted(module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_"))
    modules = ((name, importlib.import_module(f"benchmarks.{name}")) for name in names)
    return {name: module.run for name, module in modules if hasattr(module, "run")}


def main(names: Sequence[str]) -> int:
    """Run the benchmarks of these names, or all of them. Returns the exit status: 2 if there is no such benchmark."""
    runs = found()
    if unknown := [name for name in names if name not in runs]:
        print(f"No benchmark is called {', '.join(unknown)}; there are: {', '.join(runs)}.", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    for name in names or runs:
        print(f"\n{name}")
        began = time.perf_counter()
        for line in runs[name]():
            print(f"  {line}", flush=True)
        print(f"  ({time.perf_counter() - began:.1f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
