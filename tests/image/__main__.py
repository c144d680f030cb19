"""`python -m tests.image ROOT INSPECTED`: has an image do its work, and measures its size and speed. See `.ci/image`.

ROOT is its file system, INSPECTED the output of `buildah inspect`. A bot runs in it as its user on a read-only file system,
people play a turn with it in a loopback Discord, its health check is asked, and it is stopped.
"""

import asyncio
import json
import os
import stat
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from loopback.model import Channel
from loopback.server import Loopback
from tests.bot.command_line import TOKEN
from tests.image.container import Container, Image, outcome, running
from tests.loopback.natures import Nature
from tests.loopback.people import People
from tests.pgbouncer import free_port

POINTED: Final = Path(__file__).with_name("pointed")
BEATS: Final = 41_250
MOST: Final = 170
"""MB for /opt: the bot with all it needs except Python."""
STARTED_WITHIN: Final = 60.0
PLAYED_WITHIN: Final = 30.0
STOPPED_WITHIN: Final = 30.0
"""Seconds, as in compose.yaml."""

TOOLS: Final = """
import importlib.util, os, shutil
modules = [name for name in ("pip", "setuptools", "wheel") if importlib.util.find_spec(name)]
programs = [name for name in ("pip", "pip3", "gcc", "cc", "ld", "make") if shutil.which(name)]
print(*modules, *programs)
"""
CONFINED: Final = """
import os
print(os.getuid(), os.getgid(), os.getpid() != 1, bool(os.statvfs("/").f_flag & os.ST_RDONLY))
open("/tmp/a", "w").close()
open("/data/a", "w").close()
os.remove("/data/a")
for line in open("/proc/self/status"):
    if line.startswith(("CapEff", "CapBnd", "NoNewPrivs")):
        print(line.split()[1])
"""


def size(folder: Path) -> float:
    """MB in the files below a folder. A file with several names counts once."""
    found = {}
    for path in folder.rglob("*"):
        about = path.lstat()
        if not stat.S_ISDIR(about.st_mode):
            found[about.st_dev, about.st_ino] = about.st_size
    return sum(found.values()) / 1e6


async def until(true: Callable[[], bool], seconds: float, container: Container) -> None:
    """Wait for something to become true. Raises AssertionError with the container's output if that takes too long."""
    end = time.perf_counter() + seconds
    while not true():
        written = "\n".join(container.lines[-40:])
        assert time.perf_counter() < end, f"It has not come so far in {seconds:.0f} s; it wrote:\n{written}"
        assert container.process.returncode is None, f"It has ended; it wrote:\n{written}"
        await asyncio.sleep(0.02)


async def without_a_token(image: Image, data: Path) -> float:
    """Start the image without a token, which it asks for. Returns the seconds."""
    began = time.perf_counter()
    status, said = await outcome(image.started(image.command, data, {}))
    seconds = time.perf_counter() - began
    assert status == 1, said
    assert "No DISCORD_TOKEN is set" in said, said
    assert "docker run:  --env DISCORD_TOKEN=" in said, said
    return seconds


async def nothing_to_build_with(image: Image, data: Path) -> None:
    """Look for build tools in the bot's and in Python's own installation."""
    for environment in ({}, {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}):
        status, said = await outcome(image.started(["python", "-c", TOOLS], data, environment))
        assert (status, said) == (0, ""), f"in the image: {said}"


async def play(loopback: Loopback, where: Channel, container: Container) -> None:
    """Open a table, join it, and move: the board comes back."""
    people = People(loopback)
    known = loopback.discord
    ann, ben = known.person("Ann"), known.person("Ben")
    opened = await people.slash(ann, where, "play", game="bouncers", opponent=ben)
    assert opened.original is not None, container.lines
    await people.click(ben, opened.original, "sb|accept")
    await until(lambda: len(people.everywhere(Nature.BOARD, 1)) == 1, PLAYED_WITHIN, container)
    moved = await people.slash(ann, where, "move", action="b2 b3")
    assert "**Ann** bounces b2 → b3." in moved.text, moved.text
    await until(lambda: len(people.everywhere(Nature.BOARD, 1)) == 2, PLAYED_WITHIN, container)
    last = people.everywhere(Nature.BOARD, 1)[-1]
    await until(lambda: bool(last.attachments), PLAYED_WITHIN, container)  # what pings is a plain message first
    assert last.pinged == {ben.id}
    assert [one.content[:4] for one in last.attachments] == [b"\x89PNG"], "the board has its picture"
    german = known.commands["play"]["description_localizations"]["de"]
    assert german != known.commands["play"]["description"]


