"""The button *Hint*, which shows what an expert would play."""

from dataclasses import replace
from typing import Final

from bot.core.shares import in_share
from bot.core.table.errors import Stale
from bot.features.playing.hints import Hints, hint_question
from bot.interactions.context import Context
from bot.interactions.handlers import handles
from bot.interactions.heavy import ask_expert
from bot.interactions.reply import in_panel
from bot.interactions.tables import at_table
from bot.messages.advice import hint_message
from bot.messages.click import Click
from opponents.reviewing import advise


async def show_hint(context: Context, table_id: int) -> None:
    """Show the user a hint and count it, unless the game has gone on meanwhile. Raises Refused where no hint can be given."""
    snapshot, seat = await at_table(context, await context.snapshot(table_id))
    question = await in_share(hint_question, snapshot, seat)
    advice = await ask_expert(context, advise, *question.values)
    version = snapshot.playing.version
    try:
        counted = await context.core.service(Hints).count(table_id, context.user.id, version)
    except Stale:
        if not in_panel(context.interaction):
            raise
        return await context.reply.acknowledge()
    snapshot = replace(snapshot, people=counted.people)
    await context.reply.show(await hint_message(snapshot, context.perspective(seat), seat, advice))
    return None


@handles("hint")
async def _hint(context: Context, click: Click) -> None:
    await show_hint(context, click.table)


HANDLERS: Final = (_hint,)
