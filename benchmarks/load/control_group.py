"""Control groups of Linux, which give a bot and its child processes no more than a small machine has.

They are made below that of this process, in the old hierarchy of controllers (version 1) or the unified one (version 2). That
usually takes root.
"""

import contextlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

PERIOD: Final = 100_000
"""The microseconds in which a group may use its share of the processors."""
EMPTY_WITHIN: Final = 10.0
"""The seconds within which the last processes of a group have to end."""
JOIN: Final = 'for one in "$0" "$1"; do echo $$ > "$one/cgroup.procs" || exit; done; shift; exec "$@"'
"""A script that puts its own process into two groups, and goes on as the command that follows them."""


@dataclass(frozen=True)
class ControlGroup:
    """A control group.

    Args:
        memory, cpu: its folders, which are the same one in version 2.
        version: the version of control groups.
    """

    memory: Path
    cpu: Path
    version: int

    @classmethod
    def below(cls, process: Path = Path("/proc/self")) -> Self:
        """Return a group, to be made, below that of a process. Raises OSError where there cannot be one.

        Args:
            process: the folder of the process in /proc.
        """
        (memory, version), (cpu, _) = (_place(process, name) for name in ("memory", "cpu"))
        name = f"springboard-{os.getpid()}"
        return cls(memory / name, cpu / name, version)

    def make(self, memory: int, cores: float) -> None:
        """Make the group, with this many bytes of memory, no swap, and this share of the processors. Raises OSError."""
        for folder in (self.memory, self.cpu):
            folder.mkdir(exist_ok=True)
        share = int(cores * PERIOD)
        if self.version == 1:
            (self.memory / "memory.limit_in_bytes").write_text(f"{memory}")
            (self.memory / "memory.memsw.limit_in_bytes").write_text(f"{memory}")  # together with swap
            (self.cpu / "cpu.cfs_period_us").write_text(f"{PERIOD}")
            (self.cpu / "cpu.cfs_quota_us").write_text(f"{share}")
        else:
            (self.memory / "memory.max").write_text(f"{memory}")
            (self.memory / "memory.swap.max").write_text("0")
            (self.cpu / "cpu.max").write_text(f"{share} {PERIOD}")

    @property
    def command(self) -> tuple[str, ...]:
        """What has to stand before a command for it to run in the group."""
        return "sh", "-c", JOIN, str(self.memory), str(self.cpu)

    @property
    def peak(self) -> float:
        """The most memory that the group has used, in MB. Files that it has read count, too, while they are kept."""
        name = "memory.max_usage_in_bytes" if self.version == 1 else "memory.peak"
        return int((self.memory / name).read_text(encoding="ascii")) / 1e6

    @property
    def kills(self) -> int:
        """How many of its processes were killed because there was no memory left."""
        name = "memory.oom_control" if self.version == 1 else "memory.events"
        return _count(self.memory / name, "oom_kill")

    @property
    def waits(self) -> float:
        """The share of periods in which the group had to wait because its share of the processors was used up."""
        periods = _count(self.cpu / "cpu.stat", "nr_periods")
        return _count(self.cpu / "cpu.stat", "nr_throttled") / max(1, periods)

    def remove(self) -> None:
        """Remove the group, once its processes have ended."""
        until = time.monotonic() + EMPTY_WITHIN
        for folder in {self.memory, self.cpu}:
            while folder.exists() and (folder / "cgroup.procs").read_text(encoding="ascii") and time.monotonic() < until:
                time.sleep(0.01)
            with contextlib.suppress(FileNotFoundError):
                folder.rmdir()


def _place(process: Path, controller: str) -> tuple[Path, int]:
    """Return the folder in which groups of a controller can be made for a process, and the version."""
    groups = [line.split(":", 2) for line in _lines(process / "cgroup")]
    mounts = [line.split() for line in _lines(process / "mounts")]
    for _, controllers, path in groups:
        for _, point, kind, options, *_ in mounts:
            own = Path(point) / path.lstrip("/")
            if kind == "cgroup" and controller in controllers.split(",") and controller in options.split(","):
                return own, 1
            if kind == "cgroup2" and not controllers and controller in (own / "cgroup.controllers").read_text().split():
                # Only the root of all groups may have both processes and groups with controllers.
                place = own.parent if (own / "cgroup.type").exists() else own
                (place / "cgroup.subtree_control").write_text(f"+{controller}")
                return place, 2
    raise FileNotFoundError(f"no control groups for {controller}")


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def _count(file: Path, name: str) -> int:
    return next(int(line.split()[1]) for line in _lines(file) if line.split()[0] == name)


@contextlib.contextmanager
def limited(memory: int, cores: float) -> Iterator[ControlGroup | None]:
    """Yield a group with these limits, as of `ControlGroup.make`, or None where none can be made."""
    group = None
    with contextlib.ExitStack() as after:
        with contextlib.suppress(OSError):
            made = ControlGroup.below()
            after.callback(made.remove)
            made.make(memory, cores)
            group = made
        yield group
