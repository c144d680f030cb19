"""The torture of a cluster: bots and their PostgreSQL are killed, frozen and stopped while people play on all shards.

What people were told must be in the database, and what is there must be shown in Discord, once, with nothing left to do. Every
shard must be served again soon after each blow.
"""

import asyncio
import itertools
import random
import statistics
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from bot.admin import check
from loopback.gateway import IDENTIFY_EVERY
from loopback.server import Loopback
from tests.loopback.cluster import Blow, Cluster
from tests.loopback.crowds import Crowd, PatientPeople
from tests.loopback.owed import pinged_twice, twice, unmet
from tests.loopback.players import Told
from tests.loopback.postgresql import Pair, Server
from tests.loopback.reading import rows, told
from tests.loopback.torment import BEATS, IN_ORDER_WITHIN, complaints, counted, untrue

GIVEN_UP_AFTER: Final = 900.0
"""Seconds to wait after a blow for a shard that nobody serves. How soon it is served is a figure, as it depends on the
machine."""
READY_WITHIN: Final = 1800.0
"""Seconds for all shards to connect at first. In each bucket they are five seconds apart."""
OPEN_WITHIN: Final = 1800.0
OVERDUE_EVERY, LOOKED_AT_EVERY = 3, 10
"""After how many blows somebody's turn has run out, and what must always hold is checked."""
SETTLED_AFTER: Final = 6.0
"""Seconds after which a thawed bot has given up what others took over, unless the machine is busy."""


class Kind(StrEnum):
    KILL = "killed"
    FREEZE = "frozen"
    STOP = "stopped"
    DATABASE = "database restarted"


@dataclass(frozen=True)
class Plan:
    """What is done to the cluster.

    Attributes:
        kills, freezes, stops, restarts: how often each happens.
        tables: how many there are, spread over the servers.
        concurrency: how many shards may begin a session at the same time.
        lease: how many seconds a lease lasts, or None for the default.
        pace: seconds that people think between two actions, on average.
    """

    kills: int = 0
    freezes: int = 0
    stops: int = 0
    restarts: int = 0
    shards: int = 12
    servers: int = 24
    tables: int = 200
    concurrency: int = 1
    lease: float | None = None
    pace: float = 1.0
    bots: int = 3

    def kinds(self, dice: random.Random) -> list[Kind]:
        counts = {Kind.KILL: self.kills, Kind.FREEZE: self.freezes, Kind.STOP: self.stops, Kind.DATABASE: self.restarts}
        all_of_them = [kind for kind, count in counts.items() for _ in range(count)]
        dice.shuffle(all_of_them)
        return all_of_them

    @property
    def frozen_for(self) -> tuple[float, float]:
        """The least and most seconds for which a bot is frozen: longer than its leases last."""
        lease = self.lease or 10.0
        return lease + 2, 2 * lease + 2


@dataclass
class Figures:
    """The results. `problems` has a sentence for everything that is wrong."""

    blows: list[Blow] = field(default_factory=list)
    seconds: float = 0.0
    overdue: int = 0
    at_once: list[int] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    counts: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        known: dict[str, int] = {f"bots {kind}": n for kind, n in Counter(blow.kind for blow in self.blows).items()}
        known |= {"seconds": round(self.seconds), "turns run out": self.overdue, **self.counts}
        known |= {"tables at once, at least": min(self.at_once, default=0), "at most": max(self.at_once, default=0)}
        known |= {f"clicks without an answer, {kind}": n for kind, n in self.failed.items()}
        for what, count in known.items():
            yield f"{what:<64}{count:>10,}"
        for kind in sorted({blow.kind for blow in self.blows}):
            for what, found in (("a living bot is connected", "connected"), ("somebody is answered", "answered")):
                taken = [seconds for blow in self.blows if blow.kind == kind for seconds in getattr(blow, found).values()]
                if taken:
                    shown = f"p50 {statistics.median(taken):.1f}, at most {max(taken):.1f} ({len(taken)} shards)"
                    yield f"{f'{kind}: seconds until {what}':<64}{shown}"
        yield f"{'problems':<64}{len(self.problems):>10,}"


Progress = Callable[[Figures], None]


