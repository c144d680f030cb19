"""Openings: the first moves of a server's finished public games and of computers' games, counted anew from their logs."""

import asyncio
from dataclasses import dataclass
from typing import Final

from bot.core.core import Core
from bot.core.table.history import History
from bot.core.table.snapshot import Snapshot
from bot.features.openings import sql
from bot.features.openings.sql import FirstEntries
from bot.runtime.cache import Cache
from opponents.bouncers.opening_book import PLIES, Continuation, Openings, RecordedGame, openings_of_computers
from storage.schema.records import Ending, EntryKind

GAME: Final = "bouncers"

GAMES: Final = 500
"""The maximum number of a server's games that are counted. The newest are taken."""

_ENTRIES: Final = 2 * PLIES
"""How many log entries of a game are read. That covers its opening even if parts of it were taken back."""

_CACHED: Final = 20_000
"""The size of the cache, counting each move as one and each server's variant as one more. Each takes some 400 bytes."""


@dataclass(frozen=True, slots=True)
class PlayedBefore:
    """Moves played from a position on the server (`here`) and by computers elsewhere (`computers`), most frequent first."""

    here: tuple[Continuation, ...]
    computers: tuple[Continuation, ...]


class ServerOpenings:
    """The openings of each server."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._cache = Cache[tuple[int, str], _Counted](_CACHED, weigh=lambda counted: 1 + len(counted.openings))

    async def at(self, guild_id: int, history: History, moves: int) -> PlayedBefore | None:
        """Return what was played on a server after the first `moves` moves of a game, or None if nothing is known."""
        game, state = history.game, history.state
        if game.id != GAME or not history.to_act or moves >= PLIES:
            return None
        here = (await self.of(guild_id, state.variant)).continuations(state)
        computers = (await asyncio.to_thread(openings_of_computers, state.variant)).continuations(state)
        return PlayedBefore(here, computers) if here or computers else None

    async def departure(self, snapshot: Snapshot) -> int | None:
        """Return the number of the move, from 2 on, with which a game left known lines, or None if there is no such move."""
        table, history = snapshot.table, snapshot.playing
        if history.game.id != GAME:
            return None
        computers = await asyncio.to_thread(openings_of_computers, table.variant)
        here, before = await self.of(table.guild_id, table.variant), history.first
        for number, logged in enumerate(history.in_force[:PLIES], 1):
            if logged.entry.kind is not EntryKind.PLAY:
                return None
            if not any(known.knows(before, logged.state, without=table.id) for known in (here, computers)):
                return number if number > 1 else None
            before = logged.state
        return None

    async def of(self, guild_id: int, variant: str) -> Openings:
        """Return a server's openings of a variant of Bouncers, without those of computers elsewhere."""
        async with self._core.store.read() as reader:
            extent = await sql.extent(reader, guild_id, GAME, variant)
        key = guild_id, variant
        counted = self._cache.get(key)
        if counted is None or counted.extent != extent:
            counted = await self._cache.load(key, lambda: self._count(guild_id, variant, extent), lane=extent)
            assert counted is not None, "counting finds something, be it empty"
        return counted.openings

    async def _count(self, guild_id: int, variant: str, extent: tuple[int, float]) -> "_Counted":
        async with self._core.store.read() as reader:
            found = await sql.of_server(reader, guild_id, GAME, variant, entries=_ENTRIES, limit=GAMES)
        telling = (game for game in found if not game.outcome.how.void and game.outcome.how is not Ending.ABANDONED)
        return _Counted(extent, await asyncio.to_thread(Openings, variant, map(_played, telling)))


@dataclass(frozen=True, slots=True)
class _Counted:
    """A server's openings, and the extent (`sql.extent`) of the games they were counted from."""

    extent: tuple[int, float]
    openings: Openings


def _played(game: FirstEntries) -> RecordedGame:
    """Return the actions of a game that were not taken back, as far as its entries were read."""
    entries: list[tuple[EntryKind, tuple[str, ...]]] = []
    for kind, tokens in game.entries:
        if kind is not EntryKind.UNDO:
            entries.append((kind, tokens))
        elif entries:
            entries.pop()
    actions = tuple(tokens for kind, tokens in entries if kind is EntryKind.PLAY)
    winners = game.outcome.winners
    return RecordedGame(actions, (0 in winners) / len(winners) if winners else 0.5, game.number)
