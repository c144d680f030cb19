"""What people and servers choose, whom the bot may message directly, and what is deleted when either of them leaves."""

from dataclasses import replace

import pytest

from bot.core.clocks.membership import GRACE, Membership
from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.direct import CLOSED_FOR, FIRST_IN_A_MINUTE, OF_A_SERVER, Closed, Direct
from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import BadAction, NoSuchTable, Refused
from bot.core.table.settings import PersonSettings
from bot.core.table.snapshot import User
from bot.features.privacy.service import EDITS_APART, Privacy
from bot.parts import PARTS
from storage import queries
from storage.schema.records import JobKind, Status
from storage.store import Store
from tests.bot.core.steps import hurt, sweep_after
from tests.bot.service import ANN, BEN, BOUNCERS, DAY, HOUR, Time, jobs, owed, started


async def test_settings_that_make_no_sense_are_refused(core: Core) -> None:
    with pytest.raises(Refused):
        await core.service(Users).change(ANN.id, quiet_from=1440)
    with pytest.raises(Refused):
        await core.service(Users).change_server(10, most_tables=0)
    assert await core.service(Users).settings(ANN.id) == PersonSettings()
    assert not issubclass(BadAction, Refused)


async def test_a_forgotten_person_leaves_a_placeholder_in_finished_games(core: Core) -> None:
    finished = (await started(core)).table.id
    await core.service(Play).act(finished, ANN, "b2 b3")
    await core.service(Play).resign(finished, BEN)
    playing = (await started(core)).table.id
    waiting = (await core.service(Lobby).open(BEN, BOUNCERS)).table.id
    await core.service(Users).change(BEN.id, remind_half=False)
    touched = await core.service(Privacy).forget(BEN)
    assert set(touched) == {playing, waiting}
    assert (await core.snapshot(playing)).table.status is Status.FINISHED
    assert (await core.snapshot(waiting)).table.status is Status.CLOSED
    for table_id in (finished, playing):
        snapshot = await core.snapshot(table_id)
        assert snapshot.names == ("Ann", "Former player")
        assert snapshot.person(BEN.id) is None
    assert (await core.service(Users).settings(BEN.id)).remind_half
    async with core.store.read() as reader:
        for table_id in (finished, playing, waiting):
            assert all(entry.user_id != BEN.id for entry in await queries.entries.of_table(reader, table_id))
            table = await queries.tables.get(reader, table_id)
            assert table is not None
            assert table.opened_by != BEN.id


