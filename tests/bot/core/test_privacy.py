"""Private tables are open to their players and invited people, and lists show only what the reader may see."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.listing import Lists
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.quarantine import Quarantine
from bot.core.table.errors import NoSuchTable, Refused, WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.settings.moderation import Moderation
from bot.features.stats.ratings import Ratings
from bot.features.watching.service import Watching
from bot.i18n.language import language
from storage import queries
from storage.schema.records import Job, JobKind, Level, OfferKind, SeatStatus, Watch, WatchFor
from storage.store import Store
from tests.bot.core.steps import hurt
from tests.bot.notices import notice
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, Time, begun, first_action, jobs, started

PRIVATE = replace(BOUNCERS, private=True, opponents=(BEN,))
EVE = User(5, "Eve")


async def watchers(core: Core, table_id: int) -> list[int]:
    async with core.store.read() as reader:
        return [watch.user_id for watch in await queries.seats.watches_of_table(reader, table_id)]


async def watched_by(core: Core, table_id: int, *users: User) -> None:
    for user in users:
        await core.service(Watching).watch(table_id, user, WatchFor.TURN)
    assert set(await watchers(core, table_id)) == {user.id for user in users}


async def dismissed(core: Core, table_id: int) -> set[int]:
    return {job.payload["user"] for job in await jobs(core, table_id) if job.kind is JobKind.DISMISSAL}


async def playing(core: Core) -> Snapshot:
    table_id = (await core.service(Lobby).open(ANN, PRIVATE)).table.id
    return await core.service(Lobby).join(table_id, BEN)


async def test_strangers_to_a_private_table_are_told_that_there_is_none(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, PRIVATE)).table.id
    with pytest.raises(NoSuchTable) as missing:
        await core.service(Lobby).join(99, CLEO)
    for user in (CLEO, BEN):
        if user is BEN:
            await core.service(Lobby).decline(table_id, BEN)
        with pytest.raises(NoSuchTable) as closed:
            await core.service(Lobby).join(table_id, user)
        assert str(closed.value.text) == str(missing.value.text).replace("99", str(table_id))
    other = await playing(core)
    with pytest.raises(NoSuchTable):
        await core.service(Lobby).join(other.table.id, CLEO)


async def test_declining_or_leaving_a_private_table_ends_watching(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PRIVATE, game="trampoline", opponents=(BEN, CLEO)))).table.id
    await core.service(Lobby).join(table_id, CLEO)
    await watched_by(core, table_id, ANN, BEN, CLEO)
    await core.service(Lobby).decline(table_id, BEN)
    assert await watchers(core, table_id) == [ANN.id, CLEO.id]
    after = await core.service(Lobby).leave(table_id, CLEO)
    assert await watchers(core, table_id) == [ANN.id]
    assert await dismissed(core, table_id) == {BEN.id, CLEO.id}
    assert [after.open_to(user.id) for user in (ANN, BEN, CLEO)] == [True, False, False]


async def test_an_invitation_that_lapses_at_the_start_ends_watching(core: Core) -> None:
    request = replace(PRIVATE, game="trampoline", opponents=(BEN, CLEO))
    table_id = (await core.service(Lobby).open(ANN, request)).table.id
    await core.service(Lobby).join(table_id, BEN)
    await watched_by(core, table_id, BEN, CLEO)
    after = await core.service(Lobby).start(table_id, ANN)
    assert await watchers(core, table_id) == [BEN.id]
    assert await dismissed(core, table_id) == {CLEO.id}
    assert not after.open_to(CLEO.id)


async def test_handing_a_seat_over_ends_watching(core: Core) -> None:
    table_id = (await playing(core)).table.id
    await watched_by(core, table_id, ANN, BEN)
    offered = (await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))).snapshot
    assert offered.open_to(CLEO.id)
    after = (await core.service(Consent).agree(table_id, CLEO, OfferKind.SUBSTITUTE)).snapshot
    assert await watchers(core, table_id) == [ANN.id]
    assert await dismissed(core, table_id) == {BEN.id}
    assert [after.open_to(user.id) for user in (ANN, BEN, CLEO)] == [True, False, True]


async def test_an_offered_seat_opens_the_table_until_it_is_refused_withdrawn_or_offered_to_another(core: Core) -> None:
    table_id = (await playing(core)).table.id
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, CLEO))
    await watched_by(core, table_id, CLEO)
    await core.service(Consent).refuse(table_id, CLEO, OfferKind.SUBSTITUTE)
    assert await watchers(core, table_id) == []
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, DEV))
    await watched_by(core, table_id, DEV)
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, EVE))
    assert await watchers(core, table_id) == []
    await watched_by(core, table_id, EVE)
    await core.service(Play).resign(table_id, ANN)
    assert await watchers(core, table_id) == []
    assert await dismissed(core, table_id) == {CLEO.id, DEV.id, EVE.id}


async def test_an_offered_seat_that_a_computer_takes_ends_watching(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(PRIVATE, game="pucks", opponents=(BEN, CLEO)))).table.id
    for user in (BEN, CLEO):
        await core.service(Lobby).join(table_id, user)
    await core.service(Play).resign(table_id, CLEO)
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(CLEO.id, DEV))
    await watched_by(core, table_id, ANN, DEV)
    await core.service(Consent).propose(table_id, ANN, OfferKind.COMPUTER, Seating(CLEO.id, Level.EASY))
    seated = (await core.service(Consent).agree(table_id, BEN, OfferKind.COMPUTER)).carried_out
    assert seated
    assert await watchers(core, table_id) == [ANN.id]
    assert await dismissed(core, table_id) == {CLEO.id, DEV.id}


async def test_nobody_watches_a_table_that_was_quarantined_and_closed(core: Core) -> None:
    table_id = (await playing(core)).table.id
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, DEV))
    await watched_by(core, table_id, ANN, DEV)
    async with core.store.write() as writer:
        await queries.quarantine.put(writer, table_id, "for a reason")
    await core.service(Quarantine).close(table_id, 10)
    assert await core.service(Quarantine).release(table_id) is None
    assert await watchers(core, table_id) == []


async def test_removal_by_a_moderator_ends_watching(core: Core) -> None:
    request = replace(PRIVATE, game="trampoline", opponents=(BEN, CLEO), clock=int(DAY))
    table_id = (await core.service(Lobby).open(ANN, request)).table.id
    await core.service(Lobby).join(table_id, BEN)
    await watched_by(core, table_id, BEN, CLEO)
    await core.service(Moderation).remove(table_id, 10, CLEO, EVE)
    assert await watchers(core, table_id) == [BEN.id]
    table_id = (await core.service(Lobby).open(ANN, request)).table.id
    for user in (BEN, CLEO):
        await core.service(Lobby).join(table_id, user)
    await watched_by(core, table_id, BEN, CLEO)
    await core.service(Moderation).remove(table_id, 10, BEN, EVE)
    assert await watchers(core, table_id) == [CLEO.id]


async def test_leaving_a_public_table_does_not_end_watching(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, replace(BOUNCERS, opponents=(BEN,)))).table.id
    await watched_by(core, table_id, BEN, CLEO)
    await core.service(Lobby).decline(table_id, BEN)
    assert await watchers(core, table_id) == [BEN.id, CLEO.id]
    assert await dismissed(core, table_id) == set()


async def test_nobody_watches_a_private_table_that_is_closed_to_them(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, PRIVATE)).table.id
    await watched_by(core, table_id, BEN)
    with pytest.raises(Refused, match="is private"):
        await core.service(Watching).watch(table_id, CLEO, WatchFor.END)
    await core.service(Lobby).decline(table_id, BEN)
    with pytest.raises(Refused, match="is private"):
        await core.service(Watching).watch(table_id, BEN, WatchFor.END)
    over = (await playing(core)).table.id
    await core.service(Play).resign(over, ANN)
    with pytest.raises(Refused, match="is private"):
        await core.service(Watching).watch(over, CLEO, WatchFor.END)
    with pytest.raises(WrongStage):
        await core.service(Watching).watch(over, ANN, WatchFor.END)


async def test_one_can_always_stop_watching(core: Core) -> None:
    table_id = (await playing(core)).table.id
    async with core.store.write() as writer:  # as a version before this one has left it
        await queries.seats.put_watch(writer, Watch(table_id=table_id, user_id=CLEO.id, what=WatchFor.END))
    await core.service(Watching).stop(table_id, CLEO)
    assert await watchers(core, table_id) == []
    await core.service(Watching).stop(99, CLEO)


async def test_a_notice_is_not_sent_to_somebody_who_has_left_a_private_table_since(core: Core) -> None:
    snapshot = await playing(core)
    now = core.now()
    told = [
        notice(snapshot, Job(table_id=1, kind=JobKind.WATCH, payload={"user": user.id, "turn": 1}, due=now, created_at=now),
               language("en"))
        for user in (BEN, CLEO)
    ]  # fmt: skip
    assert [one is not None for one in told] == [True, False]


async def test_former_players_of_a_private_table_may_look_back_on_it(core: Core) -> None:
    table_id = (await playing(core)).table.id
    over = (await core.service(Play).resign(table_id, BEN)).snapshot
    assert [p.status for p in over.players] == [SeatStatus.JOINED, SeatStatus.WITHDRAWN]
    assert over.open_to(BEN.id)


MANY = TableRequest(guild_id=10, channel_id=20, game="bouncers", most_tables=1000)
MANY_PRIVATE = replace(MANY, private=True, opponents=[BEN])


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.core.listing.AT_ONCE", 4)


async def numbers(outlines: AsyncIterator[Snapshot]) -> list[int]:
    return [summary.table.id async for summary in outlines]


async def open_many(core: Core, request: TableRequest, count: int, by: int = 100) -> list[int]:
    """Tables opened by different people."""
    return [(await core.service(Lobby).open(User(by + n, f"P{n}"), request)).table.id for n in range(count)]


async def test_private_tables_hide_no_public_ones(core: Core) -> None:
    public = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    private = await open_many(core, MANY_PRIVATE, 30)
    assert await numbers(core.service(Lists).summaries(guild_id=10, seen_by=CLEO.id, limit=25)) == [public]
    assert await numbers(core.service(Lists).summaries(guild_id=10, seen_by=BEN.id)) == [*reversed(private), public]
    page = await core.service(Lists).page(10, CLEO.id)
    assert ([s.table.id for s in page.snapshots], page.more) == ([public], False)


async def test_a_seat_that_is_offered_opens_a_private_table_to_the_list(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, MANY_PRIVATE)).table.id
    await core.service(Lobby).join(table_id, BEN)
    assert await numbers(core.service(Lists).summaries(guild_id=10, seen_by=CLEO.id)) == []
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, CLEO))
    assert await numbers(core.service(Lists).summaries(guild_id=10, seen_by=CLEO.id)) == [table_id]
    assert await numbers(core.service(Lists).summaries(guild_id=10, seen_by=DEV.id)) == []


async def test_waiting_games_come_first_however_old(core: Core) -> None:
    mine = (await started(core)).table.id
    other = (await started(core)).table.id
    await core.service(Play).act(other, ANN, first_action(await core.snapshot(other)))
    newer = await open_many(core, MANY, 30)
    page = await core.service(Lists).page(10, ANN.id, size=20)
    assert [s.table.id for s in page.snapshots] == [mine, *list(reversed(newer))[:19]]
    assert page.more
    last = await core.service(Lists).page(10, ANN.id, size=20, number=1)
    assert [s.table.id for s in last.snapshots] == [*list(reversed(newer))[19:], other]
    assert (last.number, last.more) == (1, False)
    assert (await core.service(Lists).page(10, ANN.id, size=20, number=7)).number == 0
    own = await core.service(Lists).page(10, ANN.id, mine=True)
    assert [s.table.id for s in own.snapshots] == [mine, other]


async def test_the_last_finished_game_here_is_found_behind_many_elsewhere(core: Core, clock: Time) -> None:
    here = (await started(core, TableRequest(guild_id=10, channel_id=21, game="bouncers"))).table.id
    await core.service(Play).resign(here, BEN)
    for _ in range(6):
        clock.pass_(HOUR)
        elsewhere = (await started(core)).table.id
        await core.service(Play).resign(elsewhere, BEN)
    found = await core.service(Lists).last_finished(10, ANN.id, 21)
    assert found is not None
    assert found.id == here


async def test_private_games_of_others_hide_no_results(core: Core, clock: Time) -> None:
    public = (await started(core)).table.id
    await core.service(Play).resign(public, BEN)
    for _ in range(5):
        clock.pass_(HOUR)
        table_id = (await core.service(Lobby).open(ANN, MANY_PRIVATE)).table.id
        await core.service(Lobby).join(table_id, BEN)
        await core.service(Play).resign(table_id, BEN)
    seen = await core.service(Ratings).results(10, ANN.id, asked_by=CLEO.id, recent=1)
    assert [snapshot.table.id for snapshot in seen.recent] == [public]


async def test_quarantined_tables_are_named_to_people_who_may_know(core: Core, store: Store) -> None:
    public, private = (await started(core)).table.id, (await core.service(Lobby).open(ANN, MANY_PRIVATE)).table.id
    hurt(store, "UPDATE tables SET game = 'chess'")
    await core.service(Quarantine).inspect()
    for user, manages, named in ((ANN, False, {public, private}), (CLEO, False, {public}), (CLEO, True, {public, private})):
        page = await core.service(Lists).page(10, user.id, manages=manages)
        assert (page.snapshots, set(page.quarantined)) == ((), named)


async def test_an_unusable_rating_stops_no_game_from_ending(core: Core, store: Store) -> None:
    for _ in range(2):
        await core.service(Play).resign((await begun(core)).table.id, BEN)
    for broken in ("sigma = -2", "mu = 'good'"):
        hurt(store, f"UPDATE ratings SET {broken} WHERE user_id = 1")
        await core.service(Play).resign((await begun(core)).table.id, BEN)
    async with store.read() as reader:
        bens = await queries.ratings.get(reader, 10, BEN.id, "bouncers")
        assert bens is not None
        assert (bens.played, bens.lost) == (4, 4)
    results = await core.service(Ratings).results(10, ANN.id, asked_by=ANN.id)
    assert (results.standings, len(results.recent)) == ((), 4)
