"""Everything that is deleted or changed in order to forget a person or a server."""

import re
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from storage.schema.column_types import Unreadable, as_text
from storage.schema.columns import STAYING, Emptied, OnForget, OnForgetServer, Renamed
from storage.schema.kinds import TournamentStatus
from storage.schema.records import JobKind, OfferKind, Offers, SeatStatus, Status
from storage.schema.tables import contributions, declared, event_entries, events, every_column, noted, outbox, seats, tables
from storage.transactions import Writer

ABOUT_ONE: Final = noted(OnForget.DELETE_ROW)
"""The columns with a person's id whose rows are about that person alone, and are deleted with the person."""

REPLACED: Final = noted(OnForget.REPLACE_ID)
"""The columns in which a placeholder takes the place of the person, because the games of others depend on the rows."""


Columns: TypeAlias = tuple[sa.Column[Any], ...]


def _blanked() -> dict[Columns, Columns]:
    """Return which columns to blank in rows that stay. The keys are columns, of which the first filled one names the person."""
    found: dict[Columns, Columns] = {}
    for column in every_column():
        said = declared(column)
        if said.note(OnForget) is OnForget.EMPTY:
            whose: Columns = (column,)
        elif emptied := said.note(Emptied):
            whose = tuple(column.table.c[name] for name in emptied.of) or (_person_of(column.table),)
        elif said.says(Renamed):
            whose = (_person_of(column.table),)
        else:
            continue
        found[whose] = (*found.get(whose, ()), column)
    return found


def _person_of(table: Any) -> sa.Column[Any]:
    return next(column for column in table.columns if declared(column).note(OnForget) in STAYING)


_BLANKED: Final = _blanked()

FORGETTING: Final = 0x5350_5249_4E49
"""The key of the lock that ensures that people are forgotten one after another. The ids of users are much larger."""


async def unused_placeholder(writer: Writer) -> int:
    """Return a user id that nobody has, for `forget_person`. It counts down from -1, as Discord's are positive."""
    await writer.lock(FORGETTING)
    lowest: list[int | None] = [
        (await writer.execute(sa.select(sa.func.min(column)).where(column < 0))).scalar() for column in REPLACED
    ]
    return min([0, *(user for user in lowest if user is not None)]) - 1


async def forget_person(writer: Writer, user_id: int, placeholder_id: int, placeholder: str) -> tuple[int, ...]:
    """Delete everything about a person. Games that have started stay, with a placeholder in the person's place.

    This deletes settings, ratings, watches, plans, analyses, puzzles, wishes for games, places on ladders, invitations, pings,
    contributions to dice, seats at tables and entries for events that have not started, the notes on whom the person avoids and
    who avoids them, and the jobs and offers meant for them, even if they are unreadable. Of a contribution to dice that has
    already been used, the number stays, to show why the rest is missing.

    The placeholder has the name `placeholder`, and an id that nobody has at any table, such as that of `unused_placeholder`.
    Raises ValueError if the id is taken, since two people at one table could then become one. Returns the numbers of the tables
    whose messages in Discord named the person.
    """
    writer.forget_people()
    for column in REPLACED:
        if (await writer.execute(sa.select(sa.exists().where(column == placeholder_id)))).scalar():
            raise ValueError(f"the id {placeholder_id} is already somebody's")
    named = set(await _forget_offers(writer, user_id))
    for column in REPLACED:
        number = tables.c.id if column.table is tables else column.table.c.get("table_id")
        if number is None:
            continue
        named.update((await writer.execute(sa.select(number).distinct().where(column == user_id))).scalars())
    # If contributions have gone into dice, it stays known that there were some: see `Contribution`.
    mixed_in = (contributions.c.user_id == user_id, contributions.c.number.is_not(None))
    blank = {"user_id": placeholder_id, "interaction_id": -contributions.c.number, "word": ""}
    await writer.execute(sa.update(contributions).where(*mixed_in).values(blank))
    for column in ABOUT_ONE:
        await writer.execute(sa.delete(column.table).where(column == user_id))
    not_begun = sa.select(tables.c.id).where(tables.c.status == Status.OPEN)
    asked_only = seats.c.status.in_((SeatStatus.INVITED, SeatStatus.DECLINED))
    mine = seats.c.user_id == user_id
    await writer.execute(sa.delete(seats).where(mine, sa.or_(asked_only, seats.c.table_id.in_(not_begun))))
    await _leave_tournaments(writer, user_id)
    for whose, columns in _BLANKED.items():
        values = {column.name: placeholder if declared(column).says(Renamed) else None for column in columns}
        person = sa.func.coalesce(*whose) if len(whose) > 1 else whose[0]
        await writer.execute(sa.update(whose[0].table).where(person == user_id).values(values))
    for column in REPLACED:
        await writer.execute(sa.update(column.table).where(column == user_id).values({column.name: placeholder_id}))
    await _forget_jobs(writer, user_id)
    await _forget_reasons(writer, user_id, placeholder_id)
    return tuple(sorted(named))


