"""Computers think beside the bot and play once, whatever becomes of their workers."""

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.features.computers import loop as computers_module
from bot.features.computers.loop import ComputerLoop
from bot.features.computers.service import Computers
from bot.i18n.language import ENGLISH
from bot.workers.thinking import Busy, ThinkingFailed, thinking_in
from bot.workers.thinking_queue import Priority
from engines import GAMES
from engines.game import legal_actions
from opponents import Thought
from storage.schema.errors import LeaseLost
from storage.schema.records import EntryKind, JobKind, Level
from tests.bot.notices import notice
from tests.bot.service import ANN, BOUNCERS, Time, first_action, jobs, some

EXPERT = replace(BOUNCERS, computers=(Level.EXPERT,))


Due = Callable[[], Awaitable[None]]


@dataclass
class Thinkers:
    """Replaces worker processes: notes levels and priorities, and gives or raises the answers, then the first legal action."""

    asked: list[tuple[str, Priority]] = field(default_factory=list)
    answers: list[Exception | Thought] = field(default_factory=list)
    hold: asyncio.Event | None = None

    async def think(self, function: Callable[..., Any], *values: Any, server: int, person: int, priority: Priority) -> Any:
        game_id, _, level, state, seat, *_ = values
        assert (server, person) == (BOUNCERS.guild_id, ANN.id)
        self.asked.append((level, priority))
        if self.hold is not None:
            await self.hold.wait()
        answer = self.answers.pop(0) if self.answers else Thought(next(legal_actions(GAMES[game_id], state, seat)), 0.5)
        if isinstance(answer, Exception):
            raise answer
        return answer


@dataclass
class Channel:
    """Replaces Discord: counts how often the bot was seen typing."""

    typed: list[int] = field(default_factory=list)
    refused: Exception | None = None

    def get_partial_messageable(self, channel_id: int) -> Any:
        async def typing() -> None:
            self.typed.append(channel_id)
            if self.refused is not None:
                raise self.refused

        return SimpleNamespace(typing=typing)


@pytest.fixture
def thinkers() -> Iterator[Thinkers]:
    made = Thinkers()
    with thinking_in(made):
        yield made


@pytest.fixture
def channel() -> Channel:
    return Channel()


@pytest.fixture
def shown() -> list[int]:
    """Grows by one whenever something is to be shown."""
    return []


@pytest_asyncio.fixture
async def computers(core: Core, thinkers: Thinkers, channel: Channel, shown: list[int]) -> AsyncIterator[ComputerLoop]:
    made = ComputerLoop(channel, core, lambda _: shown.append(1))  # type: ignore[arg-type]
    yield made
    await made.close()


@pytest_asyncio.fixture
async def table_id(core: Core) -> int:
    """A table where Ann has moved, so that it is the computer's turn."""
    return await moved(core)


@pytest.fixture
def due(core: Core, clock: Time, computers: ComputerLoop, thinkers: Thinkers) -> Due:
    """Lets the moment come at which computers are asked, and waits until they have answered, or are held."""

    async def asked() -> None:
        moment = some(await core.service(Computers).next_due())
        clock.now = max(clock.now, moment)
        computers.wake()
        await asyncio.sleep(0)
        while not thinkers.asked if thinkers.hold is not None else computers.busy:
            await asyncio.sleep(0.001)

    return asked


async def moved(core: Core) -> int:
    snapshot = await core.service(Lobby).open(ANN, EXPERT)
    return (await core.service(Play).act(snapshot.table.id, ANN, first_action(snapshot))).snapshot.table.id


async def played(computers: ComputerLoop) -> None:
    while computers.busy:
        await asyncio.sleep(0.001)


async def version(core: Core, table_id: int) -> int:
    return (await core.snapshot(table_id)).playing.version


@pytest.mark.usefixtures("table_id")
async def test_playing_at_its_own_level_is_not_told(core: Core, due: Due) -> None:
    await due()
    assert not [job for job in await jobs(core) if job.kind is JobKind.HURRIED]


async def test_a_computer_plays_at_its_moment(
    core: Core, table_id: int, due: Due, computers: ComputerLoop, thinkers: Thinkers, shown: list[int]
) -> None:
    await played(computers)
    assert thinkers.asked == [], "it waits a moment, so that people can follow"
    await due()
    snapshot = await core.snapshot(table_id)
    assert [logged.entry.seat for logged in snapshot.playing.log] == [0, 1]
    assert thinkers.asked == [("expert", Priority.MOVE)]
    assert shown
    assert await core.service(Computers).next_due() is None


async def test_nobody_is_asked_twice(core: Core, table_id: int, due: Due, computers: ComputerLoop, thinkers: Thinkers) -> None:
    thinkers.hold = asyncio.Event()
    await due()
    for _ in range(3):
        computers.wake()
        await asyncio.sleep(0.005)
    assert computers.thinking == {table_id}
    thinkers.hold.set()
    await played(computers)
    assert (len(thinkers.asked), await version(core, table_id)) == (1, 2)


