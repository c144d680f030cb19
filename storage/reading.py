"""Reader: the queries of the store."""

from collections.abc import Collection

import sqlalchemy as sa

from storage.aside import HERE, IN_ORDER
from storage.job_reading import JobReader
from storage.records import (
    Contribution,
    Departure,
    Entry,
    Heartbeat,
    Person,
    Rating,
    Review,
    Seat,
    SeatStatus,
    Server,
    Status,
    Table,
    Watch,
)
from storage.tables import (
    actions,
    contributions,
    departures,
    heartbeats,
    people,
    ratings,
    reviews,
    seats,
    servers,
    tables,
    watches,
)

# The statuses of tables that may still wait for somebody.
LIVE = (Status.OPEN, Status.PLAYING)

# The conditions that a clock runs at a table.
RUNNING = (tables.c.status.in_(LIVE), IN_ORDER, HERE)

# What is asked often, see `Rows`.
_SEATED = (seats.c.place, seats.c.asked_at, seats.c.user_id)
_ONE_TABLE = sa.select(tables).where(tables.c.id == sa.bindparam("table_id"))
_SEATS = sa.select(seats).where(seats.c.table_id == sa.bindparam("table_id")).order_by(*_SEATED)
_ENTRIES = (
    sa.select(actions)
    .where(actions.c.table_id == sa.bindparam("table_id"), actions.c.number > sa.bindparam("after"))
    .order_by(actions.c.number)
)
_BY_INTERACTION = sa.select(actions).where(actions.c.interaction_id == sa.bindparam("interaction_id"))
_SERVER = sa.select(servers).where(servers.c.guild_id == sa.bindparam("guild_id"))


def _other_than(without: Collection[int]) -> list[sa.ColumnElement[bool]]:
    """The condition that a table has none of these numbers; no condition if there are none."""
    return [tables.c.id.not_in(tuple(without))] if without else []


