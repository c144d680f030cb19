"""The folder of backups: names, what is kept, what is deleted, and what is left alone."""

import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest

from storage.schema.errors import StorageError
from storage.upkeep.backups import DAY, HOUR, WEEK, Backup, BackupFolder, moments_to_keep

NOON = datetime(2026, 1, 7, 12, tzinfo=UTC).timestamp()


def make(folder: BackupFolder, moment: float, *, faulty: bool = False) -> Path:
    """An empty backup."""
    folder.path.mkdir(exist_ok=True)
    folder.unfinished_path.touch()
    return folder.finish(moment, faulty=faulty)


@pytest.fixture
def folder(tmp_path: Path) -> BackupFolder:
    return BackupFolder(tmp_path / "backups")


def test_a_backup_is_named_by_its_moment_and_found_by_its_name(folder: BackupFolder) -> None:
    first, second = make(folder, NOON), make(folder, NOON + HOUR, faulty=True)
    assert (first.name, second.name) == ("springboard-20260107T120000Z.sqlite3", "springboard-20260107T130000Z-faulty.sqlite3")
    assert folder.backups() == [Backup(NOON + HOUR, second, faulty=True), Backup(NOON, first, faulty=False)]


def test_two_backups_of_one_second_have_names_of_their_own(folder: BackupFolder) -> None:
    names = {make(folder, NOON, faulty=faulty).name for faulty in (False, True, False)}
    assert len(names) == 3
    assert len(folder.backups()) == 3


def test_no_folder_has_no_backups(folder: BackupFolder) -> None:
    assert folder.backups() == []
    assert folder.newest(NOON) is None


def test_a_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(StorageError, match="cannot be read: Not a directory"):
        BackupFolder(file).backups()
    with pytest.raises(StorageError, match="cannot be written to"), BackupFolder(file).alone():
        pass


def test_a_year_of_backups_is_kept_for_hours_days_and_weeks(folder: BackupFolder) -> None:
    last = NOON + 52 * WEEK
    moments = [NOON + n * HOUR for n in range(52 * 7 * 24 + 1)]
    keep = sorted(moments_to_keep(moments), reverse=True)
    assert keep[:24] == [last - n * HOUR for n in range(24)]
    assert len(keep) <= 24 + 7 + 5
    assert sum(one >= last - 7 * DAY for one in keep) >= 24 + 5, "the last backup of yesterday is one of the hourly ones, too"
    assert last - 4 * WEEK < keep[-1] <= last - 3 * WEEK


def test_kept_backups_stay_kept_as_time_goes_on() -> None:
    there: set[float] = set()
    for n in range(24 * 7 * 8):
        there = moments_to_keep(there | {NOON + n * HOUR + n % 7})
    assert there == moments_to_keep(NOON + n * HOUR + n % 7 for n in range(24 * 7 * 8))


def test_a_bot_that_was_off_for_a_year_still_has_its_backups(folder: BackupFolder) -> None:
    old = [make(folder, NOON + n * HOUR) for n in range(3)]
    new = make(folder, NOON + 52 * WEEK)
    assert folder.thin(NOON + 52 * WEEK, new) == []
    assert {one.path for one in folder.backups()} == {*old, new}


def test_the_newest_sound_backup_outlasts_any_number_of_faulty_ones(folder: BackupFolder) -> None:
    sound = make(folder, NOON)
    now = NOON
    for n in range(1, 60):
        now = NOON + n * WEEK
        folder.thin(now, make(folder, now, faulty=True))
    assert sound in {one.path for one in folder.backups()}
    assert len(folder.backups()) <= 24 + 7 + 5 + 1


def test_a_clock_that_was_ahead_costs_no_backup_of_the_right_time(folder: BackupFolder) -> None:
    before = [make(folder, NOON + n * HOUR) for n in range(5)]
    ahead = [make(folder, NOON + 500 * DAY + n * HOUR) for n in range(40)]
    now = NOON + 6 * HOUR
    for n in range(3):
        folder.thin(now + n * HOUR, make(folder, now + n * HOUR))
    there = {one.path for one in folder.backups()}
    assert there >= set(before)
    assert len(there & set(ahead)) <= 24 + 7 + 5
    assert len(there - set(before) - set(ahead)) == 3
    newest = folder.newest(now + 2 * HOUR)
    assert newest is not None
    assert newest.made == now + 2 * HOUR


def test_the_backup_just_made_is_kept_even_if_the_clock_is_behind_all_others(folder: BackupFolder) -> None:
    for n in range(100):
        make(folder, NOON + n * HOUR)
    just = make(folder, NOON - 400 * DAY)
    folder.thin(NOON + 200 * HOUR, just)
    assert just.exists()


def test_other_files_are_never_touched(folder: BackupFolder) -> None:
    others = {"springboard.sqlite3", "springboard-20260107T120000Z.sqlite3.gz", "springboard-20261307T120000Z.sqlite3",
              "my springboard-20260107T120000Z.sqlite3", "notes.txt", "other.unfinished_path"}  # fmt: skip
    for n in range(200):
        made = make(folder, NOON + n * HOUR)
    for name in others:
        (folder.path / name).touch()
    (folder.path / "springboard-20200101T000000Z.sqlite3").symlink_to(made)
    with folder.alone():
        folder.tidy()
        folder.thin(NOON + 200 * HOUR, made)
    assert {path.name for path in folder.path.iterdir()} >= {*others, "springboard-20200101T000000Z.sqlite3"}
    assert len(folder.backups()) <= 24 + 7 + 5


def test_unfinished_backups_are_removed_with_sqlites_files_beside_them(folder: BackupFolder) -> None:
    whole = make(folder, NOON)
    half = folder.unfinished_path
    for end in ("", ".partial", ".partial-journal"):
        half.with_name(half.name + end).touch()
    workplace = half.with_name(half.name + "-check-abc")
    workplace.mkdir()
    (workplace / "copy.sqlite3").touch()
    with folder.alone():
        assert len(folder.tidy()) == 4
    assert {path.name for path in folder.path.iterdir()} == {whole.name, ".lock"}


def test_one_process_at_a_time_makes_backups_in_a_folder_that_only_its_user_may_enter(folder: BackupFolder) -> None:
    with (
        folder.alone(),
        pytest.raises(StorageError, match="Another process is making a backup"),
        BackupFolder(folder.path).alone(),
    ):
        pass
    with folder.alone():
        pass
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder.path / ".lock").stat().st_mode) == 0o600
