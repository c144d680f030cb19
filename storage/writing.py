"""Writer: the changes to the store, always as part of one transaction."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import ReturningInsert
from typing_extensions import override

from storage.aside import AsideWriter
from storage.clocks import ClockWriter
from storage.errors import Conflict, Repeated
from storage.forgetting import ForgettingWriter
from storage.pings import PingWriter
from storage.records import (
    Contribution,
    Departure,
    Entry,
    Job,
    JobKind,
    Person,
    Plan,
    Rating,
    Review,
    Seat,
    Server,
    Table,
    Thinking,
    Watch,
)
from storage.rows import from_row, to_row
from storage.tables import (
    actions,
    contributions,
    departures,
    outbox,
    people,
    plans,
    ratings,
    reviews,
    seats,
    servers,
    tables,
    thinking,
    watches,
)

Insert: TypeAlias = sqlite.Insert | postgresql.Insert


def _insert(dialect: str, into: sa.Table) -> Insert:
    """An INSERT with an ON CONFLICT clause, for which each dialect has a class of its own."""
    return sqlite.insert(into) if dialect == "sqlite" else postgresql.insert(into)


@cache
def _upsert(dialect: str, into: sa.Table) -> Insert:
    """Inserts a row, or replaces the one with the same key."""
    insert, key = _insert(dialect, into), [column.name for column in into.primary_key]
    rest = {column.name: insert.excluded[column.name] for column in into.columns if column.name not in key}
    return insert.on_conflict_do_update(index_elements=key, set_=rest)


@cache
def _change(names: tuple[str, ...], *, returned: bool = False) -> sa.Update:
    """Changes these columns of a table, whose row is `returned` if that is wanted; see `_new_values`."""
    values = {name: sa.bindparam(f"new_{name}", type_=tables.c[name].type) for name in names}
    change = sa.update(tables).where(tables.c.id == sa.bindparam("table_id")).values(values)
    return change.returning(*tables.c) if returned else change


def _new_values(table_id: int, columns: Mapping[str, object]) -> dict[str, Any]:
    """The parameters of `_change`."""
    return {"table_id": table_id} | {f"new_{name}": value for name, value in columns.items()}


def _amended(table_id: int, columns: Mapping[str, object], connection: sa.Connection) -> None:
    """Change a table. Raises LookupError if there is none."""
    if connection.execute(_change(tuple(columns)), _new_values(table_id, columns)).rowcount == 0:
        raise LookupError(f"there is no table {table_id}")


@cache
def _append(dialect: str) -> Insert:
    """Appends an entry to a log, unless entries are missing before it, or one is there already."""
    last = sa.select(sa.func.max(actions.c.number)).where(actions.c.table_id == sa.bindparam("table_id"))
    values = [sa.bindparam(column.name, type_=column.type) for column in actions.c]
    follows = sa.func.coalesce(last.scalar_subquery(), 0) >= sa.bindparam("number", type_=sa.Integer) - 1
    insert = _insert(dialect, actions).from_select(list(actions.c), sa.select(*values).where(follows))
    return insert.on_conflict_do_nothing().execution_options(preserve_rowcount=True)


def _appended(dialect: str, entry: Entry, connection: sa.Connection) -> None:
    """Append an entry to a log; see `Writer.append`."""
    # Not by an error of the database, because PostgreSQL would not continue the transaction after one.
    if connection.execute(_append(dialect), to_row(entry)).rowcount == 0:
        raise _refusal(entry, connection)


def _refusal(entry: Entry, connection: sa.Connection) -> Exception:
    """What keeps an entry from being appended."""
    last = sa.select(sa.func.max(actions.c.number)).where(actions.c.table_id == entry.table_id)
    known = connection.execute(last).scalar() or 0
    if entry.number > known + 1:
        return ValueError(f"the log of table {entry.table_id} ends with {known}: {entry.number} would leave a gap")
    if entry.interaction_id is not None:
        made = sa.select(actions).where(actions.c.interaction_id == entry.interaction_id)
        first = connection.execute(made).first()
        if first is not None:
            return Repeated(from_row(Entry, first))
    return Conflict(entry.table_id, entry.number)


def _new(job: Job) -> dict[str, Any]:
    """The row of a job that was not tried yet, and has no number."""
    row = to_row(job) | {"tries": 0}
    del row["id"]
    return row


@cache
def _enqueue(dialect: str) -> Insert:
    """Inserts a job, or replaces the one with the same table, kind and key, but for the moment since which it has been owed."""
    insert = _insert(dialect, outbox)
    earlier = sa.case((outbox.c.created_at < insert.excluded.created_at, outbox.c.created_at), else_=insert.excluded.created_at)
    newest = {name: insert.excluded[name] for name in ("id", "payload", "due", "tries")} | {"created_at": earlier}
    return insert.on_conflict_do_update(index_elements=["table_id", "kind", "key"], set_=newest)


@cache
def _enqueue_known(dialect: str) -> ReturningInsert[Any]:
    """The same, and returns the job's number and since when it has been owed."""
    return _enqueue(dialect).returning(outbox.c.id, outbox.c.created_at)


