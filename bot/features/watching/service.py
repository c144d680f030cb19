"""Spectators who want to be notified when a game moves on, or when it ends."""

from bot.core.change import changing
from bot.core.core import Core
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from engines.text import say
from storage import queries
from storage.schema.records import Status, Watch, WatchFor


class Watching:
    """The watchers of tables."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def watch(self, table_id: int, user: User, what: WatchFor) -> None:
        """Notify a user about a table from now on.

        Raises Refused for a private table that is not open to them, and WrongStage for a game that is over.
        """
        async with changing(self._core, table_id) as change:
            snapshot = change.snapshot
            if not snapshot.open_to(user.id):
                raise Refused(say("Table #{n} is private.", n=table_id))
            if snapshot.table.status is not Status.OPEN:
                snapshot.require(Status.PLAYING)
            await queries.watches.put(change.writer, Watch(table_id=table_id, user_id=user.id, what=what))

    async def stop(self, table_id: int, user: User) -> None:
        """Stop notifying a user about a table. Does nothing if they are not notified, or if there is no such table."""
        async with self._core.store.write() as writer:
            await queries.watches.remove(writer, table_id, user.id)
