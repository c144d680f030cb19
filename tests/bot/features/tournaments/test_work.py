"""What is computed for a large event: once per stored state, and never on the event loop or in a transaction."""

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from bot.core.core import Core
from bot.features.tournaments import clock as event_rounds
from bot.features.tournaments import service as events
from bot.features.tournaments.ahead import Ahead
from bot.features.tournaments.rules.standings import standings
from bot.features.tournaments.rules.tournament import Tournament
from bot.features.tournaments.service import Tournaments
from storage.schema.kinds import TournamentStatus
from storage.store import Store
from tests.bot.features.tournaments.tournament_games import GUILD, opened, started
from tests.bot.service import Time


class Work:
    """Where work was done: each time its name, and whether the event loop or a write transaction waited for it."""

    def __init__(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done: list[tuple[str, bool]] = []
        self.writing = 0
        self._loop = threading.get_ident()
        write = store.write

        @asynccontextmanager
        async def watched() -> AsyncIterator[Any]:
            async with write() as writer:
                self.writing += 1
                try:
                    yield writer
                finally:
                    self.writing -= 1

        monkeypatch.setattr(store, "write", watched)
        for module in (events, event_rounds):
            monkeypatch.setattr(module, "standings", self._noted("standings", standings))
        monkeypatch.setattr(Tournament, "pair", self._noted("pairing", Tournament.pair))

    def _noted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def noted(*values: Any, **named: Any) -> Any:
            self.done.append((name, self.writing > 0 or threading.get_ident() == self._loop))
            return function(*values, **named)

        return noted

    def count(self, name: str) -> int:
        """How often something was computed since the last call, never while anybody waited."""
        assert not any(waited for _, waited in self.done), self.done
        found = sum(one == name for one, _ in self.done)
        self.done.clear()
        return found


@pytest.fixture
def work(core: Core, monkeypatch: pytest.MonkeyPatch) -> Work:
    return Work(core.store, monkeypatch)


async def test_standings_are_computed_once_per_state(core: Core, clock: Time, work: Work) -> None:
    cup = await started(core, clock, 7, "swiss")
    work.done.clear()
    first = await cup.view()
    work.done.clear()
    assert [(await cup.view()).standings for _ in range(3)] == [first.standings] * 3
    assert work.count("standings") == 0, "it is kept"
    (game, *_) = await cup.open_games()
    await cup.lose(game, 1)
    assert (await cup.view()).standings != first.standings
    assert (await core.service(Tournaments).leave(cup.id, GUILD, cup.user(game.seats[1]))).standings
    assert work.count("standings") == 2, "once after the result, and once after somebody has left"


async def test_rounds_are_paired_before_their_transaction(core: Core, clock: Time, work: Work) -> None:
    cup = await started(core, clock, 7, "swiss")
    assert work.count("pairing") == 1
    view = await cup.finish_round()
    assert (len(view.row.rounds), work.count("pairing")) == (2, 1)
    while view.row.status is TournamentStatus.RUNNING:
        view = await cup.finish_round()
    assert work.count("pairing") == len(view.row.rounds) - 2
    lines = sorted(view.standings, key=lambda line: line.player)
    assert [entry.place for entry in view.entries] == [line.place for line in lines]


async def test_a_change_during_pairing_pairs_again(core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    cup = await opened(core, clock, 8, "swiss")
    await cup.start()
    for game in await cup.open_games():
        await cup.lose(game, 1)
    paired: list[int] = []
    find, pair = Ahead.find, Tournament.pair

    async def find_slowly(self: Ahead, missing: Any) -> None:
        if not paired:
            await core.service(Tournaments).leave(cup.id, GUILD, cup.user(8))
        await find(self, missing)

    def noted(event: Tournament, **named: Any) -> Tournament:
        paired.append(len(event.active))
        return pair(event, **named)

    monkeypatch.setattr(Ahead, "find", find_slowly)
    monkeypatch.setattr(Tournament, "pair", noted)
    view = await cup.tick()
    assert paired == [8, 7], "once for eight players, and once more without the one who has left"
    assert 8 not in view.row.rounds[1].byes
    assert 8 not in {number for game in view.row.rounds[1].games for number in game.seats}
