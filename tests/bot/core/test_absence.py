"""Who acts for somebody who misses a deadline, where the server wants a computer to."""

from dataclasses import replace
from typing import Any

import pytest

from bot.core.clocks.absence import absent_action
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.people import Users
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot
from bot.features.verify.service import Proof
from engines.pucks.board.views import Phase
from opponents.asked import choose
from storage.schema.records import EntryKind
from tests.bot.features.computers.seated_computers import acted
from tests.bot.service import ANN, BEN, CLEO, Time, started

THREE = TableRequest(guild_id=10, channel_id=20, game="pucks", options={"setup": "random"}, clock=3600, opponents=(BEN, CLEO))
PEOPLE = (ANN, BEN, CLEO)


class Thinker:
    """Thinks at once, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    async def __call__(self, function: Any, *values: Any, **_: Any) -> Any:
        self.asked.append((function, *values))
        return function(*values)


@pytest.fixture
def thinker() -> Thinker:
    return Thinker()


async def late(core: Core, clock: Time) -> Snapshot:
    """A game for three in which somebody has just missed a deadline, all pieces being placed."""
    snapshot = await started(core, THREE, BEN, CLEO)
    while snapshot.playing.state.phase is Phase.PLACE:
        snapshot = await acted(core, snapshot, PEOPLE[snapshot.playing.to_act[0]])
    clock.pass_(3601 + WAITS)
    return snapshot


async def test_an_easy_computer_plays_the_turn_but_it_is_a_time_out(core: Core, clock: Time, thinker: Thinker) -> None:
    await core.service(Users).change_server(10, absent="computer")
    before = await late(core, clock)
    (seat,) = before.playing.to_act
    await core.service(Timing).sweep(think=thinker)
    after = await core.snapshot(before.table.id)
    entries = [logged.entry for logged in after.playing.log[before.playing.version :]]
    assert {(entry.seat, entry.kind, entry.user_id) for entry in entries} == {(seat, EntryKind.PLAY, None)}
    assert seat not in after.playing.to_act
    assert after.players[seat].timeouts == 1
    assert {(function, values[2]) for function, *values in thinker.asked} == {(choose, "easy")}
    assert len(thinker.asked) == len(entries)
    assert {values[4] for _, *values in thinker.asked} == {seat}
    for (_, *values), entry in zip(thinker.asked, entries, strict=True):
        assert entry.tokens == choose(*values).action
    assert (await core.service(Proof).verify(before.table.id)).problems == ()


async def test_by_default_the_game_chooses_and_no_computer_is_asked(core: Core, clock: Time, thinker: Thinker) -> None:
    before = await late(core, clock)
    (seat,) = before.playing.to_act
    await core.service(Timing).sweep(think=thinker)
    after = await core.snapshot(before.table.id)
    assert thinker.asked == []
    assert after.playing.log[before.playing.version].entry.tokens == absent_action(before.playing, seat)


@pytest.mark.parametrize("wrong", [RuntimeError("no worker"), "nonsense"])
async def test_without_an_answer_the_game_chooses(
    core: Core, clock: Time, wrong: object, caplog: pytest.LogCaptureFixture
) -> None:
    async def think(*_: Any, **__: Any) -> Any:
        if isinstance(wrong, Exception):
            raise wrong
        return type("Thought", (), {"action": ("fly", "away")})

    await core.service(Users).change_server(10, absent="computer")
    before = await late(core, clock)
    (seat,) = before.playing.to_act
    await core.service(Timing).sweep(think=think)
    after = await core.snapshot(before.table.id)
    assert after.playing.log[before.playing.version].entry.tokens == absent_action(before.playing, seat)


async def test_nobody_is_played_for_who_acts_in_time(
    core: Core, clock: Time, thinker: Thinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    await core.service(Users).change_server(10, absent="computer")
    before = await late(core, clock)
    (seat,) = before.playing.to_act
    clock.pass_(-2 - WAITS)

    async def think(function: Any, *values: Any, **_: Any) -> Any:
        if not thinker.asked:
            thinker.asked.append(values)
            clock.pass_(-2 - WAITS)
            await acted(core, before, PEOPLE[seat])
            clock.pass_(2 + WAITS)
        return function(*values)

    clock.pass_(2 + WAITS)
    await core.service(Timing).sweep(think=think)
    after = await core.snapshot(before.table.id)
    assert after.players[seat].timeouts == 0
    assert after.playing.version == before.playing.version + 1


async def test_two_remaining_players_play_by_the_usual_rule(core: Core, clock: Time, thinker: Thinker) -> None:
    await core.service(Users).change_server(10, absent="computer")
    snapshot = await started(core, replace(THREE, game="bouncers", options={}, opponents=(BEN,)), BEN)
    clock.pass_(3601 + WAITS)
    await core.service(Timing).sweep(think=thinker)
    clock.pass_(3601 + WAITS)
    await core.service(Timing).sweep(think=thinker)
    assert thinker.asked == []
    outcome = (await core.snapshot(snapshot.table.id)).table.outcome
    assert outcome is not None
    assert outcome.winners == (1,)