async def torment(
    folder: Path,
    plan: Plan,
    *,
    seed: int = 1,
    progress: Progress = lambda _: None,
    watch: Callable[[Cluster], None] = lambda _: None,
) -> Figures:
    """Torture a cluster while people play, and check everything in the end. `watch` gets the cluster before it begins."""
    began = time.monotonic()
    limits: dict[str, Any] = {"shards": plan.shards, "identify_every": IDENTIFY_EVERY, "concurrency": plan.concurrency}
    async with Server() as server, Loopback(time.time, beats=BEATS, **limits) as loopback:
        loopback.gateway.starts_a_day = 10**6  # a day of what happens here would be a year elsewhere
        options: dict[str, Any] = {} if plan.lease is None else {"lease_seconds": plan.lease}
        cluster = Cluster(loopback, server.url, folder, plan.bots, options)
        torture = Torture(plan, cluster, server, random.Random(seed))
        async with cluster.ready():
            watch(cluster)
            await torture.begin()
            for number, kind in enumerate(plan.kinds(torture.dice), start=1):
                await torture.strike(number, kind)
                torture.figures.seconds = time.monotonic() - began
                progress(torture.figures)
            await torture.end()
        torture.figures.problems += loopback.breaches + loopback.strange
    torture.figures.seconds = time.monotonic() - began
    return torture.figures


