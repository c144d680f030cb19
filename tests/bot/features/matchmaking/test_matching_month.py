"""A month of `/match`: sixty people on three servers, with wishes, ratings and avoidances, and a bot that is killed.

The test prints its figures; `pytest -m proof -s` shows them.
"""

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

import pytest

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.places import Places
from bot.core.play import Play
from bot.core.table.errors import SessionError
from bot.core.table.snapshot import Snapshot, User
from bot.features.matchmaking import sql as matchmaking_sql
from bot.features.matchmaking.clock import MOST_GAMES, Rounds
from bot.features.matchmaking.service import SeekPosts, Seeks
from bot.features.matchmaking.wishes import DAYS, GAMES_AT_A_TIME, PLAYS, TURNS
from bot.parts import PARTS
from storage import queries
from storage.schema.records import Job, JobKind, PostKind, SeatStatus, Status
from storage.schema.structures import Wishes
from storage.store import Store
from tests.bot.service import HOUR, Time, some
from tests.storage.samples import a_rating

SERVERS: Final = (10, 11, 12)
PEOPLE: Final = tuple(User(100 + number, f"Person {number}") for number in range(60))
LENGTH: Final = 30
KILLED: Final = 0.05
"""The probability that a write of a round is not reached because the bot is killed."""


class Killed(BaseException):
    pass


