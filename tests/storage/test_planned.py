"""Plans at work on every kind of database: what they play is in the transaction of what it answers."""

from dataclasses import replace

import pytest

from bot.sessions import Sessions, TableRequest
from bot.sessions.errors import Stale
from storage.errors import Conflict
from storage.records import Entry, Reply
from storage.store import Store, Writer
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, Time, seeds, started

A, B = ("b2", "b3"), ("b7", "b6")
C, D = ("c2", "c3"), ("c7", "c6")


def service(store: Store) -> Sessions:
    known = seeds()
    return Sessions(store, now=Time(), entropy=lambda _: next(known))


async def planned(sessions: Sessions) -> int:
    """A table of Bouncers at which Ann is to move, and Ben has planned his next two moves."""
    table_id = (await started(sessions, BOUNCERS)).table.id
    await sessions.plans.add_reply(table_id, BEN, 0, (), A, B)
    await sessions.plans.add_reply(table_id, BEN, 1, (0,), C, D)
    return table_id


async def test_a_plan_is_played_step_by_step_and_read_by_another_process(store: Store) -> None:
    sessions = service(store)
    table_id = await planned(sessions)
    played = await sessions.play.act(table_id, ANN, A, version=0, interaction_id=77)
    assert (played.snapshot.table.version, played.snapshot.plans[0].replies) == (2, (Reply(C, D),))
    anew = service(store)
    assert await anew.snapshot(table_id) == played.snapshot
    played = await anew.play.act(table_id, ANN, C, version=2, interaction_id=78)
    assert await service(store).snapshot(table_id) == played.snapshot
    async with store.read() as reader:
        entries = await reader.entries(table_id)
    assert [(entry.tokens, entry.fired, entry.interaction_id) for entry in entries] == [
        (A, False, 77), (B, True, None), (C, False, 78), (D, True, None),
    ]  # fmt: skip


async def test_if_somebody_else_was_faster_nothing_of_it_is_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = service(store)
    table_id = await planned(sessions)
    write = Writer.append_later

    async def late(writer: Writer, entry: Entry) -> None:
        if entry.fired:
            raise Conflict(entry.table_id, entry.number)
        await write(writer, entry)

    with monkeypatch.context() as slower:
        slower.setattr(Writer, "append_later", late)
        with pytest.raises(Stale):
            await sessions.play.act(table_id, ANN, A, interaction_id=77)
    async with store.read() as reader:
        assert await reader.entries(table_id) == ()
    assert (await sessions.plans.of(table_id, BEN)).plan.revision == 2


async def test_orders_of_puck_bumpers_are_kept_and_go_with_their_seat(store: Store) -> None:
    sessions = service(store)
    request = TableRequest(guild_id=10, channel_id=20, game="pucks", seats=3, options={"setup": "random"})
    table_id = (await started(sessions, request, BEN, CLEO)).table.id
    orders = (("whistle", "scores", "anyone"), ("pass", "otherwise"))
    for user in (BEN, CLEO):
        for order in orders:
            await sessions.plans.add_order(table_id, user, None, order)
    await sessions.play.act(table_id, ANN, "draw")
    snapshot = (await sessions.play.resign(table_id, CLEO)).snapshot
    assert [(plan.user_id, plan.seat, plan.orders) for plan in snapshot.plans] == [(BEN.id, 1, orders)]
    assert replace(await service(store).snapshot(table_id), history=None) == replace(snapshot, history=None)
