"""The page of figures of the proofs: tests that take minutes, and run once for what they count (`make proofs`)."""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TABLE = "| proof | parts | passed | seconds of one core | when |\n| --- | --- | --- | --- | --- |\n"


def write(page: Path, stats: Mapping[str, Sequence[Any]]) -> None:
    """Update the page with a run's reports, which pytest sorts by outcome.

    The words before the table stay, and so do rows of proofs that were not run.
    """
    words = page.read_text(encoding="utf-8").partition(TABLE)[0] if page.exists() else ""
    lines = page.read_text(encoding="utf-8").splitlines() if page.exists() else []
    rows = {line.split("|")[1]: line for line in lines if line.startswith("| ") and "(tests/" in line}
    found: dict[str, list[Any]] = {}
    for report in (one for outcome in ("passed", "failed") for one in stats.get(outcome, ())):
        if report.when == "call":
            found.setdefault(report.nodeid.partition("[")[0], []).append(report)
    for name, reports in found.items():
        row = _row(name, reports)
        rows[row.split("|")[1]] = row
    page.write_text(words + TABLE + "".join(f"{row}\n" for row in sorted(rows.values())), encoding="utf-8")


def _row(name: str, reports: Sequence[Any]) -> str:
    file, _, test = name.rpartition("::")
    words = test.removeprefix("test_").replace("_", " ")
    passed, seconds = sum(1 for one in reports if one.passed), sum(one.duration for one in reports)
    return f"| {words} ({file}) | {len(reports)} | {passed} | {seconds:,.0f} | {time.strftime('%Y-%m-%d', time.gmtime())} |"
