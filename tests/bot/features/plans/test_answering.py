"""Plans at work: conditional moves are played in the transaction of the move they answer, or not at all."""

import asyncio
import logging
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import BadAction, Refused, Stale
from bot.core.undoing import undoable
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.plans import sql as plans_sql
from bot.features.plans.service import Plans
from bot.features.privacy.service import Privacy
from bot.features.settings.moderation import Moderation
from bot.features.verify.logbook import write_log
from bot.features.watching.service import Watching
from storage import queries
from storage.schema.records import Entry, JobKind, OfferKind, Plan, Reply, Status, WatchFor
from storage.store import Store, Writer
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, HOUR, Time, jobs, some, started

A, B = ("b2", "b3"), ("b7", "b6")
C, D = ("c2", "c3"), ("c7", "c6")
E, F = ("d2", "d3"), ("d7", "d6")


async def table_with(core: Core, *replies: Reply, clock: int | None = None) -> int:
    """A table of Bouncers where Ann is to move, and Ben has planned these replies."""
    snapshot = await started(core, replace(BOUNCERS, clock=clock))
    await keep(core, snapshot.table.id, *replies)
    return snapshot.table.id


@pytest.fixture
async def table_id(core: Core) -> int:
    return await table_with(core, Reply(A, B))


async def keep(core: Core, table_id: int, *replies: Reply, path: tuple[int, ...] = ()) -> None:
    for number, reply in enumerate(replies):
        await core.service(Plans).add_reply(table_id, BEN, None, path, reply.theirs, reply.mine)
        await keep(core, table_id, *reply.then, path=(*path, number))


async def log_of(core: Core, table_id: int) -> list[Entry]:
    async with core.store.read() as reader:
        return list(await queries.entries.of_table(reader, table_id))


async def plans_in(store: Store, table_id: int) -> tuple[Plan, ...]:
    async with store.read() as reader:
        found = await queries.tables.get_joined(reader, table_id)
    assert found is not None
    return found.plans


async def of_ben(core: Core, table_id: int) -> tuple[Reply, ...]:
    return (await core.service(Plans).of(table_id, BEN)).plan.replies


# --- what is played ------------------------------------------------------------------------------------------------------
async def test_a_reply_is_played_with_the_move_that_it_answers(core: Core, clock: Time) -> None:
    table_id = await table_with(core, Reply(A, B, (Reply(C, D),)))
    clock.pass_(5)
    played = await core.service(Play).act(table_id, ANN, A, version=0, interaction_id=77)
    first, second = await log_of(core, table_id)
    assert (first.seat, first.tokens, first.user_id, first.interaction_id, first.fired) == (0, A, ANN.id, 77, False)
    assert (second.seat, second.tokens, second.user_id, second.interaction_id, second.fired) == (1, B, BEN.id, None, True)
    assert second.at == first.at == clock()
    assert (played.snapshot.table.version, played.snapshot.playing.to_act) == (2, (0,))
    assert [event.seat for event in played.events] == [0, 1]
    assert played.snapshot == await core.snapshot(table_id)


async def test_the_tree_goes_on_where_the_game_does(core: Core) -> None:
    table_id = await table_with(core, Reply(A, B, (Reply(C, D, (Reply(E, F),)), Reply(E, D))), Reply(C, D))
    await core.service(Play).act(table_id, ANN, A)
    assert await of_ben(core, table_id) == (Reply(C, D, (Reply(E, F),)), Reply(E, D))
    await core.service(Play).act(table_id, ANN, C)
    assert await of_ben(core, table_id) == (Reply(E, F),)
    played = await core.service(Play).act(table_id, ANN, E)
    assert await of_ben(core, table_id) == ()
    assert [entry.tokens for entry in await log_of(core, table_id)] == [A, B, C, D, E, F]
    assert [entry.fired for entry in await log_of(core, table_id)] == [False, True] * 3
    assert played.snapshot.playing.to_act == (0,)


async def test_an_unforeseen_move_gets_no_answer_and_empties_the_tree(core: Core) -> None:
    table_id = await table_with(core, Reply(A, B, (Reply(C, D),)), Reply(C, D, (Reply(A, B),)))
    played = await core.service(Play).act(table_id, ANN, E)
    assert (played.snapshot.table.version, played.snapshot.playing.to_act) == (1, (1,))
    assert await of_ben(core, table_id) == ()
    for user, action in ((BEN, B), (ANN, A)):
        played = await core.service(Play).act(table_id, user, action)
    assert played.snapshot.table.version == 3, "nothing was left that could answer a move of another position"


async def test_a_click_that_is_delivered_twice_plays_both_once(core: Core) -> None:
    table_id = await table_with(core, Reply(A, B, (Reply(C, D),)))

    async def clicked() -> bool:
        return (await core.service(Play).act(table_id, ANN, A, version=0, interaction_id=77)).repeated

    assert sorted(await asyncio.gather(clicked(), clicked())) == [False, True]
    assert await clicked()
    assert len(await log_of(core, table_id)) == 2
    with pytest.raises(Stale):
        await core.service(Play).act(table_id, ANN, C, version=0, interaction_id=78)
    assert await of_ben(core, table_id) == (Reply(C, D),)


