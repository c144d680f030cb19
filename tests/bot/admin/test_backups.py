"""Backups whatever happens meanwhile, and `springboard restore`, which lists them and puts one back."""

import asyncio
import os
import resource
import signal
import stat
import sys
from pathlib import Path

import pytest

from bot.admin.backups import choose, listing, make
from bot.core.core import Core
from bot.core.play import Play
from bot.parts import PARTS
from storage import queries
from storage.schema.errors import StorageError
from storage.store import Store
from storage.upkeep.backups import HOUR, BackupFolder
from tests.bot.command_line import output_of, springboard
from tests.bot.damage import damage
from tests.bot.service import ANN, BEN, Time, first_action, seeds, started

NOW = 1_767_614_400.0


async def play(path: Path, moves: int = 2) -> None:
    clock = Time()
    store = await Store.open(path)
    try:
        async with store.read() as reader:
            there = len(await queries.tables.find(reader))
        known = seeds()
        core = Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known))
        clock.pass_(there * HOUR)
        number = (await started(core)).table.id
        for turn in range(moves):
            await core.service(Play).act(number, (ANN, BEN)[turn % 2], first_action(await core.snapshot(number)))
    finally:
        await store.close()


async def moves_in(path: Path) -> int:
    store = await Store.open(path)
    try:
        async with store.read() as reader:
            return sum([len(await queries.entries.of_table(reader, table.id)) for table in await queries.tables.find(reader)])
    finally:
        await store.close()


