"""Encrypted connections to a real server, with certificates that the tests make."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from storage.schema.errors import StorageError
from storage.store import Store
from tests.databases import WANTED, WHY_NOT
from tests.encrypting import OPENSSL, WHY_NO_CERTIFICATES, Encrypting
from tests.pgbouncer import free_port
from tests.storage.reading_back import log_of, new_table, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.server,
    pytest.mark.skipif(not WANTED, reason=WHY_NOT),
    pytest.mark.skipif(OPENSSL is None, reason=WHY_NO_CERTIFICATES),
]


@pytest.fixture
async def encrypting(tmp_path: Path) -> AsyncIterator[Encrypting]:
    async with Encrypting() as server:
        await server.made(tmp_path)
        yield server


async def test_the_servers_certificate_is_checked_as_the_address_says(encrypting: Encrypting, tmp_path: Path) -> None:
    url = f"postgresql://springboard@localhost:{encrypting.port}/postgres"
    for more in (
        "",
        "?sslmode=require",
        "?sslmode=require&channel_binding=prefer&connect_timeout=4&application_name=games&options=-c%20work_mem%3D8MB",
        f"?sslmode=verify-ca&sslrootcert={encrypting.certificate}",
        f"?sslmode=verify-full&sslrootcert={encrypting.certificate}",
    ):
        async with opened(url + more) as store:
            async with store.read() as reader:
                encrypted = await reader.execute(sa.text("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"))
                assert encrypted.scalar() is True
                if "options" in more:
                    told = await reader.execute(
                        sa.text("SELECT current_setting('work_mem') || current_setting('application_name')")
                    )
                    assert told.scalar() == "8MBgames"
            assert await log_of(store, await new_table(store)) == []
    for more, said in (
        ("?sslmode=disable", "no pg_hba.conf entry"),
        ("?sslmode=verify-full&sslrootcert=system", "certificate verify failed"),
        (f"?sslmode=verify-full&sslrootcert={tmp_path / 'nothing.pem'}", "does not exist"),
    ):
        with pytest.raises(StorageError, match=said):
            await Store.open(url + more)
    with pytest.raises(StorageError, match="does not match host name"):
        await Store.open(f"postgresql://springboard@127.0.0.1:{encrypting.port}/postgres?sslmode=verify-full"
                         f"&sslrootcert={encrypting.certificate}")  # fmt: skip


async def test_of_several_hosts_the_writable_one_is_taken(encrypting: Encrypting) -> None:
    nowhere = free_port()
    url = (
        f"postgresql://springboard@localhost:{nowhere},localhost:{encrypting.port}/postgres"
        "?sslmode=require&target_session_attrs=read-write"
    )
    async with opened(url) as store:
        assert await log_of(store, await new_table(store)) == []
