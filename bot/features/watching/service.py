"""Spectators who want to be notified when a game moves on or ends."""

from typing import Final

from bot.core.change import Change, changing
from bot.core.parts import Part, Service
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from engines.text import say
from storage import queries
from storage.schema.records import JobKind, Status, Watch, WatchFor


class Watching(Service):
    """Keeps track of who watches which table."""

    async def watch(self, table_id: int, user: User, what: WatchFor) -> None:
        """Tell a user about a table from now on. Raises Refused if it is closed to them, or WrongStage if the game is over."""
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            if not snapshot.open_to(user.id):
                raise Refused(say("Table #{n} is private.", n=table_id))
            if snapshot.table.status is not Status.OPEN:
                snapshot.require(Status.PLAYING)
            await queries.seats.put_watch(change.writer, Watch(table_id=table_id, user_id=user.id, what=what))

    async def stop(self, table_id: int, user: User) -> None:
        """Stop telling a user about a table, if the user watches it."""
        async with self._core.store.write() as writer:
            await queries.seats.remove_watch(writer, table_id, user.id)


async def _tell_watchers(change: Change) -> None:
    """Enqueue notices for every watcher when the game ends, and at each turn for those who have asked for that."""
    table = change.table
    moved = table.turn != change.before.table.turn and not change.snapshot.thinking
    over = table.status is Status.FINISHED
    if not moved and not over:
        return
    for watch in await queries.seats.watches_of_table(change.writer, table.id):
        if over or watch.what is WatchFor.TURN:
            await change.enqueue(JobKind.WATCH, str(watch.user_id), user=watch.user_id, turn=table.turn)


PART: Final = Part(name="watching", advanced=_tell_watchers)
