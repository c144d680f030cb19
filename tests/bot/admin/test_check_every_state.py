"""`springboard check` finds no fault in whatever people do, nor in what remains of forgotten people."""

import asyncio
import shutil
from pathlib import Path
from random import Random

import pytest

from bot.admin.backups import make
from bot.admin.check import problems
from bot.core.core import Core
from bot.core.quarantine import Quarantine
from bot.core.table.snapshot import User
from bot.features.privacy.service import Privacy
from bot.parts import PARTS
from storage import queries
from storage.store import Store
from tests.bot.admin.every_state import AtRandom, Club, bring_to_every_state, let_days_pass
from tests.bot.service import ANN, BEN, CLEO, DEV, Time, seeds
from tests.marks import quick_first


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A database with tables in every state, and the time."""
    path, clock, known = tmp_path_factory.mktemp("every-state") / "games.sqlite3", Time(), seeds()

    async def fill() -> None:
        store = await Store.open(path)
        await bring_to_every_state(Club(Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known)), clock))
        await store.close()

    asyncio.run(fill())
    return path, clock.now


@pytest.mark.slow
def test_no_state_of_a_table_is_a_fault(filled: tuple[Path, float]) -> None:
    assert list(problems(filled[0])) == []


@pytest.mark.slow
async def test_no_state_of_a_table_is_a_fault_on_a_server(server: str) -> None:
    store, clock, known = await Store.open(server), Time(), seeds()
    core = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))
    await bring_to_every_state(Club(core, clock))
    await core.service(Privacy).forget(BEN)
    await store.close()
    assert await asyncio.to_thread(lambda: list(problems(server))) == []


@pytest.mark.parametrize("forgotten", quick_first(1, [(ANN,), (BEN, CLEO), (ANN, BEN, CLEO, DEV)]))
async def test_forgetting_leaves_no_faults(filled: tuple[Path, float], tmp_path: Path, forgotten: tuple[User, ...]) -> None:
    path, clock = Path(shutil.copy(filled[0], tmp_path / "games.sqlite3")), Time(filled[1])
    store = await Store.open(path)
    core = Core(store, parts=PARTS, now=clock)
    for user in forgotten:
        await core.service(Privacy).forget(user)
    made = await asyncio.to_thread(make, path, tmp_path / "backups", clock.now)
    assert made.problems == ()
    assert "faulty" not in made.path.name
    await let_days_pass(Club(core, clock))
    await store.close()
    assert await asyncio.to_thread(lambda: list(problems(path))) == []


@pytest.mark.slow
async def test_forgetting_people_at_tables_in_quarantine_leaves_no_fault(filled: tuple[Path, float], tmp_path: Path) -> None:
    path, clock = Path(shutil.copy(filled[0], tmp_path / "games.sqlite3")), Time(filled[1])
    store = await Store.open(path)
    core = Core(store, parts=PARTS, now=clock)
    async with store.write() as writer:
        tables = await queries.tables.ids(writer)
        for table_id in tables:
            await queries.quarantine.put(writer, table_id, "for a reason")
    for user in (BEN, CLEO):
        await core.service(Privacy).forget(user)
    found = await asyncio.to_thread(lambda: list(problems(path)))
    assert found == [f"Table {table_id} is set aside: for a reason." for table_id in tables]
    assert await core.service(Quarantine).release_all() == {}
    await let_days_pass(Club(core, clock))
    await store.close()
    assert await asyncio.to_thread(lambda: list(problems(path))) == []


@pytest.mark.parametrize(
    "number", [pytest.param(number, marks=pytest.mark.slow if number < 4 else pytest.mark.proof) for number in range(10)]
)
async def test_nothing_that_people_do_at_random_is_a_fault(tmp_path: Path, number: int) -> None:
    path, clock, known = tmp_path / "games.sqlite3", Time(), seeds()
    store = await Store.open(path)
    core = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))
    await AtRandom(Club(core, clock), Random(number)).do(150)
    await store.close()
    assert await asyncio.to_thread(lambda: list(problems(path))) == []
