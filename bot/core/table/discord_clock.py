"""Discord's clock: when something was made there, by this machine's clock, and whether the two agree.

An id holds the moment at which Discord made an interaction or message. Arrivals show how far Discord's clock is ahead at least,
and the fastest one shows it best.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from bot.core.table.chain import DISCORD_EPOCH, EPOCH_BITS

OLDEST: Final = 900.0
"""Seconds for which a press's moment is believed: Discord's token for the answer lives no longer."""

MEASURED: Final = 100
"""How many of the last arrivals are compared."""

ENOUGH: Final = 20
"""How many arrivals it takes to believe that Discord's clock is behind. Fewer may all have been slow."""

AGREES: Final = 120.0
"""The most seconds between the clocks of two machines that are both right."""


class DiscordClock:
    """What is known of Discord's clock, by this machine's (`now`) and by one that cannot be set (`uptime`), in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.uptime = now
        self._offsets: deque[float] = deque(maxlen=MEASURED)
        """Discord's time of each of the last arrivals, less the uptime then."""

    def note(self, snowflake: int) -> None:
        """Compare the clocks by the id of something that has just arrived."""
        self._offsets.append(made_at(snowflake) - self.uptime())

    @property
    def skew(self) -> float:
        """The seconds by which Discord's clock is ahead of this machine's, as far as is known."""
        ahead = self._least_ahead
        return ahead if ahead > 0.0 or len(self._offsets) >= ENOUGH else 0.0

    @property
    def agrees(self) -> bool:
        """Whether anything has arrived that shows this machine's clock to be right; not after an unnoticed pause."""
        return bool(self._offsets) and abs(self._least_ahead) <= AGREES

    @property
    def _least_ahead(self) -> float:
        """The fewest seconds by which Discord's clock can be ahead of this machine's; 0 if nothing has arrived."""
        if not self._offsets:
            return 0.0
        discords_time = max(self._offsets) + self.uptime()
        return discords_time - self.now()

    def moment(self, interaction_id: int | None, now: float) -> float:
        """Return when the press that is now carried out was made, or `now` if its id does not tell."""
        if interaction_id is None:
            return now
        made = made_at(interaction_id) - self.skew
        return made if now - OLDEST <= made <= now else now


def made_at(snowflake: int) -> float:
    """Return when something was made, by Discord's clock."""
    return ((snowflake >> EPOCH_BITS) + DISCORD_EPOCH) / 1000
