"""Places: where in Discord a table is shown and played, and what becomes of a table that loses its place."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from bot.sessions.repository import Repository
from bot.sessions.snapshot import Snapshot
from bot.sessions.turns import advance, ended_by, turn_columns
from storage.records import Ending, JobKind, Status, Table
from storage.store import Writer


class News(StrEnum):
    """What somebody is told directly about a table."""

    NO_THREAD = "no-thread"
    """The private table was closed, because Discord did not make its thread."""
    WRONG_CHANNEL = "wrong-channel"
    """It was closed, because there are no private threads in its channel."""
    NOT_LET_IN = "not-let-in"
    """It was closed, because somebody could not be let into its thread."""
    PAUSED = "paused"
    """The thread of the private game is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What one person is told about a table, and nobody else.

    Attributes:
        news: what has happened.
        user: the id of the user who was not let in; 0: nobody.
        error: what Discord said, or nothing.
    """

    news: News
    user: int = 0
    error: str = ""

    def payload(self) -> dict[str, Any]:
        """The letter as the payload of a job."""
        return {"news": self.news.value, "user": self.user, "error": self.error}


class Places:
    """Where tables are shown."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository

    async def answered(self, table_id: int, message_id: int | None) -> None:
        """Record the message in which the answer to the command shows a new table, and have the outbox do the rest.

        None: the answer was lost, as far as is known. The outbox looks for it, and posts a message if there is none.
        """
        async with self._repository.store.write() as writer:
            table = await writer.table(table_id)
            if table is not None and table.lobby_message_id is None and message_id is not None:
                await writer.change_table(table_id, lobby_message_id=message_id)
            await writer.release_jobs(table_id, self._repository.now())

    async def shown(self, table_id: int, message_id: int, *, invites: bool) -> Snapshot:
        """Record the lobby message that the outbox has posted or found. If it `invites`, no invitation has to follow it."""
        async with self._repository.table(table_id) as (writer, _):
            await writer.change_table(table_id, lobby_message_id=message_id)
            if invites:
                await writer.finish_jobs(table_id, JobKind.INVITATION, math.inf)
        return await self._repository.snapshot(table_id)

    async def settled(self, table_id: int, thread_id: int | None) -> Snapshot:
        """Record the thread that a table has got; None: it gets none, and is played in the channel."""
        async with self._repository.table(table_id) as (writer, _):
            await writer.change_table(table_id, thread_id=thread_id, threaded=thread_id is not None)
        return await self._repository.snapshot(table_id)

    async def refused(self, table_id: int, letter: Letter) -> None:
        """Close a private table for which no thread could be made, or not for everybody. Its opener gets the letter."""
        async with self._repository.table(table_id) as (writer, snapshot):
            match snapshot.table.status:
                case Status.OPEN:
                    closed = {"status": Status.CLOSED, "finished_at": self._repository.now()}
                    await writer.change_table(table_id, threaded=False, **closed)
                    await self._repository.enqueue(writer, table_id, JobKind.LOBBY)
                case Status.PLAYING:
                    await writer.change_table(table_id, threaded=False)
                    await advance(self._repository, writer, snapshot, snapshot.playing, ended_by(Ending.CLOSED))
                case _:
                    return
            await self._write(writer, snapshot.table, [snapshot.table.opened_by], letter)

    async def thread_gone(self, table_id: int) -> Snapshot:
        """Record that the thread of a table was deleted. A game goes on in the channel; a private one is paused.

        Paused means that its clock stops for good and that its players are told. They can go on with commands.
        """
        async with self._repository.table(table_id) as (writer, snapshot):
            table = snapshot.table
            if table.thread_id is None and (not table.private or table.board_message_id is None):
                return snapshot  # it is known already
            columns: dict[str, Any] = {"thread_id": None, "threaded": False}
            if table.private and table.status is Status.PLAYING:
                columns |= {"clock": None, "board_channel_id": None, "board_message_id": None}
                columns |= await turn_columns(writer, replace(table, clock=None), snapshot.awaited, self._repository.now())
                players = [snapshot.players[seat].user_id for seat in snapshot.present]
                await self._write(writer, table, players, Letter(news=News.PAUSED))
            await writer.change_table(table_id, **columns)
        return await self._repository.snapshot(table_id)

    async def waiting(self) -> tuple[Table, ...]:
        """The tables that have not started and have a lobby message, on the servers that the bot is in."""
        async with self._repository.store.read() as reader:
            left = await reader.left_servers()
            found = await reader.tables(statuses=(Status.OPEN,), own=True)
        return tuple(table for table in found if table.lobby_message_id is not None and table.guild_id not in left)

    async def in_thread(self, guild_id: int, thread_id: int) -> tuple[Table, ...]:
        """The open and running tables that are played in a thread."""
        async with self._repository.store.read() as reader:
            found = await reader.tables(guild_id=guild_id, channel_id=thread_id, statuses=(Status.OPEN, Status.PLAYING))
        return tuple(table for table in found if table.thread_id == thread_id)

    async def _write(self, writer: Writer, table: Table, users: Collection[int], letter: Letter) -> None:
        """Have the letter sent to people. The placeholders of forgotten people are left out."""
        for user in (user for user in users if user > 0):
            await self._repository.enqueue(
                writer, table.id, JobKind.LETTER, f"{letter.news}.{user}", to=user, **letter.payload()
            )
