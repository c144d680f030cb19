"""Fixtures for all tests: ready databases (tests/databases.py).

Tests that take a `store` of the storage or an `address` run on SQLite and, if a server is named, on PostgreSQL.
"""

import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from storage.connections.connect import make_ready
from tests import figures
from tests.databases import SERVER, WANTED, WHY_NOT, PostgreSQL, compiled_once, quick_folder, ready_files

gc.disable()
tempfile.tempdir = quick_folder()  # a commit to a disk takes longer than most tests
# How long an example takes depends on the machine.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")
BENCHMARKS = Path(__file__).parent / "benchmarks"


def pytest_collection_finish() -> None:
    """Exempt the tests, which stay to the end, from garbage collection."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # with the usual threshold, an eighth of the time is spent on searching
    gc.enable()


QUICK_ON_THE_SERVER = {
    "test_store.py", "test_reading.py", "test_writing.py", "test_leases.py", "test_migrations.py", "test_event_leaving.py",
}  # fmt: skip
"""Test files that are quick on PostgreSQL too. The others are slow there."""


LONG = {
    "test_cluster_torment.py", "test_torment.py", "test_restore_drill.py", "test_odd_pictures.py", "test_page.py",
    "test_hosting.py",
}  # fmt: skip
"""Test files that take long and mostly wait. They go first, so that in the end no worker is left with one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the proofs' page of figures."""
    parser.addoption("--figures", metavar="FILE", type=Path, help="write the figures of the proofs that were run to a page")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore the benchmarks' tests unless asked for: they are slow, and import a lot."""
    return True if collection_path == BENCHMARKS and "not slow" in config.option.markexpr else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first, and mark tests that use the server, and slow kinds: most of those, the browser, benchmarks."""
    items.sort(key=lambda item: item.path.name not in LONG)
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if "server" in getattr(item, "fixturenames", ()) or parameters.get("address") == "postgresql":
            item.add_marker("server")
            if item.path.name not in QUICK_ON_THE_SERVER:
                item.add_marker("slow")
        slow_by_kind = item.path.is_relative_to(BENCHMARKS) or item.get_closest_marker("browser")
        if slow_by_kind and not item.get_closest_marker("proof"):
            item.add_marker("slow")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.option.figures is not None:
        figures.write(config.option.figures, terminalreporter.stats)


@pytest.fixture(scope="session", autouse=True)
def ready_databases() -> Iterator[None]:
    """New SQLite databases are copies of a ready one, and statements are compiled once."""
    with ready_files(), compiled_once():
        yield


@pytest.fixture
def from_scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Databases start without tables in this test, so a store plays every migration."""
    monkeypatch.setattr("storage.store.make_ready", make_ready)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    if not WANTED:
        pytest.skip(WHY_NOT)
    url = os.environ.get(SERVER)
    if not url:
        pytest.fail(WHY_NOT)
    server = PostgreSQL(url)
    yield server
    server.close()


@pytest.fixture
async def server(postgresql: PostgreSQL, request: pytest.FixtureRequest) -> str:
    """The URL of a ready, empty database on it; with `from_scratch`, of one without tables."""
    await (postgresql.clear if "from_scratch" in request.fixturenames else postgresql.empty)()
    return postgresql.url


@pytest.fixture(params=["sqlite", "postgresql"] if WANTED else ["sqlite"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "springboard.db")
    url: str = request.getfixturevalue("server")
    return url
