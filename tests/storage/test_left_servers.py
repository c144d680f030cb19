"""Servers that the bot was removed from: nothing of theirs is due."""

from storage import queries
from storage.schema.records import Server, Status
from storage.store import Store
from tests.storage.samples import ANNA, GUILD, OTHER_GUILD, a_job, a_rating, a_table


async def test_nothing_is_due_at_the_tables_of_a_server_that_removed_the_bot(store: Store) -> None:
    async with store.write() as writer:
        for guild_id, due in ((GUILD, 100.0), (OTHER_GUILD, 200.0)):
            table = await queries.tables.add(
                writer, a_table(guild_id=guild_id, status=Status.PLAYING, deadline=due, notice_at=due)
            )
            await queries.jobs.enqueue(writer, a_job(table.id, due=due))
        await queries.servers.put_left(writer, GUILD, 50.0)
        assert [table.guild_id for table in await queries.clocks.due(writer, 1000.0)] == [OTHER_GUILD]
        assert await queries.clocks.next_due(writer, 0.0) == 200.0
        assert [job.due for job in await queries.jobs.due(writer, 1000.0)] == [200.0]
        assert await queries.jobs.next_due(writer) == 200.0
        assert await queries.servers.left(writer) == {GUILD: 50.0}
        await queries.servers.put_left(writer, GUILD, None)
        assert await queries.servers.left(writer) == {}
        assert await queries.clocks.next_due(writer, 0.0) == await queries.jobs.next_due(writer) == 100.0


async def test_settings_stay_when_a_server_removes_the_bot_even_unset_ones(store: Store) -> None:
    async with store.write() as writer:
        await queries.servers.put(writer, Server(guild_id=GUILD, settings={"language": "de"}))
        await queries.servers.put_left(writer, GUILD, 50.0)
        await queries.servers.put_left(writer, OTHER_GUILD, 60.0)
        assert await queries.servers.get(writer, GUILD) == Server(guild_id=GUILD, settings={"language": "de"}, left_at=50.0)
        assert await queries.servers.get(writer, OTHER_GUILD) == Server(guild_id=OTHER_GUILD, left_at=60.0)


async def test_deadlines_move_together_on_one_server_where_there_are_any(store: Store) -> None:
    async with store.write() as writer:
        timed = await queries.tables.add(writer, a_table(status=Status.PLAYING, deadline=100.0, notice_at=50.0))
        without = await queries.tables.add(writer, a_table(status=Status.OPEN, deadline=100.0, notice_at=None))
        over = await queries.tables.add(writer, a_table(status=Status.FINISHED, deadline=100.0))
        other = await queries.tables.add(writer, a_table(guild_id=OTHER_GUILD, status=Status.PLAYING, deadline=100.0))
        await queries.clocks.shift_deadlines(writer, GUILD, 7.0)
        moved = [await queries.tables.get(writer, table.id) for table in (timed, without, over, other)]
    assert [table and (table.deadline, table.notice_at) for table in moved] == [
        (107.0, 57.0), (107.0, None), (100.0, None), (100.0, None),
    ]  # fmt: skip


async def test_every_server_with_data_is_known_once(store: Store) -> None:
    async with store.write() as writer:
        await queries.tables.add(writer, a_table(guild_id=3))
        await queries.tables.add(writer, a_table(guild_id=3))
        await queries.ratings.put(writer, a_rating(ANNA, guild_id=2))
        await queries.servers.put(writer, Server(guild_id=1))
        await queries.servers.put(writer, Server(guild_id=3))
        assert await queries.servers.known(writer) == (1, 2, 3)
