"""People of the loopback who know this bot's boards, lobbies, notices and buttons."""

import re
from collections.abc import Iterable
from typing import Any

from loopback import people
from loopback.model import Channel, Interaction, Message, Person
from loopback.server import Loopback
from tests.loopback.natures import Nature, nature


class People(people.People):
    """People who can tell the bot's messages apart by their looks."""

    def __init__(self, loopback: Loopback, *, patient: bool = False) -> None:
        super().__init__(loopback, patient=patient)
        self._natures: dict[int, tuple[list[Any], Nature]] = {}

    async def by_way(self, who: Person, where: Channel, name: str, /, *values: str, **options: Any) -> Interaction:
        """Do at a table what `/name` did, with a button below a private board. Without it, return the board or refusal."""
        board = await self.slash(who, where, "board", **options)
        pressed, asked = board.original, board
        steps = [f"sb|{name}|", *(["sb|seat-to|"] if values else [])]
        for step in steps:
            if pressed is None or not any(one.startswith(step) for one in pressed.custom_ids):
                return asked
            asked = await self.click(who, pressed, step, *(values if step != steps[0] else ()))
            pressed = asked.original or pressed
        return asked

    def seen(self, where: Channel, what: Nature | None = None) -> list[Message]:
        """The public messages in a channel, oldest first, or those of one kind."""
        return [one for one in super().seen(where) if what is None or self._nature(one) is what]

    def everywhere(self, what: Nature, table: int | None = None) -> list[Message]:
        """All public messages of a kind, or those of one table, oldest first."""
        found = self._of_kind(self.discord.messages.values(), what)
        return [one for one in found if table is None or table in tables_named(one)]

    def around(self, where: Channel, what: Nature) -> list[Message]:
        """The public messages of a kind in a channel and its threads, oldest first."""
        threads = [one.id for one in self.discord.channels.values() if one.parent_id == where.id]
        posted = [one for place in (where.id, *threads) for one in self.discord.seen_in(place)]
        return sorted(self._of_kind(posted, what), key=lambda one: one.id)

    def _of_kind(self, messages: Iterable[Message], what: Nature) -> list[Message]:
        public = (one for one in messages if not (one.private or one.deleted or one.loading))
        return [one for one in public if self._nature(one) is what]

    def _nature(self, message: Message) -> Nature:
        known = self._natures.get(message.id)
        if known is None or known[0] is not message.components:
            known = self._natures[message.id] = message.components, nature(message.components, message.content)
        return known[1]


def tables_named(message: Message) -> set[int]:
    return {int(number) for number in re.findall(r"#(\d+)\b", message.text.partition("\n")[0])}
