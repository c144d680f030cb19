"""Each channel's queue runs by itself: what hangs in one delays no other, and what somebody waits for goes first."""

import asyncio
import gc
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from bot.i18n.language import ENGLISH
from bot.messages.builder import Picture
from bot.outbox import boards, queues
from bot.outbox.queues import AT_ONCE
from bot.outbox.worker import OutboxWorker
from bot.sessions import Sessions, User
from storage.queues import place_of
from storage.records import Job, JobKind
from tests.bot.service import BOUNCERS, Time, first_action

PATIENCE = 60.0
"""Seconds of real time after which a test gives up; nothing is measured by it."""

NUMBERS = itertools.count(1000)


@dataclass
class Discord:
    """In the place of Discord: takes what is sent and edited, but hangs in some channels.

    Attributes:
        hanging: the channels where nothing that is sent comes back, with what ends that.
        sent: the channels to which something was sent, in order, and when that had arrived.
        edited: the ids of the messages that were edited.
    """

    hanging: dict[int, asyncio.Event] = field(default_factory=dict)
    begun: list[int] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    edited: list[int] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    def get_partial_messageable(self, channel_id: int, **_: Any) -> Any:
        async def send(**_: Any) -> Any:
            self.begun.append(channel_id)
            self.news.set()
            if channel_id in self.hanging:
                await self.hanging[channel_id].wait()
            self.sent.append(channel_id)
            self.news.set()
            return SimpleNamespace(id=next(self.numbers), channel=SimpleNamespace(id=channel_id))

        def get_partial_message(message_id: int) -> Any:
            async def edit(**_: Any) -> None:
                self.edited.append(message_id)
                self.news.set()

            return SimpleNamespace(edit=edit)

        return SimpleNamespace(send=send, get_partial_message=get_partial_message)

    async def until(self, condition: Any) -> None:
        """Wait until something has happened."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self.news.clear()
                await self.news.wait()


@pytest.fixture
def discord(monkeypatch: pytest.MonkeyPatch) -> Discord:
    async def no_picture(*_: Any, **__: Any) -> Picture:
        return Picture("board.png", b"", "A board.")

    monkeypatch.setattr(boards, "picture", no_picture)
    monkeypatch.setattr(queues, "HANGS", 0.01)
    return Discord()


@pytest_asyncio.fixture
async def outbox(discord: Discord, sessions: Sessions) -> AsyncIterator[OutboxWorker]:
    async def english(_: int) -> Any:
        return ENGLISH

    worker = OutboxWorker(discord, sessions, english)  # type: ignore[arg-type]
    yield worker
    await worker.close()


async def begun(sessions: Sessions, channel: int, count: int = 1) -> list[int]:
    """So many games in a channel, whose boards are still to be shown."""
    tables = []
    for _ in range(count):
        ann, ben = (User(next(NUMBERS), name) for name in ("Ann", "Ben"))  # nobody may open many tables at once
        snapshot = await sessions.lobby.open(ann, replace(BOUNCERS, channel_id=channel))
        await sessions.lobby.join(snapshot.table.id, ben)
        await sessions.outbox.finish_kind(snapshot.table.id, JobKind.OPENING)
        tables.append(snapshot.table.id)
    return tables


async def test_channels_that_hang_delay_no_other_however_many_they_are(
    sessions: Sessions, discord: Discord, outbox: OutboxWorker
) -> None:
    for channel in range(100, 100 + 2 * AT_ONCE):
        discord.hanging[channel] = asyncio.Event()
        await begun(sessions, channel)
    await begun(sessions, 7)
    outbox.wake()
    await discord.until(lambda: 7 in discord.sent)
    await discord.until(lambda: set(discord.hanging) <= set(discord.begun))
    assert discord.sent == [7]
    for event in discord.hanging.values():
        event.set()
    await discord.until(lambda: len(discord.sent) == 2 * AT_ONCE + 1)


async def test_however_much_waits_in_one_channel_it_does_not_hide_the_others(
    sessions: Sessions, discord: Discord, outbox: OutboxWorker
) -> None:
    discord.hanging[6] = asyncio.Event()
    await begun(sessions, 6, 120)
    await begun(sessions, 7)
    outbox.wake()
    await discord.until(lambda: 7 in discord.sent and 6 in discord.begun)
    assert discord.begun.count(6) == 1, "one at a time in a channel"


async def test_whoever_has_clicked_waits_neither_for_other_channels_nor_for_other_tables(
    sessions: Sessions, discord: Discord, outbox: OutboxWorker
) -> None:
    discord.hanging[6] = asyncio.Event()
    await begun(sessions, 6, 3)
    (mine,) = await begun(sessions, 7)
    outbox.wake()
    await discord.until(lambda: 6 in discord.begun)
    assert await outbox.deliver(mine) is None
    assert 7 in discord.sent
    (beside,) = await begun(sessions, 6)
    clicked = asyncio.create_task(outbox.deliver(beside))
    await discord.until(lambda: discord.begun.count(6) == 2)
    discord.hanging[6].set()
    assert await asyncio.wait_for(clicked, PATIENCE) is None


async def test_what_nobody_waits_for_is_left_until_nothing_else_is_done_in_its_channel(
    sessions: Sessions, discord: Discord, outbox: OutboxWorker
) -> None:
    (one,) = await begun(sessions, 6)
    await outbox.deliver(one)
    snapshot = await sessions.snapshot(one)
    await sessions.play.act(one, User(snapshot.players[0].user_id, "Ann"), first_action(snapshot))
    async with sessions._repository.store.write() as writer:
        await sessions._repository.enqueue(writer, one, JobKind.RETIRE, "77", channel=6, message=77, version=0, since=0)
    (other,) = await begun(sessions, 6)
    discord.hanging[6] = asyncio.Event()
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


async def test_a_queue_is_in_order_of_urgency_and_then_of_age(sessions: Sessions, clock: Time) -> None:
    (table,) = await begun(sessions, 6)
    store, now = sessions._repository.store, clock()
    async with store.write() as writer:
        for age, (kind, key) in enumerate(
            [(JobKind.REFRESH, ""), (JobKind.RETIRE, "5"), (JobKind.NUDGE, ""), (JobKind.OFFER, "draw"), (JobKind.OPENING, "")]
        ):
            await writer.enqueue(Job(table_id=table, kind=kind, key=key, due=now - age, created_at=now))
    place = place_of((await sessions.snapshot(table)).table)
    assert await sessions.outbox.queues((), 10) == (place,)
    assert await sessions.outbox.queues((place,), 10) == ()
    assert await sessions.outbox.next_due((place,)) is None
    order = []
    while (job := await sessions.outbox.first(place)) is not None:
        order.append(job.kind)
        await sessions.outbox.finish(job)
    assert order == ["opening", "lobby", "board", "offer", "nudge", "retire", "refresh"]


async def test_direct_messages_have_a_queue_for_each_person(sessions: Sessions) -> None:
    (table,) = await begun(sessions, 6)
    async with sessions._repository.store.write() as writer:
        for user in (1, 2):
            await sessions._repository.enqueue(writer, table, JobKind.WATCH, str(user), user=user, turn=1)
            await sessions._repository.enqueue(writer, table, JobKind.REMINDER, f"1.half.{user}", user=user, turn=1)
    assert set(await sessions.outbox.queues((), 10)) == {
        "channel 6", "person 1", "person 2", f"reminder {table} 1.half.1", f"reminder {table} 1.half.2",
    }  # fmt: skip


async def test_no_lock_outlives_what_it_is_for(sessions: Sessions, discord: Discord, outbox: OutboxWorker) -> None:
    for table in await begun(sessions, 6, 20):
        await outbox.deliver(table)
        await outbox.shown(table, JobKind.LOBBY)
    while outbox.busy:
        await asyncio.sleep(0.001)
    gc.collect()
    assert len(outbox._attempts._locks) == 0
    assert outbox._queues._leases == outbox._queues._running == {}


async def test_a_job_whose_answer_is_being_given_is_left_alone_until_then(
    sessions: Sessions, discord: Discord, outbox: OutboxWorker
) -> None:
    (table,) = await begun(sessions, 6)
    await sessions.places.answered(table, message_id=5)
    async with outbox.answering(table, JobKind.LOBBY):
        await outbox.deliver(table)
        outbox.wake()
        while outbox.busy:
            await asyncio.sleep(0.001)
        assert discord.sent == [6]
        assert discord.edited == []
        await outbox.shown(table, JobKind.LOBBY)
    await outbox.deliver(table)
    assert discord.edited == []