async def test_redrawing_many_messages_keeps_no_board_waiting(core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.privacy.service.EDITED_NOW", 2)
    games = []
    for _ in range(4):
        games.append((await started(core)).table.id)
        await core.service(Play).resign(games[-1], BEN)
    for job in await jobs(core):
        await core.service(Outbox).finish(job)
    await core.service(Privacy).forget(BEN)
    owed = {(job.table_id, job.kind): job.due - clock.now for job in await jobs(core) if job.table_id in games}
    now = {games[3]: 0.0, games[2]: 0.0, games[1]: 0.0, games[0]: EDITS_APART}
    assert owed == {(table_id, kind): due for table_id, due in now.items() for kind in (JobKind.LOBBY, JobKind.REFRESH)}


async def test_a_player_of_a_finished_game_can_be_forgotten_twice_over(core: Core) -> None:
    table_id = (await started(core)).table.id
    await core.service(Play).resign(table_id, BEN)
    await core.service(Privacy).forget(ANN)
    await core.service(Privacy).forget(BEN)
    snapshot = await core.snapshot(table_id)
    assert snapshot.names == ("Former player", "Former player")
    assert len({p.user_id for p in snapshot.players}) == 2


async def test_an_invalid_setting_spoils_no_other_and_can_be_changed(core: Core, store: Store) -> None:
    await core.service(Users).change(ANN.id, high_contrast=True, zone="Europe/Berlin")
    await core.service(Users).change_server(10, most_tables=3)
    hurt(
        store,
        """UPDATE people SET settings = '{"high_contrast": true, "quiet_from": 5000, "zone": "Moon/Crater"}'""",
        """UPDATE servers SET settings = '{"most_tables": 3, "clock": -60}'""",
    )
    assert await core.service(Users).settings(ANN.id) == PersonSettings(high_contrast=True)
    assert (await core.service(Users).server(10)).most_tables == 3
    assert (await core.service(Users).change(ANN.id, remind_half=False)).high_contrast
    assert (await core.service(Users).change(ANN.id, zone="Europe/Paris")).zone == "Europe/Paris"
    assert (await core.service(Users).change_server(10, threads=True)).most_tables == 3


SERVERS = (10, 11, 12)


async def test_all_processes_first_write_to_few_people_a_minute(core: Core, store: Store, clock: Time) -> None:
    other = Core(store, parts=PARTS, now=clock)
    for number in range(FIRST_IN_A_MINUTE):
        process, server = ((core, other)[number % 2], SERVERS[number % 3])
        assert await process.service(Direct).reserve(100 + number, server) == 0
        clock.pass_(1)
    assert await core.service(Direct).reserve(200, 10) == 60 - FIRST_IN_A_MINUTE
    assert await other.service(Direct).reserve(200, 10) == 60 - FIRST_IN_A_MINUTE
    assert await other.service(Direct).reserve(100, 10) == 0, "whoever was written to before can be"
    clock.pass_(60 - FIRST_IN_A_MINUTE + 0.001)
    assert await other.service(Direct).reserve(200, 10) == 0


async def test_one_server_leaves_room_for_the_others(core: Core, clock: Time) -> None:
    for number in range(OF_A_SERVER):
        assert await core.service(Direct).reserve(100 + number, 10) == 0
    assert await core.service(Direct).reserve(200, 10) == 60
    assert await core.service(Direct).reserve(300, 11) == 0
    clock.pass_(60.001)
    assert await core.service(Direct).reserve(200, 10) == 0


async def test_somebody_who_takes_no_messages_is_tried_again_after_a_week_or_a_choice(core: Core, clock: Time) -> None:
    assert await core.service(Direct).reserve(100, 10) == 0
    await core.service(Direct).note_closed(100)
    with pytest.raises(Closed):
        await core.service(Direct).reserve(100, 10)
    await core.service(Users).change(100, notify="channel")
    with pytest.raises(Closed):
        await core.service(Direct).reserve(100, 10)
    await core.service(Users).change(100, notify="direct")
    assert await core.service(Direct).reserve(100, 10) == 0
    await core.service(Direct).note_closed(100)
    clock.pass_(CLOSED_FOR + 1)
    assert await core.service(Direct).reserve(100, 10) == 0


async def test_they_are_told_once_and_the_moment_keeps_fractions_of_a_second(core: Core, clock: Time) -> None:
    assert not await core.service(Direct).note_told(100), "there is nothing to tell"
    await core.service(Direct).reserve(100, 10)
    await core.service(Direct).note_closed(100)
    clock.pass_(0.25)
    assert await core.service(Direct).note_told(100)
    assert (await core.service(Users).person(100)).direct_told == clock()
    assert not await core.service(Direct).note_told(100)
    clock.pass_(8 * DAY)
    await core.service(Direct).note_closed(100)
    assert await core.service(Direct).note_told(100), "it was tried again, and refused again"


async def test_it_is_in_their_data_and_goes_with_it(core: Core, clock: Time) -> None:
    await core.service(Direct).reserve(100, 10)
    await core.service(Direct).note_closed(100)
    person = await core.service(Users).person(100)
    assert (person.direct_since, person.direct_closed, person.direct_told) == (clock(), clock(), None)
    export = await core.service(Privacy).export(100)
    assert export is not None
    assert '"direct_closed"' in export.content.decode()
    await core.service(Privacy).forget(User(100, "Ann"))
    assert (await core.service(Users).person(100)).direct_since is None


TIMED = replace(BOUNCERS, clock=int(DAY))
ELSEWHERE = replace(TIMED, guild_id=11, channel_id=21)


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
