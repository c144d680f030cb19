"""The outbox asks the database for just what it wants, however much else waits there."""

from dataclasses import replace

from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.table.snapshot import User
from storage.schema.records import Job, JobKind
from tests.bot.service import ANN, BEN, BOUNCERS, Time

OTHER_GUILD = BOUNCERS.guild_id + 1


async def refused(core: Core, guild_id: int, count: int) -> list[int]:
    """So many tables of a server whose lobby message Discord has refused, so that it waits for another try."""
    tables = []
    for number in range(count):
        request = replace(BOUNCERS, guild_id=guild_id)
        tables.append((await core.service(Lobby).open(User(1000 * guild_id + number, "somebody"), request)).table.id)
        (job,) = await core.service(Outbox).due(tables[-1])
        await core.service(Outbox).postpone(job, 3600)
    return tables


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
