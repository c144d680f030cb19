"""The loop that has games looked through goes on with the others when something is wrong with one of them."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.core.service import Sessions
from bot.core.table.snapshot import Snapshot
from bot.features.reviews.loop import Reviewing
from tests.bot.scripted import scripted
from tests.bot.service import ANN, BEN, BOUNCERS, Time, started


async def over(sessions: Sessions, clock: Time, guild_id: int) -> Snapshot:
    """A game of a server that ended after a move, whose review somebody has asked for."""
    clock.pass_(3600)
    table_id = (await started(sessions, replace(BOUNCERS, guild_id=guild_id))).table.id
    await sessions.play.act(table_id, ANN, ("b2", "b3"))
    await sessions.play.resign(table_id, BEN)
    snapshot = await sessions.snapshot(table_id)
    await sessions.reviews.ask(snapshot)
    return snapshot


async def test_a_game_that_cannot_be_looked_through_keeps_no_other_from_it(
    sessions: Sessions, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong, behind_it, elsewhere = [await over(sessions, clock, guild_id) for guild_id in (10, 10, 20)]
    ask, asked = sessions.reviews.inquiry, list[int]()

    async def failing(table_id: int) -> Any:
        asked.append(table_id)
        if table_id == wrong.table.id:
            raise RuntimeError("it cannot be read")
        return await ask(table_id)

    monkeypatch.setattr(sessions.reviews, "inquiry", failing)
    reviewing = Reviewing(sessions)
    with scripted():
        reviewing.wake()
        async with asyncio.timeout(30):
            while not all([(await sessions.reviews.ask(table)).done for table in (behind_it, elsewhere)]):
                await asyncio.sleep(0.01)
    assert asked.count(wrong.table.id) == 1
    assert await sessions.reviews.next_unfinished() == (wrong.table.id,)
    await reviewing.close()
