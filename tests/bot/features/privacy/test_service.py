"""`Privacy.export`: the file with everything that is kept about somebody."""

import io
import json
import random
from typing import Any
from zipfile import ZipFile

import pytest

from bot.core.core import Core
from bot.core.people import Users
from bot.core.play import Play
from bot.features.lessons.service import Lessons
from bot.features.privacy.export import AT_ONCE, Export
from bot.features.privacy.service import Privacy
from bot.features.watching.service import Watching
from storage import queries
from storage.schema.records import Status, WatchFor
from storage.store import Store
from tests.bot.damage import damage
from tests.bot.present import present
from tests.bot.service import ANN, BEN, CLEO, DEV, started
from tests.storage.samples import a_seat, a_table, an_entry


async def exported(core: Core, user_id: int = ANN.id) -> Export:
    return present(await core.service(Privacy).export(user_id))


def read(export: Export) -> dict[str, Any]:
    content = export.content
    if export.name.endswith(".zip"):
        with ZipFile(io.BytesIO(content)) as packed:
            (name,) = packed.namelist()
            content = packed.read(name)
    found: dict[str, Any] = json.loads(content)
    return found


async def test_somebody_gets_what_they_have_done_and_set(core: Core) -> None:
    table = await started(core)
    await core.service(Play).act(table.table.id, ANN, "b2 b3", interaction_id=9004)
    await core.service(Play).act(table.table.id, BEN, "b7 b6", interaction_id=9005)
    await core.service(Users).change(ANN.id, zone="Europe/Berlin")
    await core.service(Lessons).note(ANN.id, "bouncers", "jumps", "steps")
    await core.service(Watching).watch(table.table.id, CLEO, WatchFor.TURN)
    made = await exported(core)
    found = read(made)
    assert (made.name, made.tables, made.left_out, made.unreadable) == ("springboard-export.json", 1, 0, 0)
    assert (found["format"], found["user_id"], found["made_at"]) == ("springboard export 1", str(ANN.id), core.now())
    (mine,) = found["settings"]
    assert mine["settings"]["zone"] == "Europe/Berlin"
    assert mine["settings"]["learning"]["bouncers"] == {"at": "jumps", "solved": ["steps"]}
    (there,) = found["tables"]
    (entry,) = there["actions"]
    assert (entry["number"], entry["tokens"], entry["interaction_id"]) == (1, ["b2", "b3"], "9004")
    assert there["about"]["status"] == "playing"
    text = made.content.decode()
    for others in ("Ben", "Cleo", "9005", table.table.seed.hex() if table.table.seed else "no seed"):
        assert others not in text
    watching = read(await exported(core, CLEO.id))["tables"]
    assert [(table["table"], table["watches"]) for table in watching] == [(1, [{"what": "turn"}])]


async def test_nothing_is_kept_about_a_stranger_and_asking_changes_nothing(core: Core) -> None:
    await started(core)
    assert await core.service(Privacy).export(DEV.id) is None
    assert await core.service(Privacy).export(DEV.id) is None
    await core.service(Privacy).forget(BEN)
    assert await core.service(Privacy).export(BEN.id) is None
    assert await core.service(Privacy).export(-1) is not None, "what is left of him is a placeholder's"


async def test_an_unreadable_game_does_no_harm(core: Core, store: Store) -> None:
    for _ in range(2):
        await core.service(Play).act((await started(core)).table.id, ANN, "b2 b3")
    assert store.address.path is not None
    damage(store.address.path, "UPDATE seats SET status = 'dancing' WHERE table_id = 1")
    damage(store.address.path, f"UPDATE tables SET seed = '{'none' * 8}', set_aside = 'odd' WHERE id = 1")
    made = await exported(core)
    found = read(made)
    assert made.unreadable == found["unreadable_rows_left_out"] == 2, "the table, and Ann's seat"
    kept = [(table["table"], "seat" in table, "actions" in table) for table in found["tables"]]
    assert kept == [(2, True, True), (1, False, True)]


async def filled(store: Store, tables: int) -> None:
    """Tables at which Ann has played, with names that don’t compress."""
    dice = random.Random(0)
    async with store.write() as writer:
        for _ in range(tables):
            table = await queries.tables.add(writer, a_table(status=Status.FINISHED, opened_by=BEN.id))
            await queries.seats.put(writer, a_seat(table.id, ANN.id, 0, name=dice.randbytes(400).hex()))
            await queries.entries.append(writer, an_entry(table.id, 1, user_id=ANN.id))


async def test_many_tables_are_read_in_batches_and_all_are_there(core: Core, store: Store) -> None:
    count = 2 * AT_ONCE + 1
    await filled(store, count)
    found = read(await exported(core))
    assert [table["table"] for table in found["tables"]] == list(range(count, 0, -1))


async def test_a_large_export_is_zipped(core: Core, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await filled(store, AT_ONCE)
    plain = await exported(core)
    monkeypatch.setattr("bot.features.privacy.export.MOST_BYTES", len(plain.content) - 1)
    packed = await exported(core)
    assert (packed.name, packed.left_out) == ("springboard-export.zip", 0)
    assert read(packed) == read(plain)


@pytest.mark.slow
async def test_an_oversized_export_has_the_newest_tables(core: Core, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.features.privacy.export.MOST_BYTES", 20_000)
    monkeypatch.setattr("bot.features.privacy.export.AT_ONCE", 5)
    await filled(store, 250)
    made = await exported(core)
    found = read(made)
    assert made.tables == 250
    assert 0 < made.left_out < 250
    assert found["older_tables_left_out"] == made.left_out
    assert [table["table"] for table in found["tables"]] == list(range(250, made.left_out, -1))
    assert len(made.content) < 200_000
