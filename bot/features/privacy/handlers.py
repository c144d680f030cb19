"""The user's own data: giving it as a file, and deleting it."""

from typing import Final

from bot.features.privacy.messages import export_message
from bot.features.privacy.service import Privacy
from bot.interactions.context import Context
from bot.interactions.handlers import handles
from bot.interactions.heavy import in_turn
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from engines.text import say


async def show_export(context: Context) -> None:
    """Give the user a file with everything that is stored about them."""
    async with in_turn(context):
        made = await context.core.service(Privacy).export(context.user.id)
    await context.reply.show(export_message(made, context.language))


@handles("forget-me")
async def _forget_me(context: Context, _: Click) -> None:
    left = await context.core.service(Privacy).forget(context.user)
    await context.reply.show(MessageBuilder().text(context.language(say("Done. I’ve forgotten everything about you."))))
    for table_id in left:
        await context.deliver(table_id)
    context.responder.outbox.wake()


HANDLERS: Final = (_forget_me,)