@dataclass
class Month:
    """A month, hour by hour: who is where and avoids whom, since when they wait, and what has happened so far.

    `waits` has the person, the game and the seconds of each wait until its first game; `asked` counts people's answers. `edits`
    are those the bot made by itself; `letters` counts the news of ended waits.
    """

    store: Store
    clock: Time
    dice: random.Random = field(default_factory=lambda: random.Random(31))
    members: dict[int, tuple[int, ...]] = field(default_factory=dict)
    avoided: dict[int, frozenset[int]] = field(default_factory=dict)
    newcomers: frozenset[int] = frozenset()
    began: dict[tuple[int, int], float] = field(default_factory=dict)
    waits: list[tuple[int, str, float]] = field(default_factory=list)
    asked: Counter[str] = field(default_factory=Counter)
    messages: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    edits: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    letters: int = 0
    kills: int = 0

    def __post_init__(self) -> None:
        self.core = Core(self.store, parts=PARTS, now=self.clock)
        self._seen: set[int] = set()
        self._wanted: dict[tuple[int, int], int] = {}

    async def prepare(self) -> None:
        ids = [person.id for person in PEOPLE]
        self.newcomers = frozenset(self.dice.sample(ids, 20))
        for person in PEOPLE:
            self.members[person.id] = tuple(self.dice.sample(SERVERS, self.dice.choice((1, 1, 2, 3))))
            others = [other for other in ids if other != person.id]
            self.avoided[person.id] = frozenset(self.dice.sample(others, self.dice.choice((0, 0, 1, 2, 5))))
            await self.core.service(Seeks).avoid(10, person, self.avoided[person.id])
        async with self.store.write() as writer:
            for person in PEOPLE:
                for guild in self.members[person.id] if person.id not in self.newcomers else ():
                    for game in ("bouncers", "bunny", "trampoline", "pucks"):
                        rated = a_rating(person.id, guild_id=guild, game=game, mu=self.dice.gauss(25, 6), sigma=2.0)
                        await queries.ratings.put(writer, rated)

    async def pass_hour(self) -> None:
        """People ask for games, answer, and finish their games; then the bot does what is due."""
        self.clock.pass_(HOUR)
        for person in PEOPLE:
            for guild in self.members[person.id]:
                if self.dice.random() < 0.25 / 24:
                    await self._come(guild, person)
        for guild in SERVERS:
            for snapshot in await self._matched(guild):
                await self._look_at(snapshot)
        await self.core.service(Timing).sweep()
        await self._hold_rounds()
        await self._post()
        await self._check()

    async def _come(self, guild: int, person: User) -> None:
        """Somebody asks for games, chooses anew, or stops waiting."""
        own = await self.core.service(Seeks).get(guild, person)
        if own.seek.since is not None:
            if self.dice.random() < 0.1:
                await self.core.service(Seeks).stop(guild, person)
            return
        wishes = Wishes(
            plays=tuple(self.dice.sample(list(PLAYS), self.dice.choice((1, 2, 4, len(PLAYS))))),
            clocks=tuple(self.dice.sample(TURNS, self.dice.choice((1, 2, 3)))),
            seats=self.dice.choice(((), (2,), (2, 3), (3, 4))), rated=self.dice.choice((None, None, True, False)),
            games=self.dice.choice(GAMES_AT_A_TIME), days=self.dice.choice(DAYS),
            most_late=self.dice.choice((None, None, None, 10)),
        )  # fmt: skip
        await self.core.service(Seeks).choose(guild, person, lambda _: wishes)
        with suppress(SessionError):  # two want to play Bouncers for three, which there is not
            await self.core.service(Seeks).wait(guild, person, 2 * guild)
            self.began[guild, person.id] = self.clock.now
            self._wanted[guild, person.id] = wishes.games

    async def _look_at(self, snapshot: Snapshot) -> None:
        """The people at a table answer in their own time, and end their game some days later."""
        table = snapshot.table
        if table.status is Status.PLAYING:
            if self.dice.random() < 1 / 96:
                loser = snapshot.players[snapshot.present[0]]
                await self.core.service(Play).resign(table.id, User(loser.user_id, loser.name))
            return
        if table.lobby_message_id is None:
            await self.core.service(Places).record_lobby_message(table.id, table.id, invites=True)
        for seat in snapshot.invited:
            if self.dice.random() > 0.15:
                continue
            person, fate = User(seat.user_id, seat.name), self.dice.random()
            if seat.user_id % 10 == 7:
                continue  # some never answer
            if fate < 0.05:
                self.asked["declined"] += 1
                await self.core.service(Lobby).decline(table.id, person)
                return
            after = await self.core.service(Lobby).join(table.id, person)
            if after.table.status is Status.PLAYING:
                self.asked["begun"] += 1
                for player in after.players:
                    since = self.began.pop((table.guild_id, player.user_id), None)
                    if since is not None:
                        self.waits.append((player.user_id, table.game, self.clock.now - since))
                return

    async def _hold_rounds(self) -> None:
        """Hold the due rounds. Now and then the bot is killed in one, and another goes on."""
        write = self.store.write

        def dangerous() -> Any:
            if self.dice.random() < KILLED:
                raise Killed
            return write()

        while (due := await self.core.service(Rounds).next_due()) is not None and due <= self.clock.now:
            self.store.write = dangerous  # type: ignore[method-assign]
            try:
                await self.core.service(Rounds).sweep()
            except Killed:
                self.kills += 1
                self.core = Core(self.store, parts=PARTS, now=self.clock)
            finally:
                self.store.write = write  # type: ignore[method-assign]

    async def _post(self) -> None:
        """The outbox does what is due. Tables need not be shown."""
        for job in await self._due():
            post = some(await self.core.service(SeekPosts).get(job.guild_id, PostKind.SEEKS))
            self.letters += job.kind is JobKind.WAIT_OVER
            if job.kind is JobKind.POST:
                self.messages[job.guild_id].append(self.clock.now)
                number = 1000 * job.guild_id + len(self.messages[job.guild_id])
                await self.core.service(SeekPosts).record(post, self.core.service(SeekPosts).day_for(post), number, 1)
            elif job.kind is JobKind.POST_EDIT and job.payload["message"] == post.message_id:
                self.edits[job.guild_id].append(self.clock.now)
                await self.core.service(SeekPosts).record_edit(post, 1, pressed=False)
            async with self.store.write() as writer:
                await queries.jobs.finish(writer, job)

    async def _due(self) -> list[Job]:
        async with self.store.read() as reader:
            return list(await queries.jobs.due(reader, self.clock.now))

    async def _matched(self, guild: int) -> list[Snapshot]:
        live = (Status.OPEN, Status.PLAYING)
        tables = await self.core.tables(guild_id=guild, statuses=live, limit=500)
        return [await self.core.snapshot(table.id) for table in tables if table.matched]

    async def _check(self) -> None:
        """Nobody meets whom they avoid, is asked for more games than they want, or is lost."""
        for guild in SERVERS:
            asked, live = Counter[int](), Counter[int]()
            new: list[int] = []
            for snapshot in await self._matched(guild):
                here = [seat.user_id for seat in snapshot.people if seat.status in {SeatStatus.INVITED, SeatStatus.JOINED}]
                for one in here:
                    assert not self.avoided[one] & set(here), f"table {snapshot.table.id}"
                live.update(here)
                asked.update(here if snapshot.table.status is Status.OPEN else ())
                new += [] if snapshot.table.id in self._seen else here
                self._seen.add(snapshot.table.id)
            assert all(n <= MOST_GAMES for n in live.values())
            assert all(asked[user] <= self._wanted[guild, user] for user in new)
            self.asked["people asked"] += len(new)
            async with self.store.read() as reader:
                waiting = await matchmaking_sql.waiting(reader, guild)
            for seek in waiting:
                assert 0 < seek.remaining <= self._wanted[guild, seek.user_id]

    def figures(self) -> Iterator[str]:
        hours = [seconds / HOUR for _, _, seconds in self.waits]
        yield f"tables: {dict(self.asked)}; {self.letters} waits ended by themselves; killed {self.kills} times"
        yield f"first game after {median(hours):.1f} h in the median ({len(hours)} waits)"
        for game in ("bouncers", "bunny", "trampoline", "pucks"):
            those = [seconds / HOUR for _, played, seconds in self.waits if played == game]
            yield f"  {game}: {median(those):.1f} h ({len(those)})"
        new, known = self.split()
        yield f"newcomers {median(new):.1f} h ({len(new)}), others {median(known):.1f} h ({len(known)})"
        for guild in SERVERS:
            posted, edited = len(self.messages[guild]) / LENGTH, len(self.edits[guild]) / LENGTH
            yield f"server {guild}: {posted:.1f} messages and {edited:.1f} edits a day"

    def split(self) -> tuple[list[float], list[float]]:
        """The hours waited by newcomers, and by everybody else."""
        new = [seconds / HOUR for user, _, seconds in self.waits if user in self.newcomers]
        return new, [seconds / HOUR for user, _, seconds in self.waits if user not in self.newcomers]


@pytest.mark.proof
async def test_a_month_of_sixty_people_on_three_servers(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "month.sqlite3")
    month = Month(store, Time())
    await month.prepare()
    for _ in range(LENGTH * 24):
        await month.pass_hour()
    sys.stdout.write("\n".join(["", *month.figures(), ""]))
    await store.close()
    assert month.kills > 20
    assert month.asked["begun"] > 100
    new, known = month.split()
    assert median(new) <= 1.5 * median(known)
    for posted in month.messages.values():
        assert all(later - earlier >= 6 * HOUR for earlier, later in pairwise(posted))
    for edited in month.edits.values():
        assert all(later - earlier >= HOUR for earlier, later in pairwise(edited))
