"""Lists of tables: what somebody may not see hides nothing that they may, nor what is new what waits for them."""

from collections.abc import AsyncIterator

import pytest

from bot.core.core import Core
from bot.core.listing import Lists
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.quarantine import Quarantine
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.stats.ratings import Ratings
from storage import queries
from storage.schema.records import OfferKind
from storage.store import Store
from tests.bot.damage import damage
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DEV, HOUR, Time, begun, first_action, started

PRIVATE = TableRequest(guild_id=10, channel_id=20, game="bouncers", private=True, opponents=[BEN], most_tables=1000)
MANY = TableRequest(guild_id=10, channel_id=20, game="bouncers", most_tables=1000)


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.core.listing.AT_ONCE", 4)


async def numbers(outlines: AsyncIterator[Snapshot]) -> list[int]:
    return [summary.table.id async for summary in outlines]


async def open_many(core: Core, request: TableRequest, count: int, by: int = 100) -> list[int]:
    """Tables that as many different people have opened."""
    return [(await core.service(Lobby).open(User(by + n, f"P{n}"), request)).table.id for n in range(count)]


async def test_private_tables_hide_no_public_ones(core: Core) -> None:
    public = (await core.service(Lobby).open(ANN, BOUNCERS)).table.id
    private = await open_many(core, PRIVATE, 30)
    assert await numbers(core.service(Lists).summaries(guild_id=10, seen_by=CLEO.id, limit=25)) == [public]
    assert await numbers(core.service(Lists).summaries(guild_id=10, seen_by=BEN.id)) == [*reversed(private), public]
    page = await core.service(Lists).page(10, CLEO.id)
    assert ([s.table.id for s in page.snapshots], page.more) == ([public], False)


async def test_a_seat_that_is_offered_opens_a_private_table_to_the_list(core: Core) -> None:
    table_id = (await core.service(Lobby).open(ANN, PRIVATE)).table.id
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
        table_id = (await core.service(Lobby).open(ANN, PRIVATE)).table.id
        await core.service(Lobby).join(table_id, BEN)
        await core.service(Play).resign(table_id, BEN)
    seen = await core.service(Ratings).results(10, ANN.id, asked_by=CLEO.id, recent=1)
    assert [snapshot.table.id for snapshot in seen.recent] == [public]


async def test_quarantined_tables_are_named_to_people_who_may_know(core: Core, store: Store) -> None:
    public, private = (await started(core)).table.id, (await core.service(Lobby).open(ANN, PRIVATE)).table.id
    assert store.address.path is not None
    damage(store.address.path, "UPDATE tables SET game = 'chess'")
    await core.service(Quarantine).inspect()
    for user, manages, named in ((ANN, False, {public, private}), (CLEO, False, {public}), (CLEO, True, {public, private})):
        page = await core.service(Lists).page(10, user.id, manages=manages)
        assert (page.snapshots, set(page.quarantined)) == ((), named)


async def test_an_unusable_rating_stops_no_game_from_ending(core: Core, store: Store) -> None:
    for _ in range(2):
        await core.service(Play).resign((await begun(core)).table.id, BEN)
    assert store.address.path is not None
    for broken in ("sigma = -2", "mu = 'good'"):
        damage(store.address.path, f"UPDATE ratings SET {broken} WHERE user_id = 1")
        await core.service(Play).resign((await begun(core)).table.id, BEN)
    async with store.read() as reader:
        bens = await queries.ratings.get(reader, 10, BEN.id, "bouncers")
        assert bens is not None
        assert (bens.played, bens.lost) == (4, 4)
    results = await core.service(Ratings).results(10, ANN.id, asked_by=ANN.id)
    assert (results.standings, len(results.recent)) == ((), 4)
