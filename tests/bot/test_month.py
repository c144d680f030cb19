"""A server's month: games of all kinds, people who answer late or never, and what the bot sends.

Service and outbox are real, over a real database. A notebook replaces Discord, and nothing is drawn: benchmarks cover that.
"""

import asyncio
import heapq
import itertools
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.core.clocks.absence import absent_action
from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.errors import SessionError
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import User
from bot.i18n.language import ENGLISH
from bot.messages.builder import Picture
from bot.outbox import boards
from bot.outbox.worker import OutboxWorker
from bot.registry import JOBS
from storage.schema.records import Status
from tests.bot.outbox.channels import message
from tests.bot.service import DAY, HOUR, Time, jobs

pytestmark = pytest.mark.slow
MONTH = 30 * DAY
PEOPLE = [User(100 + n, f"Player {n}") for n in range(60)]
KINDS = [("bouncers", 2), ("bouncers", 2), ("bunny", 2), ("trampoline", 3), ("trampoline", 4), ("pucks", 3)]
CLOCKS = [None, int(DAY), 3 * int(DAY), 3 * int(DAY), 7 * int(DAY), 7 * int(DAY)]


@dataclass
class Sent:
    """A message that was sent: where, its text, and whom it pinged."""

    channel: int
    text: str
    pinged: tuple[int, ...]
    nonce: str


@dataclass
class Notebook:
    """Replaces Discord's client, and records what is sent and edited."""

    sent: list[Sent] = field(default_factory=list)
    edits: int = 0
    deleted: int = 0
    numbers: Any = field(default_factory=itertools.count)

    @property
    def calls(self) -> int:
        """How often Discord was called because of an action, without replays and ends of reminders."""
        return len(self.sent) - len(self.replays) + self.edits

    @property
    def replays(self) -> list[Sent]:
        return [sent for sent in self.sent if sent.nonce.startswith("r")]

    def get_partial_messageable(self, channel_id: int, **_: Any) -> Any:
        return _Channel(self, channel_id)

    async def create_dm(self, user: Any) -> Any:
        return _Channel(self, user.id)


@dataclass
class _Channel:
    book: Notebook
    id: int

    async def send(self, content: str = "", *, view: Any, nonce: str, allowed_mentions: Any, files: Any = (), **_: Any) -> Any:
        shown = [item.content for item in view.walk_children() if hasattr(item, "content")]
        text = "\n".join([content, *shown] if content else shown)
        pinged = tuple(user.id for user in allowed_mentions.users) if allowed_mentions.users else ()
        assert all(f"<@{user}>" in text for user in pinged)
        assert not (content and files), "what is created plainly gets its picture by the next call"
        self.book.sent.append(Sent(self.id, text, pinged, nonce))
        made = self.get_partial_message(next(self.book.numbers) + 1)
        made.flags.components_v2 = not content
        return made

    def get_partial_message(self, message_id: int) -> Any:
        async def edit(*, content: str | None, **_: Any) -> Any:
            assert content is None, "every edit makes a message a layout"
            self.book.edits += 1
            return message(message_id, self.id)

        async def delete() -> None:
            self.book.deleted += 1

        return message(message_id, self.id, edit=edit, delete=delete)


