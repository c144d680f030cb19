"""Queues: what hangs in one delays no other, what somebody waits for goes first, and no due job is missed."""

import asyncio
import gc
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from discord import Forbidden, HTTPException, RateLimited

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.jobs import Outbox, Waiting
from bot.core.lobby import Lobby
from bot.core.places import Places
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.loops.clock import Clock
from bot.outbox.queues import AT_ONCE
from bot.outbox.worker import OutboxWorker
from bot.runtime.due_loop import DueLoop
from storage import queries
from storage.schema.jobs import place_of
from storage.schema.records import Job, JobKind
from tests.bot.outbox.channels import WAIT_LIMIT, Discord, begun
from tests.bot.service import ANN, BEN, BOUNCERS, Time, first_action, jobs
from tests.storage.samples import a_job


@pytest.mark.slow
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
    await discord.until(lambda: discord.begun.count(6) >= 2)
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
    await discord.until(lambda: discord.begun.count(6) >= 2)
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


@pytest.mark.slow
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


SOON = 0.01
LATE = 1e6


class Work:
    """Work that returns these results first, and then that nothing is due."""

    def __init__(self, *due: float | None) -> None:
        self.done = 0
        self.loop = DueLoop("test", self._work, lambda: 0.0)
        self._due = list(due)
        self._news = asyncio.Event()
        self.meanwhile: Callable[[], None] = lambda: None

    async def _work(self) -> float | None:
        self.done += 1
        self._news.set()
        self.meanwhile()
        return self._due.pop(0) if self._due else None

    async def until(self, times: int) -> None:
        async with asyncio.timeout(WAIT_LIMIT):
            while self.done < times or self.loop.running:
                self._news.clear()
                await asyncio.wait({asyncio.ensure_future(self._news.wait())}, timeout=SOON)


async def test_work_due_before_anything_else_is_done_then() -> None:
    work = Work(LATE)
    work.loop.wake()
    await work.until(1)
    work.loop.wake_by(SOON)
    await work.until(2)
    await work.loop.close()


async def test_work_due_later_wakes_nobody_and_delays_nothing() -> None:
    work = Work(2 * SOON)
    work.loop.wake()
    await work.until(1)
    work.loop.wake_by(LATE)
    await work.until(2)
    assert work.done == 2
    await work.loop.close()


async def test_work_that_falls_due_during_other_work_is_not_missed() -> None:
    work = Work()
    work.meanwhile = lambda: work.loop.wake_by(SOON) if work.done == 1 else None
    work.loop.wake()
    await work.until(2)
    await work.loop.close()


async def test_overdue_work_is_done_at_once() -> None:
    work = Work(LATE)
    work.loop.wake_by(LATE)
    await work.until(1)
    work.loop.wake_by(0.0)
    await work.until(2)
    await work.loop.close()
    work.loop.wake_by(0.0)
    assert not work.loop.running


async def test_if_nothing_is_due_earlier_the_clock_sleeps_on(core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []
    clockwork = Clock(core, lambda: looked.append(clock()))
    sweep = core.service(Timing).sweep

    async def counted(*arguments: Any) -> tuple[int, ...]:
        looked.append(clock())
        return await sweep(*arguments)

    monkeypatch.setattr(core.service(Timing), "sweep", counted)
    table_id = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    await core.service(Lobby).join(table_id, BEN)
    while clockwork._loop.running:
        await asyncio.sleep(0)
    looked.clear()
    for _ in range(4):
        snapshot = await core.snapshot(table_id)
        (awaited,) = snapshot.awaited
        await core.service(Play).act(table_id, User(awaited.user_id, awaited.name), first_action(snapshot))
        await asyncio.sleep(0)
        assert not clockwork._loop.running
    assert looked == []
    await clockwork.close()


async def owe(core: Core, guild_id: int, channel: int, key: str = "") -> Job:
    now = core.now()
    job = Job(
        guild_id=guild_id, place=f"channel {channel}", kind=JobKind.HURRIED, key=key, payload={"seat": channel},
        due=now, created_at=now,
    )  # fmt: skip
    async with core.store.write() as writer:
        return await queries.jobs.enqueue(writer, job)


def post_by(outbox: OutboxWorker, discord: Discord, *errors: Exception) -> list[Job]:
    """Post a server's jobs to the channel in their payload, after these errors. Returns the jobs that were done."""
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
