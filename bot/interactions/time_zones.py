"""Time zones as people type them: the one that is meant, or those that may be."""

from collections.abc import Sequence

from bot.core.shares import in_share
from bot.core.table.errors import Refused
from bot.i18n.time_zones import Suggestion, nearest, suggest, zones_called
from engines.text import Text, echoed, say


class WhichZone(Refused):
    """What was typed names no time zone, or more than one. `zones` are those that may be meant, the best first."""

    def __init__(self, text: Text, zones: Sequence[Suggestion]) -> None:
        super().__init__(text)
        self.zones = zones


async def time_zone_called(typed: str) -> str:
    """The time zone that was picked, or typed in the words of people.

    Raises WhichZone if several may be meant, and Refused if none comes near.
    """
    zones = await in_share(zones_called, typed)
    if len(zones) == 1:
        return zones[0]
    if zones:
        text = say("There are several time zones in {place}. Which one is yours?", place=echoed(typed))
        raise WhichZone(text, [one for one in await in_share(suggest, typed) if one.zone in zones])
    if near := await in_share(nearest, typed):
        raise WhichZone(say("There’s no time zone “{zone}”. Did you mean one of these?", zone=echoed(typed)), near)
    raise Refused(say("There’s no time zone “{zone}”. Try a large city near you, or an offset such as UTC+2.",
                      zone=echoed(typed)))  # fmt: skip
