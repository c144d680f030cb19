"""The keeper of the leases: who runs which shard, whatever happens to the processes."""

import asyncio
import time
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.cluster.holding import Holding, Session
from bot.cluster.keeper import Keeper, shard_name
from bot.config import CannotRun
from storage.cluster.leases import Lease, Leases
from storage.schema.errors import StorageError, Unreachable
from storage.schema.tables import leases as rows
from storage.store import Store

SHARDS = 6
LEFT = Session("session", "ws://gateway/", 42)


@dataclass
class Tenant:
    """What runs a shard, as the keeper sees it."""

    holding: Holding
    inherited: Session | None
    handed_over: bool = False
    abandoned: bool = False
    unserved: float = 0.0
    caught_up: bool = True
    session: Session | None = LEFT

    async def hand_over(self) -> Session | None:
        assert self.holding.valid, "the lease is held until the last"
        self.handed_over = True
        return None if self.session is None else replace(self.session, exact=self.caught_up)

    async def abandon(self) -> None:
        assert not self.holding.valid
        self.abandoned = True


@dataclass
class Process:
    """A process whose keeper does nothing by itself."""

    leases: Leases
    tenants: list[Tenant] = field(default_factory=list)
    of: int = SHARDS
    wrong_by: float = 0.0

    def __post_init__(self) -> None:
        self.keeper = Keeper(self.leases, self.of, self._take, seconds=1000.0, now=lambda: time.time() + self.wrong_by)

    async def _take(self, holding: Holding, inherited: Session | None) -> Tenant:
        self.tenants.append(Tenant(holding, inherited))
        return self.tenants[-1]

    @property
    def shards(self) -> set[int]:
        return set(self.keeper.held)


@pytest.fixture
async def leases(store: Store) -> Leases:
    leases = Leases(store)
    await leases.add(*(shard_name(shard, SHARDS) for shard in range(SHARDS)))
    return leases


async def rounds(*processes: Process, count: int = 6) -> None:
    for _ in range(count):
        for process in processes:
            await process.keeper.tick()


async def over(store: Store, process: Process) -> None:
    """Let the leases of a process expire."""
    async with store.write() as writer:
        await writer.run(
            lambda connection: connection.execute(
                sa.update(rows).where(rows.c.owner == process.keeper.owner).values(expires=1.0)
            )
        )


async def test_processes_share_the_shards_out_and_one_who_ends_leaves_its_sessions(leases: Leases) -> None:
    one, two, three = (Process(leases) for _ in range(3))
    await rounds(one)
    assert one.shards == set(range(SHARDS))
    assert all(tenant.inherited is None for tenant in one.tenants)
    await rounds(one, two, three)
    assert sorted(len(process.shards) for process in (one, two, three)) == [2, 2, 2]
    assert one.shards | two.shards | three.shards == set(range(SHARDS))
    left = two.shards
    await two.keeper.close()
    await rounds(one, three)
    assert one.shards | three.shards == set(range(SHARDS))
    taken = [tenant for tenant in one.tenants + three.tenants if tenant.holding.shard in left][-len(left) :]
    assert all(tenant.inherited == Session("session", "ws://gateway/", 42, exact=True) for tenant in taken)
    assert one.keeper.processes == 2


async def test_a_shard_handed_over_before_it_caught_up_leaves_its_session_inexact(leases: Leases) -> None:
    """Discord repeats what a killed process answered, and the next process must not take that for new."""
    one, two = Process(leases), Process(leases)
    await rounds(one)
    for tenant in one.tenants:
        tenant.caught_up = tenant.holding.shard != 3
    await one.keeper.close()
    await rounds(two)
    assert {tenant.holding.shard: tenant.inherited for tenant in two.tenants} == {
        shard: replace(LEFT, exact=shard != 3) for shard in range(SHARDS)
    }


