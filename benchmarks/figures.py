"""Figures, the results of benchmarks."""

from dataclasses import dataclass
from enum import StrEnum


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
    note: str = ""
    course: tuple[float, ...] = ()

    @property
    def ratio(self) -> float | None:
        """The figure divided by its reference, or the opposite, or None if there is no reference."""
        if self.reference is None or not self.reference.value or not self.value:
            return None
        return self.reference.value / self.value if self.times_better else self.value / self.reference.value

    @property
    def met(self) -> bool:
        """Whether all aims are reached, as far as that can be checked."""
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
