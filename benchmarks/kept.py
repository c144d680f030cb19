"""The reference for counted work: what an action and each picture cost when it was kept, and what costs more since then."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

PLACE: Final = Path(__file__).parent / "reference.json"
LIMIT: Final = 1.1
"""How many times as much as when the reference was kept anything may cost."""
COMMAND: Final = ".venv/bin/python -m benchmarks.counted --keep"

Counts = Mapping[str, Mapping[str, float]]
"""The counts of an action and of pictures, each by its kind."""


def keep(counts: Counts) -> None:
    """Make these counts the reference."""
    rounded = {name: {kind: round(count, 2) for kind, count in kinds.items()} for name, kinds in counts.items()}
    PLACE.write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")


def reference() -> Any:
    """Return the counts that were kept."""
    return json.loads(PLACE.read_text(encoding="utf-8"))


def complaints(counts: Counts, before: Counts) -> list[str]:
    """Return a sentence for each count that is above the limit, and for each that only one of the two has."""
    kinds = sorted({(name, kind) for both in (counts, before) for name, found in both.items() for kind in found})
    said = (_complaint(name, kind, counts.get(name, {}).get(kind), before.get(name, {}).get(kind)) for name, kind in kinds)
    return [f"{one} If this is meant: {COMMAND}" for one in said if one]


def _complaint(name: str, kind: str, now: float | None, then: float | None) -> str:
    if now is None or then is None:
        return f"{name}: {kind} {'has a reference, but is not counted' if now is None else 'has no reference'}."
    if now <= then * LIMIT:
        return ""
    share = f"{now / then:.3f} times the reference" if then else "none in the reference"
    return f"{name}: {kind} {now:,.2f} instead of {then:,.2f}, {share}, where {LIMIT} is allowed."
