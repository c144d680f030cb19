"""What `springboard doctor` says about running processes."""

import pytest

from bot.admin.doctor.finding import Mark
from bot.admin.doctor.processes import describe_processes, running
from bot.config import load
from storage.cluster.leases import Lease, Leases
from storage.store import Store


def lease(name: str, owner: str | None = "a", remaining: float = 9.0) -> Lease:
    return Lease(name=name, owner=owner, remaining=remaining)


def test_it_counts_the_processes_and_names_the_shards_that_nobody_runs() -> None:
    (nobody,) = describe_processes(
        [lease("shard 0 of 2", None), lease("shard 1 of 2", "a", -5.0), lease("process a", "a", -5.0)]
    )
    assert (nobody.mark, nobody.text) == (Mark.NOTE, "Processes: none is running at this moment.")
    both = [lease("process a"), lease("process b", "b"), lease("shard 0 of 2"), lease("shard 1 of 2", "b")]
    (well,) = describe_processes([*both, lease("identify 0", None)])
    assert (well.mark, well.text) == (Mark.GOOD, "Processes: 2 running, with all shards (2).")
    (lacking,) = describe_processes(
        [lease("process a"), lease("shard 0 of 3"), lease("shard 1 of 3", "b", -1.0), lease("shard 2 of 3", None)]
    )
    assert lacking.mark is Mark.POOR
    assert "nobody runs shard 1, 2 of 3" in lacking.text


async def test_it_reads_the_leases_of_the_database(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await Store.open(server, alone=False)
    leases = Leases(store)
    await leases.add("shard 0 of 1", "process a")
    await leases.claim("shard 0 of 1", "a", 60)
    await leases.claim("process a", "a", 60)
    monkeypatch.setenv("SPRINGBOARD_DATABASE", server)
    (finding,) = await running(load(None))
    await store.close()
    assert finding.text == "Processes: one running, with all shards (1)."
