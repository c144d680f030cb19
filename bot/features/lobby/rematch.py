"""The button *Rematch* below a finished game."""

from typing import Final

from bot.core.table.snapshot import Snapshot, User
from bot.features.lobby.service import Rematches
from bot.features.playing.handlers import show_begun
from bot.interactions.checks import check_seen
from bot.interactions.context import Context
from bot.interactions.handlers import handles
from bot.messages.click import Click
from bot.messages.players import marks, names
from engines.text import Text, join, plain, say, seat_name
from storage.schema.records import Status


async def open_rematch(context: Context, table_id: int) -> None:
    """Open a table for another game between the same people, or join it if it is already open."""
    before = await context.snapshot(table_id)
    known = before.table.rematch_id
    if known is None or (await context.core.summary(known, context.guild_id)).table.status is Status.CLOSED:
        others = [User(one.user_id, one.name) for one in before.players if one.computer is None and one.user_id > 0]
        await check_seen(context, before.table.thread_id or before.table.channel_id, others)
    snapshot = await context.core.service(Rematches).open(table_id, context.user, context.interaction.id)
    async with context.delivering(snapshot.table.id):
        await show_begun(context, snapshot, context.language(_seated(context, snapshot), names(snapshot)))


def _seated(context: Context, snapshot: Snapshot) -> Text:
    """Return what a user is told after pressing *Rematch*. If the game is on, this says their colour and who begins."""
    seat = snapshot.seat_of(context.user.id)
    if seat is None or snapshot.history is None:
        return say("You’re in! Table #{n}.", n=snapshot.table.id)
    begins, values = snapshot.history.awaited(0), {"n": snapshot.table.id, "mark": plain(marks(snapshot)[seat])}
    if seat in begins:
        return say("Table #{n}: you play {mark} and begin.", **values)
    who = join([seat_name(one) for one in begins], ", ")
    return say("Table #{n}: you play {mark}, and {who} begins.", **values, who=who)


@handles("rematch")
async def _rematch(context: Context, click: Click) -> None:
    await open_rematch(context, click.table)


HANDLERS: Final = (_rematch,)
