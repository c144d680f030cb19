"""Nobody can ping somebody again and again, and nothing can be opened, joined or left again and again."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.pings import OPENED_AT_MOST, PINGS_AT_MOST, PINGS_OF_ALL, WINDOW, Pace, moment
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot, User
from bot.features.lobby.service import Rematches
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from engines.text import say
from storage import queries
from storage.schema.records import JobKind, OfferKind
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DEV, HOUR, Time, first_action, jobs, started

TRAMPOLINE = replace(BOUNCERS, game="trampoline", seats=3)
TOO_OFTEN = "pinged the same person 3 times in ten minutes"

Doing = Callable[[], Awaitable[object]]


async def three_times(doing: Doing) -> None:
    for _ in range(PINGS_AT_MOST):
        await doing()


async def refused(core: Core, doing: Doing, clock: Time) -> None:
    """Check that the action is refused with the time when it will be possible, writes nothing, and is possible then."""
    before = await jobs(core)
    with pytest.raises(Refused, match=TOO_OFTEN) as error:
        await doing()
    assert moment(clock() + WINDOW) in str(error.value.text)
    assert await jobs(core) == before
    clock.pass_(WINDOW)
    await doing()


async def test_repeated_invitations_ping_three_times(core: Core, clock: Time) -> None:
    async def invite() -> None:
        opened = await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=[BEN]))
        await core.service(Lobby).leave(opened.table.id, ANN)

    await three_times(invite)
    await refused(core, invite, clock)


async def test_a_refused_invitation_opens_no_table(core: Core) -> None:
    for _ in range(3):
        await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=[BEN]))
    with pytest.raises(Refused, match=TOO_OFTEN):
        await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=[BEN]))
    assert len(await core.tables(guild_id=10)) == 3
    await core.service(Lobby).open(ANN, BOUNCERS)  # nobody is pinged by this
    await core.service(Lobby).open(CLEO, replace(BOUNCERS, opponents=[BEN]))  # and this is not Ann's doing


async def test_offers_made_and_taken_back_count_together(core: Core, clock: Time) -> None:
    table_id = (await started(core)).table.id
    await core.service(Play).act(table_id, ANN, "b2 b3")

    async def offer(kind: OfferKind) -> None:
        await core.service(Consent).propose(table_id, ANN, kind)
        await core.service(Consent).refuse(table_id, ANN, kind)

    await offer(OfferKind.DRAW)
    await offer(OfferKind.UNDO)
    await offer(OfferKind.DRAW)
    await refused(core, lambda: offer(OfferKind.UNDO), clock)
    await core.service(Consent).propose(table_id, BEN, OfferKind.DRAW)  # the other may still offer something


async def test_agreeing_is_no_ping(core: Core) -> None:
    table_id = (await started(core)).table.id
    for _ in range(3):
        await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
        await core.service(Consent).refuse(table_id, BEN, OfferKind.DRAW)
    await core.service(Consent).propose(table_id, BEN, OfferKind.DRAW)
    drawn = (await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)).carried_out
    assert drawn


async def test_a_seat_offered_repeatedly_pings_three_times(core: Core, clock: Time) -> None:
    table_id = (await started(core)).table.id

    async def offer(user: User = CLEO) -> None:
        await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, user))

    await three_times(offer)
    await offer(DEV)
    await refused(core, offer, clock)


async def test_pinging_very_many_people_has_a_limit(core: Core, clock: Time) -> None:
    table_id = (await started(core)).table.id

    async def offer(user: User = DEV) -> None:
        await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, user))

    for number in range(PINGS_OF_ALL):
        await offer(User(100 + number, "somebody"))
    with pytest.raises(Refused, match="pinged a lot of people"):
        await offer()
    clock.pass_(WINDOW)
    await offer()


async def test_a_nudge_counts_too(core: Core, clock: Time) -> None:
    table_id = (await started(core, replace(BOUNCERS, clock=3600))).table.id
    clock.pass_(HOUR / 2)
    for _ in range(3):
        await core.service(Consent).propose(table_id, BEN, OfferKind.DRAW)
        await core.service(Consent).refuse(table_id, BEN, OfferKind.DRAW)
    with pytest.raises(Refused, match=TOO_OFTEN):
        await core.service(Play).nudge(table_id, BEN)
    snapshot = await core.snapshot(table_id)
    assert snapshot.table.nudged_turn is None  # the nudge of this turn is not used up


async def test_a_rematch_pings_those_whom_it_invites(core: Core) -> None:
    for _ in range(2):
        await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=[BEN]))
    finished = []
    for _ in range(2):
        finished.append((await started(core)).table.id)
        await core.service(Play).resign(finished[-1], BEN)
    await core.service(Rematches).open(finished[0], ANN)
    with pytest.raises(Refused):
        await core.service(Rematches).open(finished[1], ANN)
    assert (await core.snapshot(finished[1])).table.rematch_id is None


async def test_playing_is_never_refused_and_always_tells_whose_turn_it_is(core: Core) -> None:
    snapshot = await started(core)
    for _ in range(12):
        user = (ANN, BEN)[snapshot.playing.to_act[0]]
        snapshot = (await core.service(Play).act(snapshot.table.id, user, first_action(snapshot))).snapshot
        (board,) = [job for job in await jobs(core) if job.kind is JobKind.BOARD]
        assert board.payload == {}


async def test_leaving_and_coming_back_repeatedly_pings_three_times_by_each(core: Core) -> None:
    """Ann and Dev pass a seat back and forth; whenever one of them resigns it is Ben's turn again."""
    table_id = (await started(core, TRAMPOLINE, BEN, CLEO)).table.id
    sits, waits, loud = ANN, DEV, 0
    while True:
        await core.service(Play).resign(table_id, sits)
        loud += not await board_is_silent(core)
        try:
            await core.service(Consent).propose(table_id, sits, OfferKind.SUBSTITUTE, Seating(sits.id, waits))
        except Refused:
            break
        await core.service(Consent).agree(table_id, waits, OfferKind.SUBSTITUTE)
        sits, waits = waits, sits
    assert loud == 6


