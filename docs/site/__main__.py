"""`python -m docs.site`: builds the site into `build/site`, and checks it.

With `--external` it also asks the network whether the addresses of other sites still work.
"""

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sphinx.cmd.build import main as sphinx

from docs.site import kept, links
from docs.site.built import look_through
from docs.site.links import ROOT
from docs.site.pages import Writer

SOURCE: Final = ROOT / "build" / "site-source"
SITE: Final = ROOT / "build" / "site"
CACHE: Final = ROOT / "build" / "site-cache"


def build() -> list[str]:
    """Build the site, and return everything that is wrong with it."""
    began = time.monotonic()
    if faults := [*(fault for file in links.documents() for fault in links.broken(file)), *kept.outdated_pictures()]:
        return faults
    for folder in (SOURCE, SITE, CACHE):
        shutil.rmtree(folder, ignore_errors=True)
    writer = Writer(SOURCE)
    writer.everything()
    if run("html", SITE):
        return ["Sphinx has stopped, see above"]
    found = look_through(SITE)
    size = sum(path.stat().st_size for path in SITE.rglob("*") if path.is_file())
    report(
        f"{found.pages} pages, {writer.pictures} pictures, {found.links} links ({len(found.external)} other sites), "
        f"{size / 1e6:.1f} MB, {time.monotonic() - began:.0f} s: {os.path.relpath(SITE / 'index.html')}"
    )
    return list(found.faults)


def run(builder: str, output: Path) -> int:
    """Run Sphinx, with every warning as an error."""
    arguments = ["-b", builder, "-q", "-W", "--keep-going", "-c", str(ROOT / "docs"), "-d", str(CACHE)]
    return int(sphinx([*arguments, str(SOURCE), str(output)]))


def report(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the site. Returns 1 if anything is wrong with it."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument("--external", action="store_true", help="also ask whether the addresses of other sites are there")
    external = parser.parse_args(arguments).external
    faults = build()
    for fault in faults:
        report(fault)
    if external and not faults:
        return run("linkcheck", ROOT / "build" / "site-links")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
