"""Which process runs which shards: decided by each for itself, from what all of them can read in the leases."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """What a process should do now.

    Attributes:
        claim: the shards that it should try to get, in this order.
        give_up: a shard that it should hand over to a process that has too few; None if there is none.
    """

    claim: tuple[int, ...] = ()
    give_up: int | None = None


def decide(
    me: str, processes: Collection[str], held: Mapping[int, str | None], may_run: Callable[[int], bool] | None = None
) -> Decision:
    """What one process should do so that all shards are run, and all processes run about as many of them.

    Args:
        me: the process.
        processes: all that are alive, this one among them unless it is about to end, or cannot reach Discord.
        held: who holds each shard; None: nobody.
        may_run: whether this process is to run a shard; None: the processes share all shards out.
    """
    free = [shard for shard, owner in sorted(held.items()) if owner is None]
    mine = [shard for shard, owner in sorted(held.items()) if owner == me]
    if may_run is not None:
        unwanted = [shard for shard in mine if not may_run(shard)]
        return Decision(tuple(filter(may_run, free)), unwanted[0] if unwanted else None)
    if me not in processes:
        return Decision()
    least, more = divmod(len(held), len(processes))
    counts = Counter(owner for owner in held.values() if owner in processes)
    lacking = [process for process in processes if counts[process] < least]
    # As many processes as there are shards left over run one more than the others.
    largest = sum(1 for process in processes if process != me and counts[process] > least)
    fair = least + (1 if more and (largest < more) else 0)
    # Every process begins its search elsewhere, so that they do not all try to get the same one.
    rank = sorted(processes).index(me)
    turned = free[rank * len(free) // len(processes) :] + free[: rank * len(free) // len(processes)]
    too_many = len(mine) > fair or (len(mine) > least and bool(lacking))
    waited_for = any(process != me and counts[process] < least + bool(more) for process in processes)
    give_up = mine[-1] if too_many and waited_for and not free else None
    return Decision(tuple(turned[: max(0, fair - len(mine))]), give_up)