async def board_is_silent(core: Core) -> bool:
    (board,) = [job for job in await jobs(core) if job.kind is JobKind.BOARD]
    return bool(board.payload.get("silent"))


async def test_after_too_many_pings_one_can_still_resign_without_pinging(core: Core) -> None:
    table_id = (await started(core, TRAMPOLINE, BEN, CLEO)).table.id
    for _ in range(3):
        await core.service(Consent).propose(table_id, ANN, OfferKind.DRAW)
        await core.service(Consent).refuse(table_id, ANN, OfferKind.DRAW)
    snapshot: Snapshot = (await core.service(Play).resign(table_id, ANN)).snapshot
    assert [player.name for player in snapshot.awaited] == ["Ben"]
    assert await board_is_silent(core)


async def test_old_pings_are_not_kept(core: Core, clock: Time) -> None:
    for _ in range(5):
        opened = await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=[BEN]))
        await core.service(Lobby).leave(opened.table.id, ANN)
        clock.pass_(WINDOW)
    await core.service(Lobby).open(CLEO, replace(BOUNCERS, opponents=[BEN]))
    async with core.store.write() as writer:
        assert await queries.people.pings_by(writer, ANN.id, 0.0) == ()
        assert [ping.to_user for ping in await queries.people.pings_by(writer, CLEO.id, 0.0)] == [BEN.id]


async def test_tables_cannot_be_opened_as_fast_as_one_can_type(core: Core, clock: Time) -> None:
    for _ in range(OPENED_AT_MOST):
        opened = await core.service(Lobby).open(ANN, BOUNCERS)
        await core.service(Lobby).leave(opened.table.id, ANN)
    with pytest.raises(Refused, match="a lot of tables at once"):
        await core.service(Lobby).open(ANN, BOUNCERS)
    await core.service(Lobby).open(BEN, BOUNCERS)
    clock.pass_(60)
    await core.service(Lobby).open(ANN, BOUNCERS)


async def test_coming_and_going_has_a_limit_but_nobody_is_kept_at_a_table(core: Core, clock: Time) -> None:
    table_id = (await core.service(Lobby).open(ANN, TRAMPOLINE)).table.id
    for _ in range(5):
        await core.service(Lobby).join(table_id, BEN)
        await core.service(Lobby).leave(table_id, BEN)
    with pytest.raises(Refused, match="Slow down a little"):
        await core.service(Lobby).join(table_id, BEN)
    await core.service(Lobby).join(table_id, CLEO)
    clock.pass_(60)
    await core.service(Lobby).join(table_id, BEN)


def test_a_pace_forgets_people_who_have_done_nothing_for_a_while() -> None:
    pace = Pace(2, 60.0, lambda when: say("Not before {when}.", when=when))
    for user in range(1000):
        pace.count(user, float(user))
    assert len(pace) == 60
    pace.count(999, 999.0)
    with pytest.raises(Refused, match="<t:1059:R>"):
        pace.check(999, 999.5)
    pace.check(999, 1059.0)
