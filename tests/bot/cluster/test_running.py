"""How many shards a process runs."""

import pytest

from bot.cluster.running import shards_in_all
from bot.config import CannotRun, Settings, ShardIds
from storage.cluster.leases import Leases
from storage.store import Store

RECOMMENDED = 4


@pytest.fixture
def leases(store: Store) -> Leases:
    return Leases(store)


def asking(shards: int | None = None, ids: str | None = None) -> Settings:
    return Settings.model_construct(shards=shards, shard_ids=None if ids is None else ShardIds.parse(ids))


async def test_there_are_as_many_shards_as_others_run_else_as_are_asked_for_else_as_discord_recommends(leases: Leases) -> None:
    assert await shards_in_all(asking(), leases, RECOMMENDED) == RECOMMENDED
    assert await shards_in_all(asking(6), leases, RECOMMENDED) == 6
    await leases.add("shard 0 of 12", "shard 0 of 16")
    assert await leases.claim("shard 0 of 12", "another", 1000.0) is not None
    assert await shards_in_all(asking(), leases, RECOMMENDED) == 12
    with pytest.raises(CannotRun, match="12 shards"):
        await shards_in_all(asking(16), leases, RECOMMENDED)


async def test_a_process_that_is_to_run_shards_of_which_there_is_none_does_not_start(leases: Leases) -> None:
    with pytest.raises(CannotRun, match="SPRINGBOARD_SHARD_IDS"):
        await shards_in_all(asking(ids="4-7"), leases, RECOMMENDED)
    assert await shards_in_all(asking(ids="2-7"), leases, RECOMMENDED) == RECOMMENDED
