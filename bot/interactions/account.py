"""Clicks about oneself: being forgotten."""

from collections.abc import Mapping
from typing import Final

from bot.interactions.context import Counter, Handler
from bot.messages.builder import Sheet
from bot.messages.click import Click
from engines.text import say


async def _forget_me(counter: Counter, _: Click) -> None:
    touched = await counter.sessions.persons.forget(counter.user)
    await counter.reply.show(Sheet().text(counter.language(say("Done. Nothing is known of you any more."))))
    for table_id in touched:
        await counter.deliver(table_id)


HANDLERS: Final[Mapping[str, Handler]] = {"forget-me": _forget_me}
