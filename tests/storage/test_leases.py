"""Which of several processes runs a shard, and that no other one writes for it."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from storage import queries
from storage.cluster.leases import Leases
from storage.schema.errors import LeaseLost, StorageError, Unreachable
from storage.schema.records import Status
from storage.store import Store, Writer
from storage.transactions import ShardFilter
from tests.databases import tell
from tests.storage.reading_back import log_of, new_table, once, opened, play
from tests.storage.samples import ANNA, BERT, CARL, a_seat

SHARD = "shard 3 of 12"
LONG = 3600.0
"""Seconds that no test lasts."""

GONE = -1.0
"""Seconds to hold a lease that has expired before anybody looks."""


@pytest.fixture
async def leases(store: Store) -> Leases:
    kept = Leases(store)
    await kept.add(SHARD)
    return kept


async def test_a_lease_that_nobody_has_is_free(leases: Leases) -> None:
    await leases.add("shard 4 of 12", SHARD)
    first, second = await leases.all()
    assert (first.name, second.name) == (SHARD, "shard 4 of 12")
    assert (first.owner, first.fence, first.session, first.exact) == (None, 0, None, False)
    assert first.remaining <= 0


async def test_of_two_who_want_a_lease_one_gets_it(leases: Leases) -> None:
    got = await asyncio.gather(*(leases.claim(SHARD, owner, LONG) for owner in ("ann", "ben", "cleo")))
    (lease,) = (lease for lease in got if lease is not None)
    (kept,) = await leases.all()
    assert (kept.owner, kept.fence) == (lease.owner, lease.fence) == (lease.owner, 1)
    assert LONG - 600 < kept.remaining <= LONG


async def test_a_missing_lease_cannot_be_claimed(leases: Leases) -> None:
    assert await leases.claim("shard 99 of 12", "ann", LONG) is None


async def test_the_fencing_number_rises_with_every_claim(leases: Leases) -> None:
    fences = []
    for owner, seconds in (("ann", GONE), ("ann", GONE), ("ben", GONE), ("ann", GONE), ("ann", LONG)):
        lease = await leases.claim(SHARD, owner, seconds)
        assert lease is not None
        fences.append(lease.fence)
    assert fences == [1, 2, 3, 4, 5]
    assert await leases.claim(SHARD, "ben", LONG) is None


async def test_an_expired_lease_that_nobody_has_claimed_is_kept_by_renewing_it(leases: Leases) -> None:
    await leases.claim(SHARD, "ann", GONE)
    assert await leases.renew("ann", LONG) == {SHARD: 1}
    assert await leases.claim(SHARD, "ben", LONG) is None


async def test_only_the_leases_that_are_named_are_renewed(leases: Leases) -> None:
    """A process may hold a lease without knowing: it expires, and anybody can claim it."""
    await leases.add("process ann")
    for name in (SHARD, "process ann"):
        await leases.claim(name, "ann", GONE)
    assert await leases.renew("ann", LONG, names=["process ann", "shard 99 of 99"]) == {"process ann": 1}
    assert await leases.renew("ann", LONG, names=[]) == {}
    assert await leases.claim(SHARD, "ben", LONG) is not None


async def test_what_another_has_claimed_is_not_renewed(leases: Leases) -> None:
    await leases.add("shard 4 of 12", "process ann")
    for name in (SHARD, "shard 4 of 12", "process ann"):
        await leases.claim(name, "ann", GONE)
    await leases.claim(SHARD, "ben", LONG)
    told = dict.fromkeys((SHARD, "shard 4 of 12"), ("session", "wss://resume", 7))
    assert await leases.renew("ann", LONG, told) == {"process ann": 1, "shard 4 of 12": 1}
    kept = {lease.name: (lease.owner, lease.session) for lease in await leases.all()}
    assert kept == {"process ann": ("ann", None), "shard 4 of 12": ("ann", "session"), SHARD: ("ben", None)}


async def test_claiming_a_lease_returns_the_session_left_behind(leases: Leases) -> None:
    lease = await leases.claim(SHARD, "ann", LONG)
    assert lease is not None
    await leases.renew("ann", LONG, {SHARD: ("first", "wss://resume", 2**40)})
    assert not await leases.release(SHARD, "ben", lease.fence)
    assert not await leases.release(SHARD, "ann", lease.fence + 1)
    assert await leases.release(SHARD, "ann", lease.fence, ("second", "wss://again", 2**40 + 1))
    (free,) = await leases.all()
    assert (free.owner, free.remaining <= 0) == (None, True)
    taken = await leases.claim(SHARD, "ben", GONE)
    assert taken is not None
    assert (taken.session, taken.resume_url, taken.sequence) == ("second", "wss://again", 2**40 + 1)
    assert (taken.exact, taken.fence) == (True, 2)
    later = await leases.claim(SHARD, "cleo", LONG)
    assert later is not None
    assert (later.session, later.exact, later.fence) == ("second", False, 3)
    assert await leases.release(SHARD, "cleo", 3, ("second", "wss://again", 2**40 + 1), exact=False)
    inexact = await leases.claim(SHARD, "dan", GONE)
    assert inexact is not None
    assert (inexact.session, inexact.exact) == ("second", False)


async def test_claiming_a_lease_tells_until_when_somebody_had_it_without_releasing_it(leases: Leases) -> None:
    first = await leases.claim(SHARD, "ann", GONE)
    assert first is not None
    assert first.since == 0.0, "nobody ever had it"
    second = await leases.claim(SHARD, "ben", LONG)
    assert second is not None
    assert second.since == first.expires
    assert await leases.release(SHARD, "ben", second.fence, ("first", "wss://resume", 7))
    third = await leases.claim(SHARD, "cleo", LONG)
    assert third is not None
    assert third.since == first.expires, "it was let go in between"
    again = await leases.claim(SHARD, "cleo", GONE)
    assert again is not None
    assert again.since == pytest.approx(again.expires - GONE, abs=0.01), "it had not expired"
    assert (await leases.all())[0].since == again.since
    assert await leases.release(SHARD, "cleo", again.fence, ("first", "wss://resume", 8), exact=False)
    last = await leases.claim(SHARD, "dan", LONG)
    assert last is not None
    assert last.since == again.since


async def test_a_lease_that_is_let_go_without_a_session_has_none(leases: Leases) -> None:
    lease = await leases.claim(SHARD, "ann", LONG)
    assert lease is not None
    await leases.renew("ann", LONG, {SHARD: ("first", "wss://resume", 5)})
    assert await leases.release(SHARD, "ann", lease.fence)
    (free,) = await leases.all()
    assert (free.session, free.resume_url, free.sequence, free.exact) == (None, None, None, False)


async def test_the_lease_of_a_process_is_removed_with_it_or_when_it_is_long_dead(leases: Leases) -> None:
    await leases.add("process ann", "process ben", "process cleo")
    await leases.claim("process ann", "ann", LONG)
    await leases.claim("process ben", "ben", GONE)
    await leases.remove("process cleo")
    await leases.add()
    assert [lease.name for lease in await leases.all()] == ["process ann", "process ben", SHARD]
    await leases.claim("process ben", "ben", -LONG)
    await leases.claim(SHARD, "ben", -LONG)
    await leases.add()
    assert [lease.name for lease in await leases.all()] == ["process ann", SHARD]


async def test_a_slot_is_given_to_one_and_waiting_reserves_nothing(leases: Leases) -> None:
    waits = sorted(await asyncio.gather(*(leases.slot("identify 0", LONG) for _ in range(4))))
    assert waits[0] == 0.0
    assert all(LONG - 600 < wait <= LONG for wait in waits[1:])
    assert await leases.slot("identify 1", LONG) == 0.0, "each kind has moments of its own"
    assert await leases.slot("identify 2", -1.0) == 0.0
    assert await leases.slot("identify 2", LONG) == 0.0, "it was free again"


@pytest.fixture
async def part(store: Store, leases: Leases) -> Store:
    """The part of a shard that this process has claimed."""
    lease = await leases.claim(SHARD, "ann", GONE)
    assert lease is not None
    return store.part(ShardFilter(3, 12), SHARD, lease.fence)


async def test_a_part_can_be_written_until_somebody_else_claims_its_lease(store: Store, leases: Leases, part: Store) -> None:
    table_id = await new_table(part)
    await once(part.write(), play, table_id, 1)
    await leases.renew("ann", GONE)
    await once(part.write(), play, table_id, 2)
    assert await log_of(part, table_id) == [1, 2]
    assert store.statistics.refused == 0


async def test_late_writes_are_refused(store: Store, leases: Leases, part: Store) -> None:
    table_id = await new_table(part)
    await leases.claim(SHARD, "ben", LONG)

    async def at_once(writer: Writer) -> None:
        await play(writer, table_id, 1)

    async def with_the_commit(writer: Writer) -> None:
        await queries.seats.remove_watch(writer, table_id, 1)

    async def nothing(writer: Writer) -> None:
        pass

    for what in (at_once, with_the_commit, nothing):
        with pytest.raises(LeaseLost, match="Another process has taken over shard 3 of 12"):
            await _write(part, what)
    assert store.statistics.refused == 3
    assert await log_of(part, table_id) == [], "it can still be read"
    await once(store.write(), play, table_id, 1)
    assert await log_of(store, table_id) == [1], "and the store has taken no harm"


async def test_a_process_that_does_not_notice_its_lost_lease_writes_nothing(store: Store, leases: Leases, part: Store) -> None:
    table_id = await new_table(part)
    await leases.claim(SHARD, "ben", LONG)

    async def deafly(writer: Writer) -> None:
        with suppress(LeaseLost):
            await queries.tables.ids(writer)
        with suppress(LeaseLost):
            await play(writer, table_id, 1)

    with pytest.raises(LeaseLost):
        await _write(part, deafly)
    assert await log_of(store, table_id) == []


async def _write(store: Store, what: Callable[[Writer], Awaitable[None]]) -> None:
    await once(store.write(), what)


async def test_a_part_is_closed_with_its_store(store: Store, part: Store) -> None:
    await part.close()
    await new_table(part)
    await store.close()
    with pytest.raises(StorageError, match="closed"):
        await new_table(part)


async def test_two_parts_of_a_store_take_turns(store: Store, leases: Leases, part: Store) -> None:
    other = store.part(ShardFilter(4, 12), SHARD, 1)
    running: list[str] = []

    async def write(one: Store, name: str) -> None:
        async with one.write() as writer:
            running.append(name)
            assert len(running) == 1
            await queries.tables.ids(writer)
            running.remove(name)

    await asyncio.gather(*(write(one, name) for one, name in ((part, "ann"), (other, "ben")) * 5))
    async with part.write():
        with pytest.raises(RuntimeError, match="wait for itself"):
            async with other.write():
                pass


@pytest.fixture
async def cluster(server: str) -> AsyncIterator[tuple[Store, Store]]:
    """Two processes that share a database."""
    stores = await Store.open(server, alone=False), await Store.open(server, alone=False)
    await Leases(stores[0]).add(SHARD)
    yield stores
    for store in stores:
        await store.close()


async def test_a_lease_does_not_change_hands_in_the_middle_of_a_transaction(cluster: tuple[Store, Store]) -> None:
    ann, ben = cluster
    assert await Leases(ann).claim(SHARD, "ann", GONE) is not None
    part = ann.part(ShardFilter(0, 1), SHARD, 1)
    async with part.write() as writer:
        await queries.tables.ids(writer)
        assert await Leases(ben).claim(SHARD, "ben", LONG) is None
        assert await Leases(ann).renew("ann", GONE) == {SHARD: 1}, "but it is renewed meanwhile"
        assert await Leases(ben).claim(SHARD, "ben", LONG) is None
    lease = await Leases(ben).claim(SHARD, "ben", LONG)
    assert lease is not None
    assert lease.fence == 2
    with pytest.raises(LeaseLost):
        await once(part.write(), queries.tables.ids)
    assert await Leases(ann).renew("ann", LONG) == {}


async def test_brief_holders_of_a_lease_never_write_after_the_next_one(cluster: tuple[Store, Store]) -> None:
    """With leases that expire at once, many claims and slow transactions, fences in the log never go down."""
    table_id = await new_table(cluster[0])
    written: list[int] = []
    refused = 0

    async def contend(store: Store, name: str, seed: int) -> None:
        nonlocal refused
        chance, leases = random.Random(seed), Leases(store)
        for _ in range(60):
            lease = await leases.claim(SHARD, name, GONE)
            if lease is None:
                await asyncio.sleep(chance.random() * 0.004)
                continue
            part = store.part(ShardFilter(0, 1), SHARD, lease.fence)
            for _ in range(chance.randint(1, 4)):
                try:
                    async with part.write() as writer:
                        table = await queries.tables.get(writer, table_id)
                        assert table is not None
                        await asyncio.sleep(chance.random() * 0.004)
                        assert table.turn <= lease.fence
                        await queries.tables.change(writer, table_id, turn=lease.fence)
                except LeaseLost:
                    refused += 1
                    break
                written.append(lease.fence)
                await asyncio.sleep(chance.random() * 0.004)

    # Two processes with two shards' worth of eagerness each.
    await asyncio.gather(*(contend(cluster[number % 2], f"process {number}", number) for number in range(4)))
    assert written == sorted(written)
    assert len(set(written)) > 4
    assert refused


async def test_a_lease_that_is_released_stays_free_whatever_its_owner_renews_meanwhile(cluster: tuple[Store, Store]) -> None:
    ann, ben = (Leases(store) for store in cluster)
    for number in range(30):
        lease = await ann.claim(SHARD, "ann", LONG)
        assert lease is not None
        left = ("left", "wss://resume", number)
        # The same process, by two connections.
        renewing = (ben.renew("ann", LONG, {SHARD: ("renewed", "wss://old", 1)}) for _ in range(3))
        told = await asyncio.gather(*renewing, ann.release(SHARD, "ann", lease.fence, left))
        (free,) = await ann.all()
        if told[-1]:
            assert (free.owner, free.session, free.sequence, free.exact) == (None, "left", number, True)
        assert told[-1], "it was the owner's"


async def test_a_part_that_was_released_writes_until_somebody_else_claims_it(cluster: tuple[Store, Store]) -> None:
    ann, ben = cluster
    lease = await Leases(ann).claim(SHARD, "ann", LONG)
    assert lease is not None
    part, table_id = ann.part(ShardFilter(0, 1), SHARD, lease.fence), await new_table(ann)
    async with part.write() as writer:
        await play(writer, table_id, 1)
        assert await Leases(ann).release(SHARD, "ann", lease.fence)
        assert await Leases(ben).claim(SHARD, "ben", LONG) is None, "not before that is written"
    assert await Leases(ben).claim(SHARD, "ben", LONG) is not None
    with pytest.raises(LeaseLost):
        await once(part.write(), play, table_id, 2)
    assert await log_of(ben, table_id) == [1]


@pytest.mark.parametrize("wrong", [0.0, 4e9])
async def test_the_clock_of_a_machine_decides_nothing(leases: Leases, monkeypatch: pytest.MonkeyPatch, wrong: float) -> None:
    monkeypatch.setattr("time.time", lambda: wrong)
    await leases.claim(SHARD, "ann", LONG)
    assert await leases.claim(SHARD, "ben", LONG) is None
    await leases.claim(SHARD, "ann", GONE)
    assert await leases.claim(SHARD, "ben", LONG) is not None


async def test_renewing_does_not_wait_for_what_is_being_written(cluster: tuple[Store, Store]) -> None:
    ann, _ = cluster
    await Leases(ann).claim(SHARD, "ann", LONG)
    async with ann.write() as writer:
        await queries.tables.ids(writer)
        assert await Leases(ann).renew("ann", LONG) == {SHARD: 1}


async def test_processes_that_share_a_database_keep_away_one_that_wants_it_alone(
    cluster: tuple[Store, Store], server: str
) -> None:
    ann, ben = cluster
    with pytest.raises(StorageError, match="Another Springboard is using the database"):
        await Store.open(server)
    await new_table(ann)
    await new_table(ben)


async def test_a_process_that_has_a_database_alone_keeps_away_those_that_would_share_it(server: str) -> None:
    async with opened(server):
        with pytest.raises(StorageError, match="Another Springboard has the database for itself alone"):
            await Store.open(server, alone=False)
    await (await Store.open(server, alone=False)).close()


async def test_two_processes_change_a_persons_settings_one_after_the_other(
    cluster: tuple[Store, Store],
) -> None:
    ann, ben = cluster
    settings = {"palette": "contrast"}

    async def change(store: Store, year: str) -> None:
        async with store.write() as writer:
            person = await queries.people.get_to_change(writer, ANNA)
            days = {**person.vacation_days, year: 1.0}
            await queries.people.put(writer, replace(person, settings=settings, vacation_days=days))

    years = [str(year) for year in range(2000, 2020)]
    await asyncio.gather(*(change(ann if number % 2 else ben, year) for number, year in enumerate(years)))
    person = await once(ann.read(), queries.people.get, ANNA)
    assert sorted(person.vacation_days) == years
    assert person.settings == settings


async def test_each_forgotten_person_gets_their_own_placeholder_in_any_process(cluster: tuple[Store, Store]) -> None:
    ann, ben = cluster
    table_id = await new_table(ann)
    people = (ANNA, BERT, CARL, CARL + 1)
    async with ann.write() as writer:
        for place, user_id in enumerate(people):
            await queries.seats.put(writer, a_seat(table_id, user_id, place))

    async def forget(store: Store, user_id: int) -> None:
        async with store.write() as writer:
            await queries.forgetting.forget_person(
                writer, user_id, await queries.forgetting.unused_placeholder(writer), "somebody"
            )

    await once(ann.write(), queries.tables.change, table_id, status=Status.PLAYING)
    await asyncio.gather(*(forget((ann, ben)[place % 2], user_id) for place, user_id in enumerate(people)))
    assert sorted(seat.user_id for seat in await once(ben.read(), queries.seats.of_table, table_id)) == [-4, -3, -2, -1]


async def test_of_two_processes_that_wait_for_each_other_one_is_told_to_try_again(cluster: tuple[Store, Store]) -> None:
    first, second = [await new_table(cluster[0]) for _ in range(2)]
    both = asyncio.Barrier(2)

    async def lock(store: Store, *numbers: int) -> None:
        async with store.write() as writer:
            await queries.tables.get(writer, numbers[0])
            await both.wait()
            await queries.tables.change(writer, numbers[1], channel_id=7)

    told = await asyncio.gather(lock(cluster[0], first, second), lock(cluster[1], second, first), return_exceptions=True)
    (error,) = (one for one in told if one is not None)
    assert isinstance(error, Unreachable)
    assert not isinstance(error, LeaseLost)
    for store in cluster:
        await new_table(store)


async def test_notifications_are_heard_by_all_and_again_after_a_lost_connection(
    cluster: tuple[Store, Store], server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.cluster.notifying.AGAIN_AFTER", 0.01)
    heard: asyncio.Queue[str] = asyncio.Queue()
    ann, ben = map(Leases, cluster)

    async def hear_again() -> str:
        """What is heard of the words that are said until something is."""
        async with asyncio.timeout(60.0):
            while heard.empty():
                await ben.notify("work")
                await asyncio.sleep(0.01)
        return heard.get_nowait()

    async with ann.listen(heard.put_nowait):
        assert await hear_again() == "work"
        while not heard.empty():
            heard.get_nowait()
        end_others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        await tell(server, end_others)
        assert await hear_again() == "work"


async def test_a_file_has_no_notifications(tmp_path: object) -> None:
    async with opened(f"{tmp_path}/springboard.db") as store:
        heard: list[str] = []
        async with Leases(store).listen(heard.append):
            await Leases(store).notify("work")
        assert heard == []
