"""Steps that tests of the core share."""

from bot.core.clocks.timing import Timing
from bot.core.core import Core
from bot.core.table.snapshot import Snapshot
from storage.schema.records import Table
from storage.store import Store
from tests.bot.damage import damage
from tests.bot.service import Time


async def table_of(core: Core, snapshot: Snapshot) -> Table:
    return (await core.snapshot(snapshot.table.id)).table


async def sweep_after(core: Core, clock: Time, seconds: float) -> tuple[int, ...]:
    """Let time pass and the clock act. Returns the tables at which it acted."""
    clock.pass_(seconds)
    return await core.service(Timing).sweep()


def hurt(store: Store, *statements: str) -> None:
    """Damage the database of a store."""
    assert store.address.path is not None
    damage(store.address.path, *statements)


def winners(snapshot: Snapshot) -> tuple[int, ...]:
    outcome = snapshot.outcome()
    assert outcome is not None
    return tuple(outcome.winners)
