"""A new table: who sits around it, and how it is announced, whoever has it opened."""

from dataclasses import replace

import pytest

from bot.core.change import Change
from bot.core.core import Core
from bot.core.opening import ANSWERED_WITHIN, announce, open_table
from bot.core.table.computer_players import Computer, is_computer, strangers
from bot.core.table.snapshot import Snapshot, User
from storage import queries
from storage.schema.records import JobKind, Level, SeatStatus
from tests.bot.service import ANN, BEN, CLEO, jobs
from tests.storage.samples import a_table


async def opened(
    core: Core, around: tuple[User | Computer | Level, ...], joined: tuple[int, ...], *, answered: bool | None = None
) -> Snapshot:
    async with core.store.write() as writer:
        table = replace(a_table(), created_at=core.now(), wanted=len(around))
        change = Change(core, writer, Snapshot(table, ()))
        await open_table(change, around, joined)
        await announce(change, answered=answered)
    return change.snapshot


async def test_everybody_sits_in_order_and_each_computer_is_a_different_one(core: Core) -> None:
    named = Computer(next(strangers(1, ())), Level.HARD)
    around = (BEN, ANN, named, Level.EASY, Level.MEDIUM)
    snapshot = await opened(core, around, (ANN.id,))
    statuses = [SeatStatus.INVITED, *[SeatStatus.JOINED] * 4]
    assert [(seat.place, seat.status, seat.table_id) for seat in snapshot.people] == [
        (place, status, snapshot.table.id) for place, status in enumerate(statuses)
    ]
    assert [seat.computer for seat in snapshot.people] == [None, None, Level.HARD, Level.EASY, Level.MEDIUM]
    assert all(is_computer(seat.user_id) for seat in snapshot.people[2:])
    assert len({seat.user_id for seat in snapshot.people}) == len(around)
    async with core.store.read() as reader:
        stored = await queries.tables.get_joined(reader, snapshot.table.id)
    assert stored is not None
    assert tuple(stored.seats) == snapshot.people


@pytest.mark.parametrize("answered", [None, False, True])
async def test_invited_people_are_asked_when_the_table_is_shown(core: Core, answered: bool | None) -> None:
    await opened(core, (ANN, BEN, CLEO), (ANN.id,), answered=answered)
    due = core.now() + (ANSWERED_WITHIN if answered else 0)
    payload = {} if answered is None else {"answered": answered}
    assert [(job.kind, job.payload, job.due) for job in sorted(await jobs(core), key=lambda job: job.id)] == [
        (JobKind.OPENING, payload, due),
        (JobKind.INVITATION, {}, due),
    ]


async def test_nobody_is_asked_where_all_have_joined(core: Core) -> None:
    await opened(core, (ANN, BEN), (ANN.id, BEN.id))
    assert [job.kind for job in await jobs(core)] == [JobKind.OPENING]
