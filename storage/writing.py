"""What can be changed, always as part of one transaction."""

from dataclasses import replace
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from storage.errors import Conflict, Repeated
from storage.reading import Reader, to_row
from storage.records import Entry, Job, JobKind, Person, Rating, Seat, SeatStatus, Server, Status, Table, Watch
from storage.tables import actions, outbox, people, ratings, seats, servers, tables, watches


class Writer(Reader):
    """A transaction. It sees what it has written itself; others see all of it once it is committed, or nothing."""

    def _one_table(self, table_id: int) -> sa.Select[Any]:
        # SQLite has one writer anyway and leaves the words out.
        return super()._one_table(table_id).with_for_update()

    def _insert(self, into: sa.Table) -> sqlite.Insert | postgresql.Insert:
        """An INSERT that can be told what to do about a row that is there already; each dialect has its own."""
        return sqlite.insert(into) if self._connection.dialect.name == "sqlite" else postgresql.insert(into)

    async def _put(self, into: sa.Table, value: Seat | Person | Server | Rating | Watch) -> None:
        """Insert a record, or replace the one of the same key."""
        row = to_row(value)
        key = [column.name for column in into.primary_key]
        rest = {name: content for name, content in row.items() if name not in key}
        await self._do(self._insert(into).values(row).on_conflict_do_update(index_elements=key, set_=rest))

    async def add_table(self, table: Table) -> Table:
        """Keep a new table; its id is given by the database and is one that no table ever had."""
        row = to_row(table)
        del row["id"]
        return replace(table, id=(await self._do(sa.insert(tables).values(row).returning(tables.c.id))).scalar_one())

    async def change_table(self, table_id: int, **columns: object) -> Table:
        """Set some fields of a table.

        Raises:
            TypeError: if a name is no field of Table that can be changed.
            LookupError: if there is no such table.
        """
        for name in columns:
            if name == "id" or name not in tables.c:
                raise TypeError(f"a table has no field {name!r} that can be changed")
        if columns:
            await self._do(sa.update(tables).where(tables.c.id == table_id).values(columns))
        changed = await self.table(table_id)
        if changed is None:
            raise LookupError(f"there is no table {table_id}")
        return changed

    async def put_seat(self, seat: Seat) -> None:
        """Keep a seat, in place of what this person had at this table before."""
        await self._put(seats, seat)

    async def remove_seat(self, table_id: int, user_id: int) -> None:
        """Take a person's seat or invitation away; nothing happens if there is none."""
        await self._do(sa.delete(seats).where(seats.c.table_id == table_id, seats.c.user_id == user_id))

    async def append(self, entry: Entry) -> None:
        """Write the next entry of a table's log.

        Raises:
            Repeated: if this interaction has made an entry before.
            Conflict: if the log has an entry of this number already.
            ValueError: if entries before it are missing.
        """
        last = sa.select(sa.func.max(actions.c.number)).where(actions.c.table_id == entry.table_id)
        known = (await self._do(last)).scalar() or 0
        if entry.number > known + 1:
            raise ValueError(f"the log of table {entry.table_id} ends with {known}: {entry.number} would leave a gap")
        # Refused without an error of the database, because PostgreSQL would not go on with the transaction after one.
        insert = self._insert(actions).values(to_row(entry)).on_conflict_do_nothing().returning(actions.c.number)
        if (await self._do(insert)).first() is not None:
            return
        if entry.interaction_id is not None:
            first = await self.entry_by_interaction(entry.interaction_id)
            if first is not None:
                raise Repeated(first)
        raise Conflict(entry.table_id, entry.number)

    async def enqueue(self, job: Job) -> Job:
        """Put something into the outbox, in place of an job of the same table, kind and key. Gives it with its new id."""
        same = (outbox.c.table_id == job.table_id, outbox.c.kind == job.kind, outbox.c.key == job.key)
        await self._do(sa.delete(outbox).where(*same))
        row = to_row(job) | {"tries": 0}
        del row["id"]
        insert = self._insert(outbox).values(row)
        # Another process may have put one there after the deletion.
        names = ("id", "payload", "due", "tries", "created_at")
        newest = insert.on_conflict_do_update(
            index_elements=["table_id", "kind", "key"], set_={name: insert.excluded[name] for name in names}
        )
        return replace(job, tries=0, id=(await self._do(newest.returning(outbox.c.id))).scalar_one())

    async def postpone(self, job_id: int, due: float) -> None:
        """Try an job again at `due`. Nothing happens if a newer one has taken its place: that one has its own time."""
        again = sa.update(outbox).where(outbox.c.id == job_id)
        await self._do(again.values(due=due, tries=outbox.c.tries + 1))

    async def finish_job(self, job: Job) -> bool:
        """Strike off an job that is done. False, and nothing happens, if it was struck off or a newer one took its place."""
        return (await self._do(sa.delete(outbox).where(outbox.c.id == job.id))).rowcount == 1

    async def finish_jobs(self, table_id: int, kind: JobKind, now: float) -> None:
        """Strike off the jobs of one kind that are due at a table: what they were to show has been shown."""
        same = (outbox.c.table_id == table_id, outbox.c.kind == kind)
        await self._do(sa.delete(outbox).where(*same, outbox.c.due <= now))

    async def retry_jobs(self, guild_id: int, now: float) -> int:
        """Make what failed on a server, and waits for another try, due now, as if it had not been tried. Gives how many."""
        there = sa.select(tables.c.id).where(tables.c.guild_id == guild_id)
        waiting = (outbox.c.tries > 0, outbox.c.due > now, outbox.c.table_id.in_(there))
        return (await self._do(sa.update(outbox).where(*waiting).values(due=now, tries=0))).rowcount

    async def put_person(self, person: Person) -> None:
        """Keep a person's settings, in place of those before."""
        await self._put(people, person)

    async def put_server(self, server: Server) -> None:
        """Keep a server's settings, in place of those before."""
        await self._put(servers, server)

    async def put_rating(self, rating: Rating) -> None:
        """Keep a rating, in place of the one before."""
        await self._put(ratings, rating)

    async def put_watch(self, watch: Watch) -> None:
        """Keep what somebody wants to be told about a table, in place of what it was before."""
        await self._put(watches, watch)

    async def remove_watch(self, table_id: int, user_id: int) -> None:
        """Somebody no longer wants to be told about a table; nothing happens if they did not."""
        await self._do(sa.delete(watches).where(watches.c.table_id == table_id, watches.c.user_id == user_id))

    async def forget(self, user_id: int, placeholder_id: int, placeholder: str) -> None:
        """Remove what is known of a person. Games that were begun stay, with a placeholder in the person's place.

        Settings, ratings, watches, invitations and seats at tables that have not begun are gone afterwards.

        Args:
            user_id: the person.
            placeholder_id: an id that nobody has at any table, such as `unused_placeholder()`.
            placeholder: the name that is shown from now on.

        Raises:
            ValueError: if somebody has that id: two people at one table could become one.
        """
        taken = sa.select(sa.exists().where(seats.c.user_id == placeholder_id))
        if (await self._do(taken)).scalar():
            raise ValueError(f"the id {placeholder_id} is already somebody's")
        for kept in (people, ratings, watches):
            await self._do(sa.delete(kept).where(kept.c.user_id == user_id))
        not_begun = sa.select(tables.c.id).where(tables.c.status == Status.OPEN)
        asked_only = seats.c.status.in_((SeatStatus.INVITED, SeatStatus.DECLINED))
        mine = seats.c.user_id == user_id
        await self._do(sa.delete(seats).where(mine, sa.or_(asked_only, seats.c.table_id.in_(not_begun))))
        await self._do(sa.update(seats).where(mine).values(user_id=placeholder_id, name=placeholder))
        await self._do(sa.update(actions).where(actions.c.user_id == user_id).values(user_id=placeholder_id))
        await self._do(sa.update(tables).where(tables.c.opened_by == user_id).values(opened_by=placeholder_id))

    async def forget_server(self, guild_id: int) -> None:
        """Remove everything of a server: its tables with all that belongs to them, its ratings and its settings."""
        for kept in (tables, ratings, servers):
            await self._do(sa.delete(kept).where(kept.c.guild_id == guild_id))
