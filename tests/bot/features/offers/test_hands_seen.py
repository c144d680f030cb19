"""In a game with hidden hands, a seat goes only to somebody who has seen no other hand of it."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.privacy.service import Privacy
from bot.features.settings.moderation import Moderation
from bot.features.watching.service import Watching
from storage import queries
from storage.schema.records import OfferKind, Offers, WatchFor
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, begun, started

EVE = User(9, "Eve")
PUCKS = replace(BOUNCERS, game="pucks", seats=3, clock=int(DAY), options={"setup": "random"})
OPEN = replace(BOUNCERS, game="trampoline", seats=3, clock=int(DAY))
NO_OTHER = "knows that hand, so they can only take over that seat"


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


async def handed_over(core: Core, table_id: int, leaver: User, newcomer: User) -> None:
    await core.service(Consent).propose(table_id, leaver, OfferKind.SUBSTITUTE, Seating(leaver.id, newcomer))
    await core.service(Consent).agree(table_id, newcomer, OfferKind.SUBSTITUTE)


async def test_a_player_who_handed_a_seat_over_gets_no_other_but_may_have_it_back(core: Core) -> None:
    table_id = (await started(core, PUCKS, BEN, CLEO)).table.id
    await handed_over(core, table_id, BEN, DEV)
    await handed_over(core, table_id, DEV, EVE)
    for former in (BEN, DEV):
        with pytest.raises(Refused, match=f"{former.name} has played Blue’s seat in this game and {NO_OTHER}") as refused:
            await core.service(Consent).propose(table_id, CLEO, OfferKind.SUBSTITUTE, Seating(CLEO.id, former))
        assert refused.value.names == ("Ann", "Eve", "Cleo", former.name)
    assert (await core.snapshot(table_id)).table.offers == Offers()
    await handed_over(core, table_id, EVE, BEN)
    assert (await core.snapshot(table_id)).names == ("Ann", "Ben", "Cleo")


async def test_so_it_is_with_players_who_resigned_or_were_removed(core: Core) -> None:
    table_id = (await started(core, PUCKS, BEN, CLEO)).table.id
    await core.service(Play).resign(table_id, BEN)
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(BEN.id, DEV))
    await core.service(Consent).agree(table_id, DEV, OfferKind.SUBSTITUTE)
    await core.service(Moderation).remove(table_id, 10, CLEO, EVE)
    with pytest.raises(Refused, match=f"Ben has played Blue’s seat in this game and {NO_OTHER}"):
        await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(CLEO.id, BEN))
    await core.service(Consent).propose(table_id, ANN, OfferKind.SUBSTITUTE, Seating(CLEO.id, EVE))
    assert (await core.service(Consent).agree(table_id, EVE, OfferKind.SUBSTITUTE)).snapshot.names == ("Ann", "Dev", "Eve")


async def test_it_is_checked_again_when_the_seat_is_taken(core: Core) -> None:
    table_id = (await started(core, PUCKS, BEN, CLEO)).table.id
    await handed_over(core, table_id, BEN, DEV)
    await core.service(Consent).propose(table_id, CLEO, OfferKind.SUBSTITUTE, Seating(CLEO.id, EVE))
    async with core.store.write() as writer:
        offers = (await core.snapshot(table_id)).table.offers
        assert offers.substitute is not None
        await queries.tables.change(writer, table_id, offers=replace(offers, substitute=replace(offers.substitute, to=BEN.id)))
    with pytest.raises(Refused, match=NO_OTHER):
        await core.service(Consent).agree(table_id, BEN, OfferKind.SUBSTITUTE)
    assert (await core.snapshot(table_id)).names == ("Ann", "Dev", "Cleo")


async def test_an_offer_or_watching_shows_no_hand(core: Core) -> None:
    table_id = (await started(core, PUCKS, BEN, CLEO)).table.id
    await core.service(Watching).watch(table_id, EVE, WatchFor.TURN)
    await core.service(Consent).propose(table_id, BEN, OfferKind.SUBSTITUTE, Seating(BEN.id, EVE))
    await handed_over(core, table_id, CLEO, EVE)
    assert (await core.snapshot(table_id)).names == ("Ann", "Ben", "Eve")


async def test_where_nothing_is_hidden_anybody_may_take_any_seat(core: Core) -> None:
    table_id = (await begun(core, OPEN, BEN, CLEO)).table.id
    await handed_over(core, table_id, BEN, DEV)
    await handed_over(core, table_id, CLEO, BEN)
    snapshot = await core.snapshot(table_id)
    assert snapshot.names == ("Ann", "Dev", "Ben")
    await core.service(Play).resign(table_id, DEV)
    await core.service(Play).resign(table_id, ANN)
    async with core.store.read() as reader:
        found = await queries.ratings.find(reader, guild_id=10, game="trampoline")
    assert {r.name: (r.won, r.drawn, r.lost) for r in found} == {"Ann": (0, 0, 1), "Ben": (0, 0, 1), "Cleo": (0, 0, 1)}


async def test_a_forgotten_player_is_not_recognised(core: Core) -> None:
    table_id = (await started(core, PUCKS, BEN, CLEO)).table.id
    await handed_over(core, table_id, BEN, DEV)
    await core.service(Privacy).forget(BEN)
    assert [gone.user_id for gone in (await core.snapshot(table_id)).departures] == [-1]
    await core.service(Consent).propose(table_id, DEV, OfferKind.SUBSTITUTE, Seating(DEV.id, EVE))
