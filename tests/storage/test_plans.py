"""Plans are read with their table, go with it, and spoil nothing if they are unreadable."""

import logging
from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.features.plans import sql as plans_sql
from storage import queries
from storage.schema.records import Plan, Reply, SeatStatus, Status
from storage.store import Store
from tests.storage.reading_back import once, stored_table
from tests.storage.samples import ANNA, BERT, CARL, GUILD, a_plan, a_seat, a_table


async def plans_at(store: Store, table_id: int, asked_by: int | None = None) -> tuple[Plan, ...]:
    found = await once(store.read(), queries.tables.get_joined, table_id, asked_by)
    assert found is not None
    return found.plans


async def seated(store: Store, *user_ids: int) -> int:
    """A table with these people."""
    async with store.write() as writer:
        table = await queries.tables.add(writer, a_table(status=Status.PLAYING))
        for place, user_id in enumerate(user_ids):
            await queries.seats.put(writer, a_seat(table.id, user_id, place))
    return table.id


async def test_plans_come_with_their_table_ordered_by_seat(store: Store) -> None:
    table_id, other = await seated(store, ANNA, BERT), await seated(store, ANNA)
    plans = (a_plan(table_id, ANNA, 0), a_plan(table_id, BERT, 1, orders=()))
    async with store.write() as writer:
        for plan in (plans[1], plans[0], a_plan(other, ANNA, 0, replies=())):
            await plans_sql.put(writer, plan)
    assert await plans_at(store, table_id) == plans
    assert await plans_at(store, table_id, CARL) == plans
    async with store.write() as writer:
        await plans_sql.put(writer, changed := replace(plans[0], revision=4, replies=plans[0].replies[0].then))
        assert (await queries.tables.get_joined(writer, table_id)).plans == (changed, plans[1])  # type: ignore[union-attr]


async def test_a_deep_tree_of_replies_is_read_as_it_was_written(store: Store) -> None:
    table_id = await seated(store, ANNA)
    tree: tuple[Reply, ...] = ()
    for n in range(40):
        tree = (Reply(("a2", f"a{n}"), ("b2", f"b{n}"), tree),)
    await once(store.write(), plans_sql.put, a_plan(table_id, ANNA, 0, replies=tree))
    assert (await plans_at(store, table_id))[0].replies == tree


async def test_plans_can_be_removed_for_one_or_for_all_and_go_with_their_table(store: Store) -> None:
    table_id, other = await seated(store, ANNA, BERT, CARL), await seated(store, ANNA)
    async with store.write() as writer:
        for seat, user_id in enumerate((ANNA, BERT, CARL)):
            await plans_sql.put(writer, a_plan(table_id, user_id, seat))
        await plans_sql.put(writer, a_plan(other, ANNA, 0))
        await plans_sql.remove(writer, table_id, BERT)
    assert [plan.user_id for plan in await plans_at(store, table_id)] == [ANNA, CARL]
    await once(store.write(), plans_sql.remove, table_id)
    assert await plans_at(store, table_id) == ()
    assert [plan.user_id for plan in await plans_at(store, other)] == [ANNA]
    async with store.write() as writer:
        await queries.forgetting.forget_server(writer, GUILD)
        assert (await writer.execute(sa.text("SELECT COUNT(*) FROM plans"))).scalar() == 0


@pytest.mark.parametrize("damaged", ['replies = \'[{"theirs": "top secret"}]\'', "orders = '[[17, \"top secret\"]]'"])
async def test_an_unreadable_plan_is_left_out_without_a_word_of_its_content(
    store: Store, damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    table_id = await seated(store, ANNA, BERT)
    async with store.write() as writer:
        await plans_sql.put(writer, a_plan(table_id, ANNA, 0))
        await plans_sql.put(writer, kept := a_plan(table_id, BERT, 1))
        await writer.execute(sa.text(f"UPDATE plans SET {damaged} WHERE user_id = {ANNA}".replace(":", r"\:")))
    with caplog.at_level(logging.DEBUG, logger="storage"):
        assert await plans_at(store, table_id) == (kept,)
    assert "left out of a list: Plan" in caplog.text
    assert "secret" not in caplog.text
    async with store.write() as writer:
        assert (await stored_table(writer, table_id)).set_aside is None
        await plans_sql.put(writer, anew := a_plan(table_id, ANNA, 0))
    assert await plans_at(store, table_id) == (anew, kept)


async def test_a_table_closed_without_being_read_has_no_plans_any_more(store: Store) -> None:
    table_id = await seated(store, ANNA)
    async with store.write() as writer:
        await plans_sql.put(writer, a_plan(table_id, ANNA, 0))
        await queries.quarantine.close(writer, table_id, 5.0, status=Status.CLOSED)
    assert await plans_at(store, table_id) == ()


async def test_the_plans_of_those_who_have_left_are_not_read(store: Store) -> None:
    table_id = await seated(store, ANNA, BERT)
    async with store.write() as writer:
        await plans_sql.put(writer, a_plan(table_id, ANNA, 0))
        await queries.seats.remove(writer, table_id, ANNA)
        await queries.seats.put(writer, a_seat(table_id, CARL, 0, status=SeatStatus.JOINED))
    assert await plans_at(store, table_id, ANNA) == ()
