"""Measures the lag of the event loop: computations in it delay all answers that long."""

import asyncio
from collections import deque
from typing import Final

from bot.runtime.metrics import LAG, LAG_MAX

EVERY: Final = 0.25
"""Seconds between two measurements."""

REMEMBERED: Final = 240
"""The number of latest measurements, of a minute, whose maximum is reported."""


async def measure_lag() -> None:
    """Measure until cancelled."""
    loop = asyncio.get_running_loop()
    recent: deque[float] = deque(maxlen=REMEMBERED)
    while True:
        asked = loop.time() + EVERY
        await asyncio.sleep(EVERY)
        lag = max(0.0, loop.time() - asked)
        recent.append(lag)
        LAG.observe(lag)
        LAG_MAX.set(max(recent))
