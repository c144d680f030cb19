"""Discord's clock: when something was made there, by this machine's clock, and whether the two clocks agree.

An id holds the moment at which Discord made an interaction or a message. Each arrival shows by how much, at least, Discord's
clock is ahead. The arrival that was delivered fastest shows it best.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from bot.core.table.chain import DISCORD_EPOCH, EPOCH_BITS

OLDEST: Final = 900.0
"""The greatest age, in seconds, at which a press's moment is believed. Discord's token for the answer lives no longer."""

MEASURED: Final = 100
"""How many of the latest arrivals are compared."""

ENOUGH: Final = 20
"""How many arrivals it takes to believe that Discord's clock is behind. If there are fewer, all of them may have been slow."""

AGREES: Final = 120.0
"""The greatest difference, in seconds, between the clocks of two machines that are both right."""


class DiscordClock:
    """What is known of Discord's clock, in seconds. `now` reads this machine's clock, and `uptime` one that cannot be set."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.uptime = now
        self._offsets: deque[float] = deque(maxlen=MEASURED)
        """For each of the latest arrivals, Discord's time less the uptime at which it arrived."""

    def note(self, snowflake: int) -> None:
        """Compare the clocks, using the id of something that has just arrived."""
        self._offsets.append(made_at(snowflake) - self.uptime())

    @property
    def skew(self) -> float:
        """The seconds by which Discord's clock is ahead of this machine's, as far as is known."""
        ahead = self._least_ahead
        return ahead if ahead > 0.0 or len(self._offsets) >= ENOUGH else 0.0

    @property
    def agrees(self) -> bool:
        """Whether any arrivals show this machine's clock to be right. They do not after a pause that the uptime has missed."""
        return bool(self._offsets) and abs(self._least_ahead) <= AGREES

    @property
    def _least_ahead(self) -> float:
        """The fewest seconds by which Discord's clock can be ahead of this machine's, or 0 if nothing has arrived."""
        if not self._offsets:
            return 0.0
        discords_time = max(self._offsets) + self.uptime()
        return discords_time - self.now()

    def moment(self, interaction_id: int | None, now: float) -> float:
        """Return when the press that is being carried out was made, or `now` if its id does not tell."""
        if interaction_id is None:
            return now
        made = made_at(interaction_id) - self.skew
        return made if now - OLDEST <= made <= now else now


def made_at(snowflake: int) -> float:
    """Return when Discord made the thing with this id, by Discord's clock, in seconds since the epoch."""
    return ((snowflake >> EPOCH_BITS) + DISCORD_EPOCH) / 1000
