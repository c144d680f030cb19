"""What people and servers have chosen; and being forgotten."""

import pytest

from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import BadAction, Refused
from bot.core.table.settings import PersonSettings
from bot.features.privacy.service import EDITS_APART, Privacy
from storage import queries
from storage.schema.records import JobKind, Status
from storage.store import Store
from tests.bot.damage import damage
from tests.bot.service import ANN, BEN, BOUNCERS, Time, jobs, started


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
    assert store.address.path is not None
    damage(
        store.address.path,
        """UPDATE people SET settings = '{"high_contrast": true, "quiet_from": 5000, "zone": "Moon/Crater"}'""",
        """UPDATE servers SET settings = '{"most_tables": 3, "clock": -60}'""",
    )
    assert await core.service(Users).settings(ANN.id) == PersonSettings(high_contrast=True)
    assert (await core.service(Users).server(10)).most_tables == 3
    assert (await core.service(Users).change(ANN.id, remind_half=False)).high_contrast
    assert (await core.service(Users).change(ANN.id, zone="Europe/Paris")).zone == "Europe/Paris"
    assert (await core.service(Users).change_server(10, threads=True)).most_tables == 3