async def _leave_tournaments(writer: Writer, user_id: int) -> None:
    """Take a person out of events that have not started, and make them leave those that are running. Their results stay."""
    mine, c = event_entries.c.user_id == user_id, events.c
    not_begun = sa.select(c.id).where(c.status.in_((TournamentStatus.OPEN, TournamentStatus.CHECK_IN)))
    await writer.execute(sa.delete(event_entries).where(mine, event_entries.c.event_id.in_(not_begun)))
    on = sa.select(event_entries.c.event_id).where(mine)
    going = (c.id.in_(on), c.status == TournamentStatus.RUNNING, c.due.is_not(None))
    await writer.execute(sa.update(events).where(*going).values(due=0.0))  # makes the tournament's clock look at it at once
    await writer.execute(sa.update(event_entries).where(mine).values(has_left=True))


async def _forget_offers(writer: Writer, user_id: int) -> list[int]:
    """Withdraw the offers to a person, and unreadable offers that name them. Returns the numbers of their tables."""
    touched = []
    text = as_text(tables.c.offers)
    found = sa.select(tables.c.id, tables.c.offers, text.label("text")).where(text.like(f"%{user_id}%"))
    for row in (await writer.execute(found)).mappings():
        offers, left = row["offers"], None
        if isinstance(offers, Offers):
            if offers.substitute is not None and offers.substitute.to == user_id:
                left = offers.without(OfferKind.SUBSTITUTE)
        elif _names(row["text"], user_id):
            left = Offers()
        if left is not None:
            await writer.execute(sa.update(tables).where(tables.c.id == row["id"]).values(offers=left))
            touched.append(row["id"])
    return touched


async def _forget_jobs(writer: Writer, user_id: int) -> None:
    """Delete the jobs for or about a person, including unreadable ones, but not those that end the person's access."""
    text = as_text(outbox.c.payload)
    found = sa.select(outbox.c.id, outbox.c.payload, text.label("text")).where(text.like(f"%{user_id}%"))
    found = found.where(outbox.c.kind != JobKind.DISMISSAL)
    await writer.execute(sa.delete(outbox).where(outbox.c.place == f"person {user_id}"))
    for row in (await writer.execute(found)).mappings():
        payload = row["payload"]
        if user_id in (payload.get("user"), payload.get("to")) if isinstance(payload, dict) else _names(row["text"], user_id):
            await writer.execute(sa.delete(outbox).where(outbox.c.id == row["id"]))


async def _forget_reasons(writer: Writer, user_id: int, placeholder_id: int) -> None:
    """Remove a person from the reasons why tables are in quarantine, since a reason may quote an unreadable value."""
    found = sa.select(tables.c.id, tables.c.set_aside).where(tables.c.set_aside.like(f"%{user_id}%"))
    for row in (await writer.execute(found)).mappings():
        without = _id_pattern(user_id).sub(str(placeholder_id), row["set_aside"])
        await writer.execute(sa.update(tables).where(tables.c.id == row["id"]).values(set_aside=without))


async def forget_server(writer: Writer, guild_id: int) -> None:
    """Delete everything about a server, including analyses opened there. Puzzles solved there stay, without the server."""
    writer.forget_people()
    for column in noted(OnForgetServer.EMPTY):
        await writer.execute(sa.update(column.table).where(column == guild_id).values({column.name: None}))
    for column in noted(OnForgetServer.DELETE_ROW):
        await writer.execute(sa.delete(column.table).where(column == guild_id))


def _names(raw: str | Unreadable, user_id: int) -> bool:
    text = (raw.raw or b"").decode(errors="replace") if isinstance(raw, Unreadable) else raw
    return _id_pattern(user_id).search(text) is not None


def _id_pattern(user_id: int) -> re.Pattern[str]:
    return re.compile(rf"(?<!\d){user_id}(?!\d)")
