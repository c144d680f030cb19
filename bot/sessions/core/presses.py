"""Presses: when a button was pressed or a command sent, by this machine's clock.

The id of an interaction holds the moment at which Discord made it, by Discord's clock. How far that is ahead of this machine's
is measured by the interactions themselves: one that arrives has been made before. The one that took the least time tells best.
"""

from collections import deque
from typing import Final

from bot.sessions.record.chain import DISCORD_EPOCH, EPOCH_BITS

OLDEST: Final = 900.0
"""Seconds for which the moment of a press is believed: Discord's token for the answer lives no longer."""

MEASURED: Final = 100
"""The number of the last interactions by which the clocks are compared."""

ENOUGH: Final = 20
"""How many of these it takes to believe that Discord's clock is behind. Until then, the first ones may just have been slow."""


class Presses:
    """The moments of presses. Times are in seconds since the epoch."""

    def __init__(self) -> None:
        self._ahead: deque[float] = deque(maxlen=MEASURED)

    def note(self, interaction_id: int, arrived: float) -> None:
        """Compare the clocks by an interaction that has arrived at a moment by this machine's clock."""
        self._ahead.append(made_at(interaction_id) - arrived)

    @property
    def skew(self) -> float:
        """The seconds by which Discord's clock is ahead of this machine's, as far as is known."""
        ahead = max(self._ahead, default=0.0)
        return ahead if ahead > 0.0 or len(self._ahead) >= ENOUGH else 0.0

    def moment(self, interaction_id: int | None, now: float) -> float:
        """Return when a press was made that is carried out now; `now` if its id cannot tell."""
        if interaction_id is None:
            return now
        made = made_at(interaction_id) - self.skew
        return made if now - OLDEST <= made <= now else now


def made_at(interaction_id: int) -> float:
    """Return when something with an id was made, by Discord's clock."""
    return ((interaction_id >> EPOCH_BITS) + DISCORD_EPOCH) / 1000
