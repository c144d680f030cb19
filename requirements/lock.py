"""Write the pinned requirements: `make lock`, or `make UPGRADE=yes lock` for the newest versions.

Three sets, each a superset of the one before: `image` is what the container holds, `run` adds the sandbox, `dev` adds the
tools for tests and lint. `docs` is what `make docs` needs, in the versions of `dev` where both have a package, so that one
virtual environment can hold all. The files name versions and hashes, never an index.

A pin that fits stays as it is. With `--upgrade`, each becomes the newest that is a week old: a release that was a mistake, or
was made by a thief, is found out within days as a rule.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Final

HERE = Path(__file__).parent
SETS = {"image": ["postgresql"], "run": ["postgresql", "sandbox"], "dev": ["dev"], "docs": ["docs"]}
SAME: Final = {"docs": "dev"}
"""The set whose versions another set takes over. It has to come first."""


def main() -> None:
    """Resolve every set for all platforms and Python versions that the project supports."""
    newest = ["--upgrade", "--exclude-newer", "7 days"] if "--upgrade" in sys.argv[1:] else []
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
        for name, extras in SETS.items():
            chosen = [word for extra in extras for word in ("--extra", extra)]
            same = ["--constraints", HERE / f"{SAME[name]}.txt"] if name in SAME else []
            subprocess.run(
                [python, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11",
                 "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate",
                 HERE.parent / "pyproject.toml", HERE / "build.in", *chosen, *same,
                 *newest, "--output-file", HERE / f"{name}.txt"],
                check=True, cwd=HERE.parent,
            )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
