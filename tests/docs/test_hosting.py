"""The commands of docs/hosting.md are run as they stand there, on a machine of each kind (tests/docs/hosts.py)."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import psycopg
import pytest

from docs.site.links import ROOT
from loopback.server import Loopback
from tests.bot.command_line import TOKEN
from tests.databases import WANTED, WHY_NOT
from tests.docs.hosts import READY_WITHIN, Machine, blocks
from tests.encrypting import OPENSSL, WHY_NO_CERTIFICATES, Encrypting
from tests.image.__main__ import BEATS
from tests.loopback.natures import Nature
from tests.loopback.people import People
from tests.loopback.postgresql import Server
from tests.pgbouncer import free_port

PAGE: Final = blocks(ROOT / "docs/hosting.md")
SHORTEST, PROGRAM, SMALL = "The shortest way", "The program", "A small machine, with SQLite"
OWN, RENTED, AFTER = "A machine with a PostgreSQL of its own", "A PostgreSQL that you rent", "Looking after a bot on PostgreSQL"
WALKED: Final = {SHORTEST, PROGRAM, SMALL, OWN, RENTED, AFTER, "Backups"}
EXCUSED: Final = {
    (
        "With a container",
        "docker ",
    ): "there is no container engine here; .ci/image builds the image, runs it, restores and plays",
    ("Backups", "# /etc/litestream.yml"): "a file of another program",
    ("Backups", "litestream "): "another program, which nothing needs",
}
"""The blocks that are not run, by their heading and how they begin, and why."""
PASSWORD: Final = "f00d1e55"


def excused(heading: str, block: str) -> bool:
    return any(where == heading and block.startswith(beginning) for where, beginning in EXCUSED)


def walked(heading: str) -> list[str]:
    """The blocks under a heading that are run, in their order."""
    return [block for block in PAGE[heading] if not excused(heading, block)]


def test_every_block_of_the_page_is_run_by_a_test_here_or_excused() -> None:
    left = [(heading, block) for heading, found in PAGE.items() for block in found if heading not in WALKED]
    assert [block for heading, block in left if not excused(heading, block)] == []
    assert all(any(block.startswith(beginning) for block in PAGE[heading]) for heading, beginning in EXCUSED)


def test_a_page_is_read_by_its_headings() -> None:
    assert list(PAGE)[:3] == [SHORTEST, PROGRAM, SMALL]
    assert PAGE["Backups"][0].startswith("springboard restore")


class Host:
    """A host at a machine, with a server in Discord where Ann and Ben play.

    Args:
        machine: the machine.
        loopback: the Discord.
        port: where the bot answers monitors, by the page.
    """

    def __init__(self, machine: Machine, loopback: Loopback, port: str) -> None:
        self.machine, self.loopback, self.port = machine, loopback, port
        self.people, known = People(loopback), loopback.discord
        self.where = known.channel(known.guild("Bounce Club"), "games")
        self.ann, self.ben = known.person("Ann"), known.person("Ben")

    async def does(self, block: str, typed: str = "") -> str:
        """Run a block. If it starts the bot, the host waits until that can be used."""
        said = await self.machine.run(block, typed)
        if "start " in block or "--now" in block:
            await self.machine.ready(self.port)
            # One of several bots that waits for another one to give up its shards is ready, too: in a backup there is one.
            await self.until(self.loopback.gateway.line(self.where.guild_id).ready.is_set)
        return said

    async def installs(self) -> None:
        """Install the program."""
        install, token = PAGE[PROGRAM]
        assert "Successfully installed springboard" in await self.does(install)
        await self.does(token, f"{TOKEN}\n")

    async def play(self) -> None:
        """Ann and Ben begin a game."""
        opened = await self.people.slash(self.ann, self.where, "play", game="bouncers", opponent=self.ben)
        assert opened.original is not None
        await self.people.click(self.ben, opened.original, "sb|accept")
        await self.until(lambda: bool(self.people.everywhere(Nature.BOARD, 1)))

    async def ann_moves(self) -> None:
        answer = await self.people.slash(self.ann, self.where, "move", action="b2 b3")
        assert "**Ann** bounces b2 → b3." in answer.text, answer.text

    async def ben_moves(self) -> None:
        answer = await self.people.slash(self.ben, self.where, "move", action="b7 b6")
        assert "**Ben** bounces b7 → b6." in answer.text, answer.text

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait for something to become true."""
        async with asyncio.timeout(READY_WITHIN):
            while not true():
                await asyncio.sleep(0.05)

    async def updates(self, block: str) -> None:
        """Update the program, of which there is a new version."""
        project = self.machine.repository / "pyproject.toml"
        project.write_text(project.read_text().replace('version = "', 'version = "9', 1))
        self.machine.commit()
        await self.does(block)
        assert "version 9" in await self.machine.run("springboard --version")


def all_is_well(doctor: str) -> bool:
    """Whether `doctor` has nothing to complain of, and prints the link that invites the bot."""
    return "!!" not in doctor and "??" not in doctor and "https://discord.com/oauth2/authorize" in doctor


