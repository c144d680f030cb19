"""The process is killed before or after every commit of an event, which goes on as if nothing had happened."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.features.tournaments import sql as tournaments_sql
from bot.features.tournaments.clock import TournamentRounds
from bot.features.tournaments.service import Tournaments
from bot.parts import PARTS
from storage import queries
from storage.schema.kinds import JobKind, TournamentStatus
from storage.store import Store
from storage.upkeep.consistency import findings
from tests.bot.features.tournaments.tournament_games import BY, GUILD, Cup, opened
from tests.bot.service import DAY, HOUR, Time, seeds
from tests.marks import quick_first

COURSES: Final = (("knockout", "bouncers", 3), ("round_robin", "bouncers", 5), ("pods", "pucks", 7), ("swiss", "bouncers", 7))
"""Formats, with a game and a number of players each."""


class Killed(BaseException):
    pass


@dataclass
class Course:
    """An event whose players have checked in, and whose bot is killed before or `after` one commit of a sweep (0: none)."""

    path: Path
    clock: Time
    killed_at: int
    after: bool = False
    commits: int = 0

    async def open(self) -> None:
        """Start the bot."""
        self.store, known = await Store.open(self.path), seeds()
        self._write = self.store.write
        self.core = Core(self.store, parts=PARTS, now=self.clock, entropy=lambda _: next(known))

    async def run(self) -> dict[str, Any]:
        """Play some games of each round, let time decide the others, and return all that is known at the end."""
        await self.open()
        for _ in range(60):
            await self._sweep()
            view = await self.core.service(Tournaments).get(1)
            if view.row.status is TournamentStatus.FINISHED:
                break
            games = [game for each in view.row.rounds for game in each.games]
            for number, game in enumerate(games):
                if game.table_id and not game.places and number % 2 == 0:
                    await self._resign(game.table_id)
            await self._sweep()
            self.clock.pass_(DAY / 2)
        known = await self._known()
        await self.store.close()
        return known

    async def _resign(self, table_id: int) -> None:
        """All players but one resign at a table."""
        snapshot = await self.core.snapshot(table_id)
        for player in snapshot.players[1:]:
            await self.core.service(Play).resign(table_id, User(player.user_id, player.name))

    async def _sweep(self) -> None:
        """Do what is due; restart the bot if it is killed."""
        self.store.write = self._dangerous  # type: ignore[method-assign]
        try:
            while await self.core.service(TournamentRounds).sweep():
                pass
        except Killed:
            await self.store.close()
            await self.open()
            while await self.core.service(TournamentRounds).sweep():
                pass
        self.store.write = self._write  # type: ignore[method-assign]

    @asynccontextmanager
    async def _dangerous(self) -> AsyncIterator[Any]:
        async with self._write() as writer:
            yield writer
            self.commits += 1
            if self.commits == self.killed_at and not self.after:
                raise Killed
        if self.commits == self.killed_at and self.after:
            raise Killed

    async def _known(self) -> dict[str, Any]:
        async with self.store.read() as reader:
            jobs = await queries.jobs.due(reader, self.clock.now + 1000 * DAY, limit=1000)
            tables = await queries.tables.find(reader, limit=1000)
            return {
                "event": await tournaments_sql.get(reader, 1),
                "entries": await tournaments_sql.entries(reader, 1),
                "calls": sorted((job.key, job.due) for job in jobs if job.kind is JobKind.EVENT_CALL),
                "openings": sorted(job.table_number for job in jobs if job.kind is JobKind.OPENING),
                "tables": sorted((table.id, table.event_id, table.status, table.rated, table.outcome) for table in tables),
                "faults": await reader.run(lambda connection: list(findings(connection))),
            }


async def checked_in(path: Path, clock: Time, format_: str, game: str, players: int) -> None:
    """A database with an event that is about to start."""
    store, known = await Store.open(path), seeds()
    core = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))
    cup: Cup = await opened(core, clock, players, format_, game=game, round_seconds=int(DAY))
    await cup.enter()
    await core.service(Tournaments).hurry(cup.id, GUILD, BY)
    await cup.tick()
    await cup.enter()
    clock.pass_(DAY + HOUR)
    await store.close()


@pytest.mark.slow
@pytest.mark.parametrize(("format_", "game", "players"), quick_first(1, COURSES, several=True))
async def test_a_bot_killed_at_any_commit_carries_on(tmp_path: Path, format_: str, game: str, players: int) -> None:
    template, clock = tmp_path / "template.sqlite3", Time()
    await checked_in(template, clock, format_, game, players)

    async def course(killed_at: int, *, after: bool = False) -> tuple[dict[str, Any], int]:
        path = tmp_path / f"{killed_at}{after}.sqlite3"
        shutil.copy(template, path)
        there = Course(path, Time(clock.now), killed_at, after)
        known = await there.run()
        path.unlink()
        return known, there.commits

    expected, commits = await course(0)
    assert expected["event"].status is TournamentStatus.FINISHED
    assert expected["faults"] == []
    assert {game.ending for each in expected["event"].rounds for game in each.games} >= {"played", "adjudicated"}
    for killed_at in range(1, commits + 1):
        for after in (False, True):
            known, _ = await course(killed_at, after=after)
            assert known == expected, f"killed at commit {killed_at}, {'after' if after else 'before'} it"
