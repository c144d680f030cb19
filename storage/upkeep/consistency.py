"""Contradictions between the rows of a database, and everything else that is wrong with its content."""

from collections.abc import Iterator

import sqlalchemy as sa

from storage.queries.row_conditions import IN_ORDER
from storage.schema import tables
from storage.schema.records import SeatStatus, Status
from storage.schema.tournament_records import StoredTournament
from storage.upkeep.checking import readable, row_faults


def log_faults(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each log that has gaps, and each table that contradicts its log, unless it is in quarantine."""
    number, quarantined = tables.actions.c.number, sa.select(tables.tables.c.id).where(~IN_ORDER)
    last, count = sa.func.max(number), sa.func.count()
    logs = sa.select(tables.actions.c.table_id, last, count).group_by(tables.actions.c.table_id)
    broken = logs.where(tables.actions.c.table_id.not_in(quarantined)).having(sa.or_(sa.func.min(number) != 1, last != count))
    for table_id, highest, entries in connection.execute(broken):
        yield f"The log of table {table_id} has gaps: its last number is {highest}, but there are {entries} entries."
    table = tables.tables.c
    told = sa.select(sa.func.count()).where(tables.actions.c.table_id == table.id).scalar_subquery()
    for table_id, version, found in connection.execute(
        sa.select(table.id, table.version, told).where(IN_ORDER, table.version != told)
    ):
        yield f"Table {table_id} says that its log has {version} entries, but it has {found}."


def quarantined_tables(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each table in quarantine."""
    table = tables.tables.c
    for table_id, reason in connection.execute(sa.select(table.id, table.set_aside).where(~IN_ORDER).order_by(table.id)):
        yield f"Table {table_id} is set aside: {reason}."


def contradictions(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each contradiction between rows."""
    table, seat = tables.tables.c, tables.seats.c
    begun = sa.or_(table.version > 0, table.status == Status.PLAYING)
    for (table_id,) in connection.execute(sa.select(table.id).where(table.seed.is_(None), begun)):
        yield f"The game of table {table_id} has begun without a seed for its dice."
    playing = sa.select(table.id).where(table.status == Status.PLAYING)
    sitting = sa.select(seat.table_id, seat.place).where(seat.status == SeatStatus.JOINED, seat.table_id.in_(playing))
    for table_id, place in connection.execute(sitting.group_by(seat.table_id, seat.place).having(sa.func.count() > 1)):
        yield f"Several people sit in place {place} of table {table_id}."
    yield from _without_a_game(connection)
    job = tables.outbox.c
    moved = sa.select(job.id, job.guild_id, table.id, table.guild_id.label("home")).join_from(tables.outbox, tables.tables)
    for job_id, guild_id, table_id, home in connection.execute(moved.where(job.guild_id != table.guild_id)):
        yield f"Job {job_id} is said to be of server {guild_id}, but its table {table_id} is on server {home}."
    other = tables.tables.alias("other")
    lost = table.rematch_id.is_not(None) & ~sa.exists().where(other.c.id == table.rematch_id)
    for table_id, rematch in connection.execute(sa.select(table.id, table.rematch_id).where(lost)):
        yield f"Table {table_id} is said to be followed by table {rematch}, which is not there."


def _without_a_game(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each row that cannot exist, given the state of its table's game."""
    table, seat, plan = tables.tables.c, tables.seats.c, tables.plans.c
    here = (seat.table_id == table.id, seat.status == SeatStatus.JOINED)
    on = table.status == Status.PLAYING
    owner = sa.exists().where(*here, seat.user_id == plan.user_id, seat.place == plan.seat, seat.computer.is_(None))
    planned = sa.select(plan.table_id, plan.user_id, plan.seat, on.label("is_on")).join_from(tables.plans, tables.tables)
    for table_id, user_id, place, is_on in connection.execute(planned.where(sa.not_(sa.and_(on, owner)))):
        but = f"but does not play in seat {place}" if is_on else "where no game is on"
        yield f"User {user_id} has planned ahead at table {table_id}, {but}."
    thinks = sa.and_(on, sa.exists().where(*here, seat.computer.is_not(None)))
    asked = sa.select(table.id).join_from(tables.thinking, tables.tables).where(sa.not_(thinks))
    for (table_id,) in connection.execute(asked):
        yield f"Computers are to think at table {table_id}, where none is playing."
    reviewed = sa.select(table.id).join_from(tables.reviews, tables.tables).where(table.status != Status.FINISHED)
    for (table_id,) in connection.execute(reviewed):
        yield f"Table {table_id} has a review, but its game is not over."
    gone = tables.departures.c
    there = sa.exists().where(seat.table_id == gone.table_id, seat.place == gone.place)
    left = sa.select(gone.table_id, gone.user_id, gone.place, there.label("there")).join_from(tables.departures, tables.tables)
    begun = table.status.in_((Status.PLAYING, Status.FINISHED))
    for table_id, user_id, place, is_there in connection.execute(left.where(sa.not_(sa.and_(begun, there)))):
        but = "whose game has not begun" if is_there else "which is not there"
        yield f"User {user_id} is said to have left seat {place} of table {table_id}, {but}."


def ladder_faults(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each place on a ladder that several people hold, and for each ladder that is missing."""
    place, ladder, count = tables.ladder_places.c, tables.ladders.c, sa.func.count()
    found = sa.select(place.guild_id, place.game, place.place, count).group_by(place.guild_id, place.game, place.place)
    for guild_id, game, number, people in connection.execute(found.having(count > 1)):
        yield f"Place {number} of the ladder of {game!r:.40} on server {guild_id} is that of {people} people."
    there = sa.exists().where(ladder.guild_id == place.guild_id, ladder.game == place.game)
    for guild_id, game in connection.execute(sa.select(place.guild_id, place.game).where(~there).distinct()):
        yield f"There are places on a ladder of {game!r:.40} on server {guild_id}, which is not there."


def tournament_faults(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each event with games of missing players or tables, and each table that its event lacks."""
    entry, table = tables.event_entries.c, tables.tables.c
    numbers: dict[int, set[int]] = {}
    for event_id, number in connection.execute(sa.select(entry.event_id, entry.number)):
        numbers.setdefault(event_id, set()).add(number)
    there = dict(connection.execute(sa.select(table.id, table.event_id).where(table.event_id.is_not(None))).all())
    events = {event.id: event for event in readable(connection, tables.events, StoredTournament)}
    for event in events.values():
        games = [game for each in event.rounds for game in each.games]
        named = {number for each in event.rounds for number in (*each.byes, *each.rests)} | {n for g in games for n in g.seats}
        for number in sorted(named - numbers.get(event.id, set())):
            yield f"Event {event.id} has games of player {number}, who is not there."
        for table_id in [game.table_id for game in games if game.table_id is not None and there.get(game.table_id) != event.id]:
            yield f"Event {event.id} has a game at table {table_id}, which is not one of its tables."
    for table_id, event_id in there.items():
        known = events.get(event_id)
        if known is None or table_id not in {game.table_id for each in known.rounds for game in each.games}:
            yield f"Table {table_id} is said to belong to event {event_id}, which has no such game."


def findings(connection: sa.Connection) -> Iterator[str]:
    """Yield a sentence for each problem with the content of a database, whether it is in a file or on a server."""
    yield from quarantined_tables(connection)
    yield from log_faults(connection)
    yield from contradictions(connection)
    yield from ladder_faults(connection)
    yield from tournament_faults(connection)
    yield from row_faults(connection)