@dataclass
class Month:
    """The course of the month.

    Attributes:
        plans: when somebody means to act: time, tie-breaker, table, turn, user.
        costs: how many actions took how many calls to Discord.
    """

    core: Core
    outbox: OutboxWorker
    book: Notebook
    clock: Time
    chance: random.Random
    plans: list[tuple[float, int, int, int, int]] = field(default_factory=list)
    costs: Counter[int] = field(default_factory=Counter)
    planned: set[tuple[int, int, int, int]] = field(default_factory=set)

    async def open_games(self, count: int) -> None:
        for n in range(count):
            game, seats = KINDS[n % len(KINDS)]
            players = self.chance.sample(PEOPLE, seats)
            request = TableRequest(
                guild_id=1, channel_id=1000 + n, game=game, seats=seats, clock=self.chance.choice(CLOCKS), most_tables=count,
                options={"setup": "random"} if game == "pucks" else {},
            )  # fmt: skip
            snapshot = await self.core.service(Lobby).open(players[0], request)
            for player in players[1:]:
                snapshot = await self.core.service(Lobby).join(snapshot.table.id, player)
            await self.told(snapshot.table.id)

    async def told(self, table_id: int) -> None:
        """Deliver a table's messages. Whoever is awaited plans when to act: soon, late, or not for a long time."""
        assert await self.outbox.deliver(table_id) is None
        while self.outbox.busy:
            await asyncio.sleep(0.001)
        snapshot = await self.core.snapshot(table_id)
        for player in snapshot.awaited:
            plan = (table_id, snapshot.table.turn, snapshot.table.version, player.user_id)
            if plan in self.planned:
                continue
            self.planned.add(plan)
            mood = self.chance.random()
            hours = self.chance.uniform(30, 80) if mood < 0.75 else self.chance.uniform(80, 160) if mood < 0.93 else 500.0
            if (
                (snapshot.table.turn_began or 0) == self.clock.now
                and snapshot.table.turn == (snapshot.table.board_turn or 0)
                and (
                    snapshot.history is not None
                    and snapshot.history.log
                    and snapshot.history.log[-1].entry.user_id == player.user_id
                )
            ):
                hours = 0.05  # in the middle of the own turn one goes on
            heapq.heappush(
                self.plans,
                (self.clock.now + hours * HOUR, next(self.book.numbers), table_id, snapshot.table.turn, player.user_id),
            )

    async def go_on(self) -> None:
        end = self.clock.now + MONTH
        while True:
            due = await self.core.service(Timing).next_due()
            planned = self.plans[0][0] if self.plans else None
            moment = min(when for when in (due, planned, end) if when is not None)
            if moment >= end:
                self.clock.now = end
                return
            self.clock.now = max(self.clock.now, moment)
            if due is not None and due <= self.clock.now:
                for table_id in await self.core.service(Timing).sweep():
                    await self.told(table_id)
            else:
                await self.act(*heapq.heappop(self.plans)[2:])

    async def act(self, table_id: int, turn: int, user_id: int) -> None:
        snapshot = await self.core.snapshot(table_id)
        if snapshot.table.turn != turn or all(p.user_id != user_id for p in snapshot.awaited):
            return
        user = next(person for person in PEOPLE if person.id == user_id)
        action = absent_action(snapshot.playing, snapshot.own_seat(user_id))
        try:
            await self.core.service(Play).act(table_id, user, action, version=snapshot.table.version)
        except SessionError as error:
            raise AssertionError(f"{action} was refused: {error.text}") from error
        before = self.book.calls
        await self.told(table_id)
        self.costs[1 + self.book.calls - before] += 1  # the answer to the command or click, and what is sent and edited for it


@pytest.fixture
def month(core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch) -> Month:
    monkeypatch.setattr(boards, "draw_into", AsyncMock(return_value=Picture("board.png", b"", "A board.")))
    book = Notebook()

    async def english(_: int) -> Any:
        return ENGLISH

    return Month(core, OutboxWorker(book, core, english, JOBS), book, clock, random.Random(11))  # type: ignore[arg-type]


@pytest.mark.parametrize("games", [24, pytest.param(200, marks=pytest.mark.proof)])
async def test_in_a_month_everybody_is_told_once_and_nothing_is_lost(month: Month, games: int, record_property: Any) -> None:
    await month.open_games(games)
    await month.go_on()
    await month.outbox.close()

    snapshots = [await month.core.snapshot(n) for n in range(1, games + 1)]
    boards = [sent for sent in month.book.sent if sent.nonce.startswith("b")]
    turns = sum(snapshot.table.turn for snapshot in snapshots)
    ended = Counter(snapshot.table.outcome.how for snapshot in snapshots if snapshot.table.outcome is not None)

    for snapshot in snapshots:
        assert snapshot.table.status in {Status.PLAYING, Status.FINISHED}
        if snapshot.table.status is Status.PLAYING:
            assert snapshot.table.deadline is not None
            assert snapshot.table.deadline > month.clock.now
            told = [sent for sent in boards if sent.channel == snapshot.table.channel_id][-1]
            assert set(told.pinged) == {player.user_id for player in snapshot.awaited}, "whoever is waited for was told"
    assert not [job for job in await jobs(month.core) if job.due <= month.clock.now and job.kind in {"board", "opening"}]

    pings = Counter((sent.channel, sent.nonce.split("-")[2]) for sent in boards if sent.pinged)
    assert set(pings.values()) == {1}, "one ping a turn"
    assert len(boards) == len({sent.nonce for sent in boards}), "no board twice"
    shown = Counter(sent.channel for sent in month.book.replays)
    assert set(shown.values()) <= {1}, "no replay twice"
    assert set(shown) <= {snapshot.table.channel_id for snapshot in snapshots if snapshot.table.status is Status.FINISHED}
    assert shown, "replays were shown"

    actions = month.costs.total()
    figures = {
        "games": games,
        "ended": sum(ended.values()),
        "turns": turns,
        "actions": actions,
        "calls per action": round(sum(calls * n for calls, n in month.costs.items()) / actions, 2),
        "most calls for an action": max(month.costs),
        "pings per turn": round(sum(pings.values()) / (turns - sum(ended.values())), 3),
    }
    for name, figure in figures.items():
        record_property(name, figure)
    print("\n", figures, dict(ended))  # noqa: T201 - the figures are what the test measures
    assert max(month.costs) <= 4, (
        "an action costs four calls at the most: its answer, a turn announced and laid out, and a fold"
    )
    reminders = [sent for sent in month.book.sent if "is waiting for you" in sent.text]
    assert 0 < month.book.deleted <= len(reminders), "each is taken away once"
    assert any(entry.entry.user_id is None for snapshot in snapshots for entry in snapshot.playing.log), "some were absent"
    assert ended.total() > 0
