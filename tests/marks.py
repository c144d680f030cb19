"""Marks of parameters: a test with many of them is quick with some, and slow with the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def quick_first(number: int, parameters: Iterable[Any], *, several: bool = False) -> list[Any]:
    """Return the parameters of a test; all but the first `number` are slow. `several`: each is a tuple of arguments."""
    known = list(parameters)
    others = [pytest.param(*(one if several else (one,)), marks=pytest.mark.slow) for one in known[number:]]
    return [*known[:number], *others]
