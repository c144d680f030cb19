"""Machines on which the commands of docs/hosting.md are run exactly as they stand there.

Only what a test cannot have is replaced:

- the folders of the machine (`FOLDERS`) are below a temporary one, and its ports (`PORTS`) are free ones of this machine;
- words in capitals stand for a host's own: the token, the address of the project (a repository of the files here) or a server;
- `apt-get` knows what is installed here, and installs nothing;
- pip has no network: the packages are those of the running tests, in the versions that the project asks for;
- `systemctl` and `journalctl` are those of `Services`, which runs a unit's command with its folders, settings and credentials,
  as the user of the tests (tests/bot/test_deploy.py has systemd check the units);
- Discord is the loopback.
"""

import asyncio
import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Final, Self

from bot.admin.health import complaint
from docs.site.links import ROOT
from loopback.server import Loopback
from tests.bot.command_line import TOKEN
from tests.image.__main__ import POINTED
from tests.pgbouncer import free_port

FOLDERS: Final = re.compile(r"(?<![\w.$}/-])(?=/(?:etc|opt|usr/local/src|var/lib)/)")
"""The place before a path of the machine."""
PORTS: Final = re.compile(r"(?<=127\.0\.0\.1:)909\d")
INSTALLED: Final = {"git", "python3-venv", "libfribidi0", "postgresql", "postgresql-client"}
"""Debian packages whose contents this machine has, from .ci/packages or otherwise."""
READY_WITHIN: Final = 120.0
"""Seconds after which a bot counts as hanging."""
LEFT_OUT: Final = (".git", ".venv", "tests", "build", "data", ".env", "__pycache__", "*.egg-info", ".*_cache", ".hypothesis")
"""What the repository does not have, and large folders that no host needs."""

