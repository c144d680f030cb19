"""What belongs to a server and to no table is carried out in the same queues, with the same retries."""

import asyncio
from types import SimpleNamespace
from typing import Any

from discord import Forbidden, HTTPException, RateLimited

from bot.core.core import Core
from bot.outbox.worker import OutboxWorker
from storage import queries
from storage.schema.records import Job, JobKind
from tests.bot.outbox.channels import Discord, begun
from tests.bot.service import Time, jobs


async def owe(core: Core, guild_id: int, channel: int, key: str = "") -> Job:
    now = core.now()
    job = Job(
        guild_id=guild_id, place=f"channel {channel}", kind=JobKind.HURRIED, key=key, payload={"seat": channel},
        due=now, created_at=now,
    )  # fmt: skip
    async with core.store.write() as writer:
        return await queries.jobs.enqueue(writer, job)


def post_by(outbox: OutboxWorker, discord: Discord, *errors: Exception) -> list[Job]:
    """Have what belongs to a server posted to the channel in its payload, after these errors. Returns what is done."""
    left, done = list(errors), []

    async def post(job: Job) -> None:
        if left:
            raise left.pop(0)
        await discord.get_partial_messageable(job.payload["seat"]).send()
        done.append(job)

    outbox._attempts.without_table[JobKind.HURRIED] = post
    return done


def refusal(status: int, code: int) -> Any:
    kind = Forbidden if status == 403 else HTTPException
    answer: Any = SimpleNamespace(status=status, reason="")
    return kind(answer, {"code": code, "message": "no"})


async def until_idle(outbox: OutboxWorker) -> None:
    outbox.wake()
    while outbox.busy:
        await asyncio.sleep(0)


async def test_servers_run_side_by_side_with_tables(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    done = post_by(outbox, discord)
    discord.hanging[100] = asyncio.Event()
    hangs, follows = await owe(core, 10, 100), await owe(core, 10, 100, "next")
    other = await owe(core, 11, 200)
    await begun(core, 100)
    outbox.wake()
    await discord.until(lambda: 200 in discord.sent)
    assert done == [other]
    discord.hanging[100].set()
    await discord.until(lambda: len(discord.sent) == 4)
    await until_idle(outbox)
    assert done == [other, hangs, follows]
    assert [job for job in await jobs(core) if job.table_id is None] == []


async def test_a_failed_job_is_in_doubt_and_retried(core: Core, clock: Time, discord: Discord, outbox: OutboxWorker) -> None:
    done = post_by(outbox, discord, refusal(500, 0))
    job = await owe(core, 10, 100)
    await until_idle(outbox)
    (again,) = await jobs(core)
    assert (done, again.id, again.tries) == ([], job.id, 1)
    assert outbox._access.in_doubt(again)
    assert not outbox._access.in_doubt(await owe(core, 11, 100))
    clock.pass_(60.0)
    await until_idle(outbox)
    assert sorted(one.guild_id for one in done) == [10, 11]
    assert not outbox._access.in_doubt(again)


async def test_a_refused_job_waits_for_permissions(core: Core, clock: Time, discord: Discord, outbox: OutboxWorker) -> None:
    done = post_by(outbox, discord, refusal(403, 50001))
    await owe(core, 10, 100)
    await until_idle(outbox)
    (again,) = await jobs(core)
    assert (again.tries, again.due) == (1, clock() + 60.0)
    await outbox.reconsider(11)
    await until_idle(outbox)
    assert done == []
    await outbox.reconsider(10)
    await until_idle(outbox)
    assert [one.guild_id for one in done] == [10]


async def test_a_job_without_a_handler_is_kept(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    await owe(core, 10, 100)
    await until_idle(outbox)
    (again,) = await jobs(core)
    assert (again.tries, discord.sent) == (1, [])


async def test_a_channel_that_takes_no_more_holds_its_own_queue(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    done = post_by(outbox, discord, RateLimited(30.0))
    await owe(core, 10, 100)
    await until_idle(outbox)
    assert set(outbox._queues._held) == {"channel 100"}
    await owe(core, 10, 100, "later")
    await owe(core, 10, 200)
    await until_idle(outbox)
    assert [job.place for job in done] == ["channel 200"]
