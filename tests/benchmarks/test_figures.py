"""Figures: what they say, and how several become one."""

import pytest

from benchmarks.figures import Figure, Reference, at_least, at_most, number, times_at_least, times_at_most
from benchmarks.measuring import as_json, from_json, middles


@pytest.mark.parametrize(
    ("value", "words"),
    [(0, "0"), (3, "3"), (0.0249, "0.0249"), (0.61234, "0.61"), (12.84, "12.8"), (1234.5, "1,234"), (float("nan"), "–")],
)
def test_a_number_has_the_digits_that_say_something(value: float, words: str) -> None:
    assert number(value) == words


def test_a_ratio_is_the_figure_by_its_reference_or_the_opposite() -> None:
    chess = Reference("chess", 70.0)
    assert Figure(name="slow", value=7.0, reference=chess).ratio == 0.1
    assert Figure(name="fast", value=7.0, reference=chess, times_better=True).ratio == 10
    assert Figure(name="alone", value=7.0).ratio is None


@pytest.mark.parametrize(
    ("figure", "met"),
    [
        (Figure(name="", value=50, aims=at_least(50)), True),
        (Figure(name="", value=49, aims=at_least(50)), False),
        (Figure(name="", value=30, aims=at_most(30)), True),
        (Figure(name="", value=31, aims=at_most(30)), False),
        (Figure(name="", value=8, aims=times_at_most(4), reference=Reference("", 2)), True),
        (Figure(name="", value=9, aims=times_at_most(4), reference=Reference("", 2)), False),
        (Figure(name="", value=7, times_better=True, aims=times_at_least(10), reference=Reference("", 70)), True),
        (
            Figure(name="", value=7, times_better=True, aims=(*at_most(6), *times_at_least(10)), reference=Reference("", 70)),
            False,
        ),
        (Figure(name="", value=9, aims=times_at_least(10)), True),
    ],
)
def test_aims_are_met_by_the_value_or_by_the_ratio(figure: Figure, met: bool) -> None:
    assert figure.met is met


def test_an_aim_says_what_it_is_about() -> None:
    assert [str(aim) for aim in (*at_least(50), *times_at_most(14))] == ["≥ 50", "≤ 14 ×"]


def test_of_several_rounds_the_medians_count() -> None:
    rounds = [
        [Figure(name="a", value=v, reference=Reference("b", r)), Figure(name="c", value=-v)]
        for v, r in ((1, 9), (5, 7), (2, 8))
    ]
    assert middles(rounds) == [Figure(name="a", value=2, reference=Reference("b", 8)), Figure(name="c", value=-2)]


def test_figures_come_back_from_json_as_they_were() -> None:
    figures = [Figure(name="a", value=1.5, unit="ms", aims=at_most(2), reference=Reference("b", 3.0), note="n")]
    assert from_json(as_json(figures)) == figures
