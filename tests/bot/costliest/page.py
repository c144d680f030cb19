"""The page of what each verb and command costs with its costliest input; a proof writes it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.bot.costliest.walk import Cost

SHOWN: Final = 15
"""The costliest verbs and commands, which the page shows."""

TABLE: Final = "| verb or command | costliest input | on the event loop, ms | in all, s |\n| --- | --- | --- | --- |\n"


def write(page: Path, costs: Mapping[str, tuple[str, Cost]], day: str) -> None:
    """Write the costliest rows of the table, and what the others stay below. The words before it stay."""
    words = page.read_text(encoding="utf-8").partition("Measured on ")[0] if page.exists() else ""
    rows = sorted(costs.items(), key=lambda row: -row[1][1].stretch)
    lines = (
        f"| `{what}` | {words} | {cost.stretch * 1e3:.1f} | {cost.seconds:.2f} |\n" for what, (words, cost) in rows[:SHOWN]
    )
    most = max((cost.stretch for _, (_, cost) in rows[SHOWN:]), default=0.0)
    others = f"The other {len(rows[SHOWN:])} take {most * 1e3:.1f} ms of the event loop at most."
    page.write_text(f"{words}Measured on {day}. {others}\n\n{TABLE}{''.join(lines)}", encoding="utf-8")
