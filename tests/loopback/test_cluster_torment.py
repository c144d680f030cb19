"""A short torture of three bots on one PostgreSQL. `make torture-cluster` is the long one."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.databases import WANTED, WHY_NOT
from tests.loopback.cluster_torment import Plan, torment

SHORT = Plan(kills=2, freezes=1, stops=1, restarts=1, shards=6, concurrency=6, servers=6, tables=12, lease=4)


@pytest.mark.slow
@pytest.mark.server
@pytest.mark.skipif(not WANTED, reason=WHY_NOT)
def test_whatever_happens_to_one_of_three_bots_the_others_go_on_and_nothing_is_lost_or_doubled() -> None:
    with TemporaryDirectory() as folder:
        figures = asyncio.run(torment(Path(folder), SHORT))
    assert (figures.problems, len(figures.blows)) == ([], 5)
    assert figures.counts["moves made, and acknowledged"] > 0, "somebody must have got something done"
