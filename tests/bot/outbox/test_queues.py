"""Each channel's queue runs by itself: what hangs in one delays no other, and what somebody waits for goes first."""

import asyncio
import gc

import pytest

from bot.core.core import Core
from bot.core.jobs import Outbox, Waiting
from bot.core.places import Places
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.outbox.queues import AT_ONCE
from bot.outbox.worker import OutboxWorker
from storage import queries
from storage.schema.jobs import place_of
from storage.schema.records import JobKind
from tests.bot.outbox.channels import WAIT_LIMIT, Discord, begun
from tests.bot.service import Time, first_action
from tests.storage.samples import a_job


async def test_hanging_channels_delay_no_other(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    for channel in range(100, 100 + 2 * AT_ONCE):
        discord.hanging[channel] = asyncio.Event()
        await begun(core, channel)
    await begun(core, 7)
    outbox.wake()
    await discord.until(lambda: 7 in discord.sent)
    await discord.until(lambda: set(discord.hanging) <= set(discord.begun))
    assert discord.sent == [7]
    for event in discord.hanging.values():
        event.set()
    await discord.until(lambda: len(discord.sent) == 2 * AT_ONCE + 1)


@pytest.mark.slow
async def test_many_jobs_in_one_channel_do_not_hide_others(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    discord.hanging[6] = asyncio.Event()
    await begun(core, 6, 120)
    await begun(core, 7)
    outbox.wake()
    await discord.until(lambda: 7 in discord.sent and 6 in discord.begun)
    assert discord.begun.count(6) == 1, "one at a time in a channel"


async def test_a_click_waits_for_no_other_channel_or_table(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    discord.hanging[6] = asyncio.Event()
    await begun(core, 6, 3)
    (mine,) = await begun(core, 7)
    outbox.wake()
    await discord.until(lambda: 6 in discord.begun)
    assert await outbox.deliver(mine) is None
    assert 7 in discord.sent
    (beside,) = await begun(core, 6)
    clicked = asyncio.create_task(outbox.deliver(beside))
    await discord.until(lambda: discord.begun.count(6) == 2)
    discord.hanging[6].set()
    assert await asyncio.wait_for(clicked, WAIT_LIMIT) is None


async def test_idle_jobs_wait_for_others_in_their_channel(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    (one,) = await begun(core, 6)
    await outbox.deliver(one)
    while outbox.busy:  # it looks whether something else is due since the table has begun, and is not to find the next board
        await asyncio.sleep(0)
    snapshot = await core.snapshot(one)
    discord.hanging[6] = asyncio.Event()  # before there is anything that the worker could find by itself
    await core.service(Play).act(one, User(snapshot.players[0].user_id, "Ann"), first_action(snapshot))
    async with core.store.write() as writer:
        await core.enqueue(writer, one, JobKind.RETIRE, "77", channel=6, message=77, version=0, since=0)
    (other,) = await begun(core, 6)
    clicked = asyncio.create_task(outbox.deliver(other))
    await discord.until(lambda: discord.begun == [6, 6])
    outbox.wake()
    for _ in range(100):
        await asyncio.sleep(0.001)
    assert discord.edited == []
    discord.hanging[6].set()
    await discord.until(lambda: 77 in discord.edited)
    assert discord.sent == [6, 6, 6], "all boards came first"
    await clicked


async def test_a_queue_is_in_order_of_urgency_and_then_of_age(core: Core, clock: Time) -> None:
    (table,) = await begun(core, 6)
    store, now = core.store, clock()
    async with store.write() as writer:
        for age, (kind, key) in enumerate(
            [(JobKind.REFRESH, ""), (JobKind.RETIRE, "5"), (JobKind.NUDGE, ""), (JobKind.OFFER, "draw"), (JobKind.OPENING, "")]
        ):
            await queries.jobs.enqueue(writer, a_job(table, kind=kind, key=key, due=now - age, created_at=now))
    place = place_of((await core.snapshot(table)).table)
    waiting = await core.service(Outbox).waiting()
    assert set(waiting.jobs) == {place}
    assert [job.kind for job in waiting.jobs[place]] == ["opening", "lobby", "board", "offer", "nudge", "retire", "refresh"]
    assert waiting.next_due is None
    assert await core.service(Outbox).waiting([place]) == Waiting({}, next_due=None)


async def test_the_most_urgent_job_of_each_queue_is_found_first(core: Core, clock: Time) -> None:
    (one,), (other,) = await begun(core, 6), await begun(core, 7)
    for table in (one, other):
        await core.service(Outbox).finish_kind(table, JobKind.LOBBY)
    async with core.store.write() as writer:
        for key in map(str, range(20)):
            await queries.jobs.enqueue(writer, a_job(one, kind=JobKind.DISMISSAL, key=key, due=clock() - 1, created_at=clock()))
        await queries.jobs.enqueue(writer, a_job(other, kind=JobKind.NUDGE, due=clock() + 60, created_at=clock()))
    waiting = await core.service(Outbox).waiting(each=3, limit=100)
    assert waiting.next_due == clock() + 60
    assert {place: [job.kind for job in jobs] for place, jobs in waiting.jobs.items()} == {
        "channel 6": ["board", "dismissal", "dismissal"], "channel 7": ["board"],
    }  # fmt: skip
    waiting = await core.service(Outbox).waiting(each=30, limit=2)
    assert {place: len(jobs) for place, jobs in waiting.jobs.items()} == {"channel 6": 1, "channel 7": 1}
    clock.pass_(60)
    assert [job.kind for job in (await core.service(Outbox).waiting(["channel 6"])).jobs["channel 7"]] == ["board", "nudge"]


async def test_direct_messages_have_a_queue_for_each_person(core: Core) -> None:
    (table,) = await begun(core, 6)
    async with core.store.write() as writer:
        for user in (1, 2):
            await core.enqueue(writer, table, JobKind.WATCH, str(user), user=user, turn=1)
            await core.enqueue(writer, table, JobKind.REMINDER, f"1.half.{user}", user=user, turn=1, which="half")
    assert set((await core.service(Outbox).waiting()).jobs) == {
        "channel 6", "person 1", "person 2", f"reminder {table} 1.half.1", f"reminder {table} 1.half.2",
    }  # fmt: skip


async def test_no_lock_outlives_what_it_is_for(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    for table in await begun(core, 6, 20):
        await outbox.deliver(table)
        await outbox.drop_answered(table, JobKind.LOBBY)
    while outbox.busy:
        await asyncio.sleep(0.001)
    gc.collect()
    assert len(outbox._attempts._locks) == 0
    assert outbox._queues._leases == outbox._queues._running == {}


async def test_a_job_being_answered_is_left_alone(core: Core, discord: Discord, outbox: OutboxWorker) -> None:
    (table,) = await begun(core, 6)
    await core.service(Places).record_answer(table, message_id=5)
    with outbox.answering(table, JobKind.LOBBY):
        await outbox.deliver(table)
        outbox.wake()
        while outbox.busy:
            await asyncio.sleep(0.001)
        assert discord.sent == [6]
        assert discord.edited == []
        await outbox.drop_answered(table, JobKind.LOBBY)
    await outbox.deliver(table)
    assert discord.edited == []
