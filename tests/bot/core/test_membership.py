"""Servers that remove the bot: for thirty days nothing happens and nothing is lost, then everything is deleted."""

from bot.core.clocks.membership import GRACE, Membership
from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import NoSuchTable
from storage.schema.records import Status
from tests.bot.core.steps import sweep_after
from tests.bot.service import ANN, BEN, BOUNCERS, DAY, HOUR, Time, jobs, owed, started

TIMED = BOUNCERS.__class__(guild_id=10, channel_id=20, game="bouncers", clock=86400)
ELSEWHERE = BOUNCERS.__class__(guild_id=11, channel_id=21, game="bouncers", clock=86400)


async def deadline(core: Core, table_id: int) -> float:
    found = (await core.snapshot(table_id)).table.deadline
    assert found is not None
    return found


async def test_while_the_bot_is_away_clocks_stand_still_and_nothing_is_sent(core: Core, clock: Time) -> None:
    table = (await started(core, TIMED)).table.id
    await core.service(Membership).begin_grace(10)
    clock.pass_(20 * DAY)
    assert await core.service(Outbox).due() == ()
    assert await core.service(Outbox).due(table) == ()
    assert await core.service(Outbox).next_due() is None
    assert await core.service(Timing).sweep() == ()
    assert await core.service(Timing).next_due() is None
    assert (await core.snapshot(table)).table.status is Status.PLAYING


async def test_other_servers_notice_nothing(core: Core, clock: Time) -> None:
    table = (await started(core, ELSEWHERE)).table.id
    await core.service(Membership).begin_grace(10)
    assert {job.table_id for job in await core.service(Outbox).due()} == {table}
    assert await sweep_after(core, clock, 2 * DAY) == (table,)


async def test_a_server_that_returns_has_the_time_that_was_left(core: Core, clock: Time) -> None:
    playing = (await started(core, TIMED)).table.id
    waiting = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    clock.pass_(HOUR)
    left = [await deadline(core, table) - clock() for table in (playing, waiting)]
    await core.service(Membership).begin_grace(10)
    clock.pass_(20 * DAY)
    assert await core.service(Membership).end_grace(10)
    assert [await deadline(core, table) - clock() for table in (playing, waiting)] == left
    assert (playing, "refresh") in await owed(core), "the board tells the new deadline"
    assert await core.service(Outbox).due() != ()
    assert not await core.service(Membership).end_grace(10)
    await core.service(Play).act(playing, ANN, "b2 b3")


async def test_being_removed_twice_does_not_begin_the_grace_anew(core: Core, clock: Time) -> None:
    await started(core, TIMED)
    await core.service(Membership).begin_grace(10)
    began = clock()
    clock.pass_(DAY)
    await core.service(Membership).begin_grace(10)
    assert await core.service(Membership).next_due() == began + GRACE


async def test_after_thirty_days_nothing_is_known_of_the_server(core: Core, clock: Time) -> None:
    table = (await started(core, TIMED)).table.id
    other = (await started(core, ELSEWHERE)).table.id
    await core.service(Users).change_server(10, most_tables=3)
    await core.service(Membership).begin_grace(10)
    clock.pass_(GRACE - 1)
    assert await core.service(Membership).forget_due() == ()
    clock.pass_(2)
    assert await core.service(Membership).forget_due() == (10,)
    assert await core.service(Membership).away() == ()
    assert await jobs(core, table) == []
    assert (await core.snapshot(other)).table.guild_id == 11
    try:
        await core.snapshot(table)
    except NoSuchTable:
        pass
    else:
        raise AssertionError("the table is still there")


async def test_settings_outlive_an_absence_and_a_change_of_them_does_not_end_it(core: Core) -> None:
    await core.service(Users).change_server(10, most_tables=3)
    await core.service(Membership).begin_grace(10)
    assert (await core.service(Users).server(10)).most_tables == 3
    await core.service(Users).change_server(10, most_tables=4)
    assert await core.service(Membership).away() == (10,)
    await core.service(Membership).end_grace(10)
    assert (await core.service(Users).server(10)).most_tables == 4


async def test_servers_missing_at_the_start_were_left_as_far_as_this_process_is_told(core: Core, clock: Time) -> None:
    await started(core, TIMED)
    await started(core, ELSEWHERE)
    await core.service(Users).change_server(12, most_tables=3)
    gone = await core.service(Membership).reconcile(lambda guild: guild != 12, lambda guild: guild == 10)
    assert gone == (11,)
    assert await core.service(Membership).away() == (11,)
    clock.pass_(DAY)
    assert await core.service(Membership).reconcile(lambda _: True, lambda guild: guild == 10) == (12,), "11 was known"


async def test_a_seat_taken_before_is_still_taken_after(core: Core) -> None:
    table = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    await core.service(Membership).begin_grace(10)
    await core.service(Membership).end_grace(10)
    assert (await core.service(Lobby).join(table, BEN)).table.status is Status.PLAYING
