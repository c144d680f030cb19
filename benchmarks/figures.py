"""Figures, the results of benchmarks."""

from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import Final

BETTER: Final = 0.8
"""The least share of pairs in which something must be better for it to count as better."""


class Of(StrEnum):
    VALUE = "value"
    RATIO = "ratio"


@dataclass(frozen=True)
class Aim:
    """The aim of a figure or of its ratio: at least `bound` if `least` is true, otherwise at most `bound`."""

    bound: float
    least: bool
    of: Of = Of.VALUE

    def __str__(self) -> str:
        return f"{'≥' if self.least else '≤'} {number(self.bound)}{' ×' if self.of is Of.RATIO else ''}"

    def met_by(self, found: float) -> bool:
        return found >= self.bound if self.least else found <= self.bound


@dataclass(frozen=True)
class Reference:
    """Something well known to compare a figure with, measured in the same run and in the same unit."""

    name: str
    value: float


@dataclass(frozen=True)
class Pair:
    """A figure of a reference and of this version, measured right after each other. The smaller one is better."""

    then: float
    now: float

    @property
    def ratio(self) -> float:
        return self.now / self.then if self.then else float("nan")


@dataclass(frozen=True)
class Point:
    """A figure's place in a series that shows growth. The figure was measured with `size` of what `series` counts."""

    series: str
    size: int


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Something that was measured.

    Attributes:
        name: its name, which is the same in every run.
        times_better: whether the ratio says how many times as much the reference needs, instead of the opposite.
        point: its place in a series that shows growth.
        pairs: what was measured in turns with the reference, pair by pair. The value and the reference are the medians.
        note: what has to be known in order to read it.
        course: how it came about, for a plot.
    """

    name: str
    value: float
    unit: str = ""
    aims: tuple[Aim, ...] = ()
    reference: Reference | None = None
    times_better: bool = False
    point: Point | None = None
    pairs: tuple[Pair, ...] = ()
    note: str = ""
    course: tuple[float, ...] = ()

    @property
    def ratio(self) -> float | None:
        """The figure divided by its reference, or the opposite, or None if there is no reference. Of pairs, the median."""
        if self.pairs:
            return median(pair.ratio for pair in self.pairs)
        if self.reference is None or not self.reference.value or not self.value:
            return None
        return self.reference.value / self.value if self.times_better else self.value / self.reference.value

    @property
    def better(self) -> int:
        """The number of pairs in which this version is better."""
        return sum(pair.now < pair.then for pair in self.pairs)

    @property
    def met(self) -> bool:
        """Whether all aims are reached, as far as that can be checked. Of five pairs, four must be better, too."""
        if self.better < BETTER * len(self.pairs):
            return False
        found = {Of.VALUE: self.value, Of.RATIO: self.ratio}
        return all(aim.met_by(value) for aim in self.aims if (value := found[aim.of]) is not None)

    def __str__(self) -> str:
        ratio = "" if self.ratio is None else f"; {number(self.ratio)} ×"
        return f"{number(self.value)} {self.unit}".rstrip() + ratio


def at_least(bound: float) -> tuple[Aim]:
    return (Aim(bound, least=True),)


def at_most(bound: float) -> tuple[Aim]:
    return (Aim(bound, least=False),)


def times_at_least(bound: float) -> tuple[Aim]:
    """Return the aim that the ratio is at least `bound`."""
    return (Aim(bound, least=True, of=Of.RATIO),)


def times_at_most(bound: float) -> tuple[Aim]:
    return (Aim(bound, least=False, of=Of.RATIO),)


def number(value: float) -> str:
    """Return a number with the three or four digits that matter."""
    if value != value:  # noqa: PLR0124 - not a number: nothing was measured
        return "–"
    if abs(value) >= 100 or float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3g}"
