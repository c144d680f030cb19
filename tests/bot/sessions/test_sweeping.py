"""Many deadlines at once, and tables where something goes wrong."""

from dataclasses import dataclass

import pytest

from bot.core.clocks.absence import Choices
from bot.core.clocks.timing import WAITS
from bot.core.repository import NEVER
from bot.core.service import Sessions
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
def trouble(sessions: Sessions, monkeypatch: pytest.MonkeyPatch) -> Trouble:
    """Tables at which something goes wrong when they are due."""
    found = Trouble(set(), [])
    handle = sessions.timing._handle_due

    async def attempted(table_id: int, choices: Choices) -> None:
        found.tried.append(table_id)
        if table_id in found.tables:
            raise OSError("no luck")
        await handle(table_id, choices)

    monkeypatch.setattr(sessions.timing, "_handle_due", attempted)
    return found


async def opened(sessions: Sessions, count: int, deadline: float) -> list[int]:
    """Tables that nobody joins."""
    table = Table(
        guild_id=10,
        channel_id=20,
        game="bouncers",
        variant=GAMES["bouncers"].variants[0],
        wanted=2,
        opened_by=ANN.id,
        deadline=deadline,
        created_at=0.0,
    )
    async with sessions._repository.store.write() as writer:
        return [(await queries.tables.add(writer, table)).id for _ in range(count)]


async def test_tables_that_always_fail_hide_no_others(sessions: Sessions, clock: Time, trouble: Trouble) -> None:
    trouble.tables.update(await opened(sessions, 150, clock.now - 10 - WAITS))
    (sound,) = await opened(sessions, 1, clock.now - 1 - WAITS)
    for _ in range(2):
        with pytest.raises(ExceptionGroup, match="something went wrong") as error:
            await sessions.timing.sweep()
        assert all(isinstance(one, OSError) for one in error.value.exceptions)
    assert (await sessions.snapshot(sound)).table.status is Status.CLOSED
    assert await sessions.timing.sweep() == ()


async def test_a_table_that_always_fails_is_tried_more_and_more_seldom(
    sessions: Sessions, clock: Time, trouble: Trouble
) -> None:
    (table,) = await opened(sessions, 1, clock.now - WAITS)
    trouble.tables.add(table)
    waits = []
    for _ in range(12):
        with pytest.raises(ExceptionGroup):
            await sessions.timing.sweep()
        again = await sessions.timing.next_due()
        assert again is not None
        waits.append(again - clock.now)
        clock.now = again - 1
        assert await sessions.timing.sweep() == ()
        clock.now = again
    assert waits[:3] == [60.0, 120.0, 240.0]
    assert waits[-1] == 6 * HOUR
    assert len(trouble.tried) == 12
    trouble.tables.clear()
    assert await sessions.timing.sweep() == (table,)
    assert await sessions.timing.next_due() is None


async def test_between_two_tables_there_is_a_pause(sessions: Sessions, clock: Time) -> None:
    tables = await opened(sessions, 3, clock.now - WAITS)
    closed: list[int] = []

    async def pause(seconds: float) -> None:
        assert seconds >= 0.0
        statuses = [(await sessions.snapshot(table)).table.status for table in tables]
        closed.append(statuses.count(Status.CLOSED))

    await sessions.timing.sweep(pause)
    assert closed == [1, 2, 3], "each table is a transaction of its own"


async def test_no_more_time_outs_once_the_session_is_lost(sessions: Sessions, clock: Time) -> None:
    tables = await opened(sessions, 3, clock.now - WAITS)

    async def pause(_: float) -> None:
        sessions._repository.counting = NEVER

    await sessions.timing.sweep(pause)
    statuses = [(await sessions.snapshot(table)).table.status for table in tables]
    assert statuses.count(Status.CLOSED) == 1
