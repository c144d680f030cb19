"""Clicks about oneself: being forgotten."""

from collections.abc import Mapping
from typing import Final

from bot.interactions.context import Context, Handler
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from engines.text import say


async def _forget_me(context: Context, _: Click) -> None:
    touched = await context.sessions.users.forget(context.user)
    await context.reply.show(MessageBuilder().text(context.language(say("Done. Nothing is known of you any more."))))
    for table_id in touched:
        await context.deliver(table_id)


HANDLERS: Final[Mapping[str, Handler]] = {"forget-me": _forget_me}
