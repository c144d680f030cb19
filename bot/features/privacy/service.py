"""Exporting and deleting what is stored about people."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from bot.core.change import changing
from bot.core.core import Core, Work
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import NoSuchTable, Quarantined
from bot.core.table.snapshot import FORMER_PLAYER, User
from bot.features.privacy.export import Export, export
from storage import queries
from storage.schema.records import Job, JobKind, SeatStatus, Status
from storage.store import Writer

EDITED_NOW: Final = 20
"""How many of a forgotten person's tables are redrawn at once. The rest follow gradually."""

EDITS_APART: Final = 5.0
"""Seconds between redrawing two of the remaining tables. Each has two messages; a channel allows three edits in six seconds."""


class Privacy:
    """The data stored about people, which they can export or have deleted."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._lobby = core.service(Lobby)
        self._play = core.service(Play)

    async def export(self, user_id: int) -> Export | None:
        """Return everything stored about a person, or None if nothing is stored."""
        return await export(self._core, user_id)

    async def forget(self, user: User) -> tuple[int, ...]:
        """Delete everything about a person, and return the ids of the tables that they have left.

        They resign their running games, and a placeholder takes their place in finished ones. The deletion is one transaction.
        If it fails, forgetting can be started again.
        """
        left = await self._leave_all(user)
        async with self._core.store.write() as writer:
            await self._core.parts.forget(writer, user.id, self._core.now())
            named = await queries.forgetting.forget_person(
                writer, user.id, await queries.forgetting.unused_placeholder(writer), str(FORMER_PLAYER)
            )
            await self._owe_edits(writer, named)
        for table_id in named:
            self._core.histories.drop(table_id)  # the game in memory still has the user's id in its entries
        await self._retire_questions(named)
        self._core.on_change(0.0)
        self._core.on_change(0.0, Work.OUTBOX)
        return left

    async def _owe_edits(self, writer: Writer, numbers: Sequence[int]) -> None:
        """Have the messages that named a person redrawn: the newest now, the others gradually, so that nothing is held up."""
        now = self._core.now()
        for place, table_id in enumerate(sorted(numbers, reverse=True)):
            due = now + EDITS_APART * max(0, place - EDITED_NOW)
            for kind in (JobKind.LOBBY, JobKind.REFRESH):
                job = Job(table_id=table_id, kind=kind, due=due, created_at=now)
                await queries.jobs.enqueue_later(writer, job)

    async def _retire_questions(self, numbers: Sequence[int]) -> None:
        """Remove the buttons of withdrawn offers from the messages at these tables."""
        async with self._core.store.read() as reader:
            found = await queries.tables.find(reader, numbers=numbers)
        for table in found:
            if table.questions:
                with suppress(Quarantined, NoSuchTable):
                    async with changing(self._core, table.id):
                        pass  # every change removes them at its end

    async def _leave_all(self, user: User) -> tuple[int, ...]:
        """Make a user leave all readable games, tables and invitations, and return the ids of the tables."""
        touched = []
        async with self._core.store.read() as reader:
            playing = await queries.tables.find(reader, user_id=user.id, statuses=(Status.PLAYING,), limit=1000)
            waiting = await queries.tables.find(reader, user_id=user.id, statuses=(Status.OPEN,), limit=1000)
        for table in (*playing, *waiting):
            with suppress(Quarantined):  # its seat goes to a placeholder all the same
                await self._leave(table.id, user)
                touched.append(table.id)
        return tuple(touched)

    async def _leave(self, table_id: int, user: User) -> None:
        """Make a user leave a table by resigning its game, giving up the seat, or declining the invitation."""
        snapshot = await self._core.snapshot(table_id)
        known = snapshot.person(user.id)
        if known is not None and known.status is SeatStatus.JOINED and snapshot.table.status is Status.PLAYING:
            await self._play.resign(table_id, user)
        elif known is not None and known.status is SeatStatus.JOINED:
            await self._lobby.leave(table_id, user)
        elif known is not None and known.status is SeatStatus.INVITED:
            await self._lobby.decline(table_id, user)
