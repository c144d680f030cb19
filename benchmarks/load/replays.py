"""Games that are given up, so that the bot posts their replays."""

import asyncio
from asyncio import timeout
from collections.abc import Sequence
from typing import Final

from benchmarks.load.front import Front
from benchmarks.load.players import BusyTable, Player, Times
from bot.core.table.history import MOVES_TO_REPLAY
from tests.loopback.natures import Nature

GAMES: Final = 8
ALL_WITHIN: Final = 300.0


async def replayed(at: Front, tables: Sequence[BusyTable]) -> None:
    """Give up some games at once, two of each kind, and wait for the replays of those that are long enough for one."""
    games = [table for table in tables if not table.over][:GAMES]
    long_enough = sum(table.version >= MOVES_TO_REPLAY for table in games)
    before = len(at.people.everywhere(Nature.REPLAY))
    await asyncio.gather(*(_given_up(at, table) for table in games))
    async with timeout(ALL_WITHIN):
        while len(at.people.everywhere(Nature.REPLAY)) < before + long_enough:
            await asyncio.sleep(0.2)


async def _given_up(at: Front, table: BusyTable) -> None:
    player = Player(at.people, at.watch, Times())
    for who in table.crowd[1:]:
        if "resign" in at.loopback.discord.commands:  # version 1.0.0
            asked = at.people.begin_slash(who, table.where, "resign", game=f"#{table.number}")
        else:
            looked = at.people.begin_slash(who, table.where, "board", game=f"#{table.number}")
            await player.answered(looked, 0)
            board = await player.filled(looked)
            assert board is not None
            asked = at.people.begin_click(who, board, "sb|resign|")
        await player.answered(asked, 0)
        question = await player.filled(asked)
        assert question is not None
        sure = at.people.begin_click(who, question, "sb|resign-yes|")
        await player.answered(sure, 0)
        await player.filled(sure)
