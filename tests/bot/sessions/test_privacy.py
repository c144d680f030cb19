"""A private table is open to those who sit there or are invited, and whoever has left it hears no more of it."""

from dataclasses import replace

import pytest

from bot.core.service import Sessions
from bot.core.table.errors import NoSuchTable, Refused, WrongStage
from bot.core.table.snapshot import Snapshot, User
from bot.i18n.language import language
from bot.messages.notices import notice
from storage import queries
from storage.schema.records import Job, JobKind, Level, OfferKind, SeatStatus, Watch, WatchFor
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, jobs

PRIVATE = replace(BOUNCERS, private=True, opponents=(BEN,))
EVE = User(5, "Eve")


async def watchers(sessions: Sessions, table_id: int) -> list[int]:
    async with sessions._repository.store.read() as reader:
        return [watch.user_id for watch in await queries.watches.of_table(reader, table_id)]


async def watched_by(sessions: Sessions, table_id: int, *users: User) -> None:
    for user in users:
        await sessions.watching.watch(table_id, user, WatchFor.TURN)
    assert set(await watchers(sessions, table_id)) == {user.id for user in users}


async def dismissed(sessions: Sessions, table_id: int) -> set[int]:
    return {job.payload["user"] for job in await jobs(sessions, table_id) if job.kind is JobKind.DISMISSAL}


async def playing(sessions: Sessions) -> Snapshot:
    table_id = (await sessions.lobby.open(ANN, PRIVATE)).table.id
    return await sessions.lobby.join(table_id, BEN)


async def test_whoever_is_not_invited_to_a_private_table_is_told_what_is_told_of_no_table(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, PRIVATE)).table.id
    with pytest.raises(NoSuchTable) as missing:
        await sessions.lobby.join(99, CLEO)
    for user in (CLEO, BEN):
        if user is BEN:
            await sessions.lobby.decline(table_id, BEN)
        with pytest.raises(NoSuchTable) as closed:
            await sessions.lobby.join(table_id, user)
        assert str(closed.value.text) == str(missing.value.text).replace("99", str(table_id))
    other = await playing(sessions)
    with pytest.raises(NoSuchTable):
        await sessions.lobby.join(other.table.id, CLEO)


async def test_who_declines_or_leaves_a_private_table_watches_it_no_more(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(PRIVATE, game="trampoline", opponents=(BEN, CLEO)))).table.id
    await sessions.lobby.join(table_id, CLEO)
    await watched_by(sessions, table_id, ANN, BEN, CLEO)
    await sessions.lobby.decline(table_id, BEN)
    assert await watchers(sessions, table_id) == [ANN.id, CLEO.id]
    after = await sessions.lobby.leave(table_id, CLEO)
    assert await watchers(sessions, table_id) == [ANN.id]
    assert await dismissed(sessions, table_id) == {BEN.id, CLEO.id}
    assert [after.open_to(user.id) for user in (ANN, BEN, CLEO)] == [True, False, False]


async def test_whose_invitation_lapses_at_the_start_watches_no_more(sessions: Sessions) -> None:
    request = replace(PRIVATE, game="trampoline", opponents=(BEN, CLEO))
    table_id = (await sessions.lobby.open(ANN, request)).table.id
    await sessions.lobby.join(table_id, BEN)
    await watched_by(sessions, table_id, BEN, CLEO)
    after = await sessions.lobby.start(table_id, ANN)
    assert await watchers(sessions, table_id) == [BEN.id]
    assert await dismissed(sessions, table_id) == {CLEO.id}
    assert not after.open_to(CLEO.id)


async def test_who_hands_a_seat_over_watches_no_more(sessions: Sessions) -> None:
    table_id = (await playing(sessions)).table.id
    await watched_by(sessions, table_id, ANN, BEN)
    offered = await sessions.consent.hand_over(table_id, BEN, BEN.id, CLEO)
    assert offered.open_to(CLEO.id)
    after = await sessions.consent.take_over(table_id, CLEO)
    assert await watchers(sessions, table_id) == [ANN.id]
    assert await dismissed(sessions, table_id) == {BEN.id}
    assert [after.open_to(user.id) for user in (ANN, BEN, CLEO)] == [True, False, True]


async def test_an_offered_seat_opens_the_table_until_it_is_refused_withdrawn_or_offered_to_another(sessions: Sessions) -> None:
    table_id = (await playing(sessions)).table.id
    await sessions.consent.hand_over(table_id, BEN, BEN.id, CLEO)
    await watched_by(sessions, table_id, CLEO)
    await sessions.consent.refuse(table_id, CLEO, OfferKind.SUBSTITUTE)
    assert await watchers(sessions, table_id) == []
    await sessions.consent.hand_over(table_id, BEN, BEN.id, DEV)
    await watched_by(sessions, table_id, DEV)
    await sessions.consent.hand_over(table_id, BEN, BEN.id, EVE)
    assert await watchers(sessions, table_id) == []
    await watched_by(sessions, table_id, EVE)
    await sessions.play.resign(table_id, ANN)
    assert await watchers(sessions, table_id) == []
    assert await dismissed(sessions, table_id) == {CLEO.id, DEV.id, EVE.id}