async def test_shards_of_a_process_that_was_killed_are_taken_over_with_a_higher_fence(leases: Leases, store: Store) -> None:
    one = Process(leases)
    await rounds(one)
    two = Process(leases)
    await over(store, one)
    await two.keeper.tick()
    assert two.shards == set(range(SHARDS))
    before = {tenant.holding.shard: tenant.holding.fence for tenant in one.tenants}
    assert all(tenant.holding.fence > before[tenant.holding.shard] for tenant in two.tenants)
    # Renewing has noted the sessions; since nobody said goodbye, more may have been received.
    await rounds(one)
    assert all(tenant.inherited == LEFT for tenant in two.tenants)


async def test_a_process_that_was_frozen_finds_its_shards_gone_and_stops_them(leases: Leases, store: Store) -> None:
    one, two = Process(leases), Process(leases)
    await rounds(one)
    first = list(one.tenants)
    await over(store, one)
    await two.keeper.tick()
    await one.keeper.tick()
    await one.keeper.tick()
    assert all(tenant.abandoned for tenant in first)
    assert not any(tenant.handed_over for tenant in first)
    assert not one.shards & two.shards


async def test_leases_that_nobody_has_claimed_are_kept_although_they_were_over(leases: Leases, store: Store) -> None:
    one = Process(leases)
    await rounds(one)
    await over(store, one)
    await one.keeper.tick()
    assert one.shards == set(range(SHARDS))
    assert not any(tenant.abandoned for tenant in one.tenants)


async def test_who_cannot_reach_discord_leaves_the_shards_to_others(leases: Leases) -> None:
    one = Process(leases)
    await rounds(one)
    for tenant in one.tenants:
        tenant.unserved = 1e9
    await rounds(one)
    assert one.shards == set(range(SHARDS)), "nobody else is there"
    two = Process(leases)
    await rounds(one, two)
    assert two.shards == set(range(SHARDS))
    assert not one.shards