class Torture:
    def __init__(self, plan: Plan, cluster: Cluster, server: Server | Pair, dice: random.Random) -> None:
        self.plan, self.cluster, self.server, self.dice = plan, cluster, server, dice
        self.figures, self.told = Figures(), Told()
        self.shows = True
        """Whether Discord shows what is in the database in the end: not if that has lost what was shown."""
        self.people = PatientPeople(cluster.loopback)
        self.deeds: dict[str, Callable[[], Awaitable[Blow]]] = {
            Kind.KILL: self._kill, Kind.FREEZE: self._freeze, Kind.STOP: self._stop, Kind.DATABASE: self._restart,
        }  # fmt: skip
        self._turns = itertools.cycle(range(plan.bots))
        self._playing: list[asyncio.Task[None]] = []
        self._crowds: list[Crowd] = []

    @property
    def discord(self) -> Any:
        return self.cluster.loopback.discord

    async def begin(self) -> None:
        for number in range(self.plan.servers):
            guild = self.discord.guild(f"Server {number}", (1_000_000 + number) << 22)
            crowd = [self.discord.person(f"{name}{number}") for name in ("Anna", "Bero", "Clemi", "Dalu", "Evse", "Fimi")]
            where = self.discord.channel(guild, f"games-{number}")
            self._crowds.append(Crowd(self.people, where, crowd, random.Random(self.dice.random()), self.told))
            self._crowds[-1].settle(-(-self.plan.tables // self.plan.servers), self.plan.pace)
        for place in range(self.plan.bots):
            await self.cluster.start(place)
        await self._until(self.cluster.loopback.gateway.ready.is_set, READY_WITHIN, "All shards are connected.")
        self._playing = [asyncio.create_task(crowd.play()) for crowd in self._crowds]
        await self._until(lambda: self._tables() >= self.plan.tables, OPEN_WITHIN, f"There are {self.plan.tables} tables.")

    async def _until(self, true: Callable[[], bool], within: float, what: str) -> None:
        over = time.monotonic() + within
        while not true():
            await self.cluster.look()
            self._look_at_people()
            if time.monotonic() > over:
                self.figures.problems.append(f"Not within {within:.0f} s: {what}")
                return
            await asyncio.sleep(0.5)

    def _look_at_people(self) -> None:
        for task in self._playing:
            if task.done():
                task.result()

    def _tables(self) -> int:
        (found,) = rows(self.server.url, "select count(*) as tables from tables where status in ('open', 'playing')")
        return int(found["tables"])

    async def strike(self, number: int, kind: str) -> None:
        """Let one of `deeds` happen, and wait until all is well again."""
        await asyncio.sleep(self.dice.uniform(0, 2 * self.plan.pace))
        await self.cluster.look()
        self._look_at_people()
        failed = len(self.people.failed)
        blow = await self.deeds[kind]()
        self.figures.blows.append(blow)
        self.figures.failed[f"bots {blow.kind}"] += len(self.people.failed) - failed
        self.figures.problems += [
            f"Shard {shard} answers nobody {GIVEN_UP_AFTER:.0f} s after: {blow.kind}." for shard in blow.open
        ]
        self.figures.at_once.append(self._tables())
        if number % OVERDUE_EVERY == 0:
            self.figures.overdue += await self._run_out()
        if number % LOOKED_AT_EVERY == 0:
            self.figures.problems += self._always()

    async def _kill(self) -> Blow:
        place = next(self._turns)
        blow = await self.cluster.kill(place, self.dice.choice(("before", "after", "now")))
        again = asyncio.create_task(self._start_again(place))
        await self.cluster.taken_over(blow, GIVEN_UP_AFTER)
        await again
        return blow

    async def _start_again(self, place: int) -> None:
        """Start another bot in a place, as a supervisor does."""
        await asyncio.sleep(self.dice.uniform(0.2, 3))
        await self.cluster.start(place)

    async def _freeze(self) -> Blow:
        blow = await self.cluster.freeze(next(self._turns))
        least, most = self.plan.frozen_for
        thawing = asyncio.create_task(asyncio.sleep(self.dice.uniform(least, most)))
        await self.cluster.taken_over(blow, GIVEN_UP_AFTER)
        await thawing
        self.cluster.thaw(blow)
        await asyncio.sleep(SETTLED_AFTER)
        await self._until(lambda: not self.cluster.served_twice(), GIVEN_UP_AFTER, "The thawed bot serves no shard of others.")
        await self.cluster.settled(blow)
        return blow

    async def _stop(self) -> Blow:
        place = next(self._turns)
        blow, status = await self.cluster.stop(place)
        if status != 0:
            self.figures.problems.append(f"A bot that was asked to stop ended with status {status}.")
        again = asyncio.create_task(self._start_again(place))
        await self.cluster.taken_over(blow, GIVEN_UP_AFTER)
        await again
        return blow

    async def _restart(self) -> Blow:
        self.cluster.gone()
        await self.server.pause(self.dice.choice(("fast", "immediate")))
        await asyncio.sleep(self.dice.choice((0.2, 2, 6, 15)))
        await self.server.resume()
        await self.cluster.look()
        blow = self.cluster.back()
        await self.cluster.taken_over(blow, GIVEN_UP_AFTER)
        return blow

    async def _run_out(self) -> int:
        done = await told(
            self.server.url,
            "update tables set deadline = ? where id = (select id from tables where status = 'playing' and clock is not null "
            "order by random() limit 1) returning id",
            time.time() - 1,
        )
        return len(done)

    def _always(self) -> Iterator[str]:
        yield from untrue(self.told, self.server.url)
        yield from twice(self.people)
        yield from pinged_twice(self.people, self.told.handed)
        # Unanswered clicks that were repeated may together have played one action.
        played = {row["interaction_id"] for row in rows(self.server.url, "select interaction_id from actions")}
        for presses in self.people.again:
            if len(found := played & {pressed.id for pressed in presses}) > 1:
                yield f"One press was made {len(presses)} times, and has played {len(found)} actions."

    async def end(self) -> None:
        """People stop, the bots finish and stop, and everything is checked."""
        await self._until(lambda: bool(self.told.moves), OPEN_WITHIN, "Somebody has moved.")
        for crowd in self._crowds:
            crowd.leaving = True
        await asyncio.gather(*self._playing)
        over = time.monotonic() + IN_ORDER_WITHIN
        wrong = ["nothing has been looked at"] if self.shows else []
        while wrong and time.monotonic() < over:
            await asyncio.sleep(1)
            wrong = list(unmet(self.people, self.server.url))
        self.figures.problems += [*wrong, *self._always()]
        for place in range(self.plan.bots):
            _, status = await self.cluster.stop(place)
            self.figures.problems += [f"A bot ended with status {status}."] if status else []
        loopback, url = self.cluster.loopback, self.server.url
        self.figures.problems += await asyncio.to_thread(lambda: [f"check: {one}" for one in check.problems(url)])
        outage = "database unreachable" if self.plan.restarts or self.plan.freezes else None
        self.figures.problems += [f"log: {line}" for line in complaints(self.cluster.log, but=outage)]
        self.figures.counts = {
            "clicks and commands": self.told.asked, "clicks made again": sum(len(one) - 1 for one in self.people.again),
            "calls to Discord": len(loopback.calls), "most of them in a second": loopback.busiest,
            # Whoever is frozen, or waits for a processor, between its turn and its call comes too late for it, and tries again.
            "sessions begun": loopback.gateway.identified, "refused, as too soon": len(loopback.gateway.breaches),
            "sessions resumed": loopback.gateway.resumed,
            "sessions that could not be resumed": loopback.gateway.invalidated,
            "writes refused to thawed bots": self.cluster.refused,
            **{f"late calls of thawed bots: {route}": n for route, n in self.cluster.late.items()},
            **counted(self.people, self.told, url),
        }  # fmt: skip
