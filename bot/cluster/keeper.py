"""Keeper: claims, renews and gives up the leases of shards. `storage.cluster.leases` says what a lease is."""

import asyncio
import math
import time
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Final, Protocol

import structlog

from bot.cluster.holding import MARGIN, Holding, Session
from bot.cluster.limits import Rate
from bot.cluster.sharing import Sharing
from bot.config import CannotRun
from bot.loops.heartbeat import uptime
from bot.runtime import metrics
from bot.runtime.outage import outages, unreachable
from storage.cluster.leases import Lease, Leases

LEASE_SECONDS: Final = 10.0
"""Seconds after which a lease that is not renewed is free."""

RENEWALS: Final = 4
"""How many times a lease is renewed within LEASE_SECONDS."""

LATE: Final = 2.0
"""Seconds by which a renewal may be late before it is logged."""

CUT_OFF: Final = 3
"""How long a process may be without Discord before other processes get its shards, as a multiple of a lease's length."""

AWAY: Final = 60.0
"""Seconds after which a process that has left its shards to other processes takes part again."""

MOST_ASKEW: Final = 60.0
"""Seconds by which this machine's clock may differ from the database's. A wrong clock would ruin all deadlines."""

log = structlog.get_logger(__name__)


def shard_name(shard: int, of: int) -> str:
    """Return the name of a shard's lease."""
    return f"shard {shard} of {of}"


def shard_count(lease: Lease) -> int | None:
    """Return the number of shards according to a lease's name ("shard 3 of 8"), or None if it is no shard's lease."""
    word, _, number = lease.name.rpartition(" of ")
    return int(number) if word.startswith("shard ") and number.isdecimal() else None


class Tenant(Protocol):
    """The part of the program that runs a shard while this process has the shard's lease."""

    @property
    def session(self) -> Session | None:
        """The session with the gateway, which is stored for the shard's next process."""

    @property
    def unserved(self) -> float:
        """The seconds since the last connection to the gateway."""

    async def hand_over(self) -> Session | None:
        """Stop, so that another process can continue. Returns the session that it can resume."""

    async def abandon(self) -> None:
        """Stop at once, because another process has the shard."""


