"""How often the core asks the database, and that the outbox asks only for what it needs."""

from collections.abc import Awaitable
from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.jobs import Outbox, Posted, Shown
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import Stale
from bot.core.table.snapshot import User
from bot.features.plans.service import Plans
from bot.features.watching.service import Watching
from storage.schema.records import Job, JobKind, WatchFor
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, Time, jobs, started


async def asked(store: Store, work: Awaitable[object]) -> dict[str, int]:
    """The statements that some work sends to the database."""
    names = ("snapshots", "writes", "statements", "round_trips")
    before = {name: getattr(store.statistics, name) for name in names}
    await work
    return {name: getattr(store.statistics, name) - before[name] for name in names}


async def test_a_table_is_read_by_two_statements_in_one_round_trip(core: Core, store: Store) -> None:
    table_id = (await started(core)).table.id
    reading = {"snapshots": 1, "writes": 0, "statements": 2, "round_trips": 2}
    assert await asked(store, core.summary(table_id, 10, ANN.id)) == reading
    assert await asked(store, core.snapshot(table_id, 10, ANN.id)) == reading, "its game is in memory"


async def test_an_action_is_read_once_and_written_once(core: Core, store: Store) -> None:
    table_id = (await started(core)).table.id
    await core.service(Users).begin_vacation(BEN.id, 3)
    await core.service(Watching).watch(table_id, CLEO, WatchFor.TURN)
    acting = core.service(Play).act(table_id, ANN, "b2 b3", version=0, interaction_id=77)
    # The table and its people; the entry, the table, the notice for the watcher, and the board.
    assert await asked(store, acting) == {"snapshots": 0, "writes": 1, "statements": 6, "round_trips": 2}
    assert {job.kind for job in await jobs(core, table_id)} >= {JobKind.BOARD, JobKind.WATCH}


async def test_a_plan_is_read_and_written_with_the_action_that_it_answers(core: Core, store: Store) -> None:
    table_id = (await started(core)).table.id
    await core.service(Plans).add_reply(table_id, BEN, 0, (), ("b2", "b3"), ("b7", "b6"))
    acting = core.service(Play).act(table_id, ANN, "b2 b3", version=0, interaction_id=77)
    # The table and its people; two entries, the plan, the table, and the board.
    assert await asked(store, acting) == {"snapshots": 0, "writes": 1, "statements": 7, "round_trips": 2}


async def test_the_log_of_a_game_that_is_not_in_memory_is_read_once_before_it_is_changed(core: Core, store: Store) -> None:
    table_id = (await started(core)).table.id
    await core.service(Play).act(table_id, ANN, "b2 b3")
    core.histories.drop(table_id)
    cost = await asked(store, core.service(Play).act(table_id, BEN, "b7 b6"))
    assert (cost["snapshots"], cost["writes"]) == (1, 1)


async def test_a_refusal_writes_nothing(core: Core, store: Store) -> None:
    table_id = (await started(core)).table.id
    await core.service(Play).act(table_id, ANN, "b2 b3", version=0)

    async def too_late() -> None:
        with pytest.raises(Stale):
            await core.service(Play).act(table_id, BEN, "b7 b6", version=0)

    assert await asked(store, too_late()) == {"snapshots": 0, "writes": 1, "statements": 2, "round_trips": 2}


async def test_the_returned_snapshot_equals_what_is_read_afterwards(core: Core) -> None:
    table_id = (await started(core)).table.id
    await core.service(Users).begin_vacation(BEN.id, 3)
    played = (await core.service(Play).act(table_id, ANN, "b2 b3")).snapshot
    read = await core.snapshot(table_id, asked_by=ANN.id)
    assert played == read
    assert played.away == read.away != ()
    assert played.server_settings == read.server_settings