async def test_after_a_stop_a_computer_thinks_again_and_plays_once(
    core: Core, table_id: int, due: Due, computers: ComputerLoop, thinkers: Thinkers, channel: Channel
) -> None:
    thinkers.hold = asyncio.Event()
    await due()
    await computers.close()
    assert await version(core, table_id) == 1
    thinkers.hold = None
    after = ComputerLoop(channel, core, lambda _: None)  # type: ignore[arg-type]
    after.wake()
    await asyncio.sleep(0)
    await played(after)
    await after.close()
    assert await version(core, table_id) == 2


@pytest.mark.parametrize("error", [Busy("too many"), ThinkingFailed("died twice"), RuntimeError("a mistake")])
async def test_without_a_worker_the_easy_level_answers(
    core: Core, table_id: int, due: Due, thinkers: Thinkers, error: Exception
) -> None:
    thinkers.answers = [error]
    await due()
    assert thinkers.asked == [("expert", Priority.MOVE), ("easy", Priority.URGENT)]
    snapshot = await core.snapshot(table_id)
    assert snapshot.playing.version == 2
    (told,) = [job for job in await jobs(core) if job.kind is JobKind.HURRIED]
    said = some(notice(snapshot, told, ENGLISH))
    words = "".join(getattr(item, "content", "") for item in said.builder.items)
    assert f"so {snapshot.names[1]} played at its easy level" in words
    assert not said.pinged


async def test_without_any_answer_it_plays_as_if_away(core: Core, table_id: int, due: Due, thinkers: Thinkers) -> None:
    thinkers.answers = [ThinkingFailed("died"), ThinkingFailed("died")]
    await due()
    assert await version(core, table_id) == 2
    assert [job.kind for job in await jobs(core)].count(JobKind.HURRIED) == 1


async def test_an_illegal_answer_does_not_stop_the_game(core: Core, table_id: int, due: Due, thinkers: Thinkers) -> None:
    thinkers.answers = [Thought(("a1", "z9"), 0.5)]
    await due()
    assert await version(core, table_id) == 2


async def test_a_persons_action_meanwhile_counts(
    core: Core, table_id: int, due: Due, computers: ComputerLoop, thinkers: Thinkers
) -> None:
    thinkers.hold = asyncio.Event()
    await due()
    await core.service(Play).resign(table_id, ANN)
    thinkers.hold.set()
    await played(computers)
    log = (await core.snapshot(table_id)).playing.log
    assert [logged.entry.kind for logged in log] == [EntryKind.PLAY, EntryKind.WITHDRAW]


async def test_a_failing_table_is_retried_and_stops_no_other(
    core: Core, clock: Time, table_id: int, due: Due, computers: ComputerLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = await moved(core)
    answer = core.service(Computers).answer
    failures = [RuntimeError("the disk is full")]

    async def failing(question: Any, thought: Any) -> Any:
        if question.table_id == table_id and failures:
            raise failures.pop()
        return await answer(question, thought)

    monkeypatch.setattr(core.service(Computers), "answer", failing)
    await due()
    assert [await version(core, table) for table in (table_id, second)] == [1, 2]
    computers.wake()
    await played(computers)
    assert await version(core, table_id) == 1, "not again at once"
    clock.pass_(computers_module.FIRST_RETRY)
    computers.wake()
    await asyncio.sleep(0)
    await played(computers)
    assert await version(core, table_id) == 2


@pytest.mark.parametrize("refused", [None, OSError("no network"), LeaseLost("shard 4 of 12")])
@pytest.mark.usefixtures("table_id")
async def test_long_thinking_is_shown_repeatedly(
    due: Due, computers: ComputerLoop, thinkers: Thinkers, channel: Channel,
    monkeypatch: pytest.MonkeyPatch, refused: Exception | None, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr(computers_module, "SHOWN_AFTER", 0.0)
    monkeypatch.setattr(computers_module, "SHOWN_FOR", 0.01)
    channel.refused = refused
    thinkers.hold = asyncio.Event()
    await due()
    while len(channel.typed) < 2:
        await asyncio.sleep(0.001)
    assert set(channel.typed) == {BOUNCERS.channel_id}
    thinkers.hold.set()
    await played(computers)
    count = len(channel.typed)
    await asyncio.sleep(0.03)
    assert len(channel.typed) == count
    gc.collect()  # asyncio tells of an error that nobody has retrieved when its task is gone
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.usefixtures("table_id")
async def test_quick_thinking_is_not_shown(due: Due, channel: Channel) -> None:
    await due()
    assert channel.typed == []
