"""Weights: several criteria of decreasing importance combined into one number."""

from collections.abc import Hashable, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


def weights_of(costs: Mapping[K, tuple[int, ...]], chosen: int) -> dict[K, int]:
    """Return a weight for each cost tuple, so that sums of up to `chosen` weights compare as the sums of costs do."""
    radices = [chosen * max(criterion) + 1 for criterion in zip(*costs.values(), strict=True)]

    def weight(cost: tuple[int, ...]) -> int:
        number = 0
        for value, radix in zip(cost, radices, strict=True):
            number = number * radix + value
        return number

    return {key: weight(cost) for key, cost in costs.items()}
