"""Reviews are read as written, go with their table, and spoil nothing if they are unreadable."""

from dataclasses import replace

import sqlalchemy as sa

from bot.features.reviews import sql as reviews_sql
from storage import queries
from storage.schema.records import Choice, Review, Standing, Status
from storage.store import Store
from tests.storage.reading_back import once
from tests.storage.samples import OTHER_GUILD, a_table

FOUND = Review(
    table_id=0, reviewer=2, version=7, asked_at=5.5,
    standings=(Standing(0, (0.5, 0.5)), Standing(1, (1.0, 0.0)), Standing(3)),
    choices=(Choice(1, 0.6, 0.25, ((0, ("b2", "b3")), (1, ("b7", "b6")))), Choice(3)),
)  # fmt: skip


async def a_finished_table(store: Store, **fields: object) -> int:
    return (await once(store.write(), queries.tables.add, a_table(status=Status.FINISHED, **fields))).id


async def put_review(store: Store, review: Review) -> None:
    await once(store.write(), reviews_sql.put, review)


async def test_a_review_is_read_as_it_was_written_and_replaced_by_the_next(store: Store) -> None:
    table_id = await a_finished_table(store)
    review = replace(FOUND, table_id=table_id)
    for written in (review, replace(review, done=True, standings=())):
        await put_review(store, written)
        assert await once(store.read(), reviews_sql.get, table_id) == written
    assert review.choices[0].lost == 0.35
    assert review.choices[1].lost is None


async def test_unfinished_reviews_come_in_the_order_of_asking(store: Store) -> None:
    tables = [await a_finished_table(store, guild_id=OTHER_GUILD) for _ in range(3)]
    for table_id, asked_at, done in zip(tables, (9.0, 8.0, 7.0), (False, False, True), strict=True):
        await put_review(store, replace(FOUND, table_id=table_id, asked_at=asked_at, done=done))
    assert await once(store.read(), reviews_sql.unfinished) == ((tables[1], OTHER_GUILD), (tables[0], OTHER_GUILD))
    async with store.write() as writer:
        await queries.quarantine.put(writer, tables[1], "it is broken")
        await queries.servers.put_left(writer, OTHER_GUILD, 10.0)
        assert await reviews_sql.unfinished(writer) == ()


async def test_an_unreadable_review_is_none(store: Store) -> None:
    table_id = await a_finished_table(store)
    await put_review(store, replace(FOUND, table_id=table_id))
    async with store.write() as writer:
        await writer.execute(sa.text('UPDATE reviews SET choices = \'[{"number": 1, "worth": 2}]\''))
    async with store.read() as reader:
        assert await reviews_sql.get(reader, table_id) is None
        assert len(reader.unreadable) == 1
    await put_review(store, replace(FOUND, table_id=table_id))
    assert await once(store.read(), reviews_sql.get, table_id) is not None


async def test_a_review_goes_with_its_table(store: Store) -> None:
    table_id = await a_finished_table(store, guild_id=OTHER_GUILD)
    await put_review(store, replace(FOUND, table_id=table_id))
    async with store.write() as writer:
        await queries.forgetting.forget_server(writer, OTHER_GUILD)
        assert await reviews_sql.get(writer, table_id) is None