async def healthy(container: Container) -> None:
    """Ask the health check until it is content: the bot waits two seconds for further servers."""
    end = time.perf_counter() + STARTED_WITHIN
    while (found := await container.run(container.image.health_check)) != (0, "The bot is alive."):
        assert time.perf_counter() < end, found[1]


def complains(line: str) -> bool:
    """Whether a line of output is no log line, or a warning or worse."""
    try:
        return json.loads(line)["level"] not in ("debug", "info")
    except (ValueError, KeyError):
        return True


def settings(loopback: Loopback) -> dict[str, str]:
    """The settings as in compose.yaml, with the loopback for Discord."""
    return {
        "DISCORD_TOKEN": TOKEN, "SPRINGBOARD_HTTP": f"127.0.0.1:{free_port()}", "SPRINGBOARD_LOG_FORMAT": "json",
        "SPRINGBOARD_BACKUPS": "/data/backups", "SPRINGBOARD_DISCORD_API": loopback.discord.base,
        "LOOPBACK_GATEWAY": loopback.gateway.address, "PYTHONPATH": "/mnt",
    }  # fmt: skip


async def restores(image: Image, data: Path) -> None:
    """Run a bot until it has made a backup, stop it, and restore that."""
    async with Loopback(time.time, beats=BEATS, name="Springboard") as loopback:
        environment = settings(loopback)
        async with running(image, data, environment) as container:
            await until(lambda: any(data.glob("backups/springboard-*.sqlite3")), STARTED_WITHIN, container)
            assert await container.stop(STOPPED_WITHIN) == 0, container.lines
        command = [*image.config["Entrypoint"], "restore", "latest"]
        status, said = await outcome(image.started(command, data, environment))
        assert status == 0, said
        assert "The database is as it was in /data/backups/springboard-" in said, said


async def lives(image: Image, data: Path) -> tuple[float, float]:
    """Run a bot, play, and stop it. Returns the seconds until it was ready, and for stopping."""
    async with Loopback(time.time, beats=BEATS, name="Springboard") as loopback:
        known = loopback.discord
        where = known.channel(known.guild("Bounce Club"), "games")
        began = time.perf_counter()
        async with running(image, data, settings(loopback)) as container:
            await until(lambda: loopback.gateway.ready.is_set() and "play" in known.commands, STARTED_WITHIN, container)
            start = time.perf_counter() - began
            status, said = await container.run(["python", "-c", CONFINED])
            user, group = image.user
            assert (status, said) == (0, f"{user} {group} True True\n{0:016x}\n{0:016x}\n1"), said
            await play(loopback, where, container)
            await healthy(container)
            began = time.perf_counter()
            status = await container.stop(STOPPED_WITHIN)
            stop = time.perf_counter() - began
        assert status == 0, container.lines
        assert [*filter(complains, container.lines), *loopback.breaches, *loopback.strange] == []
        return start, stop


async def main(root: Path, inspected: Path) -> None:
    image = Image.read(root, inspected, POINTED)
    about = (root / "data").stat()
    assert (about.st_uid, about.st_gid) == image.user, "the volume belongs to the user"
    whole, own = size(root), size(root / "opt")
    assert own <= MOST, f"/opt has {own:.0f} MB"
    with TemporaryDirectory() as folder:
        data = Path(folder)
        os.chown(data, *image.user)
        await nothing_to_build_with(image, data)
        status, said = await outcome(image.started(image.health_check, data, {}))
        assert status == 1, f"healthy without a bot: {said}"
        asked = await without_a_token(image, data)
        await restores(image, data)
        start, stop = await lives(image, data)
    sys.stdout.write(
        f"It has {whole:.0f} MB, of which {own:.0f} are in /opt (at most {MOST}).\n"
        f"Without a token it said after {asked:.1f} s how to give it one. A backup that it had made was restored.\n"
        f"With one it was connected after {start:.1f} s. A turn was played, it was healthy, and it stopped in {stop:.1f} s.\n"
    )


if __name__ == "__main__":
    asyncio.run(main(*map(Path, sys.argv[1:])))
