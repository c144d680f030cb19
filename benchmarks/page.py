"""The page of figures, docs/performance.md, whose table and plot are written by this module."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from benchmarks import day_plot, plot
from benchmarks.figures import Figure, number
from benchmarks.measuring import ROOT, Measured, as_json, from_json

PAGE: Final = ROOT / "docs" / "performance.md"
NEWEST: Final = ROOT / "benchmarks" / "newest.json"
"""The file with the figures from which the page was written."""
PLOT: Final = ROOT / "docs" / "pictures" / "growth.png"
DAY: Final = ROOT / "docs" / "pictures" / "day.png"
BEGIN, END = "<!-- figures: written by `python -m benchmarks --write` -->", "<!-- end of the figures -->"
_HEADER: Final = ("figure", "before", "now", "aim", "reference", "ratio")
_ON_THE_PAGE: Final = ("figure", "now", "aim", "beside")


def rows(measured: Measured) -> Iterator[tuple[str, ...]]:
    for figure, before in measured.pairs():
        ratio = "" if figure.ratio is None else f"{number(figure.ratio)} ×"
        if before is not None and before.ratio is not None:
            ratio = f"{number(before.ratio)} × → {ratio}"
        beside = figure.reference
        yield (
            figure.name + (f" ({figure.note})" if figure.note else ""),
            "" if before is None else _quantity(before.value, figure.unit),
            _quantity(figure.value, figure.unit),
            _aims(figure),
            "" if beside is None else f"{beside.name}: {_quantity(beside.value, figure.unit)}",
            ratio,
        )


def _quantity(value: float, unit: str) -> str:
    return f"{number(value)} {unit}".rstrip()


def table(all_measured: Sequence[Measured]) -> str:
    """Return all figures in one aligned Markdown table."""
    lines: list[tuple[str, ...]] = [_HEADER]
    for measured in all_measured:
        lines.append((f"**{measured.benchmark}**", *[""] * (len(_HEADER) - 1)))
        lines += rows(measured)
    return aligned(lines)


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Return an aligned Markdown table from its cells, line by line, with the header first."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    texts = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines]
    return "\n".join([texts[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *texts[1:]])


def newest() -> list[Measured]:
    read: list[Any] = json.loads(NEWEST.read_text(encoding="utf-8")) if NEWEST.exists() else []
    return [
        Measured(one["benchmark"], one["where"], from_json(one["now"]), from_json(one["before"])) for one in read
    ]  # fmt: skip


def write(measured: Sequence[Measured]) -> None:
    """Write new figures to the page, where the figures of other benchmarks stay."""
    known = {one.benchmark: one for one in (*newest(), *measured)}
    everything = [known[name] for name in sorted(known)]
    kept = [{"benchmark": one.benchmark, "where": one.where, "now": as_json(one.now), "before": as_json(one.before)}
            for one in everything]  # fmt: skip
    NEWEST.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PLOT.write_bytes(plot.drawn(figure for one in everything for figure in one.now))
    if day := known.get(day_plot.BENCHMARK):
        DAY.write_bytes(day_plot.drawn(day))
    page = PAGE.read_text(encoding="utf-8")
    start, rest = page.split(BEGIN)
    PAGE.write_text(f"{start}{BEGIN}\n{section(everything)}\n{END}{rest.split(END)[1]}", encoding="utf-8")


def section(everything: Sequence[Measured]) -> str:
    """Return the machines, and a table of the figures that have an aim."""
    lines: list[tuple[str, ...]] = [_ON_THE_PAGE]
    for measured in everything:
        aimed = [figure for figure in measured.now if figure.aims]
        lines += [(f"**{measured.benchmark}**", "", "", "")] if aimed else []
        for figure in aimed:
            reference = figure.reference
            beside = f"{number(figure.ratio)} × {reference.name}" if reference is not None and figure.ratio is not None else ""
            lines.append((figure.name, _quantity(figure.value, figure.unit), _aims(figure), beside))
    where = dict.fromkeys(one.where for one in everything)
    machines = [f"- {place} ({', '.join(one.benchmark for one in everything if one.where == place)})" for place in where]
    return "\n".join(["", *machines, "", aligned(lines), ""])


def _aims(figure: Figure) -> str:
    return f"{', '.join(map(str, figure.aims))} {'✓' if figure.met else '✗'}" if figure.aims else ""
