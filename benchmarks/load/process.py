"""The process of a bot, which is started, looked at from outside, and stopped."""

import asyncio
import os
import signal
import sys
import threading
import time
from asyncio.subprocess import PIPE
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from benchmarks.load.control_group import ControlGroup
from benchmarks.load.jumping import Clock
from tests.bot.command_line import TOKEN

LAUNCHER: Final = Path(__file__).with_name("launcher.py")
JUMPING: Final = Path(__file__).with_name("jumping.py")
HERE: Final = Path(__file__).parents[2]
TICKS: Final = os.sysconf("SC_CLK_TCK")
LOOK_EVERY: Final = 0.5
"""The seconds between two looks at the memory, which find its peak."""
READY_WITHIN: Final = 120.0
STOPPED_WITHIN: Final = 30.0
AS_HOSTED: Final = {"MALLOC_ARENA_MAX": "2"}
"""The environment variables of the container."""


def family(pid: int) -> list[int]:
    """Return a process and all its living descendants."""
    below: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        if fields := stat_of(place):
            below.setdefault(int(fields[1]), []).append(int(place.name))
    found = [pid]
    for one in found:
        found += below.get(one, [])
    return found


def stat_of(place: Path) -> list[str]:
    """Return Linux's counters of a process or a thread, from its state on, or an empty list if it has ended.

    Args:
        place: its folder in /proc.
    """
    try:
        return (place / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return []


def cpu_of(pid: int) -> float:
    """Return the seconds of CPU of a process and its children."""
    ticks = 0
    for one in family(pid):
        ticks += sum(
            map(int, stat_of(Path(f"/proc/{one}"))[11:15])
        )  # its own in user and kernel mode, and those of children that have ended
    return ticks / TICKS


def memory_of(pid: int) -> float:
    """Return the memory of a process and its children in MB. Memory that they share is counted once (PSS)."""
    kilobytes = 0
    for one in family(pid):
        try:
            lines = Path(f"/proc/{one}/smaps_rollup").read_text(encoding="ascii").splitlines()
        except OSError:
            continue
        kilobytes += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes * 1024 / 1e6


class BotEnded(Exception):
    """The bot has ended."""


@dataclass
class Bot:
    """A bot that runs as a process.

    Args:
        address: the address of the loopback.
        folder: the folder of its database and its log.
        kind: ``springboard`` or ``bare``.
        checkout: the checkout whose Springboard is run.
        settings: further settings for the bot.
        clock: a clock that jumps, which the bot follows, or None for the machine's.
        group: a control group for the bot and its children.

    Attributes:
        ready_wall, ready_cpu: the seconds from its start until it was ready, by the clock and of CPU, its children included.
        peak: the most memory that was seen, in MB.
    """

    address: str
    folder: Path
    kind: str = "springboard"
    checkout: Path = HERE
    settings: Mapping[str, str] = field(default_factory=dict)
    clock: Clock | None = None
    group: ControlGroup | None = None
    pid: int = 0
    ready_wall: float = 0.0
    ready_cpu: float = 0.0
    peak: float = 0.0
    _looking: threading.Event = field(default_factory=threading.Event)

    @property
    def database(self) -> Path:
        return self.folder / "springboard.sqlite3"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def cpu(self) -> float:
        """The seconds of CPU so far, including its children."""
        return cpu_of(self.pid)

    @property
    def memory(self) -> float:
        """The memory now, in MB, including its children."""
        return memory_of(self.pid)

    @property
    def processes(self) -> int:
        return len(family(self.pid))

    async def __aenter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        began = time.perf_counter()
        group = () if self.group is None else self.group.command
        jumping = () if self.clock is None else (str(JUMPING), str(self.clock.file))
        with self.log.open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                *group, sys.executable, "-P", *jumping, str(LAUNCHER), self.kind, self.address, cwd=self.folder,
                stdin=None if self.clock is None else PIPE, stdout=PIPE, stderr=log,
                env=os.environ | {"PYTHONPATH": str(self.checkout), "DISCORD_TOKEN": TOKEN, "SPRINGBOARD_LOG": "warning",
                                  "SPRINGBOARD_DATABASE": str(self.database), **AS_HOSTED, **self.settings},
            )  # fmt: skip
        self.pid = self._process.pid
        assert self._process.stdout is not None
        async with asyncio.timeout(READY_WITHIN):
            line = await self._process.stdout.readline()
        if not line:
            await self._process.wait()
            raise RuntimeError(f"The bot has not started:\n{self.log.read_text(encoding='utf-8')[-4000:]}")
        self.ready_wall, self.ready_cpu = time.perf_counter() - began, self.cpu
        threading.Thread(target=self._look, daemon=True).start()
        return self

    async def jump(self, seconds: float) -> None:
        """Let the clock of a bot at rest jump this far, or only to the bot's next timer. Raise BotEnded if it has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{seconds}\n".encode())
        if not await self._process.stdout.readline():
            raise BotEnded

    async def ended(self) -> None:
        """Wait until the bot has ended by itself, or was killed."""
        await self._process.wait()

    def _look(self) -> None:
        while not self._looking.wait(LOOK_EVERY):
            self.peak = max(self.peak, self.memory)

    async def __aexit__(self, *_: object) -> None:
        self._looking.set()
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM if self.kind == "springboard" else signal.SIGKILL)
        try:
            async with asyncio.timeout(STOPPED_WITHIN):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    def complaints(self) -> list[str]:
        """Return the lines of its log, which has only warnings and worse."""
        return self.log.read_text(encoding="utf-8", errors="replace").splitlines()
