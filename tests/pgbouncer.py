"""PgBouncer in front of a PostgreSQL server."""

import asyncio
import contextlib
import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

from psycopg.conninfo import conninfo_to_dict

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
WHY_NOT = "PgBouncer is not installed (on Debian: apt-get install pgbouncer): databases behind it are not tested"
READY_WITHIN = 60.0
"""Seconds after which it counts as hung."""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextlib.asynccontextmanager
async def pooled(url: str, mode: str) -> AsyncIterator[str]:
    """A database's URL through PgBouncer as Debian ships it, with only `pool_mode` changed."""
    assert PROGRAM is not None
    server, port = conninfo_to_dict(url), free_port()
    # PgBouncer refuses to run as root, as PostgreSQL does, whose folder only its own user may enter.
    user = ["--user", _unprivileged()] if os.geteuid() == 0 else []
    with TemporaryDirectory() as name:
        folder = Path(name)
        where = " ".join(f"{key}={server[key]}" for key in ("host", "port", "user") if key in server)
        folder.joinpath("pgbouncer.ini").write_text(
            f"[databases]\n{server['dbname']} = {where}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
            f"unix_socket_dir =\nauth_type = any\npool_mode = {mode}\n",
            encoding="utf-8",
        )
        folder.chmod(0o755)
        with subprocess.Popen(
            [PROGRAM, *user, folder / "pgbouncer.ini"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        ) as process:  # fmt: skip
            try:
                async with asyncio.timeout(READY_WITHIN):
                    while not await _listens(port):
                        assert process.poll() is None, "PgBouncer has ended"
                        await asyncio.sleep(0.02)
                yield f"postgresql://somebody@127.0.0.1:{port}/{server['dbname']}"
            finally:
                process.kill()


def _unprivileged() -> str:
    """The user as which `.ci/postgresql` runs the server if the tests run as root."""
    with contextlib.suppress(KeyError):
        return pwd.getpwnam("postgres").pw_name
    return "nobody"


async def _listens(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True
