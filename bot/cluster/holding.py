"""Holding: this process's lease of a shard, and how long this process may rely on it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.loops.heartbeat import uptime
from storage.schema.errors import LeaseLost

MARGIN = 1.0
"""Seconds before its expiry at which a process stops relying on a lease, since requests take time to arrive."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session with Discord's gateway, which any process that knows it can resume.

    Attributes:
        id: its id.
        resume_url: the address at which it can be resumed.
        sequence: the number of the last event that was certainly received.
        exact: whether no later event was received. The stored sequence of a killed process is some seconds old.
    """

    id: str
    resume_url: str
    sequence: int
    exact: bool = False


@dataclass
class Holding:
    """The lease of a shard in the hands of this process.

    Attributes:
        shard, of: the shard's number, and the number of all shards.
        name: the lease's name.
        fence: the number that every write has to carry.
        valid_until: the moment of `clock` until which this process may rely on the lease.
        since: when the previous process lost the lease, in seconds since the epoch, unless it handed the lease over; see
            `StoredLease`.
        lost: whether this process has lost the lease.
        clock: returns the seconds since a fixed moment, by a clock that cannot be set and runs while the machine sleeps.
    """

    shard: int
    of: int
    name: str
    fence: int
    valid_until: float
    since: float
    lost: bool = False
    clock: Callable[[], float] = uptime
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def valid(self) -> bool:
        """Whether it is certain that no other process has the shard now."""
        return not self.lost and self.clock() < self.valid_until

    def renew(self, until: float) -> None:
        """Rely on the lease until the moment `until` of the clock."""
        self.valid_until = until
        self._change()

    def lose(self) -> None:
        """Stop relying on the lease for good."""
        self.lost = True
        self._change()

    def _change(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def check(self) -> None:
        """Raise LeaseLost unless the lease is valid."""
        if not self.valid:
            raise LeaseLost(self.name)

    async def confirmed(self) -> None:
        """Wait until the lease is valid. Raises LeaseLost once it is lost for good."""
        while not self.valid:
            if self.lost:
                raise LeaseLost(self.name)
            await self._changed.wait()
