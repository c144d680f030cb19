"""Servers that the bot is removed from: thirty days in which nothing happens and nothing is lost, and then nothing is kept."""

from bot.core.membership import GRACE
from bot.core.service import Sessions
from bot.core.table.errors import NoSuchTable
from storage.schema.records import Status
from tests.bot.service import ANN, BEN, BOUNCERS, DAY, HOUR, Time, jobs, owed, started

TIMED = BOUNCERS.__class__(guild_id=10, channel_id=20, game="bouncers", clock=86400)
ELSEWHERE = BOUNCERS.__class__(guild_id=11, channel_id=21, game="bouncers", clock=86400)


async def deadline(sessions: Sessions, table_id: int) -> float:
    found = (await sessions.snapshot(table_id)).table.deadline
    assert found is not None
    return found


async def test_while_the_bot_is_away_clocks_stand_still_and_nothing_is_sent(sessions: Sessions, clock: Time) -> None:
    table = (await started(sessions, TIMED)).table.id
    await sessions.membership.begin_grace(10)
    clock.pass_(20 * DAY)
    assert await sessions.outbox.due() == ()
    assert await sessions.outbox.due(table) == ()
    assert await sessions.outbox.next_due() is None
    assert await sessions.timing.sweep() == ()
    assert await sessions.timing.next_due() is None
    assert (await sessions.snapshot(table)).table.status is Status.PLAYING


async def test_other_servers_notice_nothing(sessions: Sessions, clock: Time) -> None:
    table = (await started(sessions, ELSEWHERE)).table.id
    await sessions.membership.begin_grace(10)
    assert {job.table_id for job in await sessions.outbox.due()} == {table}
    clock.pass_(2 * DAY)
    assert await sessions.timing.sweep() == (table,)


async def test_who_is_back_has_the_time_that_was_left(sessions: Sessions, clock: Time) -> None:
    playing = (await started(sessions, TIMED)).table.id
    waiting = (await sessions.lobby.open(ANN, BOUNCERS)).table.id
    clock.pass_(HOUR)
    left = [await deadline(sessions, table) - clock() for table in (playing, waiting)]
    await sessions.membership.begin_grace(10)
    clock.pass_(20 * DAY)
    assert await sessions.membership.end_grace(10)
    assert [await deadline(sessions, table) - clock() for table in (playing, waiting)] == left
    assert (playing, "refresh") in await owed(sessions), "the board tells the new deadline"
    assert await sessions.outbox.due() != ()
    assert not await sessions.membership.end_grace(10)
    await sessions.play.act(playing, ANN, "b2 b3")


async def test_being_removed_twice_does_not_begin_the_grace_anew(sessions: Sessions, clock: Time) -> None:
    await started(sessions, TIMED)
    await sessions.membership.begin_grace(10)
    began = clock()
    clock.pass_(DAY)
    await sessions.membership.begin_grace(10)
    assert await sessions.membership.next_due() == began + GRACE


async def test_after_thirty_days_nothing_is_known_of_the_server(sessions: Sessions, clock: Time) -> None:
    table = (await started(sessions, TIMED)).table.id
    other = (await started(sessions, ELSEWHERE)).table.id
    await sessions.users.change_server(10, most_tables=3)
    await sessions.membership.begin_grace(10)
    clock.pass_(GRACE - 1)
    assert await sessions.membership.forget_due() == ()
    clock.pass_(2)
    assert await sessions.membership.forget_due() == (10,)
    assert await sessions.membership.away() == ()
    assert await jobs(sessions, table) == []
    assert (await sessions.snapshot(other)).table.guild_id == 11
    try:
        await sessions.snapshot(table)
    except NoSuchTable:
        pass
    else:
        raise AssertionError("the table is still there")


async def test_settings_outlive_an_absence_and_a_change_of_them_does_not_end_it(sessions: Sessions) -> None:
    await sessions.users.change_server(10, most_tables=3)
    await sessions.membership.begin_grace(10)
    assert (await sessions.users.server(10)).most_tables == 3
    await sessions.users.change_server(10, most_tables=4)
    assert await sessions.membership.away() == (10,)
    await sessions.membership.end_grace(10)
    assert (await sessions.users.server(10)).most_tables == 4


async def test_what_is_not_in_the_list_at_the_start_was_left_and_only_by_who_would_be_told(
    sessions: Sessions, clock: Time
) -> None:
    await started(sessions, TIMED)
    await started(sessions, ELSEWHERE)
    await sessions.users.change_server(12, most_tables=3)
    gone = await sessions.membership.reconcile(lambda guild: guild != 12, lambda guild: guild == 10)
    assert gone == (11,)
    assert await sessions.membership.away() == (11,)
    clock.pass_(DAY)
    assert await sessions.membership.reconcile(lambda _: True, lambda guild: guild == 10) == (12,), "11 was known"


async def test_a_seat_taken_before_is_still_taken_after(sessions: Sessions) -> None:
    table = (await sessions.lobby.open(ANN, BOUNCERS)).table.id
    await sessions.membership.begin_grace(10)
    await sessions.membership.end_grace(10)
    assert (await sessions.lobby.join(table, BEN)).table.status is Status.PLAYING
