"""The period of grace: the first missed deadline of a game of two gives more time, the next one loses."""

import asyncio
from dataclasses import replace

import pytest

from bot.core.clocks.membership import Membership
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import WrongStage
from bot.core.table.snapshot import Snapshot
from bot.features.lobby.service import Rematches
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from engines.game import Action
from storage.schema.records import Grace, OfferKind, Status, Table
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, PEOPLE, Time, first_action, jobs, started

ONE_DAY = replace(BOUNCERS, clock=int(DAY))
CLOCKS = {HOUR: HOUR, 8 * HOUR: 8 * HOUR, DAY: DAY, 3 * DAY: DAY, 7 * DAY: DAY}
"""How long the period of grace lasts with each clock, in seconds."""


async def at(core: Core, snapshot: Snapshot) -> Table:
    return (await core.snapshot(snapshot.table.id)).table


async def acts(core: Core, snapshot: Snapshot, action: Action | None = None) -> Snapshot:
    """Have whoever is awaited act."""
    now = await core.snapshot(snapshot.table.id)
    user = PEOPLE[now.awaited[0].user_id]
    return (await core.service(Play).act(now.table.id, user, action or first_action(now))).snapshot


async def told(core: Core) -> list[tuple[str, int]]:
    """The reminders that wait to be delivered: which, and to whom."""
    return [(job.payload["which"], job.payload["user"]) for job in await jobs(core) if job.kind == "reminder"]


@pytest.mark.parametrize("seconds", CLOCKS)
async def test_the_first_missed_deadline_gives_as_long_as_the_clock_and_at_most_a_day(
    core: Core, clock: Time, seconds: float
) -> None:
    snapshot = await started(core, replace(BOUNCERS, clock=int(seconds)))
    clock.pass_(seconds + WAITS)
    await core.service(Timing).sweep()
    table = await at(core, snapshot)
    assert (table.status, table.grace) == (Status.PLAYING, Grace.RUNNING)
    assert table.deadline == clock.now + CLOCKS[seconds]
    clock.pass_(CLOCKS[seconds] - 1)
    await core.service(Timing).sweep()
    assert (await at(core, snapshot)).status is Status.PLAYING
    clock.pass_(1 + WAITS)
    await core.service(Timing).sweep()
    over = await core.snapshot(snapshot.table.id)
    assert (over.table.status, over.table.grace) == (Status.FINISHED, Grace.USED)
    outcome = over.outcome()
    assert outcome is not None
    assert outcome.winners == (1,)


@pytest.mark.parametrize("late", ["the same", "the other"])
async def test_once_a_game_whoever_misses_the_next_deadline_has_lost(core: Core, clock: Time, late: str) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    await acts(core, snapshot)
    table = await at(core, snapshot)
    assert (table.grace, table.deadline) == (Grace.USED, clock.now + DAY), "the other has the whole time, as always"
    if late == "the same":
        await acts(core, snapshot)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    outcome = (await core.snapshot(snapshot.table.id)).outcome()
    assert outcome is not None
    assert outcome.winners == ((1,) if late == "the same" else (0,))


async def test_at_a_strict_table_the_first_missed_deadline_loses_and_so_at_its_rematch(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(ONE_DAY, strict=True))
    clock.pass_(DAY + WAITS)
    with pytest.raises(WrongStage, match="out of time"):
        await acts(core, snapshot)
    await core.service(Timing).sweep()
    assert (await at(core, snapshot)).status is Status.FINISHED
    assert (await core.service(Rematches).open(snapshot.table.id, ANN)).table.grace is Grace.STRICT


