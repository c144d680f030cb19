"""When a computer acts does not depend on how long it thought, which depends on its hidden cards."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from bot.features.computers.loop import ComputerLoop
from bot.features.computers.service import Computers
from bot.features.settings.moderation import Moderation
from bot.runtime.metrics import REGISTRY
from bot.workers.thinking import thinking_in
from bot.workers.thinking_queue import Priority
from engines import GAMES
from engines.pucks import Pucks
from engines.pucks.board.views import Phase
from opponents import LEVELS, Budget, Thought, opponent
from opponents.contract import PACES, Level
from storage.schema.records import Status
from tests.bot.observing.deals import pair, walked
from tests.bot.observing.pairs import CHIEF, SERVER, Side
from tests.bot.observing.test_computers import Mixed
from tests.bot.service import jobs

PAIRS: Final = range(1, 9)
ANSWERS: Final = 6


@dataclass
class Slow:
    """Replaces the worker processes: thinks for `takes` times the pace by the bot's clock, and plays what anybody could."""

    side: Side
    takes: random.Random | float
    asked: list[bool] = field(default_factory=list)

    async def think(self, function: Callable[..., Any], *values: Any, server: int, person: int, priority: Priority) -> Any:
        *_, state, seat, _, stream = values
        self.asked.append(waits := seat in self.side.game.to_act(state))
        part = self.takes if isinstance(self.takes, float) else self.takes.uniform(0, 1)
        self.side.clock.pass_(part * PACES[Level.MEDIUM if waits else Level.EASY])
        if not waits:
            return None
        if state.winning:
            return Thought(("pass",), 0.5)
        if state.phase is Phase.ACT and state.taken >= state.allowed:
            return Thought(("end",), 0.5)
        return Thought(walked(self.side.game, state, seat, random.Random(stream), without=("play", "end")), 0.5)


@dataclass(frozen=True)
class Observed:
    """What can be observed of computers.

    Attributes:
        entries: who acted when.
        owed: what Discord is still to be told, and since when.
        asked: whether computers were asked to move, and to act out of turn.
    """

    began: float
    entries: list[tuple[int, float]]
    owed: list[Any]
    deadline: float | None
    asked: list[bool]


async def observed(side: Side, number: int, state: Any, takes: random.Random | float) -> Observed:
    """Let slow computers answer at a table, then close it."""
    table_id, place = await side.open_table(number, state), Slow(side, takes)
    began = side.clock.now

    async def sleep(seconds: float) -> None:
        side.clock.pass_(max(0.0, seconds))

    with thinking_in(place):
        computers = ComputerLoop(SimpleNamespace(), side.core, lambda _: None, sleep)  # type: ignore[arg-type]
        for _ in range(ANSWERS):
            due = await side.core.service(Computers).next_due()
            if due is None:
                break
            side.clock.now = max(side.clock.now, due)
            computers.wake()
            await asyncio.sleep(0)
            while computers.busy:
                await asyncio.sleep(0)
        await computers.close()
    snapshot = await side.core.snapshot(table_id)
    entries = [(logged.entry.seat, logged.entry.at) for logged in snapshot.playing.log]
    owed = [(job.kind, job.key, job.due, job.created_at) for job in await jobs(side.core, table_id)]
    if snapshot.table.status is Status.PLAYING:
        await side.core.service(Moderation).close(table_id, SERVER + number, CHIEF)
    return Observed(began, entries, owed, snapshot.table.deadline, place.asked)


@pytest.mark.slow
async def test_nobody_can_tell_from_the_time_what_a_computer_has_thought_about(tmp_path: Path) -> None:
    sides = (await Mixed.opened(tmp_path / "here", Pucks), await Mixed.opened(tmp_path / "there", Pucks))
    asked: set[bool] = set()
    try:
        for number in PAIRS:
            dealt = pair(Pucks(), number)
            sides[0].clock.now = sides[1].clock.now
            quick = await observed(sides[0], number, dealt.here, 0.0)
            slow = await observed(sides[1], number, dealt.there, random.Random(number))
            assert quick == slow, f"pair {number}"
            asked |= set(quick.asked)
    finally:
        for side in sides:
            await side.store.close()
    assert asked == {True, False}, "they were asked to move, and to act out of turn"


@pytest.mark.slow
async def test_what_comes_too_late_is_shown_at_the_next_multiple_and_counted(tmp_path: Path) -> None:
    side, pace, before, asked = await Mixed.opened(tmp_path / "here", Pucks), PACES[Level.EASY], overruns(), 0
    try:
        for number in PAIRS:
            found = await observed(side, number, pair(Pucks(), number).here, 1.2)
            assert {round((at - found.began) / pace, 4) % 1 for _, at in found.entries} <= {0.0}
            asked += len(found.asked)
    finally:
        await side.store.close()
    assert overruns() - before == asked > ANSWERS


def overruns() -> float:
    return REGISTRY.get_sample_value("springboard_thinking_overruns_total", {"game": "pucks"}) or 0.0


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game_id", GAMES)
def test_a_budget_and_a_pace_follow_from_game_and_level(game_id: str, level: Level) -> None:
    who = opponent(game_id, level)
    assert isinstance(who.budgets[level], Budget)
    assert (who.pace > 0) == who.game.secret
