"""Plans at work on either kind of database: what they play is in the transaction that it answers."""

import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import Refused, Stale
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import User
from bot.features.plans.service import Plans
from bot.features.plans.tree import Path as Way
from bot.features.verify.logbook import write_log
from bot.parts import PARTS
from storage import queries
from storage.schema.errors import Conflict
from storage.schema.records import Entry, Reply
from storage.store import Store, Writer
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, PEOPLE, Time, seeds, started
from tests.engines.contract_games import random_action
from tests.marks import quick_first
from tests.storage.reading_back import once

A, B = ("b2", "b3"), ("b7", "b6")
C, D = ("c2", "c3"), ("c7", "c6")


def service(store: Store) -> Core:
    known = seeds()
    return Core(store, parts=PARTS, now=Time(), entropy=lambda _: next(known))


async def planned(core: Core) -> int:
    """A table of Bouncers where Ann is to move, and Ben has planned his next two moves."""
    table_id = (await started(core, BOUNCERS)).table.id
    await core.service(Plans).add_reply(table_id, BEN, 0, (), A, B)
    await core.service(Plans).add_reply(table_id, BEN, 1, (0,), C, D)
    return table_id


async def test_a_plan_is_played_step_by_step_and_read_by_another_process(store: Store) -> None:
    core = service(store)
    table_id = await planned(core)
    played = await core.service(Play).act(table_id, ANN, A, version=0, interaction_id=77)
    assert (played.snapshot.table.version, played.snapshot.plans[0].replies) == (2, (Reply(C, D),))
    anew = service(store)
    assert await anew.snapshot(table_id) == played.snapshot
    played = await anew.service(Play).act(table_id, ANN, C, version=2, interaction_id=78)
    assert await service(store).snapshot(table_id) == played.snapshot
    entries = await once(store.read(), queries.entries.of_table, table_id)
    assert [(entry.tokens, entry.fired, entry.interaction_id) for entry in entries] == [
        (A, False, 77), (B, True, None), (C, False, 78), (D, True, None),
    ]  # fmt: skip


@pytest.mark.parametrize("number", quick_first(1, range(4)))
async def test_a_planned_game_is_stored_like_one_played_by_hand(store: Store, tmp_path: Path, number: int) -> None:
    dice, other = random.Random(number), await Store.open(tmp_path / "by-hand.db")
    with_plans, by_hand = service(store), service(other)
    planned = by_hands = await started(with_plans, replace(BOUNCERS, clock=86400))
    assert (await started(by_hand, replace(BOUNCERS, clock=86400))).table == planned.table
    fired = 0
    while planned.playing.outcome is None and planned.table.version < 60:
        table_id, history = planned.table.id, planned.playing
        seat, waiting = history.to_act[0], 1 - history.to_act[0]
        if not planned.plan_of(waiting).replies:
            planner = PEOPLE[planned.players[waiting].user_id]
            for path in ((), (), (0,), (0, 0), (1,)):
                with suppress(Stale, Refused):  # where the game would be over, or nothing is planned before
                    await plan_at_random(with_plans, table_id, planner, path, dice)
        foreseen = (await with_plans.snapshot(table_id)).plan_of(waiting).replies
        theirs = [reply.theirs for reply in foreseen]
        likely = theirs and dice.random() < 0.8
        action = dice.choice(theirs) if likely else random_action(history.game, history.state, seat, dice)
        click = 1_000 + planned.table.version
        player = PEOPLE[planned.players[seat].user_id]
        planned = (await with_plans.service(Play).act(table_id, player, action, interaction_id=click)).snapshot
        by_hands = (await by_hand.service(Play).act(table_id, player, action, interaction_id=click)).snapshot
        for reply in [reply for reply in foreseen if reply.theirs == action]:
            fired += 1
            answering = PEOPLE[planned.players[waiting].user_id]
            by_hands = (await by_hand.service(Play).act(table_id, answering, reply.mine)).snapshot
        ours, hands = [logged.entry for logged in planned.playing.log], [logged.entry for logged in by_hands.playing.log]
        assert [replace(entry, fired=False) for entry in ours] == hands
        assert planned.playing.state == by_hands.playing.state
        assert replace(planned.table, turn=0) == replace(by_hands.table, turn=0)
    assert fired > 5
    assert write_log(planned) == write_log(by_hands)
    await other.close()


async def plan_at_random(core: Core, table_id: int, user: User, path: Way, dice: random.Random) -> None:
    """Have somebody plan any answer to anything that may be played after a path of replies."""
    before = await core.service(Plans).of(table_id, user)
    game, state = before.game, before.position(path)
    for mover in (mover for mover in game.to_act(state) if mover != before.seat):
        theirs = random_action(game, state, mover, dice)
        after = game.play(state, mover, theirs).state
        if before.seat in game.to_act(after):
            mine = random_action(game, after, before.seat, dice)
            await core.service(Plans).add_reply(table_id, user, before.plan.revision, path, theirs, mine)


async def test_nothing_is_written_if_somebody_else_was_faster(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    core = service(store)
    table_id = await planned(core)
    write = queries.entries.append_later

    async def late(writer: Writer, entry: Entry) -> None:
        if entry.fired:
            raise Conflict(entry.table_id, entry.number)
        await write(writer, entry)

    with monkeypatch.context() as slower:
        slower.setattr(queries.entries, "append_later", late)
        with pytest.raises(Stale):
            await core.service(Play).act(table_id, ANN, A, interaction_id=77)
    assert await once(store.read(), queries.entries.of_table, table_id) == ()
    assert (await core.service(Plans).of(table_id, BEN)).plan.revision == 2


async def test_orders_of_puck_bumpers_are_kept_and_go_with_their_seat(store: Store) -> None:
    core = service(store)
    request = TableRequest(guild_id=10, channel_id=20, game="pucks", seats=3, options={"setup": "random"})
    table_id = (await started(core, request, BEN, CLEO)).table.id
    orders = (("whistle", "scores", "anyone"), ("pass", "otherwise"))
    for user in (BEN, CLEO):
        for order in orders:
            await core.service(Plans).add_order(table_id, user, None, order)
    await core.service(Play).act(table_id, ANN, "draw")
    snapshot = (await core.service(Play).resign(table_id, CLEO)).snapshot
    assert [(plan.user_id, plan.seat, plan.orders) for plan in snapshot.plans] == [(BEN.id, 1, orders)]
    assert replace(await service(store).snapshot(table_id), history=None) == replace(snapshot, history=None)
