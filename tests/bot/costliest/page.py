"""The page of what each verb and command costs with its costliest input; a proof writes it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.bot.costliest.walk import Cost

TABLE: Final = "| verb or command | costliest input | on the event loop, ms | in all, s |\n| --- | --- | --- | --- |\n"


def write(page: Path, costs: Mapping[str, tuple[str, Cost]], day: str) -> None:
    """Write the table, sorted by how long each blocks the event loop. The words before it stay."""
    words = page.read_text(encoding="utf-8").partition("Measured on ")[0] if page.exists() else ""
    rows = sorted(costs.items(), key=lambda row: -row[1][1].stretch)
    lines = (f"| `{what}` | {words} | {cost.stretch * 1e3:.1f} | {cost.seconds:.2f} |\n" for what, (words, cost) in rows)
    page.write_text(f"{words}Measured on {day}.\n\n{TABLE}{''.join(lines)}", encoding="utf-8")
