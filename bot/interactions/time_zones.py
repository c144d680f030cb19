"""The option for a time zone: suggestions while somebody types, and what was typed in the end."""

from discord import app_commands

from bot.core.shares import in_share
from bot.core.table.errors import Refused
from bot.i18n.time_zones import suggest, zones_called
from bot.interactions.reply import Interaction
from bot.interactions.suggestions import Choices, suggestions
from engines.text import echoed, plain, say


@suggestions
async def suggest_time_zones(_: Interaction, current: str) -> Choices:
    """Suggest the time zones of the city, the country, the abbreviation or the offset that is typed."""
    # For the sake of the first time: the names are gathered then.
    found = await in_share(suggest, current)
    return [app_commands.Choice(name=one.label, value=one.zone) for one in found]


async def time_zone_called(typed: str) -> str:
    """The time zone that was picked, or typed in the words of people.

    Raises Refused if there is none, or more than one.
    """
    zones = await in_share(zones_called, typed)
    if not zones:
        raise Refused(say("There’s no time zone “{zone}”. Try a large city near you, or an offset such as UTC+2.",
                          zone=echoed(typed)))  # fmt: skip
    if len(zones) > 1:
        raise Refused(say("There are several time zones in {place}. Pick one of those I suggest while you type, such as "
                          "{zone}.", place=echoed(typed), zone=plain(zones[0])))  # fmt: skip
    return zones[0]