async def test_a_move_that_is_refused_leaves_the_plan_as_it_is(core: Core, table_id: int) -> None:
    with pytest.raises(BadAction):
        await core.service(Play).act(table_id, ANN, "nonsense")
    assert await of_ben(core, table_id) == (Reply(A, B),)


async def test_either_everything_is_written_or_nothing(core: Core, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = await table_with(core, Reply(A, B, (Reply(C, D),)))
    before, write = await core.snapshot(table_id), queries.entries.append_later

    async def failing(writer: Writer, entry: Entry) -> None:
        if entry.fired:
            raise OSError("the disk is full")
        await write(writer, entry)

    with monkeypatch.context() as broken:
        broken.setattr(queries.entries, "append_later", failing)
        with pytest.raises(OSError, match="disk"):
            await core.service(Play).act(table_id, ANN, A, interaction_id=77)
    assert await log_of(core, table_id) == []
    assert await core.snapshot(table_id) == before
    assert await of_ben(core, table_id) == (Reply(A, B, (Reply(C, D),)),)
    assert (await core.service(Play).act(table_id, ANN, A, interaction_id=77)).snapshot.table.version == 2


# --- what it is like for others ------------------------------------------------------------------------------------------
async def board_job(core: Core, table_id: int) -> dict[str, object]:
    return next(job.payload for job in await jobs(core, table_id) if job.kind is JobKind.BOARD)


async def test_a_turn_begins_as_if_the_reply_had_been_played_by_hand(core: Core, clock: Time) -> None:
    table_id = await table_with(core, Reply(A, B), clock=int(DAY))
    before = (await core.snapshot(table_id)).table
    clock.pass_(5 * HOUR)
    table = (await core.service(Play).act(table_id, ANN, A, version=0)).snapshot.table
    assert table.turn == before.turn + 1
    assert (table.turn_began, table.deadline, table.notice_at) == (clock(), clock() + DAY, clock() + DAY / 2)


async def test_whoever_has_just_moved_is_not_pinged_for_the_turn_that_a_reply_gives_them(core: Core, table_id: int) -> None:
    assert not (await board_job(core, table_id)).get("silent")
    await core.service(Play).act(table_id, ANN, A)
    assert (await board_job(core, table_id)).get("silent")
    await core.service(Play).act(table_id, ANN, C)
    assert not (await board_job(core, table_id)).get("silent"), "Ben is asked"


async def test_watchers_are_told_of_the_turn(core: Core, table_id: int) -> None:
    await core.service(Watching).watch(table_id, CLEO, WatchFor.TURN)
    await core.service(Play).act(table_id, ANN, A)
    assert [job.payload["user"] for job in await jobs(core, table_id) if job.kind is JobKind.WATCH] == [CLEO.id]


async def test_an_open_draw_offer_lapses_as_after_any_move_of_another_player(core: Core, table_id: int) -> None:
    await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
    played = await core.service(Play).act(table_id, ANN, A)
    assert played.snapshot.table.offers.of(OfferKind.DRAW) is None
    await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
    played = await core.service(Play).act(table_id, ANN, C)
    assert played.snapshot.table.offers.of(OfferKind.DRAW) is not None, "one's own offer stands"


async def test_the_public_log_does_not_tell_a_plan_from_a_click(core: Core, table_id: int) -> None:
    snapshot = (await core.service(Play).act(table_id, ANN, A)).snapshot
    history = snapshot.playing
    by_hand = replace(history, log=history.log.first(0))
    for logged in history.log:
        by_hand = by_hand.with_entry(replace(logged.entry, fired=False))
    assert write_log(snapshot) == write_log(replace(snapshot, history=by_hand))


# --- what cancels a plan -------------------------------------------------------------------------------------------------
async def test_an_undo_empties_the_trees_and_is_not_played_again(core: Core) -> None:
    table_id = await table_with(core, Reply(A, B, (Reply(C, D),)))
    await core.service(Play).act(table_id, ANN, A)
    await core.service(Consent).propose(table_id, BEN, OfferKind.UNDO)
    answered = await core.service(Consent).agree(table_id, ANN, OfferKind.UNDO)
    snapshot = answered.snapshot
    assert answered.carried_out
    assert snapshot.playing.to_act == (1,)
    assert await of_ben(core, table_id) == ()
    assert snapshot == await core.snapshot(table_id)


async def test_a_move_is_taken_back_together_with_what_was_planned_in_answer(core: Core) -> None:
    table_id = await table_with(core, Reply(A, B, (Reply(C, D),)))
    await core.service(Play).act(table_id, ANN, A)
    answered = await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)
    what = undoable(answered.before, answered.offer.by)[0]
    assert what == f"Red: {' → '.join(A)}, and the planned reply: {' → '.join(B)}"
    answered = await core.service(Consent).agree(table_id, BEN, OfferKind.UNDO)
    snapshot = answered.snapshot
    assert answered.carried_out
    assert (snapshot.playing.to_act, snapshot.playing.in_force) == ((0,), ())
    assert await of_ben(core, table_id) == ()
    assert snapshot == await core.snapshot(table_id)


