"""A Discord client that accepts messages or hangs, and games whose boards are still to be shown."""

import asyncio
import itertools
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.table.snapshot import User
from storage.schema.records import JobKind
from tests.bot.service import BOUNCERS

WAIT_LIMIT = 60.0
"""Seconds of real time after which a test gives up; nothing is measured with it."""

NUMBERS = itertools.count(1000)


@dataclass
class Discord:
    """Stands in for Discord: accepts what is sent and edited, but hangs in some channels.

    Attributes:
        hanging: the channels where sending never returns, with the event that ends that.
        sent: the channels to which something was sent, in order of arrival.
        edited: the ids of the messages that were edited later.
        laid_out: the ids of plain messages that an edit turned into layouts.
    """

    hanging: dict[int, asyncio.Event] = field(default_factory=dict)
    begun: list[int] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    edited: list[int] = field(default_factory=list)
    laid_out: list[int] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    def get_partial_messageable(self, channel_id: int, **_: Any) -> Any:
        async def send(content: str = "", **_: Any) -> Any:
            self.begun.append(channel_id)
            self.news.set()
            if channel_id in self.hanging:
                await self.hanging[channel_id].wait()
            self.sent.append(channel_id)
            self.news.set()
            number = next(self.numbers)

            async def lay_out(**_: Any) -> Any:
                self.laid_out.append(number)
                return message(number, channel_id)

            return message(number, channel_id, plain=bool(content), edit=lay_out)

        def get_partial_message(message_id: int) -> Any:
            async def edit(**_: Any) -> Any:
                self.edited.append(message_id)
                self.news.set()
                return message(message_id, channel_id)

            return SimpleNamespace(id=message_id, edit=edit)

        return SimpleNamespace(send=send, get_partial_message=get_partial_message)

    async def until(self, condition: Any) -> None:
        async with asyncio.timeout(WAIT_LIMIT):
            while not condition():
                self.news.clear()
                await self.news.wait()


def message(number: int, channel_id: int, *, plain: bool = False, **more: Any) -> Any:
    """A message as Discord returns it: a layout without files, or a plain one."""
    flags = SimpleNamespace(components_v2=not plain)
    return SimpleNamespace(id=number, channel=SimpleNamespace(id=channel_id), flags=flags, components=(), **more)


async def begun(core: Core, channel: int, count: int = 1) -> list[int]:
    """Games in a channel whose boards are still to be shown."""
    tables = []
    for _ in range(count):
        ann, ben = (User(next(NUMBERS), name) for name in ("Ann", "Ben"))  # nobody may open many tables at once
        snapshot = await core.service(Lobby).open(ann, replace(BOUNCERS, channel_id=channel))
        await core.service(Lobby).join(snapshot.table.id, ben)
        await core.service(Outbox).finish_kind(snapshot.table.id, JobKind.OPENING)
        tables.append(snapshot.table.id)
    return tables
