"""Runs an image's commands like an engine, by Linux's own means. Needs root, to mount.

A container has the image's read-only file system, `/tmp` and `/dev` in memory, the volume `/data`, the machine's network, and
its own processes, the first of which is the command. Its user has no capabilities and can gain none.
"""

import asyncio
import contextlib
import json
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

MOUNTS: Final = """
root=$1
mount --bind "$root" "$root"
mount --options remount,bind,ro "$root"
mount --types proc proc "$root/proc"
mount --types tmpfs --options mode=1777,size=64m tmpfs "$root/tmp"
mount --types tmpfs --options mode=755,size=64k tmpfs "$root/dev"
for device in null zero random urandom; do
    touch "$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir --mode=1777 "$root/dev/shm"
mount --types tmpfs --options mode=1777,size=64m tmpfs "$root/dev/shm"
mount --bind "$2" "$root/data"
mount --options bind,ro "$3" "$root/mnt"
shift 3
exec chroot "$root" "$@"
"""
"""A shell script that mounts root $1 with volume $2, and folder $3 at /mnt, and then runs the command there."""


@dataclass(frozen=True)
class Image:
    """An image: its mounted file system, its configuration as engines keep it, and a read-only folder for /mnt."""

    root: Path
    config: Mapping[str, Any]
    mounted: Path

    @classmethod
    def read(cls, root: Path, inspected: Path, mounted: Path) -> Self:
        return cls(root, json.loads(inspected.read_text(encoding="utf-8"))["Docker"]["config"], mounted)

    @property
    def user(self) -> tuple[int, int]:
        user, group = map(int, self.config["User"].split(":"))
        return user, group

    @property
    def command(self) -> list[str]:
        return [*self.config["Entrypoint"], *self.config["Cmd"]]

    @property
    def health_check(self) -> list[str]:
        kind, *words = self.config["Healthcheck"]["Test"]
        assert kind == "CMD"
        return words

    def _inside(self, command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
        """A command, for root inside, that runs another as the image's user, with its folder and variables."""
        user, group = self.user
        return [
            "setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups",
            "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
            "env", "--ignore-environment", f"--chdir={self.config['WorkingDir']}",
            *self.config["Env"], *(f"{name}={value}" for name, value in environment.items()), *command,
        ]  # fmt: skip

    def started(self, command: Sequence[str], data: Path, environment: Mapping[str, str]) -> list[str]:
        apart = [
            "unshare", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child", "sh", "-eu", "-c", MOUNTS,
            "sh",
        ]  # fmt: skip
        return [*apart, str(self.root), str(data), str(self.mounted), *self._inside(command, environment)]

    def entered(self, pid: int, command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
        """The machine's command that runs another one in a process's container."""
        return ["nsenter", f"--target={pid}", "--mount", "--pid", "--root", *self._inside(command, environment)]


@dataclass
class Container:
    """A running container. `process` holds it, `lines` has its output."""

    image: Image
    environment: Mapping[str, str]
    process: asyncio.subprocess.Process
    lines: list[str] = field(default_factory=list)

    async def read(self) -> None:
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.lines.append(line.decode(errors="replace").rstrip())

    def _first(self) -> int:
        """The id of its first process on the machine."""
        return int(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii"))

    def kill(self) -> None:
        """Kill it with all of its processes, which end with the first."""
        with contextlib.suppress(OSError, ValueError):  # it has ended, or has not begun
            os.kill(self._first(), signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()

    async def run(self, command: Sequence[str]) -> tuple[int, str]:
        """Run another command in it. Returns the exit status and the output."""
        return await outcome(self.image.entered(self._first(), command, self.environment))

    async def stop(self, within: float) -> int:
        """Ask it to stop. Returns the exit status. Raises TimeoutError after `within` seconds."""
        os.kill(self._first(), getattr(signal, self.image.config["StopSignal"]))
        async with asyncio.timeout(within):
            return await self.process.wait()


@contextlib.asynccontextmanager
async def running(image: Image, data: Path, environment: Mapping[str, str]) -> AsyncIterator[Container]:
    """A container that runs the image's own command. It is killed at the end if it has not stopped."""
    command = image.started(image.command, data, environment)
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT)
    container = Container(image, environment, process)
    reading = asyncio.create_task(container.read())
    try:
        yield container
    finally:
        if process.returncode is None:
            container.kill()
        await process.wait()
        await reading


async def outcome(command: Sequence[str]) -> tuple[int, str]:
    """Run a command to its end. Returns the exit status and the output."""
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT)
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode(errors="replace").strip()
