"""Places: where in Discord a table is shown and played, and what becomes of a table that loses its place."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from bot.core.change import Change, changing
from bot.core.parts import Service
from bot.core.table.snapshot import Snapshot
from bot.core.turns import advance, ended_by, turn_columns
from storage import queries
from storage.schema.records import Ending, JobKind, News, Status, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """A direct message to one person about a table.

    Attributes:
        news: what has happened.
        user: the id of the user who was not let in, or 0.
        error: Discord's error message, or an empty string.
        turn: the turn that the letter is about, or 0.
        code: the error code with which Discord refused the board, or 0.
    """

    news: News
    user: int = 0
    error: str = ""
    turn: int = 0
    code: int = 0

    def payload(self) -> dict[str, Any]:
        """Return the payload of the letter's job."""
        return {"news": self.news.value, "user": self.user, "error": self.error, "turn": self.turn, "code": self.code}


class Places(Service):
    """The messages and threads that show tables."""

    async def record_answer(self, table_id: int, message_id: int | None) -> None:
        """Record the message in which a command's answer shows a new table. Without its id, the outbox has to look for it."""
        async with self._core.store.write() as writer:
            table = await queries.tables.get(writer, table_id)
            if table is not None and table.lobby_message_id is None and message_id is not None:
                await queries.tables.change(writer, table_id, lobby_message_id=message_id)
            await queries.jobs.release(writer, table_id, self._core.now())

    async def record_lobby_message(self, table_id: int, message_id: int, *, invites: bool) -> Snapshot:
        """Record the lobby message that the outbox has posted or found. If it `invites`, no separate invitation is posted."""
        async with changing(self._core, table_id) as change:
            if change.table.lobby_message_id is None:
                await change.core.parts.occasion(change.table).shown(change)
            await change.amend(lobby_message_id=message_id)
            if invites:
                await queries.jobs.finish_due(change.writer, table_id, JobKind.INVITATION, math.inf)
        return await self._core.snapshot(table_id)

    async def record_thread(self, table_id: int, thread_id: int | None) -> Snapshot:
        """Record a table's thread. If `thread_id` is None, the table gets no thread and is played in the channel."""
        async with changing(self._core, table_id) as change:
            await change.amend(thread_id=thread_id, threaded=thread_id is not None)
        return await self._core.snapshot(table_id)

    async def close_private(self, table_id: int, letter: Letter) -> None:
        """Close a private table that could not get a thread for all its people. Its opener gets the letter."""
        async with changing(self._core, table_id) as change:
            match change.table.status:
                case Status.OPEN:
                    await change.close(threaded=False)
                case Status.PLAYING:
                    await change.amend(threaded=False)
                    await advance(change, ended_by(Ending.CLOSED))
                case _:
                    return
            await _send(change, letter, [change.table.opened_by])

    async def record_lost_thread(self, table_id: int) -> Snapshot:
        """Record that a table's thread was deleted. Private games then pause without a clock; others move to the channel."""
        async with changing(self._core, table_id) as change:
            snapshot, table = change.snapshot, change.table
            if table.thread_id is None and (not table.private or table.board_message_id is None):
                return snapshot  # it is known already
            columns: dict[str, Any] = {"thread_id": None, "threaded": False}
            if table.private and table.status is Status.PLAYING:
                columns |= {"clock": None, "board_channel_id": None, "board_message_id": None}
                columns |= await turn_columns(change, None)
                await _send(change, Letter(news=News.PAUSED), [snapshot.players[seat].user_id for seat in snapshot.present])
            await change.amend(**columns)
        return await self._core.snapshot(table_id)

    async def waiting(self) -> tuple[Table, ...]:
        """Return the tables that have not started and have a lobby message, on servers that the bot is in."""
        async with self._core.store.read() as reader:
            left = await queries.servers.left(reader)
            found = await queries.tables.find(reader, statuses=(Status.OPEN,), own=True)
        return tuple(table for table in found if table.lobby_message_id is not None and table.guild_id not in left)

    async def in_thread(self, guild_id: int, thread_id: int) -> tuple[Table, ...]:
        """Return the open and running tables that are played in a thread."""
        async with self._core.store.read() as reader:
            found = await queries.tables.find(
                reader, guild_id=guild_id, channel_id=thread_id, statuses=(Status.OPEN, Status.PLAYING)
            )
        return tuple(table for table in found if table.thread_id == thread_id)


async def _send(change: Change, letter: Letter, users: Collection[int]) -> None:
    """Send a letter to people, leaving out the placeholders of people who were forgotten."""
    for user in (user for user in users if user > 0):
        await change.enqueue(JobKind.LETTER, f"{letter.news}.{user}", to=user, **letter.payload())
