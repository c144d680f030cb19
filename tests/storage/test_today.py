"""What is on at public tables, and what has ended there: in the order of the last actions, and counted."""

from typing import Any

import pytest
import sqlalchemy as sa

from bot.features.today import sql as today_sql
from bot.features.today.sql import Counts
from storage import queries
from storage.schema.records import Ending, Result, Status
from storage.schema.tables import tables
from storage.store import Store
from tests.storage.reading_back import once
from tests.storage.samples import GUILD, OTHER_GUILD, a_table, an_entry


async def a_game(store: Store, *acted: float, **fields: Any) -> int:
    """A game that began at 1000, with actions at these moments."""
    async with store.write() as writer:
        usual = {"status": Status.PLAYING, "started_at": 1000.0, "version": len(acted)}
        table_id = (await queries.tables.add(writer, a_table(**(usual | fields)))).id
        for number, at in enumerate(acted, 1):
            await queries.entries.append(writer, an_entry(table_id, number, at=at))
    return table_id


async def a_finished_game(
    store: Store, at: float, how: Ending = Ending.RULES, reason: str = "All jumped.", **fields: Any
) -> int:
    """A game that ended at a moment."""
    outcome = Result(winners=(0,), how=how, reason=reason)
    return await a_game(store, at, status=Status.FINISHED, finished_at=at, outcome=outcome, **fields)


async def running(store: Store, limit: int = 10) -> list[int]:
    return [table.id for table in await once(store.read(), today_sql.running, GUILD, limit=limit)]


async def last_games(store: Store, since: float = 0.0, limit: int = 10) -> list[int]:
    return [table.id for table in await once(store.read(), today_sql.last_games, GUILD, since, limit=limit)]


async def count(store: Store, since: float = 0.0) -> Counts:
    return await once(store.read(), today_sql.count, GUILD, since)


async def test_running_games_come_in_the_order_in_which_people_acted_last(store: Store) -> None:
    early = await a_game(store, 1500.0, 1600.0)
    late = await a_game(store, 1400.0, 2000.0)
    begun = await a_game(store, started_at=1800.0)
    assert await running(store) == [late, begun, early]
    assert await running(store, limit=2) == [late, begun]
    assert await count(store) == Counts(running=3, moved=3, ended=0)
    assert await count(store, 1800.0) == Counts(running=3, moved=2, ended=0)
    assert await count(store, 2000.5) == Counts(running=3, moved=0, ended=0)


async def test_ended_games_since_a_moment_come_latest_first(store: Store) -> None:
    games = [await a_finished_game(store, at) for at in (2000.0, 4000.0, 3000.0)]
    assert await last_games(store) == [games[1], games[2], games[0]]
    assert await last_games(store, 3000.0) == [games[1], games[2]]
    assert await last_games(store, limit=1) == [games[1]]
    assert await count(store, 3000.0) == Counts(running=0, moved=0, ended=2)


async def test_tables_that_are_private_in_quarantine_elsewhere_or_not_begun_are_left_out(store: Store) -> None:
    for fields in ({"private": True}, {"set_aside": "it is broken"}, {"guild_id": OTHER_GUILD}):
        await a_game(store, 1500.0, **fields)
        await a_finished_game(store, 1500.0, **fields)
    for status in (Status.OPEN, Status.CLOSED):
        await a_game(store, status=status)
    assert await running(store) == await last_games(store) == []
    assert await count(store) == Counts(running=0, moved=0, ended=0)


@pytest.mark.parametrize("how", Ending)
async def test_an_ending_counts_if_the_game_has_a_result(store: Store, how: Ending) -> None:
    game = await a_finished_game(store, 1500.0, how, reason='Ben said "rules", and wrote "agreed".')
    told = how in {Ending.RULES, Ending.AGREED}
    assert await last_games(store) == ([game] if told else [])
    assert (await count(store)).ended == int(told)


async def test_an_unreadable_row_is_left_out_and_noted(store: Store) -> None:
    broken, whole = await a_game(store, 2000.0), await a_game(store, 1500.0)
    async with store.write() as writer:
        if writer.dialect != "sqlite":
            pytest.skip("a server keeps no text in a column of numbers")
        await writer.execute(sa.update(tables).where(tables.c.id == broken).values(wanted=sa.text("'two'")))
    async with store.read() as reader:
        assert [table.id for table in await today_sql.running(reader, GUILD, limit=4)] == [whole]
        assert [error.table_id for error in reader.unreadable] == [broken]