class Reader(JobReader):
    """A view of the database at one moment. Later changes are not visible in it.

    Where it is limited to a share (see `Store.part`), what is asked of all tables or servers is told of those of the share.
    """

    async def table(self, table_id: int) -> Table | None:
        """The table with this number, or None. In a write on PostgreSQL, it is locked against writes of other processes.

        Raises:
            UnreadableRow: if its row contains something that a table cannot. Lists leave out such tables.
        """
        return await self._one(Table, self._locked(_ONE_TABLE), table_id=table_id)

    async def tables(
        self,
        *,
        guild_id: int | None = None,
        channel_id: int | None = None,
        user_id: int | None = None,
        seen_by: int | None = None,
        statuses: Collection[Status] | None = None,
        game: str | None = None,
        numbers: Collection[int] | None = None,
        after: int | None = None,
        before: int | None = None,
        limit: int | None = None,
        newest_first: bool = True,
        own: bool = False,
    ) -> tuple[Table, ...]:
        """The tables that fulfil all of these conditions, without those that are set aside.

        Args:
            guild_id: they are on this server.
            channel_id: they were opened in this channel, or are played in this thread.
            user_id: this user has a seat or an invitation there, and has not left the game.
            seen_by: this user may look at them: they are not private, or the user has or is offered a seat there.
            statuses: they have one of these statuses.
            game: the id of the game that is played.
            numbers: they have one of these numbers.
            after: their numbers are higher than this.
            before: their numbers are lower than this.
            limit: the maximum number of tables.
            newest_first: whether they are ordered from the newest to the oldest, or the other way round.
            own: this process looks after them.
        """
        found = sa.select(tables).where(IN_ORDER, *(self._own() if own else ()))
        if guild_id is not None:
            found = found.where(tables.c.guild_id == guild_id)
        if channel_id is not None:
            found = found.where(sa.or_(tables.c.channel_id == channel_id, tables.c.thread_id == channel_id))
        if user_id is not None:
            there = (SeatStatus.JOINED, SeatStatus.INVITED)
            sits = sa.select(seats.c.table_id).where(seats.c.user_id == user_id, seats.c.status.in_(there))
            found = found.where(tables.c.id.in_(sits))
        if seen_by is not None:
            found = found.where(_open_to(seen_by))
        if statuses is not None:
            found = found.where(tables.c.status.in_(tuple(statuses)))
        if game is not None:
            found = found.where(tables.c.game == game)
        if numbers is not None:
            found = found.where(tables.c.id.in_(tuple(numbers)))
        if after is not None:
            found = found.where(tables.c.id > after)
        if before is not None:
            found = found.where(tables.c.id < before)
        found = found.order_by(tables.c.id.desc() if newest_first else tables.c.id)
        return await self._readable(Table, found.limit(limit))

    async def results(
        self,
        *,
        guild_id: int,
        user_id: int,
        channel_id: int | None = None,
        seen_by: int | None = None,
        game: str | None = None,
        handed_over: bool = False,
        limit: int | None = None,
    ) -> tuple[Table, ...]:
        """The finished games that somebody played on a server, including those that they left, ordered from the last to end.

        Args:
            guild_id: the server.
            user_id: the person.
            channel_id: only those of this channel or thread.
            seen_by: only those that this user may look at.
            game: the id of the game; None: any game.
            handed_over: whether to include the rated games that they left to a stand-in, and that count for them.
            limit: the maximum number of tables.
        """
        there = (SeatStatus.JOINED, SeatStatus.WITHDRAWN)
        sat = sa.and_(seats.c.user_id == user_id, seats.c.status.in_(there))
        played = sa.select(seats.c.table_id).where(sa.or_(sat, seats.c.rated_as == user_id) if handed_over else sat)
        involved: sa.ColumnElement[bool] = tables.c.id.in_(played)
        if handed_over:
            lost = sa.select(departures.c.table_id).where(departures.c.user_id == user_id, departures.c.lost)
            involved = sa.or_(involved, tables.c.id.in_(lost))
        over = (tables.c.guild_id == guild_id, tables.c.status == Status.FINISHED, involved)
        found = sa.select(tables).where(IN_ORDER, *over)
        if channel_id is not None:
            found = found.where(sa.or_(tables.c.channel_id == channel_id, tables.c.thread_id == channel_id))
        if seen_by is not None:
            found = found.where(_open_to(seen_by))
        if game is not None:
            found = found.where(tables.c.game == game)
        return await self._readable(Table, found.order_by(tables.c.finished_at.desc(), tables.c.id.desc()).limit(limit))

    async def seats(self, table_id: int) -> tuple[Seat, ...]:
        """All seats and invitations at a table, including declined ones, in the order of their places. Raises UnreadableRow."""
        return await self._all(Seat, _SEATS, table_id=table_id)

    async def seats_of(self, table_ids: Collection[int]) -> dict[int, tuple[Seat, ...]]:
        """The seats of several tables, by table id; a table without seats has an empty tuple.

        A table with a seat that cannot be read is left out: part of its players would be worse than none.
        """
        by_table: dict[int, list[Seat]] = {table_id: [] for table_id in table_ids}
        found = sa.select(seats).where(seats.c.table_id.in_(tuple(table_ids))).order_by(*_SEATED)
        for row in await self._do(found):
            seat = self._read(Seat, row)
            if seat is None:
                by_table.pop(row.table_id, None)
            elif seat.table_id in by_table:
                by_table[seat.table_id].append(seat)
        return {table_id: tuple(there) for table_id, there in by_table.items()}

    async def departures_of(self, table_ids: Collection[int]) -> dict[int, tuple[Departure, ...]]:
        """Who has left seats of several tables to others, in order, by table id; what cannot be read is left out."""
        by_table: dict[int, list[Departure]] = {table_id: [] for table_id in table_ids}
        found = sa.select(departures).where(departures.c.table_id.in_(tuple(table_ids)))
        for departure in await self._readable(Departure, found.order_by(departures.c.table_id, departures.c.number)):
            by_table[departure.table_id].append(departure)
        return {table_id: tuple(gone) for table_id, gone in by_table.items()}

    async def entries(self, table_id: int, after: int = 0) -> tuple[Entry, ...]:
        """The log of a table in order, without the first `after` entries."""
        return await self._all(Entry, _ENTRIES, table_id=table_id, after=after)

    async def contributions(self, table_id: int) -> tuple[Contribution, ...]:
        """What players have mixed into the dice of a table: in its order, or before the game starts in that of pressing."""
        found = sa.select(contributions).where(contributions.c.table_id == table_id)
        return await self._all(Contribution, found.order_by(contributions.c.number, contributions.c.interaction_id))

    async def table_by_interaction(self, interaction_id: int) -> int | None:
        """The number of the table that an interaction has opened, or None."""
        found = await self._do(sa.select(tables.c.id).where(tables.c.interaction_id == interaction_id))
        return found.scalar_one_or_none()

    async def entry_by_interaction(self, interaction_id: int) -> Entry | None:
        """The entry that an interaction has made, or None."""
        return await self._one(Entry, _BY_INTERACTION, interaction_id=interaction_id)

    async def due(self, now: float, limit: int = 100, *, without: Collection[int] = ()) -> tuple[Table, ...]:
        """Open and running tables whose deadline or reminder is due by `now`, those that have waited longest first.

        Time stands still at tables that are set aside, and at those of servers that the bot was removed from.

        Args:
            now: the moment, in seconds since the epoch.
            limit: the maximum number of tables.
            without: the numbers of tables that are left out.
        """
        since = sa.case(
            (tables.c.deadline.is_(None), tables.c.notice_at),
            (tables.c.notice_at.is_(None), tables.c.deadline),
            (tables.c.deadline < tables.c.notice_at, tables.c.deadline),
            else_=tables.c.notice_at,
        )
        has_come = sa.or_(tables.c.deadline <= now, tables.c.notice_at <= now)
        found = sa.select(tables).where(*RUNNING, has_come, *self._own(), *_other_than(without))
        return await self._readable(Table, found.order_by(since, tables.c.id).limit(limit))

    async def next_due(self, *, without: Collection[int] = ()) -> float | None:
        """When the next deadline or reminder of an open or running table is due, in seconds since the epoch, or None.

        `without` are the numbers of tables that are left out.
        """
        wanted = (IN_ORDER, HERE, *self._own(), *_other_than(without))
        # The first of each status is found at once in an index, however many there are.
        first = [
            sa.select(column).where(tables.c.status == status, column.is_not(None), *wanted).order_by(column).limit(1)
            for column in (tables.c.deadline, tables.c.notice_at)
            for status in LIVE
        ]
        row = (await self._do(sa.select(*(one.scalar_subquery() for one in first)))).one()
        return min((moment for moment in row if isinstance(moment, float)), default=None)

    async def heartbeats(self) -> tuple[Heartbeat, ...]:
        """When each process was last known to be connected to Discord."""
        return await self._readable(Heartbeat, sa.select(heartbeats).order_by(heartbeats.c.name))

    async def heartbeat(self, name: str) -> Heartbeat | None:
        """When the process of this name was last known to be connected to Discord; None if it never was."""
        return await self._one(Heartbeat, sa.select(heartbeats).where(heartbeats.c.name == name))

    async def last_activity(self, before: float) -> float | None:
        """When somebody last opened a table or acted until `before`, in seconds since the epoch; None if nobody ever did."""
        latest = [
            (await self._do(sa.select(sa.func.max(column)).where(column <= before))).scalar()
            for column in (tables.c.created_at, actions.c.at)
        ]
        return max((moment for moment in latest if moment is not None), default=None)

    async def on_vacation(self, since: float) -> tuple[Person, ...]:
        """The people whose vacation ended after `since`, or goes on."""
        found = sa.select(people).where(people.c.vacation_until > since)
        if self._share is not None:
            there = (seats.c.user_id == people.c.user_id, tables.c.status.in_(LIVE), *self._own())
            found = found.where(sa.exists().where(seats.c.table_id == tables.c.id, *there))
        return await self._readable(Person, found)

    async def server(self, guild_id: int) -> Server:
        """The settings of a server; the defaults for one that has set nothing, or nothing that can be read."""
        known = await self._readable(Server, _SERVER, guild_id=guild_id)
        return known[0] if known else Server(guild_id=guild_id)

    async def left_servers(self) -> dict[int, float]:
        """The servers that the bot was removed from, and when, in seconds since the epoch."""
        found = sa.select(servers.c.guild_id, servers.c.left_at).where(
            servers.c.left_at.is_not(None), *self._own(servers.c.guild_id)
        )
        return {row.guild_id: row.left_at for row in await self._do(found)}

    async def known_servers(self) -> tuple[int, ...]:
        """The ids of all servers that there is any data about, in ascending order."""
        ids = sa.union(
            *(sa.select(kept.c.guild_id).where(*self._own(kept.c.guild_id)) for kept in (tables, ratings, servers))
        ).subquery()
        return tuple((await self._do(sa.select(ids.c.guild_id).order_by(ids.c.guild_id))).scalars())

    async def rating(self, guild_id: int, user_id: int, game: str) -> Rating | None:
        """Somebody's rating at a game on a server; None before their first rated game."""
        key = (ratings.c.guild_id == guild_id, ratings.c.user_id == user_id, ratings.c.game == game)
        return await self._one(Rating, sa.select(ratings).where(*key))

    async def ratings(
        self,
        *,
        guild_id: int | None = None,
        user_id: int | None = None,
        game: str | None = None,
        played_at_least: int = 0,
        limit: int | None = None,
    ) -> tuple[Rating, ...]:
        """Ratings from the best to the worst, by the skill that their players almost certainly have, mu - 3 sigma."""
        found = sa.select(ratings).where(ratings.c.played >= played_at_least)
        if guild_id is not None:
            found = found.where(ratings.c.guild_id == guild_id)
        if user_id is not None:
            found = found.where(ratings.c.user_id == user_id)
        if game is not None:
            found = found.where(ratings.c.game == game)
        certain = ratings.c.mu - 3 * ratings.c.sigma
        order = (certain.desc(), ratings.c.played.desc(), ratings.c.user_id, ratings.c.game, ratings.c.guild_id)
        return await self._readable(Rating, found.order_by(*order).limit(limit))

    async def watching(self, user_id: int) -> tuple[Watch, ...]:
        """The tables that somebody wants to be notified about."""
        return await self._readable(Watch, sa.select(watches).where(watches.c.user_id == user_id).order_by(watches.c.table_id))

    async def review(self, table_id: int) -> Review | None:
        """The review of a game as far as it has come; None if nobody has asked for one, or it cannot be read."""
        found = sa.select(reviews).where(reviews.c.table_id == table_id)
        return next(iter(await self._readable(Review, found)), None)

    async def unfinished_reviews(self) -> tuple[tuple[int, int], ...]:
        """The reviews that are not done, those first that were asked for first: the table's number, and its server."""
        found = sa.select(reviews.c.table_id, tables.c.guild_id).join(tables)
        waiting = found.where(reviews.c.done.is_(False), IN_ORDER, HERE, *self._own()).order_by(
            reviews.c.asked_at, reviews.c.table_id
        )
        return tuple((row.table_id, row.guild_id) for row in await self._do(waiting))

    async def count_open(self, guild_id: int, opened_by: int) -> int:
        """How many of the tables that this user opened on the server are open or running, without those set aside."""
        count = sa.select(sa.func.count()).select_from(tables)
        mine = count.where(tables.c.guild_id == guild_id, tables.c.opened_by == opened_by, tables.c.status.in_(LIVE), IN_ORDER)
        number: int = (await self._do(mine)).scalar_one()
        return number


def _open_to(user_id: int) -> sa.ColumnElement[bool]:
    """The condition that somebody may look at a table.

    What it says of offers is only likely, since a database may contain JSON that is none; `Snapshot.open_to` decides.
    """
    looking = (SeatStatus.JOINED, SeatStatus.INVITED, SeatStatus.WITHDRAWN)
    seated = sa.select(seats.c.table_id).where(seats.c.user_id == user_id, seats.c.status.in_(looking))
    offered = sa.cast(sa.type_coerce(tables.c.offers, sa.String), sa.String).like(f"%{user_id}%")
    return sa.or_(tables.c.private.is_(False), tables.c.id.in_(seated), offered)
