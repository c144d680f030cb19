"""Which process runs which shards. Each process decides for itself, judging by the leases, which all processes can read."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sharing:
    """Which process runs which shards, and what one process should do so that all shards are run and evenly shared out.

    Attributes:
        me: this process.
        processes: all processes that are alive. This one is missing if it is about to end or cannot reach Discord.
        held: the process that holds each shard, or None.
        may_run: whether this process is to run a shard, if its shards are set. None if the processes share all shards out.
    """

    me: str
    processes: Collection[str]
    held: Mapping[int, str | None]
    may_run: Callable[[int], bool] | None = None

    @property
    def free(self) -> list[int]:
        """The shards that no process holds."""
        return [shard for shard, owner in sorted(self.held.items()) if owner is None]

    @property
    def mine(self) -> list[int]:
        """The shards that this process holds."""
        return [shard for shard, owner in sorted(self.held.items()) if owner == self.me]

    @property
    def least(self) -> int:
        """The number of shards that every process should run. If they cannot be shared evenly, some processes run one more."""
        return len(self.held) // len(self.processes)

    @property
    def others(self) -> list[int]:
        """How many shards each of the other processes holds."""
        counts = Counter(self.held.values())
        return [counts[process] for process in self.processes if process != self.me]

    @property
    def fair_share(self) -> int:
        """How many shards this process should run."""
        if self.me not in self.processes:
            return 0
        # For each shard left over, one process runs one more than the others.
        left_over = len(self.held) % len(self.processes)
        taken = sum(1 for count in self.others if count > self.least)
        return self.least + (1 if taken < left_over else 0)

    @property
    def wanted(self) -> tuple[int, ...]:
        """The shards that this process should try to claim, in order."""
        free = self.free
        if self.may_run is not None:
            return tuple(filter(self.may_run, free))
        if self.me not in self.processes:
            return ()
        # Every process begins its search elsewhere, so that they do not all try to get the same one.
        begin = sorted(self.processes).index(self.me) * len(free) // len(self.processes)
        return tuple([*free[begin:], *free[:begin]][: max(0, self.fair_share - len(self.mine))])

    @property
    def to_hand_over(self) -> int | None:
        """The shard that this process should hand over to one that has too few, or None."""
        mine = self.mine
        if self.may_run is not None:
            return next((shard for shard in mine if not self.may_run(shard)), None)
        if self.me not in self.processes or self.free:
            return None
        most = self.least + (1 if len(self.held) % len(self.processes) else 0)
        others_lack = any(count < self.least for count in self.others)
        too_many = len(mine) > self.fair_share or (len(mine) > self.least and others_lack)
        others_have_room = any(count < most for count in self.others)
        return mine[-1] if too_many and others_have_room else None
