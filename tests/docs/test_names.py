"""A name means one thing, or at most two."""

import ast
from collections import defaultdict
from pathlib import Path
from typing import Final

from docs.site.links import ROOT

PACKAGES: Final = ("benchmarks", "bot", "engines", "loopback", "opponents", "renderers", "storage", "tools")
CASES: Final = frozenset({"Colours"})
"""What each game has of its own: cases of one thing."""


def classes(module: Path) -> set[str]:
    found = (one.name for one in ast.parse(module.read_text(encoding="utf-8")).body if isinstance(one, ast.ClassDef))
    return {name for name in found if not name.startswith("_")}


def test_at_most_two_public_classes_share_a_name() -> None:
    known: dict[str, list[str]] = defaultdict(list)
    for package in PACKAGES:
        for module in sorted((ROOT / package).rglob("*.py")):
            for name in classes(module):
                known[name].append(str(module.relative_to(ROOT)))
    assert len(known) > 500
    assert {name: modules for name, modules in known.items() if len(modules) > 2 and name not in CASES} == {}
