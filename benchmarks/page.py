"""The page of figures, docs/performance.md, whose tables and plot are written by this module."""

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
BEGIN_BESIDE, END_BESIDE = "<!-- beside 1.0.0: written by `python -m benchmarks --write` -->", "<!-- end of beside 1.0.0 -->"
_HEADER: Final = ("figure", "before", "now", "aim", "reference", "ratio")
_ON_THE_PAGE: Final = ("figure", "now", "aim", "beside")
_IN_PAIRS: Final = ("figure", "1.0.0", "now", "ratios", "better", "aim")


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
    for begin, end, text in ((BEGIN, END, section(everything)), (BEGIN_BESIDE, END_BESIDE, in_pairs(everything))):
        start, rest = page.split(begin)
        page = f"{start}{begin}\n{text}\n{end}{rest.split(end)[1]}"
    PAGE.write_text(page, encoding="utf-8")


def in_pairs(everything: Sequence[Measured]) -> str:
    """Return a table of the figures that were measured in turns with version 1.0.0."""
    lines: list[tuple[str, ...]] = [_IN_PAIRS]
    for figure in (figure for one in everything for figure in one.now if figure.pairs):
        then = "" if figure.reference is None else _quantity(figure.reference.value, figure.unit)
        ratios = "/".join(f"{pair.ratio:.2f}" for pair in sorted(figure.pairs, key=lambda pair: pair.ratio))
        better = f"{figure.better}/{len(figure.pairs)}"
        lines.append((figure.name, then, _quantity(figure.value, figure.unit), ratios, better, _aims(figure)))
    return "\n".join(["", aligned(lines), ""])


def section(everything: Sequence[Measured]) -> str:
    """Return a table of the figures that have an aim and were not measured in pairs, and the machines of both tables."""
    lines: list[tuple[str, ...]] = [_ON_THE_PAGE]
    shown = [one for one in everything if any(figure.aims for figure in one.now)]
    for measured in shown:
        aimed = [figure for figure in measured.now if figure.aims and not figure.pairs]
        lines += [(f"**{measured.benchmark}**", "", "", "")] if aimed else []
        for figure in aimed:
            reference = figure.reference
            beside = f"{number(figure.ratio)} × {reference.name}" if reference is not None and figure.ratio is not None else ""
            lines.append((figure.name, _quantity(figure.value, figure.unit), _aims(figure), beside))
    return "\n".join(["", *_machines(shown), "", aligned(lines), ""])


def _machines(shown: Sequence[Measured]) -> Iterator[str]:
    """Yield a line for each machine, with what was measured on it, by date."""
    found: dict[str, dict[str, list[str]]] = {}
    for one in shown:
        date, _, machine = one.where.partition(": ")
        found.setdefault(machine, {}).setdefault(date, []).append(one.benchmark)
    for machine, dates in found.items():
        told = (f"{', '.join(names)} ({date})" for date, names in sorted(dates.items()))
        yield f"- {machine}: {'; '.join(told)}"


def _aims(figure: Figure) -> str:
    return f"{', '.join(map(str, figure.aims))} {'✓' if figure.met else '✗'}" if figure.aims else ""
