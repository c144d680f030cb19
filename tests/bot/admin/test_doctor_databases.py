"""What the doctor says about database servers and their addresses."""

import asyncio
from types import SimpleNamespace

import pytest

from bot.admin.doctor.databases import _replication, _unheeded
from bot.admin.doctor.finding import Mark
from storage.connections.addresses import address_of
from tests.bot.command_line import springboard
from tests.pgbouncer import PROGRAM, WHY_NOT, pooled

pytestmark = pytest.mark.usefixtures("bare")


@pytest.mark.skipif(PROGRAM is None, reason=WHY_NOT)
async def test_the_doctor_accepts_the_one_and_names_the_other(server: str, monkeypatch: pytest.MonkeyPatch, bare: None) -> None:
    said = {}
    for mode in ("session", "transaction"):
        async with pooled(server, mode) as url:
            monkeypatch.setenv("SPRINGBOARD_DATABASE", url)
            told = await asyncio.to_thread(springboard, "doctor", "--offline")
            said[mode] = next(line for line in told.output.splitlines() if "Database (" in line)
    assert said["session"].startswith("ok  ")
    assert said["transaction"].startswith("!!  ")
    assert "transaction pooling" in said["transaction"]


def test_what_of_an_address_is_not_heeded_is_named() -> None:
    address = address_of("postgresql://anna@host/games?sslmode=require&pgbouncer=true&schema=public&connect_timeout=30")
    foreign, timeout = _unheeded(address, "Database:")
    assert foreign.text == "Database: the address has pgbouncer, schema, which PostgreSQL does not know. That is left out."
    assert timeout.text.startswith("Database: connect_timeout=30 is not heeded")
    assert list(_unheeded(address_of("postgresql://anna@host/games?connect_timeout=3"), "Database:")) == []


@pytest.mark.parametrize(("standbys", "waits_for", "waits_for_standbys", "said"), [
    (0, "on", False, None),
    (1, "on", True, None),
    (1, "remote_apply", True, None),
    (0, "local", False, None),
    (1, "on", False, "asynchronous replication"),
    (2, "local", True, "asynchronous replication"),
    (0, "off", False, "synchronous_commit = off"),
])  # fmt: skip
def test_a_failovers_loss_is_told_first(standbys: int, waits_for: str, waits_for_standbys: bool, said: str | None) -> None:
    row = SimpleNamespace(standbys=standbys, waits_for=waits_for, waits_for_standbys=waits_for_standbys)
    found = list(_replication(row, "Database:"))
    assert [finding.mark for finding in found] == [Mark.NOTE] * (said is not None)
    assert all(said in finding.text for finding in found if said is not None)