_FINISHED: Final = sa.delete(outbox).where(outbox.c.id == sa.bindparam("job_id"))


@cache
def _for_update(found: sa.Select[Any]) -> sa.Select[Any]:
    return found.with_for_update(of=tables)


class Writer(ClockWriter, AsideWriter, PingWriter, ForgettingWriter):
    """A transaction. It sees its own changes; others see all of them once it is committed, or none.

    What returns nothing is carried out together with what is asked next, or with the commit, which then raises its errors.

    Attributes:
        appended: the entries that it has appended to logs.
    """

    appended: tuple[Entry, ...] = ()

    @override
    def _locked(self, found: sa.Select[Any]) -> sa.Select[Any]:
        # SQLite has only one writer anyway, and the clause is left out.
        return _for_update(found)

    def _put(
        self,
        into: sa.Table,
        value: Seat | Departure | Contribution | Person | Server | Rating | Watch | Plan | Thinking | Review,
    ) -> None:
        """Insert a record, or replace the one with the same key."""
        self._later(_upsert(self._dialect, into), to_row(value))

    async def add_table(self, table: Table) -> Table:
        """Insert a new table, with an id from the database that no table ever had."""
        row = to_row(table)
        del row["id"]
        self._note_times(table.deadline, table.notice_at)
        return replace(table, id=(await self._do(sa.insert(tables).values(row).returning(tables.c.id))).scalar_one())

    async def change_table(self, table_id: int, **columns: object) -> Table:
        """Change some fields of a table.

        Raises:
            TypeError: if a name is not a field of Table that can be changed.
            LookupError: if there is no such table.
        """
        self._noted(columns)
        if columns:
            changed = await self._one(Table, _change(tuple(columns), returned=True), **_new_values(table_id, columns))
        else:
            changed = await self.table(table_id)
        if changed is None:
            raise LookupError(f"there is no table {table_id}")
        return changed

    async def amend(self, table: Table, **columns: object) -> Table:
        """Change some fields of a table that was read in this transaction. What it is then is known without reading it again.

        Raises TypeError for what is no field of Table that can be changed. LookupError comes later, if there is no such table.
        """
        self._noted(columns)
        if columns:
            self._owe(partial(_amended, table.id, columns))
        return replace(table, **columns)  # type: ignore[arg-type]  # their names are known only here

    def _noted(self, columns: Mapping[str, object]) -> None:
        """Note the times among changes of a table. Raises TypeError for what is no field that can be changed."""
        for name in columns:
            if name == "id" or name not in tables.c:
                raise TypeError(f"a table has no field {name!r} that can be changed")
        self._note_times(columns.get("deadline"), columns.get("notice_at"))

    async def put_seat(self, seat: Seat) -> None:
        """Store a seat, in place of what this person had at this table before."""
        self._put(seats, seat)

    async def put_departure(self, departure: Departure) -> None:
        """Store that somebody has left a seat to somebody else, in place of what was known of it."""
        self._put(departures, departure)

    async def remove_seat(self, table_id: int, user_id: int) -> None:
        """Delete a person's seat or invitation, if there is one."""
        self._later(sa.delete(seats).where(seats.c.table_id == table_id, seats.c.user_id == user_id))

    async def append(self, entry: Entry) -> None:
        """Append an entry to the log of a table.

        Raises:
            Repeated: if this interaction has already made an entry.
            Conflict: if the log already has an entry with this number.
            ValueError: if entries before it are missing.
        """
        await self.run(partial(_appended, self._dialect, entry))
        self.appended += (entry,)

    async def append_later(self, entry: Entry) -> None:
        """The same together with what is asked next, or with the commit, which then raises its errors."""
        self._owe(partial(_appended, self._dialect, entry))
        self.appended += (entry,)

    async def put_contribution(self, contribution: Contribution) -> None:
        """Store what a press mixes into the dice of a table, in place of what the same press did before."""
        self._put(contributions, contribution)

    async def remove_contributions(self, table_id: int, user_id: int) -> None:
        """Delete what somebody has mixed into the dice of a table, if there is anything."""
        mine = (contributions.c.table_id == table_id, contributions.c.user_id == user_id)
        self._later(sa.delete(contributions).where(*mine))

    async def enqueue(self, job: Job) -> Job:
        """Put a job into the outbox, in place of one with the same table, kind and key. Returns it as it is stored.

        It has a new id, but was created when the one in whose place it is was: since then something is owed.
        """
        stored = await self._row(_enqueue_known(self._dialect), _new(job))
        assert stored is not None, "it was inserted, or has replaced another"
        return replace(job, tries=0, id=stored.id, created_at=stored.created_at)

    async def enqueue_later(self, job: Job) -> None:
        """The same for whoever does not need to know how it is stored."""
        self._later(_enqueue(self._dialect), _new(job))

    async def release_jobs(self, table_id: int, now: float) -> None:
        """Make the jobs of a table that wait for their first attempt due now."""
        waiting = (outbox.c.table_id == table_id, outbox.c.tries == 0, outbox.c.due > now)
        self._later(sa.update(outbox).where(*waiting).values(due=now))

    async def postpone(self, job_id: int, due: float) -> None:
        """Retry a job at `due`, in seconds since the epoch, unless a newer one, with its own time, has taken its place."""
        again = sa.update(outbox).where(outbox.c.id == job_id)
        self._later(again.values(due=due, tries=outbox.c.tries + 1))

    async def finish_job(self, job: Job) -> bool:
        """Delete a job that is done. Returns False if it was deleted before, or a newer one has taken its place."""
        return await self._count(_FINISHED, {"job_id": job.id}) == 1

    async def finish_job_later(self, job: Job) -> None:
        """The same for whoever does not need to know."""
        self._later(_FINISHED, {"job_id": job.id})

    async def finish_jobs(self, table_id: int, kind: JobKind, now: float) -> None:
        """Delete the due jobs of one kind at a table, because what they were to show has been shown."""
        same = (outbox.c.table_id == table_id, outbox.c.kind == kind)
        self._later(sa.delete(outbox).where(*same, outbox.c.due <= now))

    async def retry_jobs(self, guild_id: int, now: float) -> int:
        """Make the failed jobs of a server due now, as if they had not been tried. Returns how many there were."""
        there = sa.select(tables.c.id).where(tables.c.guild_id == guild_id)
        waiting = (outbox.c.tries > 0, outbox.c.due > now, outbox.c.table_id.in_(there))
        return await self._count(sa.update(outbox).where(*waiting).values(due=now, tries=0))

    async def person_to_change(self, user_id: int) -> Person:
        """Somebody's settings, which nobody else changes until the end of the transaction, also in another process."""
        await self._keep_to_oneself(user_id)
        self._forget_people()
        return await self.person(user_id)

    async def put_person(self, person: Person) -> None:
        """Store a person's settings, in place of those before."""
        self._forget_people()
        self._put(people, person)

    async def put_server(self, server: Server) -> None:
        """Store a server's settings, in place of those before."""
        self._put(servers, server)

    async def put_left(self, guild_id: int, left_at: float | None) -> None:
        """Store when the bot was removed from a server (None: it is there), and leave the server's settings as they are."""
        insert = _insert(self._dialect, servers).values(guild_id=guild_id, settings={}, left_at=left_at)
        self._later(insert.on_conflict_do_update(index_elements=["guild_id"], set_={"left_at": left_at}))

    async def put_rating(self, rating: Rating) -> None:
        """Store a rating, in place of the one before."""
        self._put(ratings, rating)

    async def put_watch(self, watch: Watch) -> None:
        """Store what somebody wants to be notified about at a table, in place of what it was before."""
        self._forget_people()
        self._put(watches, watch)

    async def remove_watch(self, table_id: int, user_id: int) -> None:
        """Delete somebody's watch of a table, if there is one."""
        self._forget_people()
        self._later(sa.delete(watches).where(watches.c.table_id == table_id, watches.c.user_id == user_id))

    async def put_review(self, review: Review) -> None:
        """Store what the review of a game has found out, in place of what it was before."""
        self._put(reviews, review)

    async def put_plan(self, plan: Plan) -> None:
        """Store what somebody has planned at a table, in place of what it was before."""
        self._put(plans, plan)

    async def put_thinking(self, what: Thinking) -> None:
        """Store what computers have to decide at a table, in place of what it was before."""
        self._note_times(what.due)
        self._put(thinking, what)

    async def remove_thinking(self, table_id: int) -> None:
        """Delete what computers had to decide at a table, if there was anything."""
        self._later(sa.delete(thinking).where(thinking.c.table_id == table_id))

    async def remove_plans(self, table_id: int, *user_ids: int) -> None:
        """Delete what has been planned at a table: by everybody, or by those who are named."""
        whose = (plans.c.user_id.in_(user_ids),) if user_ids else ()
        self._later(sa.delete(plans).where(plans.c.table_id == table_id, *whose))
