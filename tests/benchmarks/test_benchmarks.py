"""Every benchmark can start, and its figures are on record."""

import os
from pathlib import Path

import pytest

from benchmarks import cluster, growth, page, plot
from benchmarks.__main__ import main
from benchmarks.figures import Figure, Reference, at_most
from benchmarks.load.scenes import start
from benchmarks.measuring import ROOT, Measured, found, mixed, modules
from tests.loopback.postgresql import NotInstalled

MODULES = {module.__name__.rpartition(".")[2]: module for module in modules()}


LONG = frozenset({"beside", "cluster", "discord_load", "growth", "small_server", "thinking"})
"""Benchmarks that start many bots, think for long, or last for hours of a bot."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.proof if name in LONG else pytest.mark.slow) for name in MODULES]
)
def test_a_benchmark_can_start_and_its_figures_are_on_the_page(name: str) -> None:
    known = {one.benchmark: one for one in page.newest()}
    try:
        figures = list(MODULES[name].run(**MODULES[name].TINY))
    except NotInstalled as missing:
        if os.environ.get("CI") == "true":
            raise  # there it has to be there
        pytest.skip(str(missing))
    assert [figure.name for figure in figures] == [figure.name for figure in known[name].now]


@pytest.mark.proof
async def test_a_bot_that_has_games_already_can_be_measured(tmp_path: Path) -> None:
    found = await start(tmp_path, 10)
    assert min(found.cpu, found.wall, found.first, found.warm) > 0


@pytest.mark.proof
async def test_bots_that_share_the_shards_can_be_measured(tmp_path: Path) -> None:
    try:
        load = await cluster.played(tmp_path, count=2, at_tables=2, actions=4, shards=2)
    except NotInstalled as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))
    assert load.found.actions == 4
    assert min(load.rate, load.found.cpu, load.database) > 0
    assert load.found.times.answers
    assert load.found.times.boards


def test_the_page_has_the_figures_of_every_benchmark_as_they_were_measured() -> None:
    newest = page.newest()
    assert [one.benchmark for one in newest] == found()
    written = page.PAGE.read_text(encoding="utf-8")
    assert page.section(newest) in written
    assert page.in_pairs(newest) in written


def test_the_growth_that_is_plotted_was_measured() -> None:
    points = [figure.point for one in page.newest() for figure in one.now if figure.point is not None]
    for panel, sizes in zip(plot.PANELS, (growth.OPEN, growth.RATES), strict=True):
        for kind, _, _ in growth.KINDS:
            assert [point.size for point in points if point.series == f"{kind}, by {panel.by}"] == list(sizes)
    assert page.PLOT.read_bytes().startswith(b"\x89PNG")


def test_a_table_has_a_row_for_each_figure_with_what_it_was_before() -> None:
    drawn = Figure(
        name="a board", value=7, unit="ms", aims=at_most(8), reference=Reference("chess", 70), times_better=True, note="warm"
    )
    before = Figure(name="a board", value=14, unit="ms", reference=Reference("chess", 70), times_better=True)
    lines = page.table([Measured("pictures", "here", [drawn], [before])]).splitlines()
    assert [cell.strip() for cell in lines[-1].split("|")[1:-1]] == [
        "a board (warm)", "14 ms", "7 ms", "≤ 8 ✓", "chess: 70 ms", "5 × → 10 ×",
    ]  # fmt: skip
    assert len({len(line) for line in lines}) == 1, "the columns are aligned"


def test_another_checkout_is_measured_by_the_benchmarks_of_this_one(tmp_path: Path) -> None:
    other = tmp_path / "other"
    for name in ("bot", "tests", "benchmarks", ".git", ".ci"):
        (other / name).mkdir(parents=True)
    (tmp_path / "mixed").mkdir()
    root = mixed(other, tmp_path / "mixed")
    assert {place.name: place.resolve().parent for place in root.iterdir()} == {
        "bot": other, "loopback": ROOT, "tests": ROOT, "benchmarks": ROOT, ".ci": ROOT,
    }  # fmt: skip


def test_an_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chess"]) == 2
    assert "there are: beside, bouncers_perft" in capsys.readouterr().err
