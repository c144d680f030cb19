"""Many deadlines at once, and tables where something goes wrong."""

from dataclasses import dataclass

import pytest

from bot.core.clocks.absence import Choices
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import NEVER, Core
from engines import GAMES
from storage import queries
from storage.schema.records import Status, Table
from tests.bot.service import ANN, HOUR, Time


@dataclass
class Trouble:
    """The tables at which something goes wrong, and those that were tried."""

    tables: set[int]
    tried: list[int]


@pytest.fixture
def trouble(core: Core, monkeypatch: pytest.MonkeyPatch) -> Trouble:
    """Tables at which something goes wrong when they are due."""
    found = Trouble(set(), [])
    handle = core.service(Timing)._handle_due

    async def attempted(table_id: int, choices: Choices) -> None:
        found.tried.append(table_id)
        if table_id in found.tables:
            raise OSError("no luck")
        await handle(table_id, choices)

    monkeypatch.setattr(core.service(Timing), "_handle_due", attempted)
    return found


async def opened(core: Core, count: int, deadline: float) -> list[int]:
    """Tables that nobody joins."""
    table = Table(
        guild_id=10, channel_id=20, game="bouncers", variant=GAMES["bouncers"].variants[0], wanted=2, opened_by=ANN.id,
        deadline=deadline, created_at=0.0,
    )  # fmt: skip
    async with core.store.write() as writer:
        return [(await queries.tables.add(writer, table)).id for _ in range(count)]


async def test_tables_that_always_fail_hide_no_others(core: Core, clock: Time, trouble: Trouble) -> None:
    trouble.tables.update(await opened(core, 150, clock.now - 10 - WAITS))
    (sound,) = await opened(core, 1, clock.now - 1 - WAITS)
    for _ in range(2):
        with pytest.raises(ExceptionGroup, match="something went wrong") as error:
            await core.service(Timing).sweep()
        assert all(isinstance(one, OSError) for one in error.value.exceptions)
    assert (await core.snapshot(sound)).table.status is Status.CLOSED
    assert await core.service(Timing).sweep() == ()


async def test_a_table_that_always_fails_is_tried_less_and_less_often(core: Core, clock: Time, trouble: Trouble) -> None:
    (table,) = await opened(core, 1, clock.now - WAITS)
    trouble.tables.add(table)
    waits = []
    for _ in range(12):
        with pytest.raises(ExceptionGroup):
            await core.service(Timing).sweep()
        again = await core.service(Timing).next_due()
        assert again is not None
        waits.append(again - clock.now)
        clock.now = again - 1
        assert await core.service(Timing).sweep() == ()
        clock.now = again
    assert waits[:3] == [60.0, 120.0, 240.0]
    assert waits[-1] == 6 * HOUR
    assert len(trouble.tried) == 12
    trouble.tables.clear()
    assert await core.service(Timing).sweep() == (table,)
    assert await core.service(Timing).next_due() is None


async def test_between_two_tables_there_is_a_pause(core: Core, clock: Time) -> None:
    tables = await opened(core, 3, clock.now - WAITS)
    closed: list[int] = []

    async def pause(seconds: float) -> None:
        assert seconds >= 0.0
        statuses = [(await core.snapshot(table)).table.status for table in tables]
        closed.append(statuses.count(Status.CLOSED))

    await core.service(Timing).sweep(pause)
    assert closed == [1, 2, 3], "each table is a transaction of its own"


async def test_no_more_time_outs_once_the_session_is_lost(core: Core, clock: Time) -> None:
    tables = await opened(core, 3, clock.now - WAITS)

    async def pause(_: float) -> None:
        core.counting = NEVER

    await core.service(Timing).sweep(pause)
    statuses = [(await core.snapshot(table)).table.status for table in tables]
    assert statuses.count(Status.CLOSED) == 1
