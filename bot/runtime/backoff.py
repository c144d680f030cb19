"""The one formula of back-off: how long to wait before what has failed is tried again."""

import random
from typing import Final

_DOUBLED_AT_MOST: Final = 32
"""How often a delay is doubled: past any longest delay, and before what a float holds."""


def backoff(failures: int, *, first: float, longest: float, spread: float = 0.0) -> float:
    """Return the seconds to wait: `first`, then twice as long after each failure, up to `longest`.

    Args:
        failures: how often it has failed before, without the last time.
        first: the seconds to wait after the first failure.
        longest: the most seconds to wait.
        spread: the part by which the delay is longer or shorter at random, so that not all is retried at once.
    """
    delay = min(longest, first * 2.0 ** min(failures, _DOUBLED_AT_MOST))
    return delay * random.uniform(1.0 - spread, 1.0 + spread)  # noqa: S311 - spreads retries
