"""Marks for parameters: a test is quick with some of them, and slow with the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def quick_first(number: int, parameters: Iterable[Any], *, several: bool = False) -> list[Any]:
    """A test's parameters, all but the first `number` marked slow. If `several`, each is a tuple of arguments."""
    known = list(parameters)
    others = [pytest.param(*(one if several else (one,)), marks=pytest.mark.slow) for one in known[number:]]
    return [*known[:number], *others]
