"""A short torture. `make torture` is the long one."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.loopback.torment import torment

KILLS = 6


@pytest.mark.slow
def test_killed_at_any_moment_everything_is_there_in_the_end_and_once() -> None:
    with TemporaryDirectory() as folder:
        figures = asyncio.run(torment(Path(folder), KILLS))
    assert figures.problems == []
    assert figures.kills >= KILLS
    assert figures.counts["tables opened, and acknowledged"] > 0, "somebody must have got something done between the kills"
