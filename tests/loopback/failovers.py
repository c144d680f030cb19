"""The torture of one bot through its PostgreSQL: failovers, restarts, and revoked rights.

As in `cluster_torment`, what people were told must be in the database, and what is there must be shown. The bot is never
restarted.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from loopback.gateway import IDENTIFY_EVERY
from loopback.server import Loopback
from tests.loopback.cluster import Blow, Cluster
from tests.loopback.cluster_torment import OPEN_WITHIN, Figures, Plan, Torture
from tests.loopback.postgresql import Pair
from tests.loopback.reading import rows
from tests.loopback.torment import BEATS

TOLD: Final = "I can’t reach my memory right now."
"""What people read while the database cannot be used."""
PLAYED_WITHIN: Final = 15.0
"""Seconds within which play resumes once the database can be used."""
GIVEN_UP_AFTER: Final = 300.0
"""Seconds after which that is no longer waited for."""
HELD_BACK: Final = 5.0
"""Seconds for which an asynchronous standby gets nothing before the primary fails."""
PLAYED_BETWEEN: Final = 3.0
GAMES: Final = 20


class Fault(StrEnum):
    FAILOVER = "failover"
    LOSSY = "failover to a standby that had fallen behind"
    RESTART = "pg_ctl restart"
    IMMEDIATE = "pg_ctl restart -m immediate"
    NOLOGIN = "ALTER ROLE … NOLOGIN"
    READ_ONLY = "default_transaction_read_only"
    REVOKED = "REVOKE INSERT, UPDATE"


@dataclass
class Outcome:
    """The results.

    Attributes:
        resumed: for each fault its name, and the seconds until play resumed.
        told: how many were told meanwhile that the database cannot be used.
        lost: moves that people were told of and that a failover lost.
    """

    figures: Figures
    resumed: list[tuple[Fault, float]] = field(default_factory=list)
    told: int = 0
    lost: set[int] = field(default_factory=set)

    @property
    def problems(self) -> list[str]:
        late = [f"Play went on {seconds:.1f} s after: {fault}." for fault, seconds in self.resumed if seconds > PLAYED_WITHIN]
        return [*self.figures.problems, *late]


async def torment(
    folder: Path, faults: Sequence[Fault], *, synchronous: bool = True, seconds: float = 10.0, games: int = GAMES, seed: int = 1
) -> Outcome:
    """Let all this happen while people play.

    Args:
        synchronous: whether commits wait for both servers.
        seconds: how long an operator's actions take. Writing is impossible for six times as long.
        games: how many are in progress before anything happens.
        seed: decides what people do.
    """
    began = time.monotonic()
    plan = Plan(restarts=1, shards=2, servers=2, tables=games * 3 // 2, concurrency=2, pace=0.3, bots=1)
    limits: dict[str, Any] = {"shards": plan.shards, "identify_every": IDENTIFY_EVERY, "concurrency": plan.concurrency}
    async with Pair(synchronous=synchronous) as pair, Loopback(time.time, beats=BEATS, **limits) as loopback:
        cluster = Cluster(loopback, pair.url, folder, plan.bots)
        torture = _Torture(plan, cluster, pair, random.Random(seed), seconds)
        async with cluster.ready():
            await torture.begin()
            await torture.play(games)
            places = list(cluster.places)
            for number, fault in enumerate(faults, start=1):
                await torture.strike(number, fault)
                if cluster.places != places:
                    torture.figures.problems.append(f"The bot has ended: {fault}.")
                    places = list(cluster.places)
            await torture.end()
        torture.figures.problems += loopback.breaches + loopback.strange
    torture.figures.seconds = time.monotonic() - began
    return torture.outcome


class _Torture(Torture):
    def __init__(self, plan: Plan, cluster: Cluster, pair: Pair, dice: random.Random, seconds: float) -> None:
        super().__init__(plan, cluster, pair, dice)
        self.pair, self.seconds, self.outcome = pair, seconds, Outcome(self.figures)
        within: dict[Fault, Callable[[], Awaitable[None]]] = {
            Fault.FAILOVER: pair.fail_over, Fault.LOSSY: self._lose, Fault.RESTART: self._restarted,
            Fault.IMMEDIATE: self._crashed, Fault.NOLOGIN: self._shut_out, Fault.READ_ONLY: self._only_read,
            Fault.REVOKED: self._revoked,
        }  # fmt: skip
        self.deeds |= {fault: self._deed(fault, happen) for fault, happen in within.items()}

    async def play(self, games: int) -> None:
        await self._until(lambda: self._games() >= games, OPEN_WITHIN, f"There are {games} games.")

    def _games(self) -> int:
        (found,) = rows(self.pair.url, "select count(*) as games from tables where status = 'playing'")
        return int(found["games"])

    def _deed(self, fault: Fault, happen: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[Blow]]:
        async def do() -> Blow:
            await asyncio.sleep(PLAYED_BETWEEN)
            self.cluster.gone()
            began = self.discord.now()
            await happen()
            blow = self.cluster.back()
            blow.kind = fault
            await self.cluster.taken_over(blow, GIVEN_UP_AFTER)
            self.outcome.resumed.append((fault, await self._resumed(blow.at)))
            told = (one for one in self.discord.interactions.values() if began <= one.made)
            self.outcome.told += sum(TOLD in one.text for one in told)
            if fault in {Fault.FAILOVER, Fault.LOSSY}:
                await self.pair.repair()
            return blow

        return do

    async def _resumed(self, back: float) -> float:
        """Wait until a move that was pressed since then is made, and all shards answer. Returns the seconds until then."""
        while self.discord.now() < back + GIVEN_UP_AFTER:
            found: dict[int, float] = {}
            for one in self.discord.interactions.values():
                if one.made > back and one.callback is not None and one.text and TOLD not in one.text:
                    shard = (self.discord.channels[one.channel_id].guild_id >> 22) % self.plan.shards
                    found.setdefault(shard, one.made + one.waited - back)
            moved = [one for one in self.discord.interactions.values() if one.made > back and one.id in self.told.moves]
            if len(found) == self.plan.shards and moved:
                return max(*found.values(), min(one.made + one.waited - back for one in moved))
            await asyncio.sleep(0.1)
        return GIVEN_UP_AFTER

    async def _lose(self) -> None:
        """Fail over to a standby that lacks the last seconds. Only what was confirmed in them is lost."""
        await self.pair.hold_back()
        await asyncio.sleep(HELD_BACK)
        await self.pair.fail_over()
        found = rows(self.pair.primary_of_games, "select interaction_id as id from actions where interaction_id is not null")
        tables = {row["id"] for row in rows(self.pair.primary_of_games, "select id from tables")}
        seats = {
            (row["table_id"], row["user_id"]) for row in rows(self.pair.primary_of_games, "select table_id, user_id from seats")
        }
        self.outcome.lost |= self.told.moves - {row["id"] for row in found}
        # Nobody is told of it. What is gone need not be there, and what was shown of it stays until it is shown anew.
        self.shows = False
        self.told.moves -= self.outcome.lost
        self.told.seats &= seats
        self.told.tables = {table: who for table, who in self.told.tables.items() if table in tables}

    async def _restarted(self) -> None:
        await self.pair.pause("fast")
        await self.pair.resume()

    async def _crashed(self) -> None:
        await self.pair.pause("immediate")
        await asyncio.sleep(2)
        await self.pair.resume()

    async def _shut_out(self) -> None:
        await self.pair.tell(
            "ALTER ROLE bot NOLOGIN", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bot'"
        )
        await asyncio.sleep(self.seconds)
        await self.pair.tell("ALTER ROLE bot LOGIN")

    async def _only_read(self) -> None:
        await self.pair.tell("ALTER SYSTEM SET default_transaction_read_only = on", "SELECT pg_reload_conf()")
        await asyncio.sleep(6 * self.seconds)
        await self.pair.tell(
            "SET default_transaction_read_only = off", "ALTER SYSTEM RESET default_transaction_read_only",
            "SELECT pg_reload_conf()",
        )  # fmt: skip

    async def _revoked(self) -> None:
        for deed, word in (("REVOKE", "FROM"), ("GRANT", "TO")):
            await self.pair.tell(f"{deed} INSERT, UPDATE ON ALL TABLES IN SCHEMA public {word} bot", database="games")
            await asyncio.sleep(self.seconds if deed == "REVOKE" else 0)
