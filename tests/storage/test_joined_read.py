"""A table and everybody involved, read at once."""

import pytest
import sqlalchemy as sa

from storage import queries
from storage.queries.tables import JoinedRead
from storage.schema.errors import UnreadableRow
from storage.schema.records import Person, SeatStatus, Server, Table, Watch, WatchFor
from storage.store import Store
from tests.storage.reading_back import once
from tests.storage.samples import ANNA, BERT, CARL, GUILD, a_departure, a_seat, a_table

DORA = 4_000


async def read_of(store: Store, table_id: int, user_id: int | None = None) -> JoinedRead:
    found = await once(store.read(), queries.tables.get_joined, table_id, user_id)
    assert found is not None
    return found


async def test_a_table_comes_with_its_server_seats_and_peoples_settings(store: Store, table: Table) -> None:
    async with store.write() as writer:
        other = await queries.tables.add(writer, a_table())
        second = a_seat(table.id, ANNA, 1, status=SeatStatus.INVITED)
        first = a_seat(table.id, BERT, 0)
        for seat in (second, first, a_seat(other.id, CARL, 0)):
            await queries.seats.put(writer, seat)
        anna, carl, dora = (Person(user_id=user, settings={"zone": "UTC"}) for user in (ANNA, CARL, DORA))
        for person in (anna, carl, dora):
            await queries.people.put(writer, person)
        server = Server(guild_id=GUILD, settings={"language": "de"})
        await queries.servers.put(writer, server)
        watch = Watch(table_id=table.id, user_id=CARL, what=WatchFor.TURN)
        await queries.seats.put_watch(writer, watch)
        await queries.seats.put_watch(writer, Watch(table_id=other.id, user_id=ANNA, what=WatchFor.END))
    found = await read_of(store, table.id)
    assert (found.table, found.server, found.seats, found.watches) == (table, server, (first, second), (watch,))
    assert set(map(repr, found.people)) == set(map(repr, (anna, carl)))
    assert dora in (await read_of(store, table.id, DORA)).people
    assert (await read_of(store, table.id, ANNA)).seats == (first, second), "who sits there and asks is there once"


async def test_departures_come_in_order_and_nobody_comes_twice(store: Store, table: Table) -> None:
    async with store.write() as writer:
        other = await queries.tables.add(writer, a_table())
        for place, user in enumerate((ANNA, BERT)):
            await queries.seats.put(writer, a_seat(table.id, user, place))
        gone = tuple(a_departure(table.id, user, number) for number, user in enumerate((CARL, ANNA, CARL, ANNA), 1))
        elsewhere = a_departure(other.id, BERT, 1)
        for departure in (*reversed(gone), elsewhere):
            await queries.seats.put_departure(writer, departure)
        carl = Person(user_id=CARL, settings={"zone": "UTC"})
        await queries.people.put(writer, carl)
        await queries.seats.put_watch(writer, watch := Watch(table_id=table.id, user_id=CARL, what=WatchFor.TURN))
    found = await read_of(store, table.id, CARL)
    assert found.departures == gone
    assert [seat.user_id for seat in found.seats] == [ANNA, BERT]
    assert (found.people, found.watches) == ((carl,), (watch,))
    assert await once(store.read(), queries.seats.departures_of_tables, [table.id, other.id, 99]) == {
        table.id: gone,
        other.id: (elsewhere,),
        99: (),
    }


async def test_people_who_have_set_nothing_are_missing(store: Store, table: Table) -> None:
    await once(store.write(), queries.seats.put, a_seat(table.id, ANNA, 0))
    found = await read_of(store, table.id, BERT)
    assert (found.server, found.people, found.watches) == (Server(guild_id=GUILD), (), ())


async def test_nothing_is_read_without_a_table(store: Store) -> None:
    assert await once(store.read(), queries.tables.get_joined, 77, ANNA) is None


async def test_unreadable_settings_and_watches_are_left_out_but_never_a_seat(store: Store, table: Table) -> None:
    async with store.write() as writer:
        for place, user in enumerate((ANNA, BERT)):
            await queries.seats.put(writer, a_seat(table.id, user, place))
            await queries.people.put(writer, Person(user_id=user))
            await queries.seats.put_watch(writer, Watch(table_id=table.id, user_id=user, what=WatchFor.END))
        await queries.servers.put(writer, Server(guild_id=GUILD))
        await writer.execute(sa.text(f"UPDATE people SET settings = '[]' WHERE user_id = {ANNA}"))
        await writer.execute(sa.text("UPDATE servers SET settings = '[]'"))
        await writer.execute(sa.text(f"UPDATE watches SET what = 'nothing' WHERE user_id = {ANNA}"))
    async with store.read() as reader:
        found = await queries.tables.get_joined(reader, table.id)
        assert found is not None
        assert [seat.user_id for seat in found.seats] == [ANNA, BERT]
        assert (found.server, found.people) == (Server(guild_id=GUILD), (Person(user_id=BERT),))
        assert [watch.user_id for watch in found.watches] == [BERT]
        assert [error.kind for error in reader.unreadable] == [Server, Person, Watch]
    if store.address.path is not None:
        async with store.write() as writer:
            await queries.seats.put_departure(writer, a_departure(table.id, CARL, 1))
            await writer.execute(sa.text("UPDATE departures SET version = 'soon'"))
        with pytest.raises(UnreadableRow, match=r"Departure .* version: 'soon' is no int"):
            await read_of(store, table.id)
    async with store.write() as writer:
        await writer.execute(sa.text("DELETE FROM departures"))
        await writer.execute(sa.text(f"UPDATE seats SET status = 'asleep' WHERE user_id = {BERT}"))
    with pytest.raises(UnreadableRow, match="status: 'asleep' is not"):
        await read_of(store, table.id)


async def test_changes_to_people_are_seen_within_the_transaction(store: Store, table: Table) -> None:
    await once(store.write(), queries.seats.put, a_seat(table.id, ANNA, 0))
    async with store.write() as writer:
        await queries.tables.get_joined(writer, table.id)
        assert (await queries.people.get(writer, ANNA)).vacation_until is None
        assert await queries.seats.watches_of_table(writer, table.id) == ()
        await queries.people.put(writer, Person(user_id=ANNA, vacation_from=1.0, vacation_until=2.0))
        await queries.seats.put_watch(writer, watch := Watch(table_id=table.id, user_id=ANNA, what=WatchFor.END))
        assert (await queries.people.get(writer, ANNA)).vacation_until == 2.0
        assert await queries.seats.watches_of_table(writer, table.id) == (watch,)
        await queries.seats.remove_watch(writer, table.id, ANNA)
        assert await queries.seats.watches_of_table(writer, table.id) == ()
        await queries.seats.put_watch(writer, watch)
        await queries.tables.get_joined(writer, table.id)
        await queries.forgetting.forget_person(writer, ANNA, -1, "somebody")
        assert await queries.people.get(writer, ANNA) == Person(user_id=ANNA)
        assert await queries.seats.watches_of_table(writer, table.id) == ()