class Unheard(Leases):
    """Leases whose claims take effect but are never confirmed, and whose releases do neither."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.claims = self.releases = 0

    async def claim(self, name: str, owner: str, seconds: float) -> Lease | None:
        lease = await super().claim(name, owner, seconds)
        if self.claims and name.startswith("shard"):
            self.claims -= 1
            raise Unreachable("no answer")
        return lease

    async def release(
        self, name: str, owner: str, fence: int, left: tuple[str, str, int] | None = None, *, exact: bool = True
    ) -> bool:
        if self.releases:
            self.releases -= 1
            raise Unreachable("no answer")
        return await super().release(name, owner, fence, left, exact=exact)


async def test_a_shard_is_run_although_its_claim_was_not_answered(leases: Leases, store: Store) -> None:
    unheard = Unheard(store)
    unheard.claims = 1
    one = Process(unheard)
    with pytest.raises(Unreachable):
        await rounds(one)
    await rounds(one)
    assert len(one.shards) == SHARDS - 1, "it does not know of the one that it has"
    await over_unless_renewed(one, store)
    await rounds(one)
    assert one.shards == set(range(SHARDS))


async def test_a_shard_that_could_not_be_released_is_run_by_somebody_again(leases: Leases, store: Store) -> None:
    unheard = Unheard(store)
    unheard.releases = 1
    one, two = Process(unheard), Process(leases)
    await rounds(one)
    await rounds(one, two)
    await over_unless_renewed(one, store)
    await rounds(one, two)
    assert one.shards | two.shards == set(range(SHARDS))
    assert not one.shards & two.shards
    fences = [tenant.holding.fence for tenant in one.tenants if not tenant.holding.lost]
    assert len(fences) == len(one.shards)


async def over_unless_renewed(process: Process, store: Store) -> None:
    """Let the duration of a lease pass while a process renews its own."""
    await over(store, process)
    await process.keeper._renew()


async def test_a_lease_of_which_nothing_is_certain_is_not_relied_on(leases: Leases) -> None:
    moment = 100.0
    holding = Holding(0, SHARDS, shard_name(0, SHARDS), 1, 101.0, 0.0, clock=lambda: moment)
    assert holding.valid
    moment = 101.0
    assert not holding.valid
    holding.renew(110.0)
    assert holding.valid
    holding.lose()
    assert not holding.valid


async def test_a_process_for_which_no_shard_is_left_stands_by(leases: Leases) -> None:
    processes = [Process(leases) for _ in range(SHARDS + 1)]
    await rounds(*processes)
    (spare,) = (process for process in processes if not process.shards)
    assert spare.keeper.stands_by
    assert not spare.keeper.away


async def test_of_processes_that_disagree_on_the_number_of_shards_only_one_kind_runs(leases: Leases, store: Store) -> None:
    frozen, other = Process(leases), Process(leases, of=SHARDS + 2)
    await rounds(frozen)
    await over(store, frozen)
    await leases.add(*(shard_name(shard, SHARDS + 2) for shard in range(SHARDS + 2)))
    await rounds(other)
    with pytest.raises(CannotRun, match="SPRINGBOARD_SHARDS"):
        await frozen.keeper.tick()
    await frozen.keeper.close()
    await rounds(other)
    assert other.shards == set(range(SHARDS + 2))


@pytest.mark.parametrize("fails", ["add", "all", "renew"])
async def test_database_errors_do_not_end_the_renewal_of_leases(
    leases: Leases, fails: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, works, asked = Process(leases), getattr(leases, fails), 0
    monkeypatch.setattr("bot.cluster.keeper.RENEWALS", 1_000_000)
    errors = [Unreachable("away"), sa.exc.ProgrammingError("", {}, Exception("odd")), StorageError("odder")]

    async def fail(*given: Any, **named: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked <= len(errors):
            raise errors[asked - 1]
        return await works(*given, **named)

    monkeypatch.setattr(leases, fails, fail)
    keeping = asyncio.create_task(process.keeper.run())
    async with asyncio.timeout(60):
        while process.shards != set(range(SHARDS)):
            assert not keeping.done()
            await asyncio.sleep(0.01)
    keeping.cancel()
    await asyncio.wait({keeping})
    await process.keeper.close()


async def test_a_process_whose_clock_is_wrong_runs_no_shard(leases: Leases) -> None:
    wrong, right = Process(leases, wrong_by=86_400.0), Process(leases)
    await rounds(wrong)
    assert not wrong.shards
    assert wrong.keeper.askew == pytest.approx(86_400.0, abs=60.0)
    await rounds(wrong, right)
    assert (right.shards, right.keeper.processes) == (set(range(SHARDS)), 1)


async def test_a_process_whose_clock_goes_wrong_leaves_its_shards_to_others_if_there_are_any(leases: Leases) -> None:
    one = Process(leases)
    await rounds(one)
    one.wrong_by = -3600.0
    await rounds(one)
    assert one.shards == set(range(SHARDS)), "nobody else is there"
    two = Process(leases)
    await rounds(one, two)
    assert two.shards == set(range(SHARDS))
    assert all(tenant.handed_over for tenant in one.tenants)


class Slow(Leases):
    """Leases whose claims wait until they are let through."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.asked, self.through = asyncio.Event(), asyncio.Event()

    async def claim(self, name: str, owner: str, seconds: float) -> Lease | None:
        if name.startswith("shard"):
            self.asked.set()
            await self.through.wait()
        return await super().claim(name, owner, seconds)


async def test_what_is_being_claimed_when_the_process_is_told_to_stop_is_handed_over_too(leases: Leases, store: Store) -> None:
    slow = Slow(store)
    one = Process(slow)
    ticking = asyncio.create_task(one.keeper.tick())
    await slow.asked.wait()
    closing = asyncio.create_task(one.keeper.close())
    await asyncio.sleep(0)
    slow.through.set()
    await asyncio.gather(ticking, closing)
    assert not one.shards
    assert [lease.name for lease in await leases.all() if lease.owner is not None] == []
