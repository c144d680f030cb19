"""Time zones as people type them: finding the one that is meant, or those that may be meant."""

from collections.abc import Sequence
from typing import Final

from bot.core.shares import in_share
from bot.core.table.errors import Refused
from bot.i18n.time_zones import SUGGESTED_AT_MOST, Suggestion, nearest, zones_called
from engines.text import Text, echoed, plain, say

_LISTED: Final = 3
"""How many time zones an error lists where the user cannot pick one."""


class WhichZone(Refused):
    """The text that was typed names no time zone, or several. `zones` are those that may be meant, the likeliest first."""

    def __init__(self, text: Text, zones: Sequence[Suggestion]) -> None:
        super().__init__(text)
        self.zones = zones

    @property
    def listed(self) -> Text:
        """The error with the likeliest of these zones, for places where the user cannot pick one."""
        return say("{error} {zones}", error=self.text, zones=plain(", ".join(one.label for one in self.zones[:_LISTED]) + " …"))


async def time_zone_called(typed: str) -> str:
    """Return the time zone picked or typed. Raises WhichZone if several may be meant, and Refused if none is close."""
    if not typed:
        raise WhichZone(
            say("A time zone is needed. Is it one of these? Otherwise go back, and type a large city."),
            await in_share(nearest, ""),
        )
    zones = await in_share(zones_called, typed)
    if len(zones) == 1:
        return zones[0]
    if zones:
        text = say("{place} has several time zones. Which one?", place=echoed(typed))
        raise WhichZone(text, [Suggestion(zone, zone) for zone in zones[:SUGGESTED_AT_MOST]])
    if near := await in_share(nearest, typed):
        raise WhichZone(say("There’s no time zone “{zone}”. Did you mean one of these?", zone=echoed(typed)), near)
    raise Refused(say("There’s no time zone “{zone}”. Try a large city near you, or an offset such as UTC+2.",
                      zone=echoed(typed)))  # fmt: skip
