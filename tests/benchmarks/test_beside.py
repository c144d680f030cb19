"""What a host pays stands beside version 1.0.0: who is measured when, and what the table says."""

import pytest

from benchmarks import beside, page
from benchmarks.beside import ROWS, Checkout, figures, in_turns
from benchmarks.figures import Figure, Pair, Reference, at_most, times_at_most
from benchmarks.load.process import HERE
from benchmarks.measuring import Measured, as_json, from_json, middles
from benchmarks.reference import VERSION, OutOfReach


def test_both_versions_are_measured_in_turns_and_the_first_one_changes() -> None:
    order: list[str] = []

    def measure(checkout: Checkout) -> list[float]:
        order.append(checkout.name)
        return [float(len(order))]

    found = in_turns(3, [Checkout(VERSION, HERE, HERE), Checkout("now", HERE, HERE)], measure)
    assert order == [VERSION, "now", "now", VERSION, VERSION, "now"]
    assert found == {VERSION: [[1.0], [4.0], [5.0]], "now": [[2.0], [3.0], [6.0]]}


def test_each_figure_has_the_medians_and_all_pairs() -> None:
    then, now = [[10.0] * len(ROWS), [20.0] * len(ROWS), [30.0] * len(ROWS)], [[4.0] * len(ROWS)] * 3
    found = list(figures(now, then))
    assert [one.name for one in found] == [row.name for row in ROWS]
    assert {(one.value, one.reference, one.pairs) for one in found} == {
        (4.0, Reference(VERSION, 20.0), (Pair(10, 4), Pair(20, 4), Pair(30, 4)))
    }
    assert {one.ratio for one in found} == {0.2}
    assert {one.better for one in found} == {3}


def test_a_clone_without_the_reference_is_measured_alone_and_says_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> None:
        raise OutOfReach("Fetch it: git fetch --unshallow")

    monkeypatch.setattr(beside, "reference", missing)
    monkeypatch.setattr(beside, "PRODUCT", ())
    with beside.checkouts() as known:
        assert [one.name for one in known] == ["now"]
    assert capsys.readouterr().err == "Fetch it: git fetch --unshallow\nUntil then, only this version is measured.\n"


def test_without_the_reference_only_aims_for_the_values_are_left() -> None:
    found = list(figures([[4.0] * len(ROWS)], []))
    assert {one.name for one in found if one.aims} == {row.name for row in ROWS if row.aims[0].of == "value"}
    assert {(one.pairs, one.reference) for one in found} == {((), None)}


@pytest.mark.parametrize(
    ("now", "met"),
    [((7, 7, 7, 7, 11), True), ((7, 7, 7, 11, 11), False), ((8, 8, 8, 8, 8), False)],
    ids=["four of five", "three of five", "too little"],
)
def test_an_aim_is_reached_only_if_four_of_five_pairs_are_better(now: tuple[int, ...], met: bool) -> None:
    pairs = tuple(Pair(10, one) for one in now)
    assert Figure(name="CPU", value=7, aims=times_at_most(0.75), reference=Reference(VERSION, 10), pairs=pairs).met is met


def test_the_table_has_both_medians_all_ratios_and_the_aim() -> None:
    figure = Figure(
        name="memory", value=250, unit="MB", aims=at_most(260), reference=Reference(VERSION, 400),
        pairs=(Pair(400, 250), Pair(500, 240), Pair(250, 255)),
    )  # fmt: skip
    lines = page.in_pairs([Measured("beside", "here", [figure], [])]).splitlines()
    assert [cell.strip() for cell in lines[-1].split("|")[1:-1]] == [
        "memory", "400 MB", "250 MB", "0.48/0.62/1.02", "2/3", "≤ 260 ✗",
    ]  # fmt: skip


def test_pairs_are_kept_and_those_of_several_rounds_are_put_together() -> None:
    first = [Figure(name="a", value=1, reference=Reference("b", 2), pairs=(Pair(2, 1),))]
    second = [Figure(name="a", value=3, reference=Reference("b", 4), pairs=(Pair(4, 3),))]
    assert from_json(as_json(first)) == first
    assert middles([first, second])[0].pairs == (Pair(2, 1), Pair(4, 3))
