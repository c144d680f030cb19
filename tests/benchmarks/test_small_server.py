"""The day of a small server: its limits, what its people do, and its plot."""

import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from benchmarks.day_plot import drawn
from benchmarks.figures import Figure
from benchmarks.load.control_group import ControlGroup, limited
from benchmarks.load.day import BY_HOUR, PEOPLE, TABLES, Day
from benchmarks.measuring import Measured, as_json, from_json
from benchmarks.small_server import ACTED, MEMORY_AT_NIGHT, free, small


def test_the_day_is_that_of_eight_people_at_six_tables() -> None:
    assert (len(PEOPLE), len(TABLES), sum(BY_HOUR), len(BY_HOUR)) == (8, 6, 60, 24)


def process_in(folder: Path, groups: str, mounts: str) -> Path:
    """A folder of /proc that names control groups, and where they are mounted."""
    process = folder / "process"
    process.mkdir()
    (process / "cgroup").write_text(groups, encoding="utf-8")
    (process / "mounts").write_text(mounts, encoding="utf-8")
    return process


def test_limits_are_set_in_the_old_hierarchy(tmp_path: Path) -> None:
    for name in ("memory/some/where", "cpu"):
        (tmp_path / name).mkdir(parents=True)
    mounts = f"cgroup {tmp_path}/memory cgroup rw,memory 0 0\ncgroup {tmp_path}/cpu cgroup rw,cpu,cpuacct 0 0\n"
    group = ControlGroup.below(process_in(tmp_path, "4:memory:/some/where\n1:cpu,cpuacct:/\n0::/\n", mounts))
    group.make(256_000_000, 0.5)
    assert group.memory.parent == tmp_path / "memory" / "some" / "where"
    assert (group.memory / "memory.limit_in_bytes").read_text() == "256000000"
    assert (group.memory / "memory.memsw.limit_in_bytes").read_text() == "256000000", "no swap"
    assert (group.cpu / "cpu.cfs_quota_us").read_text() == "50000"
    (group.memory / "memory.max_usage_in_bytes").write_text("200000000\n")
    (group.memory / "memory.oom_control").write_text("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n")
    (group.cpu / "cpu.stat").write_text("nr_periods 10\nnr_throttled 4\n")
    assert (group.peak, group.kills, group.waits) == (200.0, 2, 0.4)


@pytest.mark.parametrize("root", [True, False])
def test_limits_are_set_in_the_unified_hierarchy(tmp_path: Path, root: bool) -> None:
    own = tmp_path / "all" / "scope"
    own.mkdir(parents=True)
    (own / "cgroup.controllers").write_text("cpu memory pids\n")
    if not root:
        (own / "cgroup.type").write_text("domain\n")
    group = ControlGroup.below(process_in(tmp_path, "0::/scope\n", f"cgroup2 {tmp_path}/all cgroup2 rw 0 0\n"))
    group.make(256_000_000, 0.5)
    assert group.memory == group.cpu
    assert group.memory.parent == (own if root else own.parent)
    files = {name: (group.memory / name).read_text() for name in ("memory.max", "memory.swap.max", "cpu.max")}
    assert files == {"memory.max": "256000000", "memory.swap.max": "0", "cpu.max": "50000 100000"}
    (group.memory / "memory.peak").write_text("200000000\n")
    (group.memory / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    assert (group.peak, group.kills) == (200.0, 1)


def test_there_may_be_no_control_groups(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ControlGroup.below(process_in(tmp_path, "", ""))


def test_a_process_that_takes_more_memory_than_its_group_has_is_killed() -> None:
    with limited(64_000_000, 0.5) as group:
        if group is None:
            pytest.skip("no control group can be made here")
        greedy = subprocess.run([*group.command, sys.executable, "-c", "bytearray(128_000_000)"], check=False)
        assert (greedy.returncode, group.kills) == (-9, 1)
        assert 32 < group.peak <= 64
    assert not group.memory.exists()
    assert not group.cpu.exists()


def test_a_day_that_was_cut_short_says_when_and_a_machine_without_groups_says_so() -> None:
    day = Day(ended=12.34, late=2)
    day.times.answers += [0.1, 0.25]
    slowest, bad, _ = small(day, 1, 256.0, 0.1)
    assert slowest.value == 250.0
    assert (bad.value, bad.note, bad.met) == (3, "answers: 2, processes: 1, the bot itself at 12.3 h", False)
    assert not any(figure.met for figure in small(None, 0, 0.0, 0.0) if figure.aims), "what was not measured is not reached"


def test_the_course_of_a_day_is_kept_and_drawn() -> None:
    day = Day([100.0 + number for number in range(144)], [number / 10 for number in range(144)], [7.5, 20.25], 90, 5)
    now = list(free(day, 300.0))
    assert from_json(as_json(now)) == now
    assert "course" not in as_json([Figure(name="of no course", value=1)])[0]
    assert {figure.name for figure in now if figure.course} == {MEMORY_AT_NIGHT, ACTED}
    alone, beside = (Image.open(BytesIO(drawn(Measured("small_server", "here", now, then)))) for then in ([], now))
    assert alone.size == beside.size
    assert alone.tobytes() != beside.tobytes()
