"""Does something once all has been quiet for a while."""

import asyncio
from collections.abc import Callable
from operator import itemgetter


class Quiet:
    """Calls functions of the event loop after periods of quiet.

    Args:
        steps: each function, after the seconds for which all must have been quiet.
    """

    def __init__(self, *steps: tuple[float, Callable[[], None]]) -> None:
        self._steps = sorted(steps, key=itemgetter(0))
        self._timer: asyncio.TimerHandle | None = None

    def stir(self) -> None:
        """Begin all periods anew, since something happens now."""
        self.stop()
        self._wait(0, asyncio.get_running_loop().time())

    def stop(self) -> None:
        """Call nothing until the next `stir`."""
        if self._timer is not None:
            self._timer.cancel()

    def _wait(self, number: int, since: float) -> None:
        if number < len(self._steps):
            after = self._steps[number][0]
            self._timer = asyncio.get_running_loop().call_at(since + after, self._step, number, since)

    def _step(self, number: int, since: float) -> None:
        self._wait(number + 1, since)
        self._steps[number][1]()
