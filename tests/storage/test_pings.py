"""Pings are kept as long as they matter."""

from storage.store import Store
from tests.storage.samples import ANNA, BERT, CARL


async def test_pings_are_told_by_whose_doing_they_were_oldest_first_until_they_are_forgotten(store: Store) -> None:
    async with store.write() as writer:
        await writer.add_pings(ANNA, [BERT, CARL], 1000.0)
        await writer.add_pings(BERT, [CARL], 1001.0)
        await writer.add_pings(ANNA, [BERT], 1002.0)
        await writer.add_pings(ANNA, [], 1003.0)
    async with store.write() as writer:
        assert [(ping.to_user, ping.at) for ping in await writer.pings_by(ANNA, 999.0)] == [
            (BERT, 1000.0),
            (CARL, 1000.0),
            (BERT, 1002.0),
        ]
        assert [ping.at for ping in await writer.pings_by(ANNA, 1000.0)] == [1002.0]
        await writer.forget_pings(1001.0)
        assert [ping.at for ping in await writer.pings_by(ANNA, 0.0)] == [1002.0]
        assert await writer.pings_by(BERT, 0.0) == ()