@asynccontextmanager
async def a_host(port: str, **options: Mapping[str, str]) -> AsyncIterator[Host]:
    """A host at a new machine. `port`: see `Host`. `options`: of the machine."""
    async with Loopback(time.time, beats=BEATS, name="Springboard") as loopback:
        async with Machine(loopback, **options) as machine:
            yield Host(machine, loopback, port)
            for name in list(machine.services.running):
                assert await machine.services.stop(name) == 0, machine.services.log(name).read_text()
        assert [*loopback.breaches, *loopback.strange] == []


@pytest.mark.slow
async def test_the_shortest_way_leads_to_a_bot() -> None:
    run, doctor = PAGE[SHORTEST]
    async with a_host("9090") as host:
        await host.machine.run("git clone ADDRESS springboard\ncd springboard\n")
        async with host.machine.running(run, pointed=True) as process:
            await host.until(lambda: "play" in host.people.discord.commands or process.returncode is not None)
            assert process.returncode is None, (await process.communicate())[0].decode()
            assert all_is_well(await host.machine.run(doctor))
            os.killpg(process.pid, signal.SIGINT)
            said = (await process.communicate())[0].decode()
            assert "Traceback" not in said
            assert "stopping" in said


@pytest.mark.slow
async def test_a_small_machine_with_sqlite() -> None:
    start, doctor, look, restore, update = PAGE[SMALL]
    async with a_host("9090") as host:
        await host.installs()
        await host.does(start)
        assert all_is_well(await host.does(doctor))
        await host.play()
        data = host.machine.root / "var/lib/springboard"
        await an_hour_later(host, data / "backups")
        said = await host.does(look)
        assert "The bot is alive.\nThe database is sound.\n" in said
        assert "1 game, until" in said
        assert '"ready"' in said
        for block in walked("Backups"):
            assert "The database is copied to games.sqlite3." in await host.does(block)
        await host.does(restore)
        assert (data / "springboard.sqlite3.before-restore").exists()
        await host.ann_moves()
        await host.updates(update)
        assert (host.machine.root / "root/before-the-update.sqlite3").exists()
        await host.ben_moves()


async def an_hour_later(host: Host, folder: Path) -> None:
    """The bot makes its next backup: an hour has passed, or there is none when it starts."""
    await host.until(lambda: bool(list(folder.glob("springboard-*.sqlite3"))))
    for backup in folder.glob("springboard-*.sqlite3"):
        backup.unlink()
    await host.does("systemctl stop springboard\nsystemctl start springboard\n")
    await host.until(lambda: bool(list(folder.glob("springboard-*.sqlite3"))))


async def is_looked_after(host: Host) -> None:
    """Go on as with any bot on PostgreSQL: look, start, back up, restore, update."""
    doctor, start, look, back_up, restore, update = PAGE[AFTER]
    assert all_is_well(await host.does(doctor))
    await host.does(start)
    await host.play()
    said = await host.does(look)
    assert "The bot is alive.\nThe database is sound.\n" in said
    assert '"ready"' in said
    await host.does(back_up)
    await host.ann_moves()
    await host.does(restore)
    await host.ann_moves()  # what came after the backup is gone
    await host.updates(update)
    await host.ben_moves()


@pytest.mark.slow
@pytest.mark.server
@pytest.mark.skipif(not WANTED, reason=WHY_NOT)
@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes the user of the server")
async def test_a_machine_with_a_postgresql_of_its_own() -> None:
    (setting_up,) = PAGE[OWN]
    async with Server() as server:
        port = await as_debian_sets_it_up(server)
        where = {"PGHOST": str(server.folder), "PGPORT": str(port)}  # other tests have servers on this machine, too
        async with a_host("9091", words={"PASSWORD": PASSWORD}, environment=where) as host:
            await host.installs()
            await host.does(setting_up)
            await is_looked_after(host)


async def as_debian_sets_it_up(server: Server) -> int:
    """The superuser is postgres, who is known by being that user of the machine; others need a password. Returns the port."""
    port = free_port()
    with psycopg.connect(server.url, autocommit=True) as superuser:
        superuser.execute("create role another superuser login")
    with psycopg.connect(server.url, user="another", autocommit=True) as another:
        another.execute("alter role springboard rename to postgres")
    server.configure(listen_addresses="127.0.0.1", port=str(port))
    server.keep("pg_hba.conf", b"local all all peer\nhost all all 127.0.0.1/32 scram-sha-256\n")
    await server.pause()
    await server.resume()
    return port


@pytest.mark.slow
@pytest.mark.server
@pytest.mark.skipif(not WANTED, reason=WHY_NOT)
@pytest.mark.skipif(OPENSSL is None, reason=WHY_NO_CERTIFICATES)
async def test_a_rented_postgresql_by_its_address(tmp_path: Path) -> None:
    (setting_up,) = PAGE[RENTED]
    async with Encrypting() as server:
        await server.made(tmp_path)
        with psycopg.connect(server.url, port=server.port, autocommit=True) as provider:
            provider.execute(f"create role customer login password '{PASSWORD}'")
            provider.execute("create database games owner customer")
            server.keep("pg_hba.conf", b"hostssl all all localhost scram-sha-256\n")
            provider.execute("select pg_reload_conf()")
        address = {"USER": "customer", "PASSWORD": PASSWORD, "HOST": "localhost", "PORT": str(server.port), "DATABASE": "games"}
        async with a_host("9091", words=address) as host:
            await host.installs()
            await host.does(setting_up)
            await is_looked_after(host)
