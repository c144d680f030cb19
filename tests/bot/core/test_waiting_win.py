"""A win at Puck Bumpers waits at a table: who is waited for, who takes over a seat, and what is done for whoever is away."""

from collections.abc import Mapping
from typing import Any

import pytest
from typing_extensions import override

from bot.core.clocks.timing import WAITS
from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import BadAction, NotYourTurn
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.parts import PARTS
from engines import GAMES
from engines.chance import Chance
from engines.pucks import Pucks
from engines.pucks.board.state import State
from storage.schema.records import OfferKind, Status
from storage.store import Store
from tests.bot.core.steps import sweep_after
from tests.bot.service import ANN, BEN, CLEO, DAY, DEV, Time, seeds, started
from tests.engines.pucks.drawing import laid

TABLE = TableRequest(guild_id=10, channel_id=20, game="pucks", seats=3, clock=int(DAY), strict=True)


class NearTheEnd(Pucks):
    """A game that begins when Red has one more puck to score, with these hands."""

    hands: tuple[tuple[str, ...], ...] = (("swap",), ("mix", "twist"), ("whistle", "slush"))

    @override
    def _start(self, seats: int, variant: str, chance: Chance, options: Mapping[str, str]) -> State:
        position: dict[str, Any] = {
            "variant": variant, "seats": seats, "phase": "act", "mats": laid(["Gs B"]), "hands": self.hands,
            "pieces": {"red p4": "a14", "blue m1": "b6", "green m1": "b11"}, "scored": ["red p1", "red p2", "red p3"],
        }  # fmt: skip
        return self.from_position(position, chance)


@pytest.fixture
def core(store: Store, clock: Time) -> Core:
    known = seeds()
    return Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known), games={**GAMES, "pucks": NearTheEnd()})


async def waiting(core: Core) -> Snapshot:
    """A table at which Ann has just scored the last puck."""
    table_id = (await started(core, TABLE, BEN, CLEO)).table.id
    return (await core.service(Play).act(table_id, ANN, "p4 up", closing=True)).snapshot


def awaited(snapshot: Snapshot) -> list[int]:
    return [player.user_id for player in snapshot.awaited]


async def test_everybody_with_a_card_is_awaited_until_they_answer(core: Core) -> None:
    snapshot = await waiting(core)
    table_id = snapshot.table.id
    assert (awaited(snapshot), snapshot.table.version) == ([BEN.id, CLEO.id], 1)
    one = (await core.service(Play).act(table_id, CLEO, "pass")).snapshot
    assert awaited(one) == [BEN.id], "Ben holds no whistle and is asked all the same"
    with pytest.raises(BadAction):
        await core.service(Play).act(table_id, CLEO, "pass")
    with pytest.raises(NotYourTurn):
        await core.service(Play).act(table_id, ANN, "end")
    over = (await core.service(Play).act(table_id, BEN, "pass")).snapshot
    assert over.table.status is Status.FINISHED
    assert over.table.outcome is not None
    assert over.table.outcome.winners == (0,)


async def test_one_may_whistle_after_letting_the_win_stand_while_another_is_awaited(core: Core) -> None:
    table_id = (await waiting(core)).table.id
    await core.service(Play).act(table_id, CLEO, "pass")
    after = (await core.service(Play).act(table_id, CLEO, "play whistle")).snapshot
    assert (after.table.status, awaited(after)) == (Status.PLAYING, [ANN.id])


@pytest.mark.parametrize("leaves", [False, True])
async def test_a_substitute_is_asked_at_once(core: Core, leaves: bool) -> None:
    table_id = (await waiting(core)).table.id
    if leaves:
        left = (await core.service(Play).resign(table_id, CLEO)).snapshot
        assert awaited(left) == [BEN.id]
        assert left.playing.game.view(left.playing.state).hand_sizes == (1, 2, 0)
    await core.service(Consent).propose(table_id, CLEO, OfferKind.SUBSTITUTE, Seating(CLEO.id, DEV))
    after = (await core.service(Consent).agree(table_id, DEV, OfferKind.SUBSTITUTE)).snapshot
    assert awaited(after) == [BEN.id, DEV.id]
    assert after.playing.game.view(after.playing.state, 2).hand == ("whistle", "slush")
    assert awaited((await core.service(Play).act(table_id, DEV, "play whistle")).snapshot) == [ANN.id]


async def test_absent_players_let_the_win_stand_whatever_they_hold(core: Core, clock: Time) -> None:
    snapshot = await waiting(core)
    assert await sweep_after(core, clock, DAY + 1 + WAITS) == (snapshot.table.id,)
    over = await core.snapshot(snapshot.table.id)
    assert over.table.status is Status.FINISHED
    assert [logged.entry.tokens for logged in over.playing.log[1:]] == [("pass",), ("pass",)]
