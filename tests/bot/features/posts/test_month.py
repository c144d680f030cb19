"""A month of daily posts on three servers in three time zones, two of which change their clocks in it.

Everything is real except Discord, for which a notebook stands in. People solve the puzzles at random times.
"""

import asyncio
import itertools
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.features.posts.clock import PostHours
from bot.features.posts.service import Posts
from bot.features.puzzles import post as daily
from bot.features.puzzles import sql as puzzles_sql
from bot.features.puzzles.daily import Dailies
from bot.features.puzzles.service import Puzzles, owe_edits
from bot.i18n.language import ENGLISH
from bot.loops.clock import Clock
from bot.messages.builder import Picture
from bot.outbox.worker import OutboxWorker
from bot.parts import PARTS
from bot.registry import JOBS
from storage.schema.puzzle_records import PuzzleAttempt
from storage.schema.records import PostKind, PuzzleOutcome
from storage.store import Store
from tests.bot.daily_posts import DAYS
from tests.bot.outbox.channels import message
from tests.bot.puzzles import collection, puzzles
from tests.bot.service import DAY, HOUR, Time

FIRST = date(2026, 3, 16)
"""A Monday. The clocks of Berlin change on March 29, those of Auckland on April 5."""

SERVERS = {10: ("Europe/Berlin", 18), 11: ("Pacific/Auckland", 15), 12: ("America/Phoenix", 7)}
"""The time zone and the hour of each server."""

SOLVERS_A_DAY = 9


@dataclass
class Call:
    """A call to Discord: when, where, which message, and its words."""

    at: float
    channel: int
    message: int
    text: str


@dataclass
class Notebook:
    """A client of Discord that only notes what is sent and edited."""

    clock: Time
    sent: list[Call] = field(default_factory=list)
    edited: list[Call] = field(default_factory=list)
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    def get_guild(self, _: int) -> None:
        return None

    def get_partial_messageable(self, channel_id: int, **_: Any) -> Any:
        async def send(*, view: Any, **_: Any) -> Any:
            number = next(self.numbers)
            self.sent.append(Call(self.clock(), channel_id, number, words(view)))
            return message(number, channel_id)

        def get_partial_message(message_id: int) -> Any:
            async def edit(*, view: Any, **_: Any) -> Any:
                self.edited.append(Call(self.clock(), channel_id, message_id, words(view)))
                return message(message_id, channel_id)

            return SimpleNamespace(id=message_id, edit=edit)

        return SimpleNamespace(send=send, get_partial_message=get_partial_message)


def words(view: Any) -> str:
    return "\n".join(item.content for item in view.walk_children() if hasattr(item, "content"))


@dataclass
class Month:
    """The course of the month."""

    core: Core
    clock: Time
    book: Notebook
    outbox: OutboxWorker
    loop: Clock

    async def settle(self) -> None:
        """Have everything done that is due."""
        self.loop.wake()
        self.outbox.wake()
        while self.outbox.busy or self.loop._loop.running:
            await asyncio.sleep(0)

    async def solve(self, guild_id: int, user_id: int) -> None:
        """Somebody solves today’s puzzle."""
        now, today = self.clock(), await self.core.service(Dailies).today(guild_id)
        day = today.number
        puzzle = self.core.service(Puzzles).collection.of_day(day)
        assert puzzle is not None
        attempt = PuzzleAttempt(
            user_id=user_id, puzzle=puzzle.name, name=f"P{user_id}", guild_id=guild_id, day=day, day_ends=today.ends,
            began_at=now, ended_at=now, used_at=now, outcome=PuzzleOutcome.SOLVED, judged=(True,), ongoing=False, solved=1,
        )  # fmt: skip
        async with self.core.store.write() as writer:
            await puzzles_sql.put(writer, attempt)
            await owe_edits(writer, now, (attempt,))

    async def go_on(self, until: float, solved: list[tuple[float, int, int]]) -> None:
        """Pass time, stopping whenever something is due or somebody solves."""
        while True:
            due = [await self.core.service(PostHours).next_due(), await self.core.service(Outbox).next_due()]
            moment = min([moment for moment in due if moment is not None] + [moment for moment, *_ in solved[:1]])
            if moment > until:
                return
            self.clock.now = max(self.clock(), moment)
            while solved and solved[0][0] <= self.clock():
                await self.solve(*solved.pop(0)[1:])
            await self.settle()


