"""The grace period: in a game of two, the first missed deadline gives more time and the next one loses."""

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
from storage.schema.records import Grace, OfferKind, Status
from tests.bot.core.steps import sweep_after, table_of, winners
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, PEOPLE, Time, first_action, jobs, started

ONE_DAY = replace(BOUNCERS, clock=int(DAY))
CLOCKS = {HOUR: HOUR, 8 * HOUR: 8 * HOUR, DAY: DAY, 3 * DAY: DAY, 7 * DAY: DAY}
"""Seconds of grace for each clock."""


async def acts(core: Core, snapshot: Snapshot, action: Action | None = None) -> Snapshot:
    """The awaited player acts."""
    now = await core.snapshot(snapshot.table.id)
    user = PEOPLE[now.awaited[0].user_id]
    return (await core.service(Play).act(now.table.id, user, action or first_action(now))).snapshot


async def told(core: Core) -> list[tuple[str, int]]:
    """The pending reminders: which one, and for whom."""
    return [(job.payload["which"], job.payload["user"]) for job in await jobs(core) if job.kind == "reminder"]


@pytest.mark.parametrize("seconds", CLOCKS)
async def test_the_first_missed_deadline_gives_the_clock_or_at_most_a_day(core: Core, clock: Time, seconds: float) -> None:
    snapshot = await started(core, replace(BOUNCERS, clock=int(seconds)))
    await sweep_after(core, clock, seconds + WAITS)
    table = await table_of(core, snapshot)
    assert (table.status, table.grace) == (Status.PLAYING, Grace.RUNNING)
    assert table.deadline == clock.now + CLOCKS[seconds]
    await sweep_after(core, clock, CLOCKS[seconds] - 1)
    assert (await table_of(core, snapshot)).status is Status.PLAYING
    await sweep_after(core, clock, 1 + WAITS)
    over = await core.snapshot(snapshot.table.id)
    assert (over.table.status, over.table.grace) == (Status.FINISHED, Grace.USED)
    assert winners(over) == (1,)


@pytest.mark.parametrize("late", ["the same", "the other"])
async def test_grace_is_given_once_a_game_and_the_next_missed_deadline_loses(core: Core, clock: Time, late: str) -> None:
    snapshot = await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    await acts(core, snapshot)
    table = await table_of(core, snapshot)
    assert (table.grace, table.deadline) == (Grace.USED, clock.now + DAY), "the other has the whole time, as always"
    if late == "the same":
        await acts(core, snapshot)
    await sweep_after(core, clock, DAY + WAITS)
    assert winners(await core.snapshot(snapshot.table.id)) == ((1,) if late == "the same" else (0,))


async def test_at_a_strict_table_and_its_rematch_the_first_missed_deadline_loses(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(ONE_DAY, strict=True))
    clock.pass_(DAY + WAITS)
    with pytest.raises(WrongStage, match="out of time"):
        await acts(core, snapshot)
    await core.service(Timing).sweep()
    assert (await table_of(core, snapshot)).status is Status.FINISHED
    assert (await core.service(Rematches).open(snapshot.table.id, ANN)).table.grace is Grace.STRICT


async def test_a_rematch_has_its_own_grace(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    for _ in range(2):
        await sweep_after(core, clock, DAY + WAITS)
    assert (await core.service(Rematches).open(snapshot.table.id, ANN)).table.grace is Grace.LEFT


@pytest.mark.parametrize("first", ["move", "sweep"])
async def test_a_move_just_after_the_deadline_counts_and_uses_the_grace(core: Core, clock: Time, first: str) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    move = core.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    await asyncio.gather(*((move, core.service(Timing).sweep()) if first == "move" else (core.service(Timing).sweep(), move)))
    table = await table_of(core, snapshot)
    assert (table.version, table.status, table.grace) == (1, Status.PLAYING, Grace.USED)
    assert table.deadline == clock.now + DAY


async def test_a_move_in_time_uses_nothing(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY - 1)
    await acts(core, snapshot)
    assert (await table_of(core, snapshot)).grace is Grace.LEFT


async def test_awaited_players_are_told_when_it_begins_and_before_it_ends(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(BOUNCERS, clock=int(3 * DAY)))
    clock.pass_(3 * DAY + WAITS)
    begin = clock.now
    await core.service(Timing).sweep()
    assert await told(core) == [("grace", ANN.id)]
    assert (await table_of(core, snapshot)).notice_at == pytest.approx(begin + 0.9 * DAY)
    await sweep_after(core, clock, 0.9 * DAY + 1)
    assert await told(core) == [("grace", ANN.id), ("late", ANN.id)]
    assert await core.service(Timing).next_due() == begin + DAY + WAITS
    assert "refresh" in [job.kind for job in await jobs(core)], "the board shows it"


async def test_nobody_is_reminded_who_wants_no_reminders(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, remind_half=False, remind_late=False)
    await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    assert await told(core) == []


async def test_among_several_the_bot_plays_for_absent_players_and_the_last_two_have_grace(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(ONE_DAY, game="trampoline", seats=4), BEN, CLEO, DEV)
    await sweep_after(core, clock, DAY + WAITS)
    table = await table_of(core, snapshot)
    assert (table.version > 0, table.grace) == (True, Grace.LEFT)
    for user in (CLEO, DEV):
        await core.service(Play).resign(snapshot.table.id, user)
    await sweep_after(core, clock, DAY + WAITS)
    table = await table_of(core, snapshot)
    assert (table.status, table.grace) == (Status.PLAYING, Grace.RUNNING)


async def test_a_vacation_moves_the_grace_and_so_does_an_absence_from_the_server(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    ends = clock.now + DAY
    await core.service(Users).begin_vacation(ANN.id, 3)
    assert (await table_of(core, snapshot)).deadline == ends + 3 * DAY
    await core.service(Membership).begin_grace(10)
    clock.pass_(2 * DAY)
    await core.service(Membership).end_grace(10)
    assert (await table_of(core, snapshot)).deadline == ends + 5 * DAY
    assert (await table_of(core, snapshot)).grace is Grace.RUNNING


async def test_a_substitute_gets_the_full_time_and_uses_up_the_grace(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, CLEO))
    after = (await core.service(Consent).agree(snapshot.table.id, CLEO, OfferKind.SUBSTITUTE)).snapshot.table
    assert (after.grace, after.deadline) == (Grace.USED, clock.now + DAY)


async def test_a_game_that_ends_in_its_grace_has_used_it(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    await core.service(Play).resign(snapshot.table.id, ANN)
    assert (await table_of(core, snapshot)).grace is Grace.USED


async def test_simultaneous_sweeps_give_grace_once(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    await asyncio.gather(*(core.service(Timing).sweep() for _ in range(3)))
    table = await table_of(core, snapshot)
    assert (table.status, table.grace, table.deadline) == (Status.PLAYING, Grace.RUNNING, clock.now + DAY)
    assert [which for which, _ in await told(core)].count("grace") == 1


async def test_an_offer_of_a_draw_and_a_nudge_leave_the_grace_as_it_is(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await acts(core, snapshot)
    await sweep_after(core, clock, DAY + WAITS)
    before = await table_of(core, snapshot)
    await core.service(Consent).propose(before.id, BEN, OfferKind.DRAW)
    clock.pass_(13 * HOUR)
    await core.service(Play).nudge(before.id, ANN)
    await core.service(Consent).propose(before.id, ANN, OfferKind.DRAW)
    over = await table_of(core, snapshot)
    assert (over.status, over.grace) == (Status.FINISHED, Grace.USED)
    assert before.deadline is not None
    assert before.deadline > clock.now
