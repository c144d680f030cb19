"""Tables that cannot be read are put in quarantine, and spoil nothing for others."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
import structlog
from sqlalchemy.exc import OperationalError
from typing_extensions import override

from bot.core.service import Sessions
from bot.core.table.errors import NoSuchTable, Quarantined, WrongStage
from bot.core.table.request import TableRequest
from engines import GAMES
from engines.trampoline import Trampoline
from engines.trampoline.game import TrampolineState
from storage.schema.records import Ending, JobKind, SeatStatus, Status
from storage.store import Store
from tests.bot.damage import damage
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, Time, first_action, jobs, seeds, started
from tests.marks import quick_first

TIMED = TableRequest(guild_id=10, channel_id=20, game="bouncers", clock=int(DAY), strict=True)

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
def again(store: Store, clock: Time) -> Callable[..., Sessions]:
    """The service after a restart, with whatever of it is to be different."""

    def restarted(**different: Any) -> Sessions:
        known = seeds()
        return Sessions(store, now=clock, entropy=lambda _: next(known), **different)

    return restarted


async def played(sessions: Sessions, request: TableRequest = TIMED) -> int:
    """A running game with two actions."""
    snapshot = await started(sessions, request)
    for user in (ANN, BEN):
        snapshot = (await sessions.play.act(snapshot.table.id, user, first_action(snapshot))).snapshot
    return snapshot.table.id


def hurt(store: Store, *statements: str) -> None:
    assert store.address.path is not None
    damage(store.address.path, *statements)


@pytest.mark.parametrize("fault", quick_first(6, FAULTS))
async def test_a_table_that_cannot_be_read_is_quarantined_and_the_others_go_on(
    fault: str, sessions: Sessions, store: Store, clock: Time, again: Callable[..., Sessions]
) -> None:
    broken, sound = await played(sessions), await played(sessions)
    hurt(store, FAULTS[fault])
    after = again()
    with pytest.raises(Quarantined, match="#1 is on hold"):
        await after.snapshot(broken)
    assert list(await after.quarantine.tables(10)) == [broken]
    assert await after.count_quarantined() == 1
    assert [table.id for table in await after.tables(guild_id=10)] == [sound]
    assert [summary.table.id async for summary in after.lists.summaries(guild_id=10, seen_by=ANN.id)] == [sound]
    assert [job.kind for job in await jobs(after, broken)] == [JobKind.SET_ASIDE]
    for attempt in (
        after.play.act(broken, ANN, "b2 b3"), after.play.resign(broken, ANN), after.play.draw(broken, ANN),
        after.consent.undo(broken, BEN), after.proof.verify(broken), after.consent.nudge(broken, ANN),
    ):  # fmt: skip
        with pytest.raises(Quarantined):
            await attempt
    await after.users.begin_vacation(ANN.id, 3)
    assert (await after.snapshot(sound)).away == ((ANN.id, clock() + 3 * DAY),)
    clock.pass_(5 * DAY)
    while await after.timing.sweep():
        pass
    assert (await after.snapshot(sound)).table.status is Status.FINISHED
    assert await after.timing.next_due() is None
    await after.users.forget(ANN)
    assert (await after.snapshot(sound)).names[0] == "Former player"
    assert [job.kind for job in await jobs(after, broken)] == [JobKind.SET_ASIDE]


async def test_looking_through_all_tables_at_the_start_costs_no_more_for_many_than_for_few(
    sessions: Sessions, store: Store
) -> None:
    costs = []
    for count in (1, 6):
        for _ in range(count):
            await played(sessions)
        before = store.statistics.statements
        await sessions.quarantine.inspect()
        costs.append(store.statistics.statements - before)
    assert costs[0] == costs[1]
    assert await sessions.count_quarantined() == 0


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
async def test_what_is_wrong_with_one_table_among_many_is_found_at_the_start(
    sessions: Sessions, store: Store, again: Callable[..., Sessions], statement: str
) -> None:
    for _ in range(4):
        await played(sessions)
    hurt(store, statement)
    after = again()
    await after.quarantine.inspect()
    assert list(await after.quarantine.tables()) == [2]


async def test_what_shows_without_playing_is_quarantined_at_the_start(
    sessions: Sessions, store: Store, again: Callable[..., Sessions]
) -> None:
    for _ in range(4):
        await played(sessions)
    waiting = (await sessions.lobby.open(DEV, BOUNCERS)).table.id
    hurt(
        store,
        "UPDATE tables SET offers = 'null' WHERE id = 1",
        "UPDATE seats SET status = 'asleep' WHERE table_id = 2 AND user_id = 1",
        "UPDATE tables SET status = 'paused' WHERE id = 3",
        f"UPDATE tables SET variant = 'huge' WHERE id = {waiting}",
    )
    after = again()
    with structlog.testing.capture_logs() as logged:
        await after.quarantine.inspect()
    assert sorted(await after.quarantine.tables()) == [1, 2, 3, waiting]
    (told,) = (line for line in logged if line["event"].startswith("tables are set aside"))
    assert (told["count"], told["tables"]) == (4, [1, 2, 3, waiting])
    assert [table.id for table in await after.tables(guild_id=10)] == [4]


async def test_a_database_that_is_gone_for_a_moment_puts_nothing_in_quarantine(
    sessions: Sessions, store: Store, again: Callable[..., Sessions]
) -> None:
    table_id = await played(sessions)
    after = again()
    hurt(store, "ALTER TABLE actions RENAME TO gone")
    with pytest.raises(OperationalError, match="no such table: actions"):
        await after.snapshot(table_id)
    hurt(store, "ALTER TABLE gone RENAME TO actions")
    assert (await after.snapshot(table_id)).playing.version == 2
    assert await after.count_quarantined() == 0


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
async def test_rules_that_fail_in_the_same_way_twice_put_a_table_in_quarantine(
    sessions: Sessions, again: Callable[..., Sessions], times: int, is_quarantined: bool
) -> None:
    table_id = (await started(sessions, JUMPING, BEN, CLEO)).table.id
    await sessions.play.resign(table_id, CLEO)
    after = again(games={**GAMES, "trampoline": Failing()})
    Failing.times = times
    if is_quarantined:
        with pytest.raises(Quarantined):
            await after.snapshot(table_id)
        assert (await after.quarantine.tables())[table_id] == "the rules fail: KeyError('seat 2')"
    else:
        assert (await after.snapshot(table_id)).playing.version == 1
    Failing.times = 0


# --- privacy ------------------------------------------------------------------------------------------------------------


async def test_a_private_table_in_quarantine_is_known_to_its_people_alone(
    sessions: Sessions, store: Store, again: Callable[..., Sessions]
) -> None:
    table_id = await played(sessions, TableRequest(guild_id=10, channel_id=20, game="bouncers", private=True, opponents=[BEN]))
    hurt(store, "UPDATE tables SET offers = 'null'")
    with pytest.raises(Quarantined) as told:
        await again().snapshot(table_id, 10)
    assert [told.value.may_be_told(user.id) for user in (ANN, BEN, CLEO)] == [True, True, False]
    with pytest.raises(NoSuchTable):
        await again().snapshot(table_id, 11)


# --- closing, and coming back ---------------------------------------------------------------------------------------------


async def test_a_manager_closes_it_without_a_result(
    sessions: Sessions, store: Store, again: Callable[..., Sessions], clock: Time
) -> None:
    playing, waiting = await played(sessions), (await sessions.lobby.open(DEV, BOUNCERS)).table.id
    good = "bouncers"
    hurt(store, "UPDATE tables SET game = 'chess'")
    after = again()
    for table_id in (playing, waiting):
        with pytest.raises(NoSuchTable):
            await after.moderation.close_whatever_is_wrong(table_id, 11, DEV)
        await after.moderation.close_whatever_is_wrong(table_id, 10, DEV)
        with pytest.raises(WrongStage):
            await after.moderation.close_whatever_is_wrong(table_id, 10, DEV)
        assert [(job.kind, job.key) for job in await jobs(after, table_id)] == [(JobKind.SET_ASIDE, "closed")]
    assert await after.quarantine.tables() == {}
    hurt(store, f"UPDATE tables SET game = '{good}'")
    await after.quarantine.inspect()
    ended = (await after.snapshot(playing)).table
    assert (ended.status, ended.rated, ended.deadline, ended.finished_at) == (Status.FINISHED, False, None, clock())
    assert ended.outcome is not None
    assert (ended.outcome.how, ended.outcome.winners) == (Ending.CLOSED, ())
    assert (await after.snapshot(waiting)).table.status is Status.CLOSED


async def test_a_table_that_reads_again_comes_back_with_all_of_its_time(
    sessions: Sessions, store: Store, again: Callable[..., Sessions], clock: Time
) -> None:
    table_id = await played(sessions)
    turn = (await sessions.snapshot(table_id)).table.turn
    hurt(store, "UPDATE tables SET offers = 'null'")
    broken = again()
    await broken.quarantine.inspect()
    assert await broken.quarantine.release(table_id) is not None
    assert await broken.count_quarantined() == 1
    clock.pass_(30 * DAY)
    assert await broken.timing.sweep() == ()
    hurt(store, "UPDATE tables SET offers = '{}'")
    mended = again()
    await mended.quarantine.inspect()
    assert await mended.count_quarantined() == 0
    snapshot = await mended.snapshot(table_id)
    assert (snapshot.table.deadline, snapshot.table.turn) == (clock() + DAY, turn + 1)
    assert JobKind.BOARD in [job.kind for job in await jobs(mended, table_id)]
    assert all(player.status is SeatStatus.JOINED for player in snapshot.players)


async def test_a_log_that_breaks_the_rules_does_not_come_back(
    sessions: Sessions, store: Store, again: Callable[..., Sessions]
) -> None:
    table_id = await played(sessions)
    hurt(store, FAULTS["an illegal action"])
    with pytest.raises(Quarantined):
        await again().snapshot(table_id)
    after = again()
    await after.quarantine.inspect()
    assert "entry 1" in (await after.quarantine.tables())[table_id]


# --- jobs and settings ----------------------------------------------------------------------------------------------------


async def test_a_job_that_cannot_be_read_is_put_off_for_ever_until_it_can(
    sessions: Sessions, store: Store, again: Callable[..., Sessions], clock: Time
) -> None:
    await played(sessions)
    await played(sessions)
    (board,) = (job.id for job in await jobs(sessions, 1) if job.kind is JobKind.BOARD)
    hurt(store, f"UPDATE outbox SET kind = 'song' WHERE id = {board}")
    due = await sessions.outbox.due()
    assert board not in [job.id for job in due]
    for job in due:
        await sessions.outbox.finish(job)
    moment = await sessions.outbox.next_due()
    assert moment is not None
    assert moment > clock() + 10_000 * 365 * DAY
    hurt(store, f"UPDATE outbox SET kind = 'board' WHERE id = {board}")
    await again().quarantine.inspect()
    assert [job.id for job in await sessions.outbox.due()] == [board]
