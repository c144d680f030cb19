"""To whom the bot may write directly: few people a minute for the first time, and nobody who takes no messages."""

import pytest

from bot.core.core import Core
from bot.core.direct import CLOSED_FOR, FIRST_IN_A_MINUTE, OF_A_SERVER, Closed, Direct
from bot.core.people import Users
from bot.features.privacy.service import Privacy
from bot.parts import PARTS
from storage.store import Store
from tests.bot.service import DAY, Time

SERVERS = (10, 11, 12)


async def test_all_processes_first_write_to_few_people_a_minute(core: Core, store: Store, clock: Time) -> None:
    other = Core(store, parts=PARTS, now=clock)
    for number in range(FIRST_IN_A_MINUTE):
        process, server = ((core, other)[number % 2], SERVERS[number % 3])
        assert await process.service(Direct).reserve(100 + number, server) == 0
        clock.pass_(1)
    assert await core.service(Direct).reserve(200, 10) == 60 - FIRST_IN_A_MINUTE
    assert await other.service(Direct).reserve(200, 10) == 60 - FIRST_IN_A_MINUTE
    assert await other.service(Direct).reserve(100, 10) == 0, "whoever was written to before can be"
    clock.pass_(60 - FIRST_IN_A_MINUTE + 0.001)
    assert await other.service(Direct).reserve(200, 10) == 0


async def test_one_server_leaves_room_for_the_others(core: Core, clock: Time) -> None:
    for number in range(OF_A_SERVER):
        assert await core.service(Direct).reserve(100 + number, 10) == 0
    assert await core.service(Direct).reserve(200, 10) == 60
    assert await core.service(Direct).reserve(300, 11) == 0
    clock.pass_(60.001)
    assert await core.service(Direct).reserve(200, 10) == 0


async def test_somebody_who_takes_no_messages_is_tried_again_after_a_week_or_a_choice(core: Core, clock: Time) -> None:
    assert await core.service(Direct).reserve(100, 10) == 0
    await core.service(Direct).note_closed(100)
    with pytest.raises(Closed):
        await core.service(Direct).reserve(100, 10)
    await core.service(Users).change(100, notify="channel")
    with pytest.raises(Closed):
        await core.service(Direct).reserve(100, 10)
    await core.service(Users).change(100, notify="direct")
    assert await core.service(Direct).reserve(100, 10) == 0
    await core.service(Direct).note_closed(100)
    clock.pass_(CLOSED_FOR + 1)
    assert await core.service(Direct).reserve(100, 10) == 0


async def test_they_are_told_once(core: Core, clock: Time) -> None:
    assert not await core.service(Direct).note_told(100), "there is nothing to tell"
    await core.service(Direct).note_closed(100)
    assert await core.service(Direct).note_told(100)
    assert not await core.service(Direct).note_told(100)
    clock.pass_(8 * DAY)
    await core.service(Direct).note_closed(100)
    assert await core.service(Direct).note_told(100), "it was tried again, and refused again"


async def test_the_moment_they_were_told_keeps_fractions_of_a_second(core: Core, clock: Time) -> None:
    await core.service(Direct).reserve(100, 10)
    await core.service(Direct).note_closed(100)
    clock.pass_(0.25)
    assert await core.service(Direct).note_told(100)
    assert (await core.service(Users).person(100)).direct_told == clock()


async def test_it_is_in_their_data_and_goes_with_it(core: Core, clock: Time) -> None:
    await core.service(Direct).reserve(100, 10)
    await core.service(Direct).note_closed(100)
    person = await core.service(Users).person(100)
    assert (person.direct_since, person.direct_closed, person.direct_told) == (clock(), clock(), None)
    export = await core.service(Privacy).export(100)
    assert export is not None
    assert '"direct_closed"' in export.content.decode()
    from bot.core.table.snapshot import User  # noqa: PLC0415

    await core.service(Privacy).forget(User(100, "Ann"))
    assert (await core.service(Users).person(100)).direct_since is None