@pytest.fixture
async def games(tmp_path: Path, bare: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database with a game, and a folder for backups, both known to the command line."""
    monkeypatch.setenv("SPRINGBOARD_DATABASE", str(tmp_path / "games.sqlite3"))
    monkeypatch.setenv("SPRINGBOARD_BACKUPS", str(tmp_path / "backups"))
    await play(tmp_path / "games.sqlite3")
    return tmp_path / "games.sqlite3"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}


async def test_a_backup_is_checked_and_nobody_else_can_read_it(games: Path, folder: Path) -> None:
    store = await Store.open(games)
    before = os.umask(0)
    try:
        made = await asyncio.to_thread(make, games, folder, NOW)
    finally:
        os.umask(before)
        await store.close()
    assert made.path == folder / "springboard-20260105T120000Z.sqlite3"
    assert (made.problems, made.gone, made.size) == ((), (), made.path.stat().st_size)
    assert (names(folder), stat.S_IMODE(folder.stat().st_mode)) == ([".lock", made.path.name], 0o700)
    assert modes(folder) == {0o600}


async def test_a_game_against_its_rules_is_backed_up_with_all_others_and_told(games: Path, folder: Path) -> None:
    damage(games, 'UPDATE actions SET tokens = \'["a1", "h8"]\' WHERE number = 2')
    made = await asyncio.to_thread(make, games, folder, NOW)
    assert made.path.name == "springboard-20260105T120000Z-faulty.sqlite3"
    assert made.problems
    assert await moves_in(made.path) == 2


async def test_a_damaged_database_takes_no_good_backups_place(games: Path, folder: Path) -> None:
    await asyncio.to_thread(make, games, folder, NOW)
    for n in range(1, 40):
        copy(folder, NOW + n * HOUR)
    before = names(folder)
    content = bytearray(games.read_bytes())
    content[4096 * 3 : 4096 * 9] = b"\xff" * 4096 * 6
    games.write_bytes(content)
    with pytest.raises(StorageError, match=r"damaged|malformed"):
        await asyncio.to_thread(make, games, folder, NOW + 100 * HOUR)
    assert names(folder) == before


def copy(folder: Path, moment: float) -> None:
    """Copy the first backup as if made at another moment."""
    place = BackupFolder(folder)
    place.unfinished_path.write_bytes(place.backups()[-1].path.read_bytes())
    place.finish(moment, faulty=False)


async def test_older_backups_are_removed_when_a_good_one_is_there(games: Path, folder: Path) -> None:
    await asyncio.to_thread(make, games, folder, NOW)
    for n in range(1, 40):
        copy(folder, NOW + n * HOUR)
    made = await asyncio.to_thread(make, games, folder, NOW + 40 * HOUR)
    assert len(made.gone) > 10
    assert len(BackupFolder(folder).backups()) + len(made.gone) == 41


async def in_a_process(code: str, *words: str) -> int:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, *words, cwd=Path(__file__).parents[3], stderr=asyncio.subprocess.DEVNULL
    )
    return await process.wait()


KILLED = """
import os, signal, sys
from pathlib import Path
from bot.admin.backups import make

def trace(event, values):
    global left
    if event in ("open", "sqlite3.connect", "os.rename", "os.remove", "os.mkdir", "shutil.copyfile"):
        if any("unfinished" in str(value) for value in values):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

for step, moment in enumerate(sys.stdin, start=1):
    child = os.fork()
    if not child:
        left = step
        sys.addaudithook(trace)
        make(sys.argv[1], Path(sys.argv[2]), float(moment))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
"""Makes a backup at each given moment in a child that dies one step later each time, and prints how that ended."""


@pytest.mark.slow
async def test_a_process_that_is_killed_at_any_step_leaves_nothing_half_done(games: Path, folder: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, str(games), str(folder), cwd=Path(__file__).parents[3],
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    steps, killed = 0, -signal.SIGKILL
    while killed == -signal.SIGKILL:
        steps += 1
        process.stdin.write(b"%f\n" % (NOW + steps * HOUR))
        killed = int(await process.stdout.readline())
        for one in BackupFolder(folder).backups():
            assert await moves_in(one.path) == 2, "what has the name of a backup is whole"
    process.stdin.close()
    assert killed == await process.wait() == 0
    assert steps > 8, "it was killed at every step of the way"
    assert [name for name in names(folder) if "unfinished" in name] == []


FULL = """
import resource, signal, sys
from pathlib import Path
from bot.admin.backups import make
from storage.schema.errors import StorageError

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
try:
    make(sys.argv[2], Path(sys.argv[3]), float(sys.argv[4]))
except StorageError as error:
    sys.exit(7 if "unfinished" in str(error) else 8)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="this system limits no files")
async def test_a_full_disk_costs_no_backup_and_leaves_nothing(games: Path, folder: Path) -> None:
    good = (await asyncio.to_thread(make, games, folder, NOW)).path
    before = names(folder)
    assert await in_a_process(FULL, str(games.stat().st_size // 2), str(games), str(folder), str(NOW + HOUR)) == 7
    assert (names(folder), await moves_in(good)) == (before, 2)


async def test_restore_lists_the_backups_with_what_is_in_them(games: Path, folder: Path) -> None:
    assert springboard("restore").output.startswith(f"There are no backups in {folder}")
    await asyncio.to_thread(make, games, folder, NOW)
    await play(games)
    await asyncio.to_thread(make, games, folder, NOW + HOUR)
    broken = folder / "springboard-20260105T140000Z.sqlite3"
    broken.write_bytes(b"x" * 10000)
    head, damaged, second, first, how = output_of("restore").splitlines()
    assert head == f"Backups in {folder} (SPRINGBOARD_BACKUPS):"
    assert damaged.startswith(f"{broken.name}  2026-01-05 14:00 UTC     0.0 MB  DAMAGED: ")
    assert "2026-01-05 13:00 UTC" in second
    assert second.endswith("2 games, until 2026-01-05 13:00 UTC; sound")
    assert first.endswith("1 game, until 2026-01-05 12:00 UTC; sound")
    assert "springboard restore latest" in how


async def test_an_empty_database_is_listed_too(tmp_path: Path, folder: Path) -> None:
    await (await Store.open(tmp_path / "empty.sqlite3")).close()
    await asyncio.to_thread(make, tmp_path / "empty.sqlite3", folder, NOW)
    assert "0 games, nothing played; sound" in listing(folder)[1]


async def test_the_latest_is_the_newest_one_that_is_sound(games: Path, folder: Path) -> None:
    made = await asyncio.to_thread(make, games, folder, NOW)
    broken = folder / "springboard-20260105T140000Z.sqlite3"
    broken.write_bytes(b"x" * 10000)
    games.write_bytes(b"gone")
    passed, done = output_of("restore", "latest").splitlines()
    assert passed.startswith(f"{broken.name} is damaged and was passed over.")
    assert done.startswith(f"The database is as it was in {made.path}.")
    assert await moves_in(games) == 2


async def test_a_backup_is_restored_by_its_name_and_newer_games_are_not_lost_by_accident(games: Path, folder: Path) -> None:
    made = await asyncio.to_thread(make, games, folder, NOW)
    await play(games, moves=4)
    assert "would be lost" in output_of("restore", made.path.name, status=1)
    assert (await moves_in(games), springboard("restore", made.path.name, "--force").exit_code) == (6, 0)
    assert await moves_in(games) == 2
    assert springboard("restore", "nothing.sqlite3").output.startswith("Error: There is no database ")


async def test_the_bot_must_not_run_while_a_backup_is_put_back(games: Path, folder: Path) -> None:
    await asyncio.to_thread(make, games, folder, NOW)
    store = await Store.open(games)
    try:
        assert (await asyncio.to_thread(springboard, "restore")).exit_code == 0
        said = await asyncio.to_thread(springboard, "restore", "latest")
    finally:
        await store.close()
    assert said.exit_code == 1
    assert "is using the database" in said.output


def test_without_a_folder_there_is_nothing_to_list() -> None:
    with pytest.raises(StorageError, match="SPRINGBOARD_BACKUPS is not set"):
        listing(None)
    with pytest.raises(StorageError, match="SPRINGBOARD_BACKUPS is not set"):
        choose("latest", None)
    assert choose("some/file", None) == (Path("some/file"), [])


def test_no_sound_backup_at_all_is_told(folder: Path) -> None:
    folder.mkdir()
    (folder / "springboard-20260105T140000Z.sqlite3").write_bytes(b"x" * 10000)
    with pytest.raises(StorageError, match=r"no backup in .* that is sound. springboard-2026.* is damaged"):
        choose("latest", folder)
