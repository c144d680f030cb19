"""Write the pinned requirements: `make lock`, or `make UPGRADE=yes lock` for the newest versions.

Three sets, each a superset of the one before: `image` is what the container holds, `run` adds the sandbox, `dev` adds the
tools for tests and lint. The files name versions and hashes, never an index.

A pin that fits stays as it is. With `--upgrade`, each becomes the newest that is a week old: a release that was a mistake, or
was made by a thief, is found out within days as a rule.
"""

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).parent
SETS = {"image": ["postgresql"], "run": ["postgresql", "sandbox"], "dev": ["dev"]}


def main() -> None:
    """Resolve every set for all platforms and Python versions that the project supports."""
    newest = ["--upgrade", "--exclude-newer", "7 days"] if "--upgrade" in sys.argv[1:] else []
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
        for name, extras in SETS.items():
            chosen = [word for extra in extras for word in ("--extra", extra)]
            subprocess.run(
                [python, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11",
                 "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate",
                 HERE.parent / "pyproject.toml", HERE / "build.in", *chosen,
                 *newest, "--output-file", HERE / f"{name}.txt"],
                check=True, cwd=HERE.parent,
            )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