async def test_who_is_offered_a_seat_that_a_computer_takes_watches_no_more(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(PRIVATE, game="pucks", opponents=(BEN, CLEO)))).table.id
    for user in (BEN, CLEO):
        await sessions.lobby.join(table_id, user)
    await sessions.play.resign(table_id, CLEO)
    await sessions.consent.hand_over(table_id, ANN, CLEO.id, DEV)
    await watched_by(sessions, table_id, ANN, DEV)
    await sessions.relieving.propose(table_id, ANN, CLEO.id, Level.EASY)
    _, seated = await sessions.relieving.agree(table_id, BEN)
    assert seated
    assert await watchers(sessions, table_id) == [ANN.id]
    assert await dismissed(sessions, table_id) == {CLEO.id, DEV.id}


async def test_nobody_watches_a_table_that_was_quarantined_and_closed(sessions: Sessions) -> None:
    table_id = (await playing(sessions)).table.id
    await sessions.consent.hand_over(table_id, BEN, BEN.id, DEV)
    await watched_by(sessions, table_id, ANN, DEV)
    async with sessions._repository.store.write() as writer:
        await queries.quarantine.put(writer, table_id, "for a reason")
    await sessions.quarantine.close(table_id, 10)
    assert await sessions.quarantine.release(table_id) is None
    assert await watchers(sessions, table_id) == []


async def test_whom_a_moderator_takes_off_a_table_watches_no_more(sessions: Sessions) -> None:
    request = replace(PRIVATE, game="trampoline", opponents=(BEN, CLEO), clock=int(DAY))
    table_id = (await sessions.lobby.open(ANN, request)).table.id
    await sessions.lobby.join(table_id, BEN)
    await watched_by(sessions, table_id, BEN, CLEO)
    await sessions.moderation.remove(table_id, 10, CLEO, EVE)
    assert await watchers(sessions, table_id) == [BEN.id]
    table_id = (await sessions.lobby.open(ANN, request)).table.id
    for user in (BEN, CLEO):
        await sessions.lobby.join(table_id, user)
    await watched_by(sessions, table_id, BEN, CLEO)
    await sessions.moderation.remove(table_id, 10, BEN, EVE)
    assert await watchers(sessions, table_id) == [CLEO.id]


async def test_at_a_public_table_who_leaves_goes_on_watching(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, replace(BOUNCERS, opponents=(BEN,)))).table.id
    await watched_by(sessions, table_id, BEN, CLEO)
    await sessions.lobby.decline(table_id, BEN)
    assert await watchers(sessions, table_id) == [BEN.id, CLEO.id]
    assert await dismissed(sessions, table_id) == set()


async def test_nobody_watches_a_private_table_that_is_closed_to_them(sessions: Sessions) -> None:
    table_id = (await sessions.lobby.open(ANN, PRIVATE)).table.id
    await watched_by(sessions, table_id, BEN)
    with pytest.raises(Refused, match="is private"):
        await sessions.watching.watch(table_id, CLEO, WatchFor.END)
    await sessions.lobby.decline(table_id, BEN)
    with pytest.raises(Refused, match="is private"):
        await sessions.watching.watch(table_id, BEN, WatchFor.END)
    over = (await playing(sessions)).table.id
    await sessions.play.resign(over, ANN)
    with pytest.raises(Refused, match="is private"):
        await sessions.watching.watch(over, CLEO, WatchFor.END)
    with pytest.raises(WrongStage):
        await sessions.watching.watch(over, ANN, WatchFor.END)


async def test_one_can_always_stop_watching(sessions: Sessions) -> None:
    table_id = (await playing(sessions)).table.id
    async with sessions._repository.store.write() as writer:  # as a version before this one has left it
        await queries.watches.put(writer, Watch(table_id=table_id, user_id=CLEO.id, what=WatchFor.END))
    await sessions.watching.stop(table_id, CLEO)
    assert await watchers(sessions, table_id) == []
    await sessions.watching.stop(99, CLEO)


async def test_a_notice_is_not_sent_to_somebody_who_has_left_a_private_table_since(sessions: Sessions) -> None:
    snapshot = await playing(sessions)
    now = sessions.now()
    told = [
        notice(snapshot, Job(table_id=1, kind=JobKind.WATCH, payload={"user": user.id, "turn": 1}, due=now, created_at=now),
               language("en"))
        for user in (BEN, CLEO)
    ]  # fmt: skip
    assert [one is not None for one in told] == [True, False]


async def test_who_has_played_at_a_private_table_may_look_back_on_it(sessions: Sessions) -> None:
    table_id = (await playing(sessions)).table.id
    over = (await sessions.play.resign(table_id, BEN)).snapshot
    assert [p.status for p in over.players] == [SeatStatus.JOINED, SeatStatus.WITHDRAWN]
    assert over.open_to(BEN.id)
