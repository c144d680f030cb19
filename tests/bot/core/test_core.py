"""Reading and changing tables: logs are replayed outside transactions, and a failed change leaves nothing."""

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.core.change import changing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.block_list import SIZE, Blocks
from bot.core.table.errors import NoSuchTable
from bot.core.table.history import History, history_cache, public_view, rebuild
from bot.features.verify.service import Proof
from bot.parts import PARTS
from storage import queries
from storage.schema.records import EntryKind, JobKind, SeatStatus
from storage.store import Reader, Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, first_action, owed, started

Rebuild = Callable[..., History]


class Slow:
    """Replays logs as usual, but each only once the test lets it."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Event()
        self.count = 0

    def __call__(self, *arguments: Any) -> History:
        self.count += 1
        self.begun.release()
        assert self.go_on.wait(60)
        return rebuild(*arguments)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    replays = Slow()
    monkeypatch.setattr("bot.core.core.rebuild", replays)
    monkeypatch.setattr("bot.features.verify.service.rebuild", replays)
    yield replays
    replays.go_on.set()


async def a_long_game(core: Core, actions: int = 10) -> int:
    snapshot = await started(core)
    for _ in range(actions):
        user = (ANN, BEN)[snapshot.playing.to_act[0]]
        snapshot = (await core.service(Play).act(snapshot.table.id, user, first_action(snapshot))).snapshot
    return snapshot.table.id


def forgetful(core: Core, store: Store) -> Core:
    """The same core after a restart."""
    return Core(store, parts=PARTS, now=core.now)


async def test_a_log_is_replayed_without_holding_a_connection(core: Core, store: Store, slow: Slow) -> None:
    tables = [await a_long_game(core) for _ in range(4)]
    again = forgetful(core, store)
    looking = [asyncio.create_task(again.snapshot(table)) for table in tables]
    proving = [asyncio.create_task(again.service(Proof).verify(table)) for table in tables]
    await asyncio.to_thread(slow.begun.acquire)
    # There are four connections; a fifth reader would wait for ever if a replay held one.
    async with store.read() as reader, store.read(), store.read(), store.read():
        assert await queries.tables.get(reader, tables[0]) is not None
    slow.go_on.set()
    assert [(await task).playing.version for task in looking] == [10] * 4
    assert [(await task).problems for task in proving] == [()] * 4


async def test_others_can_write_while_a_cold_game_is_replayed_for_a_writer(core: Core, store: Store, slow: Slow) -> None:
    cold, other = await a_long_game(core), await a_long_game(core, 0)
    again = forgetful(core, store)
    snapshot = await core.snapshot(cold)
    moving = asyncio.create_task(again.service(Play).act(cold, (ANN, BEN)[snapshot.playing.to_act[0]], first_action(snapshot)))
    await asyncio.to_thread(slow.begun.acquire)
    await core.service(Play).act(other, ANN, first_action(await core.snapshot(other)))
    assert not moving.done()
    slow.go_on.set()
    assert (await moving).snapshot.table.version == 11


async def test_a_writer_gets_entries_that_came_in_between(core: Core, store: Store, slow: Slow) -> None:
    cold = await a_long_game(core)
    again = forgetful(core, store)
    resigning = asyncio.create_task(again.service(Play).resign(cold, ANN))
    await asyncio.to_thread(slow.begun.acquire)
    for _ in range(7):
        snapshot = await core.snapshot(cold)
        await core.service(Play).act(cold, (ANN, BEN)[snapshot.playing.to_act[0]], first_action(snapshot))
    slow.go_on.set()
    assert (await resigning).snapshot.table.version == 18
    assert (await core.service(Proof).verify(cold)).problems == ()


async def test_many_requests_for_a_cold_game_replay_it_once(core: Core, store: Store, slow: Slow) -> None:
    table = await a_long_game(core)
    again = forgetful(core, store)
    looking = [asyncio.create_task(again.snapshot(table)) for _ in range(20)]
    await asyncio.to_thread(slow.begun.acquire)
    looking[0].cancel()
    slow.go_on.set()
    found = await asyncio.gather(*looking, return_exceptions=True)
    assert isinstance(found[0], asyncio.CancelledError)
    assert all(not isinstance(one, BaseException) and one.playing.version == 10 for one in found[1:])
    assert slow.count == 1


async def test_a_latecomer_shares_the_replay(core: Core, store: Store, slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await a_long_game(core)
    again = forgetful(core, store)
    slow.go_on.set()
    read = store.read
    overtaken: list[bool] = []

    @asynccontextmanager
    async def reading() -> AsyncIterator[Reader]:
        async with read() as reader:
            yield reader
        if not overtaken:
            overtaken.append(True)
            await again.snapshot(table)

    monkeypatch.setattr(store, "read", reading)
    assert (await again.snapshot(table)).playing.version == 10
    assert slow.count == 1


async def test_a_log_shorter_than_the_table_says_is_still_read(core: Core, store: Store) -> None:
    table = await a_long_game(core)
    async with store.write() as writer:
        await queries.tables.change(writer, table, version=99)
    assert (await forgetful(core, store).snapshot(table)).playing.version == 10


async def test_a_log_longer_than_the_table_says_is_still_read(core: Core, store: Store) -> None:
    table = await a_long_game(core)
    async with store.write() as writer:
        await queries.tables.change(writer, table, version=1)
    assert (await forgetful(core, store).snapshot(table)).playing.version == 10


async def test_the_cache_holds_a_number_of_entries_however_they_are_spread(core: Core) -> None:
    ten = (await core.snapshot(await a_long_game(core))).playing
    cache = history_cache(limit=35)
    for table in range(100):
        cache.keep(table, ten)
        assert cache.weight <= 35
    assert len(cache) == 3
    assert cache.get(97) is ten
    cache.keep(100, ten)
    assert (cache.get(97), cache.get(98)) == (ten, None)  # what was used last stays
    cache.keep(101, replace(ten, log=Blocks(ten.log[:] * 5)))
    assert (len(cache), cache.weight) == (1, 51)  # a single game may be longer than that
    cache.keep(101, ten)
    assert cache.weight == 51  # an older version does not replace a newer one


async def test_after_each_step_the_snapshot_equals_what_is_read(core: Core) -> None:
    table_id = (await started(core)).table.id
    async with changing(core, table_id) as change:
        assert change.snapshot is change.before
        await change.amend(version=1, turn=7)
        await change.put_seat(replace(change.snapshot.players[1], timeouts=2))
        await change.append(change.next_entry(EntryKind.PLAY, 0, ANN.id, ("b2", "b3"), 77))
        assert [logged.entry.interaction_id for logged in change.new_entries] == [77]
        assert (change.table.turn, change.history.version) == (7, 1)
    found = await core.snapshot(table_id)
    assert (found.table, found.people, found.history) == (change.table, change.snapshot.people, change.history)
    assert (change.before.table.turn, change.before.playing.version) == (1, 0), "the table as it was is still known"


async def test_people_stay_in_the_order_of_their_places(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(BOUNCERS, game="pucks", opponents=[BEN, CLEO]))).table.id
    async with changing(core, table_id) as change:
        ann, ben, cleo = change.snapshot.people
        await change.put_seat(replace(ben, status=SeatStatus.DECLINED))
        await change.put_seat(replace(ann, place=3))
        assert [person.user_id for person in change.snapshot.people] == [BEN.id, CLEO.id, ANN.id]
        await change.remove_seat(cleo.user_id)
    assert [person.user_id for person in change.snapshot.people] == [BEN.id, ANN.id]
    assert (await core.snapshot(table_id)).people == change.snapshot.people


async def test_a_failed_change_leaves_nothing_behind(core: Core) -> None:
    before = await started(core)
    called: list[float] = []
    core.listen(called.append)
    owing = await owed(core)

    async def fail() -> None:
        async with changing(core, before.table.id) as change:
            await change.append(change.next_entry(EntryKind.PLAY, 0, ANN.id, ("b2", "b3")))
            await change.amend(version=1, deadline=5.0)
            await change.enqueue(JobKind.REFRESH)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    after = await core.snapshot(before.table.id)
    assert (after.table, after.playing.version) == (before.table, 0)
    assert (await owed(core), called) == (owing, [])


async def test_listeners_hear_the_earliest_moment_after_the_commit(core: Core) -> None:
    table_id = (await started(core)).table.id
    called: list[float] = []
    core.listen(called.append)
    async with changing(core, table_id) as change:
        await change.amend(deadline=50.0)
        await change.amend(notice_at=40.0)
        assert called == []
    assert called == [40.0]


async def test_a_table_of_another_server_is_not_changed(core: Core) -> None:
    table_id = (await started(core)).table.id
    with pytest.raises(NoSuchTable):
        async with changing(core, table_id, guild_id=11):
            pytest.fail("there is nothing to change")


async def test_cached_properties_are_not_carried_into_a_changed_snapshot(core: Core) -> None:
    snapshot = await started(core)
    assert (snapshot.present, snapshot.names) == ((0, 1), ("Ann", "Ben"))
    assert snapshot.players is snapshot.players, "it is worked out once"
    gone = replace(snapshot, people=(snapshot.people[0], replace(snapshot.people[1], status=SeatStatus.WITHDRAWN)))
    assert (gone.present, snapshot.present) == ((0,), (0, 1))
    assert replace(gone, people=snapshot.people) == snapshot


async def test_what_everybody_sees_of_a_board_is_found_out_once(core: Core, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = await started(core)
    history, found = snapshot.playing, list[int | None]()
    view = history.game.view

    def noted(_: Any, state: Any, seat: int | None = None) -> Any:
        found.append(seat)
        return view(state, seat)

    monkeypatch.setattr(type(history.game), "view", noted)
    public_view.cache_clear()
    seen = history.view(None)
    assert snapshot.colours == seen.colours
    assert snapshot.position.view(None) is seen
    assert found == [None]
    assert history.forward(history.to_act[0], first_action(snapshot)).view(None) != seen


LENGTHS = [0, 1, SIZE - 1, SIZE, SIZE + 1, 2 * SIZE, 3 * SIZE - 1, 3 * SIZE + 7]


@pytest.mark.parametrize("length", LENGTHS)
def test_they_are_read_like_a_tuple(length: int) -> None:
    items, dice = tuple(range(length)), random.Random(length)
    blocks = Blocks(items)
    assert (len(blocks), tuple(blocks), tuple(reversed(blocks))) == (length, items, items[::-1])
    assert blocks == items
    assert items == blocks
    assert hash(blocks) == hash(items)
    assert blocks.last == (items[-1] if items else None)
    assert [blocks[i] for i in range(-length, length)] == [items[i] for i in range(-length, length)]
    for _ in range(50):
        begin, end = (dice.choice([None, dice.randint(-length - 3, length + 3)]) for _ in range(2))
        part = slice(begin, end, dice.choice([None, 2, -1]))
        assert blocks[part] == items[part]
    for index in (length, -length - 1):
        with pytest.raises(IndexError):
            blocks[index]


@pytest.mark.parametrize("length", LENGTHS)
def test_adding_or_replacing_an_item_leaves_the_original_unchanged(length: int) -> None:
    items: tuple[object, ...] = tuple(range(length))
    blocks = Blocks(items)
    one, other = blocks.with_one_more("one"), blocks.with_one_more("other")
    assert one.with_one_more("two") == (*items, "one", "two")
    assert [tuple(found) for found in (one, other, blocks)] == [(*items, "one"), (*items, "other"), items]
    for index in {0, length - 1, -1, length // 2} & set(range(-length, length)):
        changed: list[object] = list(items)
        changed[index] = "else"
        assert blocks.with_one_else(index, "else") == tuple(changed)
    assert blocks == items
    with pytest.raises(IndexError):
        blocks.with_one_else(length, "else")


@pytest.mark.parametrize("length", LENGTHS)
def test_the_first_items_are_a_prefix(length: int) -> None:
    blocks = Blocks(range(length))
    for count in {*LENGTHS, length}:
        assert blocks.first(count) == tuple(range(length))[:count]
        assert blocks.first(count).with_one_more(-1) == (*range(min(count, length)), -1)


def test_they_grow_item_by_item_and_compare_by_their_items() -> None:
    blocks: Blocks[int] = Blocks()
    for number in range(5 * SIZE):
        blocks = blocks.with_one_more(number)
        assert blocks == tuple(range(number + 1))
        assert blocks != tuple(range(number))
        assert blocks != list(range(number + 1))
    assert blocks.with_one_else(SIZE, -1) != blocks
