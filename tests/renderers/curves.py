"""Samples of curves, stored as files.

`python -m tests.renderers.curves` draws them anew; look at each before it is committed.
"""

import math
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from renderers.summaries.curve import Curve, TurningPoint, draw

FOLDER: Final = Path(__file__).parent / "curves"


def _wandering(seats: int, actions: int, number: int) -> tuple[tuple[int, tuple[float, ...]], ...]:
    """A game that goes up and down until the first seat wins."""
    rng, weights = Random(number), [1.0] * seats
    points = []
    for action in range(actions):
        points.append((action, tuple(weight / sum(weights) for weight in weights)))
        weights = [max(0.02, weight * math.exp(rng.uniform(-0.3, 0.3))) for weight in weights]
    return (*points, (actions, (1.0, *(0.0,) * (seats - 1))))


SEATS: Final = ("Rot", "Blau", "Grün", "Gelb", "Lila", "Orange")
TWO: Final = Curve(
    title="Win chances", below="actions", names=("Ann", "Benjamin the Bouncer"),
    nameless=SEATS[:2], colours=((0,), (1,)),
    points=_wandering(2, 40, 1), turns=(TurningPoint(9, 1, 1), TurningPoint(10, 0, 2), TurningPoint(39, 1, 3)), winners=(0,),
)  # fmt: skip
SIX: Final = Curve(
    title="Wie die Chancen standen", below="Aktionen", names=("Ann", "Ben", "Дева Иванова", "田中さくら", "🦊🦊", "\u200b"),
    nameless=SEATS,
    colours=tuple((seat,) for seat in range(6)), points=_wandering(6, 150, 2),
    turns=tuple(TurningPoint(7 * number, number % 6, number) for number in range(1, 19)), winners=(0,),
)  # fmt: skip
ALONE: Final = Curve(
    title="Win chances", below="actions", names=("Ann",), nameless=SEATS[:1], colours=((0,),),
    points=((0, (0.21,)), (1, (0.25,)), (2, (0.4,)), (3, (0.33,)), (4, (0.7,)), (5, (1.0,))), winners=(0,),
)  # fmt: skip
PAIRS: Final = replace(TWO, colours=((0, 2), (1, 3)), turns=())

CURVES: Final = {
    "two": TWO, "two-high-contrast": replace(TWO, high_contrast=True), "six": SIX, "alone": ALONE, "two-colours-each": PAIRS,
}  # fmt: skip
"""The samples by the names of their files."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, curve in CURVES.items():
        (FOLDER / f"{name}.png").write_bytes(draw(curve))


if __name__ == "__main__":
    main()
