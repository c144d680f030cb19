"""The only formula for back-off, that is, for how long to wait before trying again."""

import random
from typing import Final

_DOUBLED_AT_MOST: Final = 32
"""How often a delay is doubled at most. This exceeds any longest delay, but stays within what a float holds."""


def backoff(failures: int, *, first: float, longest: float, spread: float = 0.0) -> float:
    """Return the seconds to wait after a failure, given the number of failures before it.

    The wait is `first` at the beginning, and twice as long after each further failure, up to `longest`. It is made longer or
    shorter at random by the share `spread`, so that not everything is retried at the same time.
    """
    delay = min(longest, first * 2.0 ** min(failures, _DOUBLED_AT_MOST))
    return delay * random.uniform(1.0 - spread, 1.0 + spread)  # noqa: S311 - spreads retries
