"""Discord's clock: when something was made there, by this machine's clock, and whether the two agree.

The id of an interaction or a message holds the moment at which Discord made it, by Discord's clock. How far that is ahead of
this machine's is measured by what arrives, which has been made before. What took the least time tells best.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from bot.core.table.chain import DISCORD_EPOCH, EPOCH_BITS

OLDEST: Final = 900.0
"""Seconds for which the moment of a press is believed: Discord's token for the answer lives no longer."""

MEASURED: Final = 100
"""The number of the last arrivals by which the clocks are compared."""

ENOUGH: Final = 20
"""How many of these it takes to believe that Discord's clock is behind. Until then, the first ones may just have been slow."""

AGREES: Final = 120.0
"""The most seconds between the clocks of two machines that are both right."""


class DiscordClock:
    """What is known of Discord's clock. Times are in seconds since the epoch.

    Attributes:
        now: returns the time by this machine's clock, which can be set.
        uptime: returns the seconds since some fixed moment, by a clock that cannot be set.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.uptime = now
        self._ahead: deque[float] = deque(maxlen=MEASURED)

    def note(self, snowflake: int) -> None:
        """Compare the clocks by something with this id, which has just arrived."""
        self._ahead.append(made_at(snowflake) - self.uptime())

    @property
    def skew(self) -> float:
        """The seconds by which Discord's clock is ahead of this machine's, as far as is known."""
        ahead = self._measured
        return ahead if ahead > 0.0 or len(self._ahead) >= ENOUGH else 0.0

    @property
    def agrees(self) -> bool:
        """Whether anything has arrived that shows this machine's clock to be right.

        Nothing has since the machine was paused without knowing: by its uptime, Discord's clock is then ahead of what it was.
        """
        return bool(self._ahead) and abs(self._measured) <= AGREES

    @property
    def _measured(self) -> float:
        """The seconds by which Discord's clock is ahead at least."""
        return max(self._ahead) + self.uptime() - self.now() if self._ahead else 0.0

    def moment(self, interaction_id: int | None, now: float) -> float:
        """Return when a press was made that is carried out now; `now` if its id cannot tell."""
        if interaction_id is None:
            return now
        made = made_at(interaction_id) - self.skew
        return made if now - OLDEST <= made <= now else now


def made_at(snowflake: int) -> float:
    """Return when something with an id was made, by Discord's clock."""
    return ((snowflake >> EPOCH_BITS) + DISCORD_EPOCH) / 1000
