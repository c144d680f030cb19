"""Which processes are running, and whether each of Discord's shards is run by one of them."""

from collections.abc import Iterable, Iterator

from bot.admin.doctor.finding import Finding, good, note, poor
from bot.config import SHARD_IDS, Settings
from storage.cluster.leases import Lease, Leases
from storage.schema.errors import StorageError
from storage.store import Store


async def running(settings: Settings) -> list[Finding]:
    """Report the running processes, judging by their leases. Faults of the database itself are reported elsewhere."""
    if not settings.on_server:
        return []
    try:
        store = await Store.beside(settings.database.get_secret_value())
    except StorageError:
        return []
    try:
        return list(describe_processes(await Leases(store).all()))
    finally:
        await store.close()


def describe_processes(leases: Iterable[Lease]) -> Iterator[Finding]:
    """Report how many processes run, and which shards no process runs."""
    known = [lease for lease in leases if lease.owner is not None and lease.remaining > 0]
    processes = {lease.owner for lease in known if lease.name.startswith("process ")}
    held = {_numbers(lease.name) for lease in known if lease.name.startswith("shard ")}
    if not processes and not held:
        yield note("Processes: none is running at this moment.")
        return
    of = max((of for _, of in held), default=0)
    lacking = sorted(set(range(of)) - {shard for shard, total in held if total == of})
    count = "one" if len(processes) == 1 else str(len(processes))
    if lacking:
        yield poor(
            f"Processes: {count} running, and nobody runs shard {', '.join(map(str, lacking))} of {of}: servers there get no "
            f"answer. If that lasts, start a process that may ({SHARD_IDS}), and see what the logs say."
        )
    else:
        yield good(f"Processes: {count} running, with all shards ({of}).")


def _numbers(name: str) -> tuple[int, int]:
    """Return a shard's number and the number of all shards, such as 3 and 12 for `shard 3 of 12`."""
    _, shard, _, of = name.split(" ")
    return int(shard), int(of)
