"""What the tests of the loopback Discord start from."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.loopback import leaping
from tests.loopback.stage import Stage, a_fresh_database, a_stage, nothing_drawn

Play = Callable[[Stage], Awaitable[None]]


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of the present version, to be copied."""
    path = tmp_path_factory.mktemp("empty") / "springboard.sqlite3"
    leaping.run(a_fresh_database(path))
    return path


@pytest.fixture
def on_stage(tmp_path: Path, empty_database: Path) -> Callable[[Play], None]:
    """Runs a test on a stage, in time that leaps, with blank pictures."""

    async def performed(play: Play) -> None:
        with nothing_drawn():
            async with a_stage(tmp_path, empty_database) as stage:
                await play(stage)
            assert stage.loopback.breaches == []
            assert stage.loopback.strange == []

    return lambda play: leaping.run(performed(play))
