"""Nobody can be pinged again and again by one person's doing, and nothing can be opened, joined or left again and again."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from bot.core.pings import OPENED_AT_MOST, PINGS_AT_MOST, PINGS_OF_ALL, WINDOW, Pace, moment
from bot.core.service import Sessions
from bot.core.table.errors import Refused
from bot.core.table.snapshot import Snapshot, User
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


async def refused(sessions: Sessions, doing: Doing, clock: Time) -> None:
    """Refused, saying when it is possible again; nothing is written, and it is possible then."""
    before = await jobs(sessions)
    with pytest.raises(Refused, match=TOO_OFTEN) as error:
        await doing()
    assert moment(clock() + WINDOW) in str(error.value.text)
    assert await jobs(sessions) == before
    clock.pass_(WINDOW)
    await doing()


async def test_who_is_invited_again_and_again_is_pinged_three_times(sessions: Sessions, clock: Time) -> None:
    async def invite() -> None:
        opened = await sessions.lobby.open(ANN, replace(BOUNCERS, opponents=[BEN]))
        await sessions.lobby.leave(opened.table.id, ANN)

    await three_times(invite)
    await refused(sessions, invite, clock)


async def test_a_refused_invitation_opens_no_table(sessions: Sessions) -> None:
    for _ in range(3):
        await sessions.lobby.open(ANN, replace(BOUNCERS, opponents=[BEN]))
    with pytest.raises(Refused, match=TOO_OFTEN):
        await sessions.lobby.open(ANN, replace(BOUNCERS, opponents=[BEN]))
    assert len(await sessions.tables(guild_id=10)) == 3
    await sessions.lobby.open(ANN, BOUNCERS)  # nobody is pinged by this
    await sessions.lobby.open(CLEO, replace(BOUNCERS, opponents=[BEN]))  # and this is not Ann's doing


async def test_offers_made_and_taken_back_count_together(sessions: Sessions, clock: Time) -> None:
    table_id = (await started(sessions)).table.id
    await sessions.play.act(table_id, ANN, "b2 b3")

    async def offer(kind: OfferKind) -> None:
        if kind is OfferKind.DRAW:
            await sessions.play.draw(table_id, ANN)
        else:
            await sessions.consent.undo(table_id, ANN)
        await sessions.consent.refuse(table_id, ANN, kind)

    await offer(OfferKind.DRAW)
    await offer(OfferKind.UNDO)
    await offer(OfferKind.DRAW)
    await refused(sessions, lambda: offer(OfferKind.UNDO), clock)
    await sessions.play.draw(table_id, BEN)  # the other may still offer something


async def test_agreeing_is_no_ping(sessions: Sessions) -> None:
    table_id = (await started(sessions)).table.id
    for _ in range(3):
        await sessions.play.draw(table_id, ANN)
        await sessions.consent.refuse(table_id, BEN, OfferKind.DRAW)
    await sessions.play.draw(table_id, BEN)
    _, drawn = await sessions.play.draw(table_id, ANN)
    assert drawn


async def test_a_seat_offered_again_and_again(sessions: Sessions, clock: Time) -> None:
    table_id = (await started(sessions)).table.id

    async def offer(user: User = CLEO) -> None:
        await sessions.consent.hand_over(table_id, ANN, ANN.id, user)

    await three_times(offer)
    await offer(DEV)
    await refused(sessions, offer, clock)


async def test_very_many_people_one_after_another(sessions: Sessions, clock: Time) -> None:
    table_id = (await started(sessions)).table.id
    for number in range(PINGS_OF_ALL):
        await sessions.consent.hand_over(table_id, ANN, ANN.id, User(100 + number, "somebody"))
    with pytest.raises(Refused, match="pinged a lot of people"):
        await sessions.consent.hand_over(table_id, ANN, ANN.id, DEV)
    clock.pass_(WINDOW)
    await sessions.consent.hand_over(table_id, ANN, ANN.id, DEV)


async def test_a_nudge_counts_too(sessions: Sessions, clock: Time) -> None:
    table_id = (await started(sessions, replace(BOUNCERS, clock=3600))).table.id
    clock.pass_(HOUR / 2)
    for _ in range(3):
        await sessions.play.draw(table_id, BEN)
        await sessions.consent.refuse(table_id, BEN, OfferKind.DRAW)
    with pytest.raises(Refused, match=TOO_OFTEN):
        await sessions.consent.nudge(table_id, BEN)
    snapshot = await sessions.snapshot(table_id)
    assert snapshot.table.nudged_turn is None  # the nudge of this turn is not used up


async def test_a_rematch_pings_those_whom_it_invites(sessions: Sessions) -> None:
    for _ in range(2):
        await sessions.lobby.open(ANN, replace(BOUNCERS, opponents=[BEN]))
    finished = []
    for _ in range(2):
        finished.append((await started(sessions)).table.id)
        await sessions.play.resign(finished[-1], BEN)
    await sessions.consent.rematch(finished[0], ANN)
    with pytest.raises(Refused):
        await sessions.consent.rematch(finished[1], ANN)
    assert (await sessions.snapshot(finished[1])).table.rematch_id is None


async def test_playing_is_never_refused_and_always_tells_whose_turn_it_is(sessions: Sessions) -> None:
    snapshot = await started(sessions)
    for _ in range(12):
        user = (ANN, BEN)[snapshot.playing.to_act[0]]
        snapshot = (await sessions.play.act(snapshot.table.id, user, first_action(snapshot))).snapshot
        (board,) = [job for job in await jobs(sessions) if job.kind is JobKind.BOARD]
        assert board.payload == {}


async def test_leaving_and_coming_back_again_and_again_pings_three_times_by_each(sessions: Sessions) -> None:
    """Ann and Dev hand a seat to and fro; whenever one of them resigns it is Ben's turn again."""
    table_id = (await started(sessions, TRAMPOLINE, BEN, CLEO)).table.id
    sits, waits, loud = ANN, DEV, 0
    while True:
        await sessions.play.resign(table_id, sits)
        loud += not await board_is_silent(sessions)
        try:
            await sessions.consent.hand_over(table_id, sits, sits.id, waits)
        except Refused:
            break
        await sessions.consent.take_over(table_id, waits)
        sits, waits = waits, sits
    assert loud == 6


