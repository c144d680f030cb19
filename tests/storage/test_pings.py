"""Pings are kept as long as they matter."""

from storage import queries
from storage.store import Store
from tests.storage.samples import ANNA, BERT, CARL


async def test_pings_are_found_by_who_caused_them_oldest_first_until_forgotten(store: Store) -> None:
    async with store.write() as writer:
        await queries.people.add_pings(writer, ANNA, [BERT, CARL], 1000.0)
        await queries.people.add_pings(writer, BERT, [CARL], 1001.0)
        await queries.people.add_pings(writer, ANNA, [BERT], 1002.0)
        await queries.people.add_pings(writer, ANNA, [], 1003.0)
    async with store.write() as writer:
        assert [(ping.to_user, ping.at) for ping in await queries.people.pings_by(writer, ANNA, 999.0)] == [
            (BERT, 1000.0),
            (CARL, 1000.0),
            (BERT, 1002.0),
        ]
        assert [ping.at for ping in await queries.people.pings_by(writer, ANNA, 1000.0)] == [1002.0]
        await queries.people.forget_pings(writer, 1001.0)
        assert [ping.at for ping in await queries.people.pings_by(writer, ANNA, 0.0)] == [1002.0]
        assert await queries.people.pings_by(writer, BERT, 0.0) == ()
