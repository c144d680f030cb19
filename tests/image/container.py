"""The commands of an image, run as an engine runs them, by Linux's own means. For root, who may mount.

A container has the image's file system, read-only, with `/tmp` and `/dev` in memory and the volume `/data`. It has processes of
its own, the first of which is the command. Its user has no capabilities and can gain none. The network is the machine's.
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
"""A shell script: mounts the root $1 with the volume $2, and the folder $3 at /mnt; then runs the command there."""


@dataclass(frozen=True)
class Image:
    """An image.

    Attributes:
        root: where its file system is mounted.
        config: its configuration, as engines keep it: Env, User, Entrypoint and so on.
        mounted: a folder for /mnt, read-only.
    """

    root: Path
    config: Mapping[str, Any]
    mounted: Path

    @classmethod
    def read(cls, root: Path, inspected: Path, mounted: Path) -> Self:
        """Return the image of which `buildah inspect` has written a file."""
        return cls(root, json.loads(inspected.read_text(encoding="utf-8"))["Docker"]["config"], mounted)

    @property
    def user(self) -> tuple[int, int]:
        """The user and the group as which its commands run."""
        user, group = map(int, self.config["User"].split(":"))
        return user, group

    @property
    def command(self) -> list[str]:
        """The command that it runs by itself."""
        return [*self.config["Entrypoint"], *self.config["Cmd"]]

    @property
    def health_check(self) -> list[str]:
        """The command that says whether it is healthy."""
        kind, *words = self.config["Healthcheck"]["Test"]
        assert kind == "CMD"
        return words

    def _inside(self, command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
        """Return a command for root inside, which runs one as the image's user, with its folder and its variables."""
        user, group = self.user
        return [
            "setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups",
            "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
            "env", "--ignore-environment", f"--chdir={self.config['WorkingDir']}",
            *self.config["Env"], *(f"{name}={value}" for name, value in environment.items()), *command,
        ]  # fmt: skip

    def started(self, command: Sequence[str], data: Path, environment: Mapping[str, str]) -> list[str]:
        """Return the command of the machine that starts a container: with one of its own, a volume, and further variables."""
        apart = [
            "unshare",
            "--mount",
            "--propagation=private",
            "--pid",
            "--fork",
            "--kill-child",
            "sh",
            "-eu",
            "-c",
            MOUNTS,
            "sh",
        ]
        return [*apart, str(self.root), str(data), str(self.mounted), *self._inside(command, environment)]

    def entered(self, pid: int, command: Sequence[str], environment: Mapping[str, str]) -> list[str]:
        """Return the command of the machine that runs a further one in the container of a process."""
        return ["nsenter", f"--target={pid}", "--mount", "--pid", "--root", *self._inside(command, environment)]


@dataclass
class Container:
    """A container that is running.

    Attributes:
        image: what runs in it.
        environment: the variables that it was given.
        process: which holds it.
        lines: what it has written.
    """

    image: Image
    environment: Mapping[str, str]
    process: asyncio.subprocess.Process
    lines: list[str] = field(default_factory=list)

    async def read(self) -> None:
        """Note what it writes, until it ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            self.lines.append(line.decode(errors="replace").rstrip())

    def _first(self) -> int:
        """Its first process, by the machine's count."""
        return int(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text(encoding="ascii"))

    def kill(self) -> None:
        """Kill it with all of its processes, which end with the first."""
        with contextlib.suppress(OSError, ValueError):  # it has ended, or has not begun
            os.kill(self._first(), signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()

    async def run(self, command: Sequence[str]) -> tuple[int, str]:
        """Run a further command in it. Returns the exit status, and what it said."""
        return await outcome(self.image.entered(self._first(), command, self.environment))

    async def stop(self, within: float) -> int:
        """Ask it to stop. Returns the exit status. Raises TimeoutError if it takes longer than these seconds."""
        os.kill(self._first(), getattr(signal, self.image.config["StopSignal"]))
        async with asyncio.timeout(within):
            return await self.process.wait()


@contextlib.asynccontextmanager
async def running(image: Image, data: Path, environment: Mapping[str, str]) -> AsyncIterator[Container]:
    """Give a container in which the image's own command runs. It is killed at the end if it has not stopped."""
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
    """Run a command to its end. Returns the exit status, and what it said."""
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT)
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode(errors="replace").strip()