async def board_is_silent(sessions: Sessions) -> bool:
    (board,) = [job for job in await jobs(sessions) if job.kind is JobKind.BOARD]
    return bool(board.payload.get("silent"))


async def test_who_has_pinged_enough_can_still_resign_and_pings_nobody_by_it(sessions: Sessions) -> None:
    table_id = (await started(sessions, TRAMPOLINE, BEN, CLEO)).table.id
    for _ in range(3):
        await sessions.play.draw(table_id, ANN)
        await sessions.consent.refuse(table_id, ANN, OfferKind.DRAW)
    snapshot: Snapshot = (await sessions.play.resign(table_id, ANN)).snapshot
    assert [player.name for player in snapshot.awaited] == ["Ben"]
    assert await board_is_silent(sessions)


async def test_what_lies_back_long_enough_is_not_kept(sessions: Sessions, clock: Time) -> None:
    for _ in range(5):
        opened = await sessions.lobby.open(ANN, replace(BOUNCERS, opponents=[BEN]))
        await sessions.lobby.leave(opened.table.id, ANN)
        clock.pass_(WINDOW)
    await sessions.lobby.open(CLEO, replace(BOUNCERS, opponents=[BEN]))
    async with sessions._repository.store.write() as writer:
        assert await queries.pings.made_by(writer, ANN.id, 0.0) == ()
        assert [ping.to_user for ping in await queries.pings.made_by(writer, CLEO.id, 0.0)] == [BEN.id]


# --- opening, joining and leaving -----------------------------------------------------------------------------------------


async def test_tables_cannot_be_opened_as_fast_as_one_can_type(sessions: Sessions, clock: Time) -> None:
    for _ in range(OPENED_AT_MOST):
        opened = await sessions.lobby.open(ANN, BOUNCERS)
        await sessions.lobby.leave(opened.table.id, ANN)
    with pytest.raises(Refused, match="a lot of tables at once"):
        await sessions.lobby.open(ANN, BOUNCERS)
    await sessions.lobby.open(BEN, BOUNCERS)
    clock.pass_(60)
    await sessions.lobby.open(ANN, BOUNCERS)


async def test_coming_and_going_has_a_limit_but_nobody_is_kept_at_a_table(sessions: Sessions, clock: Time) -> None:
    table_id = (await sessions.lobby.open(ANN, TRAMPOLINE)).table.id
    for _ in range(5):
        await sessions.lobby.join(table_id, BEN)
        await sessions.lobby.leave(table_id, BEN)
    with pytest.raises(Refused, match="Slow down a little"):
        await sessions.lobby.join(table_id, BEN)
    await sessions.lobby.join(table_id, CLEO)
    clock.pass_(60)
    await sessions.lobby.join(table_id, BEN)


def test_a_pace_forgets_those_who_have_done_nothing_for_a_while() -> None:
    pace = Pace(2, 60.0, lambda when: say("Not before {when}.", when=when))
    for user in range(1000):
        pace.count(user, float(user))
    assert len(pace) == 60
    pace.count(999, 999.0)
    with pytest.raises(Refused, match="<t:1059:R>"):
        pace.check(999, 999.5)
    pace.check(999, 1059.0)
