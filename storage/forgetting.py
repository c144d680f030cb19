"""ForgettingWriter: the changes to the store by which a person or a server is forgotten."""

import re
from typing import Any, Final

import sqlalchemy as sa

from storage.reading import Reader
from storage.records import JobKind, OfferKind, Offers, SeatStatus, Status
from storage.rows import WritingRows
from storage.tables import (
    actions,
    contributions,
    departures,
    outbox,
    people,
    pings,
    plans,
    ratings,
    seats,
    servers,
    tables,
    watches,
)

ABOUT_ONE: Final = (
    people.c.user_id,
    ratings.c.user_id,
    watches.c.user_id,
    plans.c.user_id,
    contributions.c.user_id,
    pings.c.by_user,
    pings.c.to_user,
)
"""The columns whose rows are about one person and go with them."""

REPLACED: Final = (seats.c.user_id, seats.c.rated_as, departures.c.user_id, actions.c.user_id, tables.c.opened_by)
"""The columns in which a placeholder takes the place of a person, because the games of others depend on the rows."""


FORGETTING: Final = 0x5350_5249_4E49
"""The key by which people are forgotten one after the other. It is no user's id: those are far larger."""


class ForgettingWriter(Reader, WritingRows):
    """The part of a transaction that forgets."""

    async def unused_placeholder(self) -> int:
        """A user id that nobody has, for `forget`: Discord's ids are positive, and these count down from -1."""
        await self._keep_to_oneself(FORGETTING)
        lowest: list[int | None] = [
            (await self._do(sa.select(sa.func.min(column)).where(column < 0))).scalar() for column in REPLACED
        ]
        return min([0, *(user for user in lowest if user is not None)]) - 1

    async def forget(self, user_id: int, placeholder_id: int, placeholder: str) -> tuple[int, ...]:
        """Delete what is known about a person. Games that have started are kept, with a placeholder in place of the person.

        Their settings, ratings, watches, plans, invitations, pings and contributions to dice are deleted, their seats at tables
        that have not started, what is still to be sent to them, and what is offered to them. Nothing has to be readable for
        that. Of a contribution to dice that are cast its number is kept, so that it is known why it is missing.

        Args:
            user_id: the person.
            placeholder_id: an id that nobody has at any table, such as `unused_placeholder()`.
            placeholder: the name that is shown instead.

        Returns:
            The numbers of the tables whose messages in Discord have named them.

        Raises:
            ValueError: if somebody has that id, because two people at one table could become one.
        """
        self._forget_people()
        for column in REPLACED:
            if (await self._do(sa.select(sa.exists().where(column == placeholder_id)))).scalar():
                raise ValueError(f"the id {placeholder_id} is already somebody's")
        named = set(await self._forget_offers(user_id))
        for column in REPLACED:
            number = tables.c.id if column.table is tables else column.table.c.table_id
            named.update((await self._do(sa.select(number).distinct().where(column == user_id))).scalars())
        await self._blank_contributions(user_id, placeholder_id)
        for column in ABOUT_ONE:
            await self._do(sa.delete(column.table).where(column == user_id))
        not_begun = sa.select(tables.c.id).where(tables.c.status == Status.OPEN)
        asked_only = seats.c.status.in_((SeatStatus.INVITED, SeatStatus.DECLINED))
        mine = seats.c.user_id == user_id
        await self._do(sa.delete(seats).where(mine, sa.or_(asked_only, seats.c.table_id.in_(not_begun))))
        await self._do(sa.update(seats).where(mine).values(name=placeholder))
        unnamed = {"name": placeholder, "rating_before": None, "rating_after": None}
        await self._do(sa.update(departures).where(departures.c.user_id == user_id).values(unnamed))
        own_rating = sa.or_(seats.c.rated_as == user_id, sa.and_(mine, seats.c.rated_as.is_(None)))
        await self._do(sa.update(seats).where(own_rating).values(rating_before=None, rating_after=None))
        for column in REPLACED:
            await self._do(sa.update(column.table).where(column == user_id).values({column.name: placeholder_id}))
        await self._do(sa.update(tables).where(tables.c.opened_by == placeholder_id).values(interaction_id=None))
        await self._forget_jobs(user_id)
        await self._forget_reasons(user_id, placeholder_id)
        return tuple(sorted(named))

    async def _blank_contributions(self, user_id: int, placeholder_id: int) -> None:
        """Remove all from a person's contributions to dice that are cast, but that there were some: see `Contribution`."""
        mixed_in = (contributions.c.user_id == user_id, contributions.c.number.is_not(None))
        blank = {"user_id": placeholder_id, "interaction_id": -contributions.c.number, "word": ""}
        await self._do(sa.update(contributions).where(*mixed_in).values(blank))

    async def _forget_offers(self, user_id: int) -> list[int]:
        """Withdraw what is offered to a person. Offers that name them and cannot be read are gone as a whole."""
        touched = []
        text = _text(tables.c.offers)
        found = sa.select(tables.c.id, tables.c.offers, text.label("text")).where(text.like(f"%{user_id}%"))
        for row in (await self._do(found)).mappings():
            offers, left = row["offers"], None
            if isinstance(offers, Offers):
                if offers.substitute is not None and offers.substitute.to == user_id:
                    left = offers.without(OfferKind.SUBSTITUTE)
            elif _names(row["text"], user_id):
                left = Offers()
            if left is not None:
                await self._do(sa.update(tables).where(tables.c.id == row["id"]).values(offers=left))
                touched.append(row["id"])
        return touched

    async def _forget_jobs(self, user_id: int) -> None:
        """Delete the jobs that are for a person. One that names them and cannot be read could not be done anyway.

        Only those stay that take them out of the threads of private tables, until they are done: else they would go on reading.
        """
        text = _text(outbox.c.payload)
        found = sa.select(outbox.c.id, outbox.c.payload, text.label("text")).where(text.like(f"%{user_id}%"))
        found = found.where(outbox.c.kind != JobKind.DISMISSAL)
        for row in (await self._do(found)).mappings():
            payload = row["payload"]
            if payload.get("user") == user_id if isinstance(payload, dict) else _names(row["text"], user_id):
                await self._do(sa.delete(outbox).where(outbox.c.id == row["id"]))

    async def _forget_reasons(self, user_id: int, placeholder_id: int) -> None:
        """Take a person out of the reasons why tables are set aside, which may quote what could not be read."""
        found = sa.select(tables.c.id, tables.c.set_aside).where(tables.c.set_aside.like(f"%{user_id}%"))
        for row in (await self._do(found)).mappings():
            without = _id_pattern(user_id).sub(str(placeholder_id), row["set_aside"])
            await self._do(sa.update(tables).where(tables.c.id == row["id"]).values(set_aside=without))

    async def forget_server(self, guild_id: int) -> None:
        """Delete everything about a server: its tables with all that belongs to them, its ratings and its settings."""
        self._forget_people()
        for kept in (tables, ratings, servers):
            await self._do(sa.delete(kept).where(kept.c.guild_id == guild_id))


def _text(column: sa.Column[Any]) -> sa.ColumnElement[str]:
    """A JSON column as the text that it is, whether or not it can be read."""
    return sa.cast(sa.type_coerce(column, sa.String), sa.String)


def _names(raw: str, user_id: int) -> bool:
    """Whether an unreadable text contains a user's id."""
    return _id_pattern(user_id).search(raw) is not None


def _id_pattern(user_id: int) -> re.Pattern[str]:
    return re.compile(rf"(?<!\d){user_id}(?!\d)")