class Keeper:
    """Keeps the leases of one process.

    Args:
        leases: the leases.
        of: the number of all shards.
        take: begins to run a shard whose lease was claimed, starting from the session that its last process has left.
        rate: this process's requests, which are limited to its share of what Discord allows all processes.
        may_run: whether this process is to run a shard, or None if all processes share the shards out.
        seconds: how long a lease lasts.
        now: returns the current time, in seconds since the epoch.

    Attributes:
        owner: this process's name.
        processes: how many processes are alive.
        askew: the seconds by which this machine's clock is wrong, if they are too many, or else None.
    """

    def __init__(
        self,
        leases: Leases,
        of: int,
        take: Callable[[Holding, Session | None], Awaitable[Tenant]],
        *,
        rate: Rate | None = None,
        may_run: Callable[[int], bool] | None = None,
        seconds: float = LEASE_SECONDS,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.owner = uuid.uuid4().hex[:12]
        self.processes = 1
        self.askew: float | None = None
        self._now = now
        self._leases = leases
        self._of = of
        self._take = take
        self._rate = rate
        self._may_run = may_run
        self._seconds = seconds
        self._names = {shard_name(shard, of): shard for shard in range(of)}
        self._held: dict[int, tuple[Holding, Tenant]] = {}
        self._noted: dict[str, Session] = {}
        """The sessions that are stored with the leases, kept so that only changes are written."""
        self._leaving: set[asyncio.Task[None]] = set()
        self._parting: set[str] = set()
        """The leases of shards that are being handed over."""
        self._woken = asyncio.Event()
        self._closing = False
        self._claiming = asyncio.Lock()
        self._all_taken = False
        self._away_until = -math.inf

    @property
    def held(self) -> Mapping[int, tuple[Holding, Tenant]]:
        """The shards that this process runs."""
        return self._held

    @property
    def remaining(self) -> float:
        """The seconds for which all of this process's leases are still valid."""
        return min((holding.valid_until - uptime() for holding, _ in self._held.values()), default=self._seconds)

    @property
    def _process(self) -> str:
        return f"process {self.owner}"

    @property
    def away(self) -> bool:
        """Whether this process takes no part for now, because it cannot reach Discord or its clock is wrong."""
        return uptime() < self._away_until

    @property
    def stands_by(self) -> bool:
        """Whether every shard was held by some process when the leases were last looked at."""
        return self._all_taken

    def wake(self) -> None:
        """Look at the leases now, because another process may have given some up."""
        self._woken.set()

    async def run(self) -> None:
        """Keep the leases until cancelled. After an outage of the database, they are renewed as soon as it is back.

        The database is asked again whatever error it answers with. Meanwhile, this process relies on no lease beyond the time
        that it lasts. Raises CannotRun if other processes have another number of shards.
        """
        added = False
        while True:
            self._woken.clear()
            try:
                if not added:
                    await self._leases.add(*self._names)
                    added = True
                await self.tick()
            except CannotRun:
                raise
            except Exception as error:
                if (outage := unreachable(error)) is None:
                    log.exception("leases are not renewed")
                else:
                    outages.note(outage)
            try:
                async with asyncio.timeout(self._seconds / RENEWALS):
                    await self._woken.wait()
            except TimeoutError:
                pass

    async def tick(self) -> None:
        """Renew this process's leases, give up those it has lost, and claim the shards that it should run."""
        await self._renew()
        if self._closing:
            return
        asked = self._now()
        leases = {lease.name: lease for lease in await self._leases.all()}
        self.askew = _askew(leases.values(), asked, self._now())
        processes = {
            lease.owner
            for lease in leases.values()
            if lease.name == f"process {lease.owner}" and lease.owner is not None and lease.remaining > 0
        }
        await self._step_back(processes)
        rivals = {shard_count(lease) for lease in leases.values() if lease.remaining > 0} - {None, self._of}
        if any(of is not None and of > self._of for of in rivals):
            raise CannotRun(
                f"Other processes run this bot with {', '.join(map(str, rivals))} shards, and this one has run it with "
                f"{self._of}. All have to agree (SPRINGBOARD_SHARDS)."
            )
        if len(processes) != self.processes:
            self.processes = max(1, len(processes))
            if self._rate is not None:
                self._rate.share(self.processes)
            log.info("processes", alive=self.processes)
        owners = {shard: _owner(leases.get(name)) for name, shard in self._names.items()}
        self._all_taken = None not in owners.values()
        if rivals or self.askew is not None:
            return  # either the others will stop, or this process's clock must not be relied on
        sharing = Sharing(self.owner, processes, owners, self._may_run)
        async with self._claiming:
            for shard in sharing.wanted:
                if self._closing or not await self._claim(shard):
                    break  # another process was faster: look again
        if (shard_to_spare := sharing.to_hand_over) is not None and shard_to_spare in self._held:
            self._give_up(shard_to_spare)

    async def _step_back(self, processes: set[str]) -> None:
        """Leave the shards to other processes for a while if this machine's clock is wrong or Discord cannot be reached."""
        if self.askew is not None:
            if not self.away:
                log.error("the clock of this machine differs from that of the database", seconds=round(self.askew))
                self._away_until = uptime() + AWAY
                await self._leases.remove(self._process)
            processes.discard(self.owner)
            if processes and self._may_run is None:
                for shard in list(self._held):
                    self._give_up(shard)
            return
        cut_off = bool(self._held) and all(tenant.unserved > CUT_OFF * self._seconds for _, tenant in self._held.values())
        if cut_off and self._may_run is None and processes - {self.owner}:
            log.warning("Discord is out of reach from here; the shards are left to other processes", shards=sorted(self._held))
            self._away_until = uptime() + AWAY
            await self._leases.remove(self._process)
            processes.discard(self.owner)
            for shard in list(self._held):
                self._give_up(shard)

    async def _renew(self) -> None:
        """Renew the leases. A lease that another process has claimed meanwhile is lost."""
        before, counted = uptime(), dict(self._held)
        late = before - min((h.valid_until + MARGIN - self._seconds for h, _ in counted.values()), default=before)
        if counted and late > self._seconds / RENEWALS + LATE:
            log.warning("leases are renewed late", seconds=round(late, 1))
        core = {holding.name: tenant.session for holding, tenant in counted.values()}
        news = {name: session for name, session in core.items() if session and session != self._noted.get(name)}
        # Not all of its leases: one whose claim was never answered, or that could not be released, is left to expire.
        names = {self._process, *core, *self._parting}
        told = {name: (session.id, session.resume_url, session.sequence) for name, session in news.items()}
        kept = await self._leases.renew(self.owner, self._seconds, told, names=names)
        self._noted |= news
        if self._process not in kept and not self._closing and uptime() >= self._away_until:
            await self._leases.add(self._process)
            await self._leases.claim(self._process, self.owner, self._seconds)
        for shard, (holding, tenant) in counted.items():
            if kept.get(holding.name) == holding.fence:
                holding.renew(before + self._seconds - MARGIN)
            elif self._held.get(shard) == (holding, tenant):
                log.warning("a shard was taken over by another process", shard=shard)
                holding.lose()
                del self._held[shard]
                self._begin(tenant.abandon())

    async def _claim(self, shard: int) -> bool:
        """Claim a shard, and run it. Returns whether it was still free."""
        if shard in self._held:
            return True
        before, name = uptime(), shard_name(shard, self._of)
        lease = await self._leases.claim(name, self.owner, self._seconds)
        if lease is None:
            return False
        holding = Holding(shard, self._of, name, lease.fence, before + self._seconds - MARGIN, lease.since)
        session = _session(lease)
        how = "handover" if lease.exact else "expiry" if lease.fence > 1 else "start"
        if how != "start":
            metrics.TAKEOVERS.labels(how).inc()
        log.info("a shard is run by this process", shard=shard, fence=lease.fence, how=how, resumed=session is not None)
        self._noted.pop(name, None)
        self._held[shard] = holding, await self._take(holding, session)
        return True

    def _give_up(self, shard: int) -> None:
        """Begin to hand a shard over to whichever process claims it, without waiting until this is done."""
        holding, tenant = self._held.pop(shard)
        self._parting.add(holding.name)
        self._begin(self._hand_over(holding, tenant))

    def _begin(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._leaving.add(task)
        task.add_done_callback(self._end_leaving)

    def _end_leaving(self, task: asyncio.Task[None]) -> None:
        self._leaving.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a shard was not given up in good order", error=repr(error), exc_info=error)

    async def _hand_over(self, holding: Holding, tenant: Tenant) -> None:
        try:
            session = await tenant.hand_over()
            holding.lose()
            left = None if session is None else (session.id, session.resume_url, session.sequence)
            exact = session is not None and session.exact
            await self._leases.release(holding.name, self.owner, holding.fence, left, exact=exact)
            await self._leases.notify("leases")
        except Exception as error:
            if unreachable(error) is None:
                raise
            log.warning("a lease was not released and expires", shard=holding.shard, error=repr(error))
        finally:
            holding.lose()
            self._parting.discard(holding.name)
        log.info("a shard was handed over", shard=holding.shard)

    async def close(self) -> None:
        """Hand all shards over, and take no part any more."""
        self._closing = True
        try:
            await self._leases.remove(self._process)  # the process no longer counts; its shards are still held
        except Exception as error:  # noqa: BLE001 - it expires then
            log.info("the process was not signed off", error=repr(error))
        async with self._claiming:  # what is just being claimed has to be handed over, too
            pass
        for shard in list(self._held):
            self._give_up(shard)
        while self._leaving:  # each handover leaves the set when it is done
            await asyncio.wait(self._leaving)


def _askew(leases: Iterable[Lease], before: float, after: float) -> float | None:
    """Return the seconds by which this clock, read `before` and `after` the leases, is wrong, or None if they are few."""
    shown = next((lease.expires - lease.remaining for lease in leases), None)
    if shown is None or before - MOST_ASKEW <= shown <= after + MOST_ASKEW:
        return None
    return after - shown


def _owner(lease: Lease | None) -> str | None:
    """Return the process that holds a lease, or None if the lease has expired."""
    return lease.owner if lease is not None and lease.remaining > 0 else None


def _session(lease: Lease) -> Session | None:
    """Return the session that is stored with a lease."""
    if lease.session is None or lease.resume_url is None or lease.sequence is None:
        return None
    return Session(lease.session, lease.resume_url, lease.sequence, exact=lease.exact)
