"""What moderators may do at a table."""

from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from bot.features.settings.moderation import Moderation
from storage.schema.records import Ending, Result, SeatStatus, Status
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, started

EVE = User(5, "Eve")
FOUR = replace(BOUNCERS, game="trampoline", seats=4, clock=int(DAY))


async def test_a_moderator_closes_tables_and_removes_people(core: Core) -> None:
    waiting = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    assert (await core.service(Moderation).close(waiting, 10, EVE)).table.status is Status.CLOSED
    playing = (await started(core)).table.id
    over = await core.service(Moderation).close(playing, 10, EVE)
    assert over.table.outcome == Result(winners=(), how=Ending.CLOSED, reason="A moderator closed the game.")
    four = (await started(core, FOUR, BEN, CLEO, DEV)).table.id
    snapshot = await core.service(Moderation).remove(four, 10, BEN, EVE)
    assert snapshot.players[1].status is SeatStatus.WITHDRAWN
    assert snapshot.playing.log[-1].events[0].text == "Blue was removed from the game."
    with pytest.raises(Refused, match="not playing at table"):
        await core.service(Moderation).remove(four, 10, BEN, EVE)
