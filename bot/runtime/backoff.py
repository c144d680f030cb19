"""The one formula of back-off: how long to wait before trying again."""

import random
from typing import Final

_DOUBLED_AT_MOST: Final = 32
"""How often a delay is doubled: past any longest delay, but within what a float holds."""


def backoff(failures: int, *, first: float, longest: float, spread: float = 0.0) -> float:
    """Return the seconds to wait after so many failures before the last one.

    It is `first`, then twice as long after each failure, up to `longest`, and longer or shorter at random by the share
    `spread`, so that not everything is retried at once.
    """
    delay = min(longest, first * 2.0 ** min(failures, _DOUBLED_AT_MOST))
    return delay * random.uniform(1.0 - spread, 1.0 + spread)  # noqa: S311 - spreads retries
