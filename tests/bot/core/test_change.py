"""A change writes what its snapshot says, step by step; one that fails leaves nothing behind, in the database or in memory."""

from dataclasses import replace

import pytest

from bot.core.change import changing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.table.errors import NoSuchTable
from storage.schema.records import EntryKind, JobKind, SeatStatus
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, owed, started


async def test_after_each_step_the_snapshot_equals_what_is_read(core: Core) -> None:
    table_id = (await started(core)).table.id
    async with changing(core, table_id) as change:
        assert change.snapshot is change.before
        await change.amend(version=1, turn=7)
        await change.put_seat(replace(change.snapshot.players[1], timeouts=2))
        await change.append(change.next_entry(EntryKind.PLAY, 0, ANN.id, ("b2", "b3"), 77))
        assert [logged.entry.interaction_id for logged in change.new_entries] == [77]
        assert (change.table.turn, change.history.version) == (7, 1)
    found = await core.snapshot(table_id)
    assert (found.table, found.people, found.history) == (change.table, change.snapshot.people, change.history)
    assert (change.before.table.turn, change.before.playing.version) == (1, 0), "the table as it was is still known"


async def test_people_stay_in_the_order_of_their_places(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(BOUNCERS, game="pucks", opponents=[BEN, CLEO]))).table.id
    async with changing(core, table_id) as change:
        ann, ben, cleo = change.snapshot.people
        await change.put_seat(replace(ben, status=SeatStatus.DECLINED))
        await change.put_seat(replace(ann, place=3))
        assert [person.user_id for person in change.snapshot.people] == [BEN.id, CLEO.id, ANN.id]
        await change.remove_seat(cleo.user_id)
    assert [person.user_id for person in change.snapshot.people] == [BEN.id, ANN.id]
    assert (await core.snapshot(table_id)).people == change.snapshot.people


async def test_a_failed_change_leaves_nothing_behind(core: Core) -> None:
    before = await started(core)
    called: list[float] = []
    core.listen(called.append)
    owing = await owed(core)

    async def fail() -> None:
        async with changing(core, before.table.id) as change:
            await change.append(change.next_entry(EntryKind.PLAY, 0, ANN.id, ("b2", "b3")))
            await change.amend(version=1, deadline=5.0)
            await change.enqueue(JobKind.REFRESH)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    after = await core.snapshot(before.table.id)
    assert (after.table, after.playing.version) == (before.table, 0)
    assert (await owed(core), called) == (owing, [])


async def test_listeners_hear_the_earliest_moment_after_the_commit(core: Core) -> None:
    table_id = (await started(core)).table.id
    called: list[float] = []
    core.listen(called.append)
    async with changing(core, table_id) as change:
        await change.amend(deadline=50.0)
        await change.amend(notice_at=40.0)
        assert called == []
    assert called == [40.0]


async def test_a_table_of_another_server_is_not_changed(core: Core) -> None:
    table_id = (await started(core)).table.id
    with pytest.raises(NoSuchTable):
        async with changing(core, table_id, guild_id=11):
            pytest.fail("there is nothing to change")


async def test_cached_properties_are_not_carried_into_a_changed_snapshot(core: Core) -> None:
    snapshot = await started(core)
    assert (snapshot.present, snapshot.names) == ((0, 1), ("Ann", "Ben"))
    assert snapshot.players is snapshot.players, "it is worked out once"
    gone = replace(snapshot, people=(snapshot.people[0], replace(snapshot.people[1], status=SeatStatus.WITHDRAWN)))
    assert (gone.present, snapshot.present) == ((0,), (0, 1))
    assert replace(gone, people=snapshot.people) == snapshot
