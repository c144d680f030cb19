"""Clicks about the user's own data: deleting it."""

from typing import Final

from bot.interactions.context import Context
from bot.interactions.handler import handles
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from engines.text import say


@handles("forget-me")
async def _forget_me(context: Context, _: Click) -> None:
    left = await context.sessions.users.forget(context.user)
    await context.reply.show(MessageBuilder().text(context.language(say("Done. We’ve forgotten everything about you."))))
    for table_id in left:
        await context.deliver(table_id)
    context.responder.outbox.wake()


HANDLERS: Final = (_forget_me,)
