"""A PostgreSQL server for one test, which can be stopped and restarted: `.ci/postgresql`."""

import asyncio
import os
import signal
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import psycopg
from psycopg.conninfo import make_conninfo

SCRIPT = Path(__file__).parents[2] / ".ci" / "postgresql"


class NotInstalled(Exception):
    """This machine has no PostgreSQL."""


class Server:
    """A server, as a context manager. `url` is that of an empty database. Raises NotInstalled."""

    url: str

    async def __aenter__(self) -> Self:
        self.url = (await _done()).strip()
        return self

    async def __aexit__(self, *_: object) -> None:
        await _done("stop", self.url)

    @property
    def folder(self) -> Path:
        """The folder of its data (`data`), log and socket."""
        return Path(self.url.partition("?host=")[2])

    @property
    def pid(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()[0])

    def configure(self, **settings: str) -> None:
        """Change settings from its next start on."""
        with (self.folder / "data" / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def keep(self, name: str, content: bytes) -> None:
        """Put a file that only its user can read into its data folder."""
        path, owner = self.folder / "data" / name, (self.folder / "data").stat()
        path.write_bytes(content)
        path.chmod(0o600)
        os.chown(path, owner.st_uid, owner.st_gid)

    async def pause(self, mode: str = "fast") -> None:
        """Stop it; ``immediate`` is like a crash. What was written stays."""
        await _done("pause", self.url, mode)

    async def resume(self) -> None:
        """Restart it, and wait until it can be used."""
        await _done("resume", self.url)


class Pair:
    """Two servers, one of which follows the other and takes over when it fails.

    `synchronous` commits wait for both. `url` is for the bot's user and database, and names both servers.
    """

    url: str

    def __init__(self, *, synchronous: bool = True) -> None:
        self.synchronous = synchronous
        self._folder = TemporaryDirectory()
        self._places = [Path(self._folder.name, name) for name in ("one", "two")]
        self._servers: list[str] = []

    async def __aenter__(self) -> Self:
        Path(self._folder.name).chmod(0o755)
        self._servers = [(await _done()).strip()]
        try:
            self._find(0)
            await self.tell("CREATE ROLE bot LOGIN", "CREATE DATABASE games OWNER bot")
            hosts = ",".join(map(str, self._places))
            self.url = f"postgresql://bot@/games?host={hosts}&target_session_attrs=read-write"
            await self._follow()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        for server in self._servers:
            await _done("stop", server)
        self._folder.cleanup()

    @property
    def primary(self) -> str:
        """The superuser's URL of the writable server."""
        return self._servers[0]

    @property
    def primary_of_games(self) -> str:
        return make_conninfo(self.primary, dbname="games")

    def _find(self, place: int) -> None:
        """Let the newest server be found at a fixed address."""
        self._places[place].unlink(missing_ok=True)
        self._places[place].symlink_to(self._servers[-1].partition("?host=")[2])

    async def tell(self, *commands: str, database: str = "postgres") -> None:
        async with await psycopg.AsyncConnection.connect(self.primary, dbname=database, autocommit=True) as connection:
            for command in commands:
                await connection.execute(command)

    async def ask(self, question: str) -> list[Any]:
        async with await psycopg.AsyncConnection.connect(self.primary, autocommit=True) as connection:
            return [row[0] for row in await (await connection.execute(question)).fetchall()]

    async def _follow(self) -> None:
        self._servers.append((await _done("standby", self.primary)).strip())
        first = f"postgresql://springboard@/postgres?host={self._places[0].resolve()}"
        self._find(1 if first == self.primary else 0)
        while await self.ask("SELECT state FROM pg_stat_replication") != ["streaming"]:
            await asyncio.sleep(0.05)
        if self.synchronous:
            await self._set("synchronous_standby_names", "*")
            while await self.ask("SELECT sync_state FROM pg_stat_replication") != ["sync"]:
                await asyncio.sleep(0.05)

    async def _set(self, name: str, value: str) -> None:
        await self.tell(f"ALTER SYSTEM SET {name} = '{value}'", "SELECT pg_reload_conf()")

    async def pause(self, mode: str = "fast") -> None:
        await _done("pause", self.primary, mode)

    async def resume(self) -> None:
        await _done("resume", self.primary)

    async def fail_over(self) -> None:
        """Crash the primary, and promote the other server, as a supervisor does."""
        await _done("pause", self.primary, "immediate")
        self._servers.reverse()
        # It has nobody to wait for now.
        conf = Path(self.primary.partition("?host=")[2], "data", "postgresql.auto.conf")
        with conf.open("a", encoding="utf-8") as file:
            file.write("synchronous_standby_names = ''\n")
        await _done("promote", self.primary)
        await self._set("synchronous_standby_names", "")

    async def repair(self) -> None:
        """Replace the crashed server by one that follows the other."""
        await _done("stop", self._servers.pop())
        await self._follow()

    async def hold_back(self) -> None:
        """Send nothing more to the standby. Asynchronous commits do not wait for it."""
        for pid in await self.ask("SELECT pid FROM pg_stat_replication"):
            os.kill(pid, signal.SIGSTOP)


async def _done(*arguments: str) -> str:
    done = await asyncio.to_thread(lambda: subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False))
    if "is not installed" in done.stderr:
        raise NotInstalled(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return done.stdout
