"""Servers that the bot was removed from: nothing of theirs is due."""

from storage.records import Server, Status
from storage.store import Store
from tests.storage.samples import ANNA, GUILD, OTHER_GUILD, a_job, a_rating, a_table


async def test_nothing_is_due_at_the_tables_of_a_server_that_was_left(store: Store) -> None:
    async with store.write() as writer:
        for guild_id, due in ((GUILD, 100.0), (OTHER_GUILD, 200.0)):
            table = await writer.add_table(a_table(guild_id=guild_id, status=Status.PLAYING, deadline=due, notice_at=due))
            await writer.enqueue(a_job(table.id, due=due))
        await writer.put_left(GUILD, 50.0)
        assert [table.guild_id for table in await writer.due(1000.0)] == [OTHER_GUILD]
        assert await writer.next_due() == 200.0
        assert [job.due for job in await writer.jobs_due(1000.0)] == [200.0]
        assert await writer.next_job() == 200.0
        assert await writer.left_servers() == {GUILD: 50.0}
        await writer.put_left(GUILD, None)
        assert await writer.left_servers() == {}
        assert await writer.next_due() == await writer.next_job() == 100.0


async def test_settings_stay_when_a_server_is_left_even_those_that_nobody_has_set(store: Store) -> None:
    async with store.write() as writer:
        await writer.put_server(Server(guild_id=GUILD, settings={"language": "de"}))
        await writer.put_left(GUILD, 50.0)
        await writer.put_left(OTHER_GUILD, 60.0)
        assert await writer.server(GUILD) == Server(guild_id=GUILD, settings={"language": "de"}, left_at=50.0)
        assert await writer.server(OTHER_GUILD) == Server(guild_id=OTHER_GUILD, left_at=60.0)


async def test_deadlines_move_together_on_one_server_where_there_are_any(store: Store) -> None:
    async with store.write() as writer:
        timed = await writer.add_table(a_table(status=Status.PLAYING, deadline=100.0, notice_at=50.0))
        without = await writer.add_table(a_table(status=Status.OPEN, deadline=100.0, notice_at=None))
        over = await writer.add_table(a_table(status=Status.FINISHED, deadline=100.0))
        other = await writer.add_table(a_table(guild_id=OTHER_GUILD, status=Status.PLAYING, deadline=100.0))
        await writer.shift_deadlines(GUILD, 7.0)
        moved = [await writer.table(table.id) for table in (timed, without, over, other)]
    assert [table and (table.deadline, table.notice_at) for table in moved] == [
        (107.0, 57.0), (107.0, None), (100.0, None), (100.0, None),
    ]  # fmt: skip


async def test_every_server_with_data_is_known_once(store: Store) -> None:
    async with store.write() as writer:
        await writer.add_table(a_table(guild_id=3))
        await writer.add_table(a_table(guild_id=3))
        await writer.put_rating(a_rating(ANNA, guild_id=2))
        await writer.put_server(Server(guild_id=1))
        await writer.put_server(Server(guild_id=3))
        assert await writer.known_servers() == (1, 2, 3)
