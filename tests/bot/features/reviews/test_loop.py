"""The review loop carries on with other games when one goes wrong."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.snapshot import Snapshot
from bot.features.reviews.loop import Reviewing
from bot.features.reviews.service import Reviews
from tests.bot.scripted import scripted
from tests.bot.service import ANN, BEN, BOUNCERS, Time, started


async def over(core: Core, clock: Time, guild_id: int) -> Snapshot:
    """A game that ended after a move, whose review was asked for."""
    clock.pass_(3600)
    table_id = (await started(core, replace(BOUNCERS, guild_id=guild_id))).table.id
    await core.service(Play).act(table_id, ANN, ("b2", "b3"))
    await core.service(Play).resign(table_id, BEN)
    snapshot = await core.snapshot(table_id)
    await core.service(Reviews).ask(snapshot)
    return snapshot


async def test_an_unreviewable_game_holds_no_other_up(core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong, behind_it, elsewhere = [await over(core, clock, guild_id) for guild_id in (10, 10, 20)]
    ask, asked = core.service(Reviews).inquiry, list[int]()

    async def failing(table_id: int) -> Any:
        asked.append(table_id)
        if table_id == wrong.table.id:
            raise RuntimeError("it cannot be read")
        return await ask(table_id)

    monkeypatch.setattr(core.service(Reviews), "inquiry", failing)
    reviewing = Reviewing(core)
    with scripted():
        reviewing.wake()
        async with asyncio.timeout(30):
            while not all([(await core.service(Reviews).ask(table)).done for table in (behind_it, elsewhere)]):
                await asyncio.sleep(0.01)
    assert asked.count(wrong.table.id) == 1
    assert await core.service(Reviews).next_unfinished() == (wrong.table.id,)
    await reviewing.close()
