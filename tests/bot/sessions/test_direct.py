"""To whom the bot may write directly: few people a minute for the first time, and nobody who takes no messages."""

import pytest

from bot.core.direct import CLOSED_FOR, FIRST_IN_A_MINUTE, OF_A_SERVER, Closed
from bot.core.service import Sessions
from storage.store import Store
from tests.bot.service import DAY, Time

SERVERS = (10, 11, 12)


async def test_few_people_a_minute_are_written_to_for_the_first_time_by_all_processes(
    sessions: Sessions, store: Store, clock: Time
) -> None:
    other = Sessions(store, now=clock)
    for number in range(FIRST_IN_A_MINUTE):
        process, server = ((sessions, other)[number % 2], SERVERS[number % 3])
        assert await process.direct.reserve(100 + number, server) == 0
        clock.pass_(1)
    assert await sessions.direct.reserve(200, 10) == 60 - FIRST_IN_A_MINUTE
    assert await other.direct.reserve(200, 10) == 60 - FIRST_IN_A_MINUTE
    assert await other.direct.reserve(100, 10) == 0, "whoever was written to before can be"
    clock.pass_(60 - FIRST_IN_A_MINUTE + 0.001)
    assert await other.direct.reserve(200, 10) == 0


async def test_one_server_leaves_room_for_the_others(sessions: Sessions, clock: Time) -> None:
    for number in range(OF_A_SERVER):
        assert await sessions.direct.reserve(100 + number, 10) == 0
    assert await sessions.direct.reserve(200, 10) == 60
    assert await sessions.direct.reserve(300, 11) == 0
    clock.pass_(60.001)
    assert await sessions.direct.reserve(200, 10) == 0


async def test_whoever_takes_no_messages_is_not_asked_for_a_week_or_until_they_choose_direct_messages(
    sessions: Sessions, clock: Time
) -> None:
    assert await sessions.direct.reserve(100, 10) == 0
    await sessions.direct.note_closed(100)
    with pytest.raises(Closed):
        await sessions.direct.reserve(100, 10)
    await sessions.users.change(100, notify="channel")
    with pytest.raises(Closed):
        await sessions.direct.reserve(100, 10)
    await sessions.users.change(100, notify="direct")
    assert await sessions.direct.reserve(100, 10) == 0
    await sessions.direct.note_closed(100)
    clock.pass_(CLOSED_FOR + 1)
    assert await sessions.direct.reserve(100, 10) == 0


async def test_they_are_told_once(sessions: Sessions, clock: Time) -> None:
    assert not await sessions.direct.note_told(100), "there is nothing to tell"
    await sessions.direct.note_closed(100)
    assert await sessions.direct.note_told(100)
    assert not await sessions.direct.note_told(100)
    clock.pass_(8 * DAY)
    await sessions.direct.note_closed(100)
    assert await sessions.direct.note_told(100), "it was tried again, and refused again"


async def test_it_is_in_their_data_and_goes_with_it(sessions: Sessions, clock: Time) -> None:
    await sessions.direct.reserve(100, 10)
    await sessions.direct.note_closed(100)
    person = await sessions.users.person(100)
    assert (person.direct_since, person.direct_closed, person.direct_told) == (clock(), clock(), None)
    export = await sessions.users.export(100)
    assert export is not None
    assert '"direct_closed"' in export.content.decode()
    from bot.core.table.snapshot import User  # noqa: PLC0415

    await sessions.users.forget(User(100, "Ann"))
    assert (await sessions.users.person(100)).direct_since is None
