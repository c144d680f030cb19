"""What showing costs the database: one look and one transaction for a board, and nothing while nothing happens."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.outbox import queues
from bot.outbox.worker import OutboxWorker
from storage import queries
from storage.schema.records import JobKind
from storage.store import Store
from tests.bot.outbox.channels import WAIT_LIMIT, Discord, begun
from tests.bot.service import Time, first_action, jobs


@dataclass
class Cost:
    """What a block asked of the database: how many snapshots it read, and how many changes it made."""

    snapshots: int = 0
    transactions: int = 0
    statements: int = 0


@contextmanager
def counted(store: Store) -> Iterator[Cost]:
    """The cost of the block so far, and in the end."""
    cost, before = Cost(), replace(store.statistics)
    yield cost
    after = store.statistics
    cost.snapshots, cost.transactions = after.snapshots - before.snapshots, after.writes - before.writes
    cost.statements = after.statements - before.statements


async def quiet(outbox: OutboxWorker) -> None:
    while outbox.busy:
        await asyncio.sleep(0.001)


async def shown(core: Core, outbox: OutboxWorker) -> int:
    """A game whose first board has been shown."""
    (table,) = await begun(core, 6)
    await outbox.deliver(table)
    await outbox.drop_answered(table, JobKind.LOBBY)
    await quiet(outbox)
    return table


async def acted(core: Core, table: int) -> None:
    snapshot = await core.snapshot(table)
    (awaited,) = snapshot.awaited
    await core.service(Play).act(table, User(awaited.user_id, awaited.name), first_action(snapshot))


async def test_a_board_costs_a_look_and_a_transaction(core: Core, store: Store, discord: Discord, outbox: OutboxWorker) -> None:
    table = await shown(core, outbox)
    for _ in range(4):
        await acted(core, table)
        sent, edited = len(discord.sent), len(discord.edited)
        with counted(store) as cost:
            await outbox.deliver(table)
            await quiet(outbox)
        assert (len(discord.sent), len(discord.edited)) == (sent + 1, edited + 1)
        # The jobs of the table, the table and its people; the board, that it is shown, and what is to be retired; that it is.
        assert cost == Cost(snapshots=1, transactions=2, statements=3 + 4 + 1)
        assert await jobs(core) == []


async def test_background_jobs_are_found_by_one_look(core: Core, store: Store, discord: Discord, outbox: OutboxWorker) -> None:
    await acted(core, await shown(core, outbox))
    with counted(store) as cost:
        outbox.wake()
        await quiet(outbox)
    assert len(discord.sent) == 2
    # One look finds the board, another reads its table; that the buttons of the old one are still there is known then.
    assert (cost.snapshots, cost.transactions) == (2, 2)
    with counted(store) as cost:
        outbox.wake()
        await quiet(outbox)
    assert (cost.snapshots, cost.transactions) == (1, 0)


@pytest.mark.slow
async def test_many_boards_are_found_by_few_looks(
    core: Core, store: Store, discord: Discord, outbox: OutboxWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "HANGS", WAIT_LIMIT)  # however slow the machine is, none of them hangs
    channels = range(100, 160)
    for channel in channels:
        (table,) = await begun(core, channel)
        await core.service(Outbox).finish_kind(table, JobKind.LOBBY)
    with counted(store) as cost:
        outbox.wake()
        await quiet(outbox)
    assert sorted(discord.sent) == list(channels)
    assert cost.transactions == len(channels), "a board needs one"
    assert cost.snapshots <= len(channels) + 3, "each table is read once, and the outbox hardly more often"


@pytest.mark.parametrize("count", [1, 3])
async def test_a_board_shown_meanwhile_is_not_repeated(core: Core, discord: Discord, outbox: OutboxWorker, count: int) -> None:
    tables = [(await begun(core, 6 + n))[0] for n in range(count)]
    for table in tables:
        await core.service(Outbox).finish_kind(table, JobKind.LOBBY)
    for _ in range(3):
        before = len(discord.sent)
        outbox.wake()
        await asyncio.gather(*(outbox.deliver(table) for table in tables))
        await quiet(outbox)
        assert len(discord.sent) == before + count
        for table in tables:
            await acted(core, table)


async def test_a_job_enqueued_for_later_is_done_then(core: Core, discord: Discord, outbox: OutboxWorker, clock: Time) -> None:
    table = await shown(core, outbox)
    async with core.store.write() as writer:
        await core.enqueue(writer, table, JobKind.RETIRE, "7", channel=6, message=7, version=0, since=0)
        (job,) = await queries.jobs.due(writer, clock())
        await queries.jobs.postpone(writer, job.id, clock() + 0.02)
    await outbox.deliver(table)
    clock.pass_(0.03)
    await discord.until(lambda: 7 in discord.edited)