@pytest.fixture
async def month(store: Store, monkeypatch: pytest.MonkeyPatch) -> Any:
    async def no_picture(*_: Any, **__: Any) -> Picture:
        return Picture("board.png", b"", "A board.")

    async def english(_: int) -> Any:
        return ENGLISH

    monkeypatch.setattr(daily, "picture", no_picture)
    clock = Time(datetime(FIRST.year, FIRST.month, FIRST.day, tzinfo=UTC).timestamp())
    with puzzles(collection(days=DAYS, first=FIRST - timedelta(days=1))):
        core = Core(store, parts=PARTS, now=clock)
    book = Notebook(clock)
    outbox = OutboxWorker(book, core, english, JOBS)  # type: ignore[arg-type]
    loop = Clock(core, outbox.wake)
    yield Month(core, clock, book, outbox, loop)
    await loop.close()
    await outbox.close()


@pytest.mark.slow
async def test_each_server_gets_one_post_a_day_at_its_hour_closed_by_the_next(month: Month, record_property: Any) -> None:
    chance, days = random.Random(7), 31
    for guild_id, (zone, hour) in SERVERS.items():
        where: dict[str, Any] = {"channel_id": guild_id * 10, "hour": hour, "zone": zone, "role_id": None}
        await month.core.service(Posts).choose(guild_id, PostKind.DAILY, **where)
    began, moments = month.clock(), []
    for number in range(days * SOLVERS_A_DAY):
        moment = began + DAY * (number // SOLVERS_A_DAY) + chance.uniform(0, DAY)
        moments.append((moment, 10 + number % 3, 1000 + number))
    await month.go_on(began + days * DAY - 1, sorted(moments))
    edits = 0
    for guild_id, (zone, hour) in SERVERS.items():
        sent = [call for call in month.book.sent if call.channel == guild_id * 10]
        local = [datetime.fromtimestamp(call.at, ZoneInfo(zone)) for call in sent]
        assert {(moment.hour, moment.minute) for moment in local} == {(hour, 0)}
        assert len({moment.date() for moment in local}) == len(sent), "one on each day there"
        numbers = [call.text.partition("bounce #")[2].partition("\n")[0] for call in sent]
        first = int(numbers[0])
        assert numbers == [str(number) for number in range(first, first + len(sent))], "each puzzle once"
        assert len(sent) >= days - 1
        for call, following in itertools.pairwise(sent):
            own = [edit for edit in month.book.edited if edit.message == call.message]
            closed = [edit for edit in own if "This puzzle’s day is over" in edit.text]
            assert [edit.at for edit in closed] == [following.at], "closed by the next, and by nothing else"
            assert own[-1] is closed[0]
        times = [edit.at for edit in month.book.edited if edit.channel == guild_id * 10]
        assert min(later - earlier for earlier, later in itertools.pairwise(times)) >= HOUR
        edits += len(times)
    a_day = Counter(int((call.at - began) // DAY) for call in (*month.book.sent, *month.book.edited))
    record_property("calls a day and server", round((len(month.book.sent) + edits) / days / len(SERVERS), 2))
    record_property("edits a day and server", round(edits / days / len(SERVERS), 2))
    record_property("most calls on a day, three servers", max(a_day.values()))
    assert not [job for job in (await month.core.service(Outbox).waiting()).jobs.values() if job]


@pytest.mark.slow
async def test_on_a_server_without_solvers_a_day_costs_two_calls(month: Month) -> None:
    await month.core.service(Posts).choose(10, PostKind.DAILY, channel_id=100, hour=9, zone="UTC", role_id=None)
    await month.go_on(month.clock() + 7 * DAY - 1, [])
    assert (len(month.book.sent), len(month.book.edited)) == (7, 6)