async def test_a_board_that_was_posted_is_recorded_by_one_transaction(core: Core, store: Store) -> None:
    table_id = (await started(core)).table.id

    async def shown(message_id: int) -> dict[str, int]:
        board = next(job for job in await jobs(core, table_id) if job.kind is JobKind.BOARD)
        posted = Posted(channel_id=2, message_id=message_id, version=0, since=0, turn=1, at=1.0)
        return await asked(store, core.service(Outbox).finish(board, Shown((posted,))))

    # The job that is done, the table as it was, and as it is now; then also the retirement of the board before.
    assert await shown(1) == {"snapshots": 0, "writes": 1, "statements": 3, "round_trips": 2}
    await core.service(Play).act(table_id, ANN, "b2 b3", version=0)
    assert await shown(2) == {"snapshots": 0, "writes": 1, "statements": 4, "round_trips": 3}


async def test_a_job_that_shows_nothing_is_done_in_one_round_trip(core: Core, store: Store) -> None:
    table_id = (await started(core)).table.id
    lobby = next(job for job in await jobs(core, table_id) if job.kind is JobKind.LOBBY)
    cost = await asked(store, core.service(Outbox).finish(lobby))
    assert cost == {"snapshots": 0, "writes": 1, "statements": 1, "round_trips": 1}
    assert lobby not in await jobs(core, table_id)


OTHER_GUILD = BOUNCERS.guild_id + 1


async def refused(core: Core, guild_id: int, count: int) -> list[int]:
    """Tables of a server whose lobby message Discord has refused, and which wait for another try."""
    tables = []
    for number in range(count):
        request = replace(BOUNCERS, guild_id=guild_id)
        tables.append((await core.service(Lobby).open(User(1000 * guild_id + number, "somebody"), request)).table.id)
        (job,) = await core.service(Outbox).due(tables[-1])
        await core.service(Outbox).postpone(job, 3600)
    return tables


@pytest.mark.slow
async def test_refused_jobs_are_retried_among_many_of_other_servers(core: Core, clock: Time) -> None:
    elsewhere = await refused(core, BOUNCERS.guild_id, 110)
    here = await refused(core, OTHER_GUILD, 10)
    assert await core.service(Outbox).due() == ()
    assert await core.service(Outbox).retry(OTHER_GUILD)
    due = await core.service(Outbox).due()
    assert [job.table_id for job in due] == here
    assert {(job.tries, job.due) for job in due} == {(0, clock())}
    assert not await core.service(Outbox).retry(OTHER_GUILD)
    clock.pass_(3600)
    assert {job.table_id for job in await core.service(Outbox).due()} <= {*here, *elsewhere}


@pytest.mark.slow
async def test_a_table_finds_its_own_jobs_behind_a_hundred_others(core: Core) -> None:
    for number in range(120):
        await core.service(Lobby).open(User(1000 + number, "somebody"), BOUNCERS)
    last = (await core.service(Lobby).open(BEN, BOUNCERS)).table.id
    assert len(await core.service(Outbox).due()) == 100
    (job,) = await core.service(Outbox).due(last)
    assert (job.table_id, job.kind) == (last, JobKind.OPENING)


async def test_a_job_waits_until_it_is_done_or_another_takes_its_place(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    async with core.store.write() as writer:
        await core.enqueue(writer, table_id, JobKind.LOBBY)
    (job,) = [job for job in await core.service(Outbox).due(table_id) if job.kind is JobKind.LOBBY]
    assert await core.service(Outbox).waits(job)
    await core.service(Lobby).join(table_id, BEN)
    assert not await core.service(Outbox).waits(job)
    assert not await core.service(Outbox).waits(Job(id=10**6, table_id=table_id, kind=JobKind.BOARD, due=0, created_at=0))
    (newer,) = [job for job in await core.service(Outbox).due(table_id) if job.kind is JobKind.LOBBY]
    await core.service(Outbox).finish_kind(table_id, JobKind.LOBBY)
    assert not await core.service(Outbox).waits(newer)
    assert {job.kind for job in await core.service(Outbox).due(table_id)} == {JobKind.OPENING, JobKind.BOARD}