_FENCED: Final = re.compile(r"^#+ (?P<heading>[^\n]+)$|^ *```(?P<language>\w*)\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
_ASKING: Final = """
import json, socket, sys
with socket.socket(socket.AF_UNIX) as there:
    there.connect(sys.argv[1])
    there.sendall(json.dumps(sys.argv[2:]).encode() + b"\\n")
    status, said = json.loads(there.makefile().readline())
sys.stdout.write(said)
sys.exit(status)
"""


def blocks(page: Path) -> dict[str, list[str]]:
    """The blocks of code on a page, by the heading under which they stand."""
    found: dict[str, list[str]] = {}
    heading = ""
    for one in _FENCED.finditer(page.read_text(encoding="utf-8")):
        heading = one["heading"] or heading
        if one["heading"] is None:
            found.setdefault(heading, []).append(one["text"])
    return found


@dataclass
class Services:
    """The units of a machine, run as its systemd would run them.

    Attributes:
        machine: the machine.
        running: the process of each started service.
    """

    machine: "Machine"
    running: dict[str, Process] = field(default_factory=dict)

    def log(self, name: str) -> Path:
        return self.machine.root / f"{name}.log"

    async def do(self, program: str, *words: str) -> tuple[int, str]:
        """Do what `systemctl`, `journalctl` or `apt-get` does. Returns its exit status, and what it prints."""
        match Path(program).name, *words:
            case "systemctl", "enable", "--now", name:
                await self.start(name)
            case "systemctl", "start", name:
                await self.start(name)
            case "systemctl", "stop", name:
                assert await self.stop(name) == 0, self.log(name).read_text()
            case "journalctl", "--unit", name, "--lines", lines:
                return 0, "".join(self.log(name).read_text().splitlines(keepends=True)[-int(lines) :])
            case "apt-get", "update":
                pass
            case "apt-get", "install", "--yes", *packages if set(packages) <= INSTALLED:
                pass
            case _:
                return 1, f"{program} {shlex.join(words)}: nobody knows how this is done here\n"
        return 0, ""

    async def start(self, name: str) -> None:
        """Start the service of a unit."""
        assert name not in self.running, f"{name} is running"
        base, at, instance = name.partition("@")
        file = self.machine.root / "etc/systemd/system" / f"{base}{at}.service"
        credentials = self.machine.root / "run" / name
        text = self.machine.here(file.read_text(encoding="utf-8").replace("%i", instance).replace("%d", str(credentials)))
        said = [line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#")]
        keys = dict(said)
        environment = dict(value.split("=", 1) for key, value in said if key == "Environment")
        settings = Path(keys["EnvironmentFile"].removeprefix("-"))
        if settings.exists() or not keys["EnvironmentFile"].startswith("-"):
            environment |= dict(word.split("=", 1) for word in shlex.split(settings.read_text(encoding="utf-8")))
        secret, path = keys["LoadCredential"].split(":", 1)
        credentials.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, credentials / secret)
        (self.machine.root / "var/lib" / keys["StateDirectory"]).mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.log(name).open("ab") as log:
            self.running[name] = await asyncio.create_subprocess_exec(
                *shlex.split(keys["ExecStart"]), cwd=keys["WorkingDirectory"], env=self.machine.pointed | environment,
                umask=int(keys["UMask"], 8), stdin=DEVNULL, stdout=log, stderr=STDOUT,
            )  # fmt: skip

    async def stop(self, name: str) -> int:
        """Stop a service. Returns its exit status."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        return await process.wait()


class Machine:
    """A host's machine, with a shell in which root types block after block.

    Args:
        discord: the Discord that it reaches.
        words: the host's own words for those in capitals, besides the token and the address of the project.
        environment: more variables of its shell.

    Attributes:
        root: the folder that holds its folders.
        services: what runs on it.
        repository: the project, as it is cloned.
    """

    def __init__(
        self,
        discord: Loopback,
        words: Mapping[str, str] = MappingProxyType({}),
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._discord, self._more = discord, dict(environment)
        self._place = TemporaryDirectory(prefix="springboard-host-")
        self.root = Path(self._place.name)
        self.services = Services(self)
        self.repository = self.root / "repository"
        self._words = {"TOKEN": TOKEN, "ADDRESS": str(self.repository), **words}
        self._ports: dict[str, int] = {}

    async def __aenter__(self) -> Self:
        for folder in ("bin", "packages", "root", "run", "etc/systemd/system", "opt", "usr/local/src", "var/lib"):
            (self.root / folder).mkdir(parents=True)
        self._stand_in("python3", f'exec {sys.executable} "$@"')
        self._socket = self.root / "run/services"
        (self.root / "run/ask.py").write_text(_ASKING, encoding="utf-8")
        for program in ("systemctl", "journalctl", "apt-get"):
            self._stand_in(program, f'exec {sys.executable} -I {self.root}/run/ask.py {self._socket} {program} "$@"')
        for package in Path(sysconfig.get_path("purelib")).iterdir():
            if "springboard" not in package.name and package.suffix != ".pth":
                (self.root / "packages" / package.name).symlink_to(package)
        self._environment = self._more | {
            "HOME": str(self.root / "root"), "LANG": "C.UTF-8", "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore", "PYTHONPATH": str(self.root / "packages"),
            "PATH": f"{self.root}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "SPRINGBOARD_DISCORD_API": self._discord.discord.base,
        }  # fmt: skip
        self._initial, self._cwd = dict(self._environment), self.root / "root"
        await asyncio.to_thread(self._publish)
        self._server = await asyncio.start_unix_server(self._answer, self._socket)
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in self.services.running.values():
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        self._server.close()
        await self._server.wait_closed()
        self._place.cleanup()

    @property
    def pointed(self) -> dict[str, str]:
        """The environment in which a bot takes the loopback for Discord."""
        names = ("PATH", "HOME", "LANG", "SPRINGBOARD_DISCORD_API", *self._more)
        return {name: self._initial[name] for name in names} | {
            "PYTHONPATH": f"{POINTED}:{self.root / 'packages'}", "LOOPBACK_GATEWAY": self._discord.gateway.address,
        }  # fmt: skip

    def _stand_in(self, program: str, script: str) -> None:
        path = self.root / "bin" / program
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def _publish(self) -> None:
        """Create the repository of the project."""
        shutil.copytree(ROOT, self.repository, ignore=shutil.ignore_patterns(*LEFT_OUT))
        self._git("init", "--quiet")
        self.commit()

    def _git(self, *words: str) -> None:
        who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.org")
        subprocess.run(["git", *who, *words], cwd=self.repository, env=self._initial, check=True, stdout=subprocess.DEVNULL)

    def commit(self) -> None:
        """Publish the changes in the repository."""
        self._git("add", "--all")
        self._git("commit", "--quiet", "--message", "Another version")

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Do what a stand-in for one of the machine's programs asks for."""
        with contextlib.closing(writer):
            try:
                answer = await self.services.do(*json.loads(await reader.readline()))
            except (AssertionError, OSError) as error:
                answer = 1, f"{error}\n"
            writer.write(json.dumps(answer).encode() + b"\n")

    def here(self, text: str) -> str:
        """A text with the folders, ports and words of this machine."""
        text = FOLDERS.sub(str(self.root), text)
        text = PORTS.sub(lambda found: str(self.port(found[0])), text)
        return re.sub(r"\b[A-Z]+\b", lambda found: self._words.get(found[0], found[0]), text)

    def port(self, named: str) -> int:
        """The free port that stands for one of the page."""
        return self._ports.setdefault(named, free_port())

    async def run(self, block: str, typed: str = "") -> str:
        """Run a block while `typed` is typed, and return what it prints. Raises AssertionError if a command fails."""
        async with self.running(block, typed) as process:
            said = (await process.communicate(typed.encode() or None))[0].decode()
        assert process.returncode == 0, f"{block}ended with {process.returncode}:\n{said}"
        kept = self._kept.read_bytes().decode().split("\0")
        self._cwd, self._environment = Path(kept[0]), dict(one.split("=", 1) for one in kept[1:] if "=" in one)
        return said

    @property
    def _kept(self) -> Path:
        return self.root / "run/shell"

    @contextlib.asynccontextmanager
    async def running(self, block: str, typed: str = "", *, pointed: bool = False) -> AsyncIterator[Process]:
        """The shell while it runs a block. Whatever still runs at the end is killed.

        `pointed`: whether the block itself starts a bot, for which the loopback is Discord.
        """
        script = f"{self.here(block)}\n{{ pwd | tr '\\n' '\\0'; env --null; }} > {self._kept}\n"
        process = await asyncio.create_subprocess_exec(
            "bash", "-euo", "pipefail", "-c", script, cwd=self._cwd, env=self._environment | (self.pointed if pointed else {}),
            stdin=PIPE if typed else DEVNULL, stdout=PIPE, stderr=STDOUT, start_new_session=True,
        )  # fmt: skip
        try:
            yield process
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()

    async def ready(self, port: str) -> None:
        """Wait until the bot that answers monitors at a port of the page is ready."""
        async with asyncio.timeout(READY_WITHIN):
            while said := await asyncio.to_thread(complaint, f"127.0.0.1:{self.port(port)}"):
                assert all(process.returncode is None for process in self.services.running.values()), said
                await asyncio.sleep(0.1)
