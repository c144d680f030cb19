"""Unreadable tables go into quarantine, and the others work on."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
import structlog
from sqlalchemy.exc import OperationalError
from typing_extensions import override

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.listing import Lists
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.quarantine import Quarantine
from bot.core.table.errors import NoSuchTable, Quarantined, WrongStage
from bot.core.table.request import TableRequest
from bot.features.offers.service import Consent
from bot.features.privacy.service import Privacy
from bot.features.settings.moderation import Moderation
from bot.features.verify.service import Proof
from bot.parts import PARTS
from engines import GAMES
from engines.trampoline import Trampoline
from engines.trampoline.game import TrampolineState
from storage.schema.records import Ending, JobKind, OfferKind, SeatStatus, Status
from storage.store import Store
from tests.bot.core.steps import hurt, sweep_after
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, Time, first_action, jobs, seeds, started
from tests.marks import quick_first

TIMED = TableRequest(guild_id=10, channel_id=20, game="bouncers", clock=int(DAY), strict=True)
Again = Callable[..., Core]

FAULTS = {
    "an unknown game": "UPDATE tables SET game = 'chess' WHERE id = 1",
    "an unknown variant": "UPDATE tables SET variant = 'huge' WHERE id = 1",
    "an unknown option": """UPDATE tables SET options = '{"colour": "mauve"}' WHERE id = 1""",
    "unknown rules": "UPDATE tables SET rules = 7 WHERE id = 1",
    "options that are no JSON": "UPDATE tables SET options = '{' WHERE id = 1",
    "offers that are none": "UPDATE tables SET offers = 'null' WHERE id = 1",
    "offers that are a number": "UPDATE tables SET offers = 5 WHERE id = 1",
    "an outcome that is none": "UPDATE tables SET outcome = '[]' WHERE id = 1",
    "a text that is none": "UPDATE tables SET variant = CAST(x'ff41' AS TEXT) WHERE id = 1",
    "a time that is a text": "UPDATE tables SET turn_began = 'noon' WHERE id = 1",
    "a time without end": "UPDATE tables SET deadline = 9e999 WHERE id = 1",
    "a number that is a text": "UPDATE tables SET turn = 'first' WHERE id = 1",
    "a number beyond all limits": "UPDATE tables SET turn = 9223372036854775807 WHERE id = 1",
    "a missing seat": "DELETE FROM seats WHERE table_id = 1 AND user_id = 2",
    "an unknown seat status": "UPDATE seats SET status = 'asleep' WHERE table_id = 1 AND user_id = 2",
    "a seat without a name": "UPDATE seats SET name = x'00ff' WHERE table_id = 1 AND user_id = 2",
    "an illegal action": """UPDATE actions SET tokens = '["b2", "b5"]' WHERE table_id = 1 AND number = 1""",
    "an unknown entry": "UPDATE actions SET kind = 'pass' WHERE table_id = 1 AND number = 1",
    "tokens that are no list": "UPDATE actions SET tokens = '5' WHERE table_id = 1 AND number = 1",
    "a gap in the log": "DELETE FROM actions WHERE table_id = 1 AND number = 1",
    "an entry of a seat that is not there": "UPDATE actions SET seat = 7 WHERE table_id = 1 AND number = 1",
}


@pytest.fixture
def again(store: Store, clock: Time) -> Again:
    """The core after a restart, with some parts replaced."""

    def restarted(**different: Any) -> Core:
        known = seeds()
        return Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known), **different)

    return restarted


async def played(core: Core, request: TableRequest = TIMED) -> int:
    """A running game with two actions."""
    snapshot = await started(core, request)
    for user in (ANN, BEN):
        snapshot = (await core.service(Play).act(snapshot.table.id, user, first_action(snapshot))).snapshot
    return snapshot.table.id


@pytest.mark.parametrize("fault", quick_first(6, FAULTS))
async def test_only_unreadable_tables_are_quarantined(fault: str, core: Core, store: Store, clock: Time, again: Again) -> None:
    broken, sound = await played(core), await played(core)
    hurt(store, FAULTS[fault])
    after = again()
    with pytest.raises(Quarantined, match="#1 is on hold"):
        await after.snapshot(broken)
    assert list(await after.service(Quarantine).tables(10)) == [broken]
    assert len(await after.service(Quarantine).tables()) == 1
    assert [table.id for table in await after.tables(guild_id=10)] == [sound]
    assert [summary.table.id async for summary in after.service(Lists).summaries(guild_id=10, seen_by=ANN.id)] == [sound]
    assert [job.kind for job in await jobs(after, broken)] == [JobKind.SET_ASIDE]
    for attempt in (
        after.service(Play).act(broken, ANN, "b2 b3"),
        after.service(Play).resign(broken, ANN),
        after.service(Consent).propose(broken, ANN, OfferKind.DRAW),
        after.service(Consent).propose(broken, BEN, OfferKind.UNDO),
        after.service(Play).nudge(broken, ANN),
        after.service(Proof).verify(broken),
    ):
        with pytest.raises(Quarantined):
            await attempt
    await after.service(Users).begin_vacation(ANN.id, 3)
    assert (await after.snapshot(sound)).away == ((ANN.id, clock() + 3 * DAY),)
    clock.pass_(5 * DAY)
    while await after.service(Timing).sweep():
        pass
    assert (await after.snapshot(sound)).table.status is Status.FINISHED
    assert await after.service(Timing).next_due() is None
    await after.service(Privacy).forget(ANN)
    assert (await after.snapshot(sound)).names[0] == "Former player"
    assert [job.kind for job in await jobs(after, broken)] == [JobKind.SET_ASIDE]


async def test_checking_all_tables_at_the_start_costs_the_same_for_many(core: Core, store: Store) -> None:
    costs = []
    for count in (1, 6):
        for _ in range(count):
            await played(core)
        before = store.statistics.statements
        await core.service(Quarantine).inspect()
        costs.append(store.statistics.statements - before)
    assert costs[0] == costs[1]
    assert len(await core.service(Quarantine).tables()) == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE seats SET name = CAST(x'ff' AS TEXT) WHERE table_id = 2 AND user_id = 1",
        "UPDATE tables SET rules = 77 WHERE id = 2",
        "UPDATE tables SET wanted = 9 WHERE id = 2",
        "UPDATE tables SET deadline = 9e999 WHERE id = 2",
        'UPDATE tables SET options = \'{"rated": "perhaps"}\' WHERE id = 2',
    ],
)
async def test_one_bad_table_among_many_is_found_at_the_start(core: Core, store: Store, again: Again, statement: str) -> None:
    for _ in range(4):
        await played(core)
    hurt(store, statement)
    after = again()
    await after.service(Quarantine).inspect()
    assert list(await after.service(Quarantine).tables()) == [2]


async def test_faults_visible_without_replaying_are_quarantined(core: Core, store: Store, again: Again) -> None:
    for _ in range(4):
        await played(core)
    waiting = (await core.service(Lobby).open(DEV, BOUNCERS)).table.id
    hurt(
        store,
        "UPDATE tables SET offers = 'null' WHERE id = 1",
        "UPDATE seats SET status = 'asleep' WHERE table_id = 2 AND user_id = 1",
        "UPDATE tables SET status = 'paused' WHERE id = 3",
        f"UPDATE tables SET variant = 'huge' WHERE id = {waiting}",
    )
    after = again()
    with structlog.testing.capture_logs() as logged:
        await after.service(Quarantine).inspect()
    assert sorted(await after.service(Quarantine).tables()) == [1, 2, 3, waiting]
    (told,) = (line for line in logged if line["event"].startswith("tables are set aside"))
    assert (told["count"], told["tables"]) == (4, [1, 2, 3, waiting])
    assert [table.id for table in await after.tables(guild_id=10)] == [4]


async def test_a_brief_loss_of_the_database_quarantines_nothing(core: Core, store: Store, again: Again) -> None:
    table_id = await played(core)
    after = again()
    hurt(store, "ALTER TABLE actions RENAME TO gone")
    with pytest.raises(OperationalError, match="no such table: actions"):
        await after.snapshot(table_id)
    hurt(store, "ALTER TABLE gone RENAME TO actions")
    assert (await after.snapshot(table_id)).playing.version == 2
    assert len(await after.service(Quarantine).tables()) == 0


class Failing(Trampoline):
    """A game whose rules fail, always or once."""

    times: ClassVar[int] = 0

    @override
    def withdraw(self, state: TrampolineState, seat: int) -> Any:
        if self.times:
            type(self).times -= 1
            raise KeyError(f"seat {seat}")
        return super().withdraw(state, seat)


JUMPING = TableRequest(guild_id=10, channel_id=20, game="trampoline", seats=3, clock=int(HOUR))


@pytest.mark.parametrize(("times", "is_quarantined"), [(1, False), (100, True)])
async def test_rules_failing_twice_alike_quarantine_a_table(core: Core, again: Again, times: int, is_quarantined: bool) -> None:
    table_id = (await started(core, JUMPING, BEN, CLEO)).table.id
    await core.service(Play).resign(table_id, CLEO)
    after = again(games={**GAMES, "trampoline": Failing()})
    Failing.times = times
    if is_quarantined:
        with pytest.raises(Quarantined):
            await after.snapshot(table_id)
        assert (await after.service(Quarantine).tables())[table_id] == "the rules fail: KeyError('seat 2')"
    else:
        assert (await after.snapshot(table_id)).playing.version == 1
    Failing.times = 0


async def test_only_its_people_know_a_quarantined_private_table(core: Core, store: Store, again: Again) -> None:
    table_id = await played(core, TableRequest(guild_id=10, channel_id=20, game="bouncers", private=True, opponents=[BEN]))
    hurt(store, "UPDATE tables SET offers = 'null'")
    with pytest.raises(Quarantined) as told:
        await again().snapshot(table_id, 10)
    assert [told.value.may_be_told(user.id) for user in (ANN, BEN, CLEO)] == [True, True, False]
    with pytest.raises(NoSuchTable):
        await again().snapshot(table_id, 11)


async def test_a_manager_closes_it_without_a_result(core: Core, store: Store, again: Again, clock: Time) -> None:
    playing, waiting = await played(core), (await core.service(Lobby).open(DEV, BOUNCERS)).table.id
    good = "bouncers"
    hurt(store, "UPDATE tables SET game = 'chess'")
    after = again()
    for table_id in (playing, waiting):
        with pytest.raises(NoSuchTable):
            await after.service(Moderation).close_whatever_is_wrong(table_id, 11, DEV)
        await after.service(Moderation).close_whatever_is_wrong(table_id, 10, DEV)
        with pytest.raises(WrongStage):
            await after.service(Moderation).close_whatever_is_wrong(table_id, 10, DEV)
        assert [(job.kind, job.key) for job in await jobs(after, table_id)] == [(JobKind.SET_ASIDE, "closed")]
    assert await after.service(Quarantine).tables() == {}
    hurt(store, f"UPDATE tables SET game = '{good}'")
    await after.service(Quarantine).inspect()
    ended = (await after.snapshot(playing)).table
    assert (ended.status, ended.rated, ended.deadline, ended.finished_at) == (Status.FINISHED, False, None, clock())
    assert ended.outcome is not None
    assert (ended.outcome.how, ended.outcome.winners) == (Ending.CLOSED, ())
    assert (await after.snapshot(waiting)).table.status is Status.CLOSED


async def test_a_readable_table_returns_with_its_full_time(core: Core, store: Store, again: Again, clock: Time) -> None:
    table_id = await played(core)
    turn = (await core.snapshot(table_id)).table.turn
    hurt(store, "UPDATE tables SET offers = 'null'")
    broken = again()
    await broken.service(Quarantine).inspect()
    assert await broken.service(Quarantine).release(table_id) is not None
    assert len(await broken.service(Quarantine).tables()) == 1
    assert await sweep_after(broken, clock, 30 * DAY) == ()
    hurt(store, "UPDATE tables SET offers = '{}'")
    mended = again()
    await mended.service(Quarantine).inspect()
    assert len(await mended.service(Quarantine).tables()) == 0
    snapshot = await mended.snapshot(table_id)
    assert (snapshot.table.deadline, snapshot.table.turn) == (clock() + DAY, turn + 1)
    assert JobKind.BOARD in [job.kind for job in await jobs(mended, table_id)]
    assert all(player.status is SeatStatus.JOINED for player in snapshot.players)


async def test_a_log_that_breaks_the_rules_does_not_come_back(core: Core, store: Store, again: Again) -> None:
    table_id = await played(core)
    hurt(store, FAULTS["an illegal action"])
    with pytest.raises(Quarantined):
        await again().snapshot(table_id)
    after = again()
    await after.service(Quarantine).inspect()
    assert "entry 1" in (await after.service(Quarantine).tables())[table_id]


async def test_an_unreadable_job_waits_until_it_can_be_read(core: Core, store: Store, again: Again, clock: Time) -> None:
    await played(core)
    await played(core)
    (board,) = (job.id for job in await jobs(core, 1) if job.kind is JobKind.BOARD)
    hurt(store, f"UPDATE outbox SET kind = 'song' WHERE id = {board}")
    due = await core.service(Outbox).due()
    assert board not in [job.id for job in due]
    for job in due:
        await core.service(Outbox).finish(job)
    moment = await core.service(Outbox).next_due()
    assert moment is not None
    assert moment > clock() + 10_000 * 365 * DAY
    hurt(store, f"UPDATE outbox SET kind = 'board' WHERE id = {board}")
    await again().service(Quarantine).inspect()
    assert [job.id for job in await core.service(Outbox).due()] == [board]