async def test_a_rematch_has_the_grace_again_that_was_used_up(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    for _ in range(2):
        clock.pass_(DAY + WAITS)
        await core.service(Timing).sweep()
    assert (await core.service(Rematches).open(snapshot.table.id, ANN)).table.grace is Grace.LEFT


@pytest.mark.parametrize("first", ["move", "sweep"])
async def test_a_move_just_after_the_deadline_is_taken_in_whatever_order_and_uses_the_grace(
    core: Core, clock: Time, first: str
) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    move = core.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    await asyncio.gather(*((move, core.service(Timing).sweep()) if first == "move" else (core.service(Timing).sweep(), move)))
    table = await at(core, snapshot)
    assert (table.version, table.status, table.grace) == (1, Status.PLAYING, Grace.USED)
    assert table.deadline == clock.now + DAY


async def test_a_move_in_time_uses_nothing(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY - 1)
    await acts(core, snapshot)
    assert (await at(core, snapshot)).grace is Grace.LEFT


async def test_whoever_is_awaited_is_told_when_it_begins_and_once_more_before_it_ends(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(BOUNCERS, clock=int(3 * DAY)))
    clock.pass_(3 * DAY + WAITS)
    begin = clock.now
    await core.service(Timing).sweep()
    assert await told(core) == [("grace", ANN.id)]
    assert (await at(core, snapshot)).notice_at == pytest.approx(begin + 0.9 * DAY)
    clock.pass_(0.9 * DAY + 1)
    await core.service(Timing).sweep()
    assert await told(core) == [("grace", ANN.id), ("late", ANN.id)]
    assert await core.service(Timing).next_due() == begin + DAY + WAITS
    assert "refresh" in [job.kind for job in await jobs(core)], "the board shows it"


async def test_whoever_wants_no_reminders_at_all_gets_none(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, remind_half=False, remind_late=False)
    await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    assert await told(core) == []


async def test_among_several_the_bot_plays_for_the_absent_and_the_last_two_have_the_grace(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(ONE_DAY, game="trampoline", seats=4), BEN, CLEO, DEV)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    table = await at(core, snapshot)
    assert (table.version > 0, table.grace) == (True, Grace.LEFT)
    for user in (CLEO, DEV):
        await core.service(Play).resign(snapshot.table.id, user)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    table = await at(core, snapshot)
    assert (table.status, table.grace) == (Status.PLAYING, Grace.RUNNING)


async def test_a_vacation_moves_the_grace_and_so_does_an_absence_from_the_server(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    ends = clock.now + DAY
    await core.service(Users).begin_vacation(ANN.id, 3)
    assert (await at(core, snapshot)).deadline == ends + 3 * DAY
    await core.service(Membership).begin_grace(10)
    clock.pass_(2 * DAY)
    await core.service(Membership).end_grace(10)
    assert (await at(core, snapshot)).deadline == ends + 5 * DAY
    assert (await at(core, snapshot)).grace is Grace.RUNNING


async def test_a_substitute_has_the_whole_time_after_which_it_is_used(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, CLEO))
    after = (await core.service(Consent).agree(snapshot.table.id, CLEO, OfferKind.SUBSTITUTE)).snapshot.table
    assert (after.grace, after.deadline) == (Grace.USED, clock.now + DAY)


async def test_a_game_that_ends_in_its_grace_has_used_it(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    await core.service(Play).resign(snapshot.table.id, ANN)
    assert (await at(core, snapshot)).grace is Grace.USED


async def test_however_often_the_bot_looks_at_the_same_moment_the_grace_is_given_once(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    await asyncio.gather(*(core.service(Timing).sweep() for _ in range(3)))
    table = await at(core, snapshot)
    assert (table.status, table.grace, table.deadline) == (Status.PLAYING, Grace.RUNNING, clock.now + DAY)
    assert [which for which, _ in await told(core)].count("grace") == 1


async def test_an_offer_of_a_draw_and_a_nudge_leave_the_grace_as_it_is(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await acts(core, snapshot)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    before = await at(core, snapshot)
    await core.service(Consent).propose(before.id, BEN, OfferKind.DRAW)
    clock.pass_(13 * HOUR)
    await core.service(Play).nudge(before.id, ANN)
    await core.service(Consent).propose(before.id, ANN, OfferKind.DRAW)
    over = await at(core, snapshot)
    assert (over.status, over.grace) == (Status.FINISHED, Grace.USED)
    assert before.deadline is not None
    assert before.deadline > clock.now
