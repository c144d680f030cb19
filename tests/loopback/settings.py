"""Changes settings of people and servers on their panels in the loopback."""

from typing import Any

from bot.messages.click import Click
from loopback.model import Channel, Interaction, Person
from tests.loopback.people import People


async def choose(people: People, who: Person, where: Channel, panel: str, section: str, /, **given: Any) -> Interaction:
    """Open `/settings` or `/server-settings` and a section's form, and submit it filled in.

    Fields have their names in the code, and keep their initial values unless given.
    """
    shown = await people.slash(who, where, panel)
    assert shown.original is not None, shown.text
    verb = "settings" if panel == "settings" else "server"
    asked = await people.click(who, shown.original, Click(f"{verb}-form", tokens=(section,)).custom_id)
    return await people.fill(who, asked, **given)
