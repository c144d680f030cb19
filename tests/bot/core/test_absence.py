"""Time-outs: many at once, tables where something goes wrong, and actions for absent players."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pytest
from typing_extensions import override

from bot.core.clocks.absence import Choices, absent_action
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import NEVER, Core
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import BadAction, NotYourTurn
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.verify.service import Proof
from bot.parts import PARTS
from engines import GAMES
from engines.chance import Chance
from engines.pucks import Pucks
from engines.pucks.board.state import State
from engines.pucks.board.views import Phase
from opponents.asked import choose
from storage import queries
from storage.schema.records import EntryKind, OfferKind, Status, Table
from storage.store import Store
from tests.bot.core.steps import sweep_after
from tests.bot.features.computers.seated_computers import acted
from tests.bot.service import ANN, BEN, CLEO, DAY, DEV, HOUR, Time, seeds, started
from tests.engines.pucks.drawing import laid

THREE = TableRequest(guild_id=10, channel_id=20, game="pucks", options={"setup": "random"}, clock=3600, opponents=(BEN, CLEO))
PEOPLE = (ANN, BEN, CLEO)


class Thinker:
    """Thinks at once, and records what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    async def __call__(self, function: Any, *values: Any, **_: Any) -> Any:
        self.asked.append((function, *values))
        return function(*values)


@pytest.fixture
def thinker() -> Thinker:
    return Thinker()


async def late(core: Core, clock: Time) -> Snapshot:
    """A game for three with all pieces placed, in which somebody has just missed a deadline."""
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
async def test_the_game_chooses_if_unanswered(core: Core, clock: Time, wrong: object, caplog: pytest.LogCaptureFixture) -> None:
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


async def test_acting_in_time_needs_no_bot(core: Core, clock: Time, thinker: Thinker, monkeypatch: pytest.MonkeyPatch) -> None:
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


TABLE = TableRequest(guild_id=10, channel_id=20, game="pucks", seats=3, clock=int(DAY), strict=True)


class NearTheEnd(Pucks):
    """A game that begins one puck before Red wins, with these hands."""

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


@dataclass
class Trouble:
    """The tables that fail, and those that were tried."""

    tables: set[int]
    tried: list[int]


@pytest.fixture
def trouble(core: Core, monkeypatch: pytest.MonkeyPatch) -> Trouble:
    """Tables that fail when they are due."""
    found = Trouble(set(), [])
    handle = core.service(Timing)._handle_due

    async def attempted(table_id: int, choices: Choices) -> None:
        found.tried.append(table_id)
        if table_id in found.tables:
            raise OSError("no luck")
        await handle(table_id, choices)

    monkeypatch.setattr(core.service(Timing), "_handle_due", attempted)
    return found


async def opened(core: Core, count: int, deadline: float) -> list[int]:
    """Tables that nobody joins."""
    table = Table(
        guild_id=10, channel_id=20, game="bouncers", variant=GAMES["bouncers"].variants[0], wanted=2, opened_by=ANN.id,
        deadline=deadline, created_at=0.0,
    )  # fmt: skip
    async with core.store.write() as writer:
        return [(await queries.tables.add(writer, table)).id for _ in range(count)]


async def test_tables_that_always_fail_hide_no_others(core: Core, clock: Time, trouble: Trouble) -> None:
    trouble.tables.update(await opened(core, 150, clock.now - 10 - WAITS))
    (sound,) = await opened(core, 1, clock.now - 1 - WAITS)
    for _ in range(2):
        with pytest.raises(ExceptionGroup, match="something went wrong") as error:
            await core.service(Timing).sweep()
        assert all(isinstance(one, OSError) for one in error.value.exceptions)
    assert (await core.snapshot(sound)).table.status is Status.CLOSED
    assert await core.service(Timing).sweep() == ()


async def test_a_table_that_always_fails_is_tried_less_and_less_often(core: Core, clock: Time, trouble: Trouble) -> None:
    (table,) = await opened(core, 1, clock.now - WAITS)
    trouble.tables.add(table)
    waits = []
    for _ in range(12):
        with pytest.raises(ExceptionGroup):
            await core.service(Timing).sweep()
        again = await core.service(Timing).next_due()
        assert again is not None
        waits.append(again - clock.now)
        clock.now = again - 1
        assert await core.service(Timing).sweep() == ()
        clock.now = again
    assert waits[:3] == [60.0, 120.0, 240.0]
    assert waits[-1] == 6 * HOUR
    assert len(trouble.tried) == 12
    trouble.tables.clear()
    assert await core.service(Timing).sweep() == (table,)
    assert await core.service(Timing).next_due() is None


async def test_between_two_tables_there_is_a_pause(core: Core, clock: Time) -> None:
    tables = await opened(core, 3, clock.now - WAITS)
    closed: list[int] = []

    async def pause(seconds: float) -> None:
        assert seconds >= 0.0
        statuses = [(await core.snapshot(table)).table.status for table in tables]
        closed.append(statuses.count(Status.CLOSED))

    await core.service(Timing).sweep(pause)
    assert closed == [1, 2, 3], "each table is a transaction of its own"


async def test_no_more_time_outs_once_the_session_is_lost(core: Core, clock: Time) -> None:
    tables = await opened(core, 3, clock.now - WAITS)

    async def pause(_: float) -> None:
        core.counting = NEVER

    await core.service(Timing).sweep(pause)
    statuses = [(await core.snapshot(table)).table.status for table in tables]
    assert statuses.count(Status.CLOSED) == 1
