"""The router passes every click, and every form that was sent, to the handler of its verb."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, Final

from bot.interactions.context import Responder
from bot.interactions.handlers import Answer, ClickHandler, too_old
from bot.interactions.reply import Interaction, in_panel
from bot.messages.builder import MessageBuilder
from bot.messages.click import Click
from engines.text import say
from storage.schema.jobs import question_key
from storage.schema.records import JobKind

UNKNOWN: Final = "unknown"
"""The verb of a click that this version of the bot cannot read. It has no handler."""


async def route(responder: Responder, handlers: Mapping[str, ClickHandler], interaction: Interaction) -> None:
    """Answer any click or form. If it is about a table, the handler is called only if the user may look at that table."""
    data: Mapping[str, Any] = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    click = (Click.read(custom_id) or Click(UNKNOWN)).unmarked
    values = data.get("values", [])
    if isinstance(values, list) and values:
        click = click.with_values(*(str(value) for value in values))
    handler = handlers.get(click.verb)
    answer = Answer.ADD if handler is None else handler.answer
    private = in_panel(interaction)
    update, silent = private or answer is Answer.UPDATE, answer is Answer.SILENT and not private
    table_id = 0 if handler is None else click.table
    async with responder.answer(interaction, table_id=table_id, update=update, silent=silent) as context:
        if handler is None:
            raise too_old(interaction)
        if table_id:
            # Here for all handlers, so that none can forget it: Discord does not vouch for the content of a custom_id.
            await context.snapshot(table_id)
        message = interaction.message
        if private and table_id:
            responder.following.stop(table_id, interaction.user.id)  # it turns into what was asked for, and nothing else
        if private and message is not None and responder.panels.is_outdated(interaction.user.id, message.id, click):
            closed = say("This panel is out of date: you’ve opened a newer one.")
            await context.reply.show(MessageBuilder().text(context.language(closed)))
            return
        # The answer may replace a question. Until it has, the outbox leaves the question alone.
        key = question_key(message.id) if message is not None and update and not private else ""
        with responder.outbox.answering(table_id, JobKind.RETIRE, key) if key else nullcontext():
            await handler(context, click)