async def test_a_move_stays_once_somebody_has_answered_it_by_hand(core: Core) -> None:
    table_id = await table_with(core, Reply(C, D))
    await core.service(Play).act(table_id, ANN, A)
    await core.service(Play).act(table_id, BEN, B)
    with pytest.raises(Refused, match="only if nobody has moved since"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.UNDO)


async def test_the_end_of_the_game_ends_all_plans(core: Core, store: Store) -> None:
    resigned, agreed, closed = [await table_with(core, Reply(A, B)) for _ in range(3)]
    await core.service(Play).resign(resigned, ANN)
    await core.service(Consent).propose(agreed, ANN, OfferKind.DRAW)
    await core.service(Consent).propose(agreed, BEN, OfferKind.DRAW)
    await core.service(Moderation).close(closed, 10, CLEO)
    for table_id in (resigned, agreed, closed):
        snapshot = await core.snapshot(table_id)
        assert snapshot.table.status is Status.FINISHED
        assert snapshot.plans == await plans_in(store, table_id) == ()


async def test_a_seat_that_is_handed_over_comes_without_its_plan(core: Core, store: Store, table_id: int) -> None:
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))
    assert await of_ben(core, table_id) == (Reply(A, B),), "it is Ben's until somebody has taken the seat"
    taken = (await core.service(Consent).agree(table_id, CLEO, OfferKind.SUBSTITUTE)).snapshot
    assert taken.plans == await plans_in(store, table_id) == ()
    assert (await core.service(Plans).of(table_id, CLEO)).plan.idle
    assert (await core.service(Play).act(table_id, ANN, A)).snapshot.table.version == 1


async def test_forgetting_somebody_deletes_their_plans(core: Core, store: Store, table_id: int) -> None:
    await core.service(Privacy).forget(BEN)
    assert (await core.snapshot(table_id)).table.status is Status.FINISHED
    assert await plans_in(store, table_id) == ()


# --- what cannot be played any more --------------------------------------------------------------------------------------
async def damaged(store: Store, table_id: int, **changes: object) -> None:
    """Ben's plan as other rules or an operator might have left it."""
    async with store.write() as writer:
        found = some(await queries.tables.get_joined(writer, table_id))
        await plans_sql.put(writer, replace(found.plans[0], **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("mine", [("b7", "b1"), ("teleport",), (), ("b2", "b3"), ("b7",), ("b7", "b6", "b5")], ids=str)
async def test_an_illegal_reply_is_dropped_and_the_move_stands(core: Core, store: Store, mine: tuple[str, ...]) -> None:
    table_id = await table_with(core, Reply(A, B))
    await damaged(store, table_id, replies=(Reply(A, mine, (Reply(C, D),)),))
    played = await core.service(Play).act(table_id, ANN, A)
    assert (played.snapshot.table.version, played.snapshot.playing.to_act) == (1, (1,))
    assert await of_ben(core, table_id) == ()


async def test_a_plan_for_somebody_elses_seat_is_never_played(core: Core, store: Store) -> None:
    for seat in (0, 9):
        table_id = await table_with(core, Reply(A, B))
        await damaged(store, table_id, seat=seat)
        assert (await core.service(Play).act(table_id, ANN, A)).snapshot.table.version == 1
        assert await plans_in(store, table_id) == ()


async def test_a_plan_that_cannot_be_read_keeps_nobody_from_playing(core: Core, store: Store, table_id: int) -> None:
    async with store.write() as writer:
        await writer.run(lambda connection: connection.exec_driver_sql("UPDATE plans SET replies = '[17]'"))
    snapshot = (await core.service(Play).act(table_id, ANN, A)).snapshot
    assert (snapshot.table.version, snapshot.table.set_aside) == (1, None)
    await core.service(Play).act(table_id, BEN, B)
    assert (await core.service(Plans).add_reply(table_id, BEN, None, (), C, D)).plan.replies == (Reply(C, D),)


async def test_no_log_line_says_anything_of_a_plan(core: Core, store: Store, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), capture_logs() as lines:
        table_id = await table_with(core, Reply(A, B), Reply(C, D))
        await damaged(store, table_id, replies=(Reply(A, ("secret-token",)),))
        await core.service(Play).act(table_id, ANN, A)
        await core.service(Play).act(table_id, BEN, B)
    assert "secret" not in caplog.text + repr(lines)
