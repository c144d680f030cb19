"""*Verify*: the answer to whether a game was fair."""

from typing import Final

from bot.features.verify.messages import HASHES, seed_message, verdict_message
from bot.features.verify.service import Proof
from bot.interactions.context import Context
from bot.interactions.handlers import Tokens, handles, is_word
from bot.interactions.heavy import in_turn
from bot.interactions.tables import with_way_back
from bot.messages.click import Click


async def show_verdict(context: Context, table_id: int, *, hashes: bool = False) -> None:
    """Say whether a game was fair, or show the seed and the hashes with which the user can check it for themselves."""
    snapshot = await context.snapshot(table_id)  # raises NoSuchTable unless the user may look at the table
    async with in_turn(context):
        verdict = await context.core.service(Proof).verify(table_id, context.guild_id)
    if hashes:
        await context.reply.show(seed_message(verdict, context.language))
    else:
        await context.reply.show(with_way_back(context, snapshot, verdict_message(verdict, context.language)))


@handles("verify", tokens=Tokens((is_word,), least=0))
async def _verify(context: Context, click: Click) -> None:
    await show_verdict(context, click.table, hashes=HASHES in click.tokens)


HANDLERS: Final = (_verify,)
