"""`/ladder`: places that people defend against challenges from below."""

from collections.abc import Sequence
from typing import Any

import pytest
import sqlalchemy as sa
from discord import ui
from simcord.actors import MemberActor

from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.places import Places
from bot.core.play import Play
from bot.core.table.deadlines import CHALLENGED_FOR
from bot.core.table.errors import Refused
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import User
from bot.features.ladders.messages import _shown
from bot.features.ladders.order import number_of, season_of
from bot.features.ladders.rules import Season
from bot.features.ladders.service import Ladders
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.privacy.service import Privacy
from bot.features.settings.moderation import Moderation
from bot.features.stats.messages import results_message
from bot.features.stats.ratings import Ratings
from bot.i18n.language import ENGLISH
from bot.messages.board import ending
from bot.messages.click import Click
from bot.messages.players import ordinal
from bot.parts import PARTS
from storage.schema.ladder_records import LadderPlace
from storage.schema.records import OfferKind, Status, Table
from storage.schema.tables import ladder_places, ladders
from storage.store import Store
from tests.bot.forging import chosen, forged
from tests.bot.kit import World, labels, reply, selects
from tests.bot.seated import core_of, user_of
from tests.bot.service import ANN, BEN, CLEO, DAY, DEV, Departed, Time
from tests.storage.samples import a_ladder_place

GUILD, GAME = 10, "bouncers"


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
async def core(address: str, clock: Time) -> Any:
    store = await Store.open(address)
    yield Core(store, parts=PARTS, now=clock)
    await store.close()


async def join(core: Core, *users: User) -> None:
    for user in users:
        await core.service(Ladders).join(GUILD, GAME, user)


async def order(core: Core, user: User = ANN) -> list[int]:
    return [row.user_id for row in (await core.service(Ladders).get(GUILD, GAME, user.id)).places]


async def challenge(core: Core, who: User, whom: User) -> Table:
    wanted = TableRequest(
        guild_id=GUILD, channel_id=20, game=GAME, opponents=(whom,), seats=2, clock=int(DAY), ladder=True
    )  # fmt: skip
    table = (await core.service(Lobby).open(who, wanted)).table
    return (await core.service(Places).record_lobby_message(table.id, 5, invites=True)).table


async def accepted(core: Core, who: User, whom: User) -> Table:
    table = await challenge(core, who, whom)
    await core.service(Lobby).join(table.id, whom)
    return table


async def won(core: Core, who: User, whom: User) -> None:
    table = await accepted(core, who, whom)
    await core.service(Play).resign(table.id, whom)


async def test_the_winner_goes_directly_above_the_loser_who_passes_nobody(core: Core) -> None:
    await join(core, ANN, BEN, CLEO, DEV)
    assert await order(core) == [1, 2, 3, 4]
    await won(core, DEV, CLEO)
    assert await order(core) == [1, 2, 4, 3]
    table = await accepted(core, BEN, ANN)
    await core.service(Play).resign(table.id, BEN)
    assert await order(core) == [1, 2, 4, 3], "a challenge that is lost changes nothing"
    assert "Ann keeps 1st place on the ladder." in ending(await core.snapshot(table.id), ENGLISH)
    rows = {row.user_id: (row.won, row.lost) for row in (await core.service(Ladders).get(GUILD, GAME, 1)).places}
    assert rows == {1: (1, 0), 2: (0, 1), 3: (0, 1), 4: (1, 0)}


async def test_who_can_be_challenged(core: Core, clock: Time) -> None:
    await join(core, ANN, BEN, CLEO, DEV)
    assert [(await core.service(Ladders).get(GUILD, GAME, one)).reach for one in (1, 2, 3, 4)] == [(), (1,), (2,), (3,)]
    for who, whom, words in ((DEV, ANN, "too far up"), (ANN, BEN, "above you"), (User(9, "Zoe"), ANN, "Both of you")):
        with pytest.raises(Refused, match=words):
            await challenge(core, who, whom)
    await challenge(core, DEV, CLEO)
    with pytest.raises(Refused, match="already have a challenge"):
        await challenge(core, DEV, CLEO)
    await won(core, CLEO, BEN)
    assert await order(core) == [1, 3, 2, 4]
    with pytest.raises(Refused, match="Only one game a week"):
        await challenge(core, BEN, CLEO)
    clock.pass_(8 * DAY)
    await challenge(core, BEN, CLEO)


async def test_a_former_members_place_is_in_nobodys_way(core: Core) -> None:
    await join(core, ANN, BEN, CLEO, DEV)
    core.audience = Departed(frozenset({BEN.id, CLEO.id}))
    assert await order(core) == [1, 4]
    assert (await core.service(Ladders).get(GUILD, GAME, DEV.id)).reach == (1,), "the next one above"
    with pytest.raises(Refused, match="Both of you"):
        await challenge(core, DEV, CLEO)
    assert (await challenge(core, DEV, ANN)).ladder
    core.audience = Departed(frozenset({ANN.id, BEN.id}))
    table = await accepted(core, DEV, CLEO)
    await core.service(Play).resign(table.id, CLEO)
    assert "Dev takes 1st place on the ladder." in ending(await core.snapshot(table.id), ENGLISH)
    core.audience = Departed()
    assert await order(core) == [1, 2, 4, 3], "they are back where they were among the others"


@pytest.mark.parametrize("declines", [True, False])
async def test_an_unanswered_challenge_counts_as_lost(core: Core, clock: Time, declines: bool) -> None:
    await join(core, ANN, BEN)
    table = await challenge(core, BEN, ANN)
    assert table.deadline == clock.now + CHALLENGED_FOR
    if declines:
        await core.service(Lobby).decline(table.id, ANN)
    else:
        clock.pass_(CHALLENGED_FOR + WAITS)
        await core.service(Timing).sweep()
    assert (await core.snapshot(table.id)).table.status is Status.CLOSED
    assert await order(core) == [2, 1]


async def test_nobody_on_vacation_loses_a_challenge_or_can_be_challenged(core: Core, clock: Time) -> None:
    await join(core, ANN, BEN, CLEO)
    table = await challenge(core, BEN, ANN)
    await core.service(Users).begin_vacation(ANN.id, 14)
    clock.pass_(CHALLENGED_FOR + WAITS)
    await core.service(Timing).sweep()
    assert (await core.snapshot(table.id)).table.status is Status.CLOSED
    assert await order(core) == [1, 2, 3]
    with pytest.raises(Refused, match="on vacation"):
        await challenge(core, BEN, ANN)


async def test_handing_a_seat_over_still_loses_the_place(core: Core) -> None:
    await join(core, ANN, BEN)
    table = await accepted(core, BEN, ANN)
    await core.service(Consent).propose(table.id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, DEV))
    await core.service(Consent).agree(table.id, DEV, OfferKind.SUBSTITUTE)
    await core.service(Play).resign(table.id, DEV)
    rows = [(row.user_id, row.won, row.lost) for row in (await core.service(Ladders).get(GUILD, GAME, 1)).places]
    assert rows == [(2, 1, 0), (1, 0, 1)], "Ann has lost, as by the ratings, and Dev gets no place"
    assert "Ben takes 1st place on the ladder." in ending(await core.snapshot(table.id), ENGLISH)


@pytest.mark.parametrize(
    "damage", [{"season": 0}, {"season": -9}, {"season": 10**6}, {"looked_at": -1e300}, {"looked_at": 1e300}]
)
async def test_a_damaged_ladder_keeps_no_game_from_ending(core: Core, damage: dict[str, float]) -> None:
    await join(core, ANN, BEN)
    table = await accepted(core, BEN, ANN)
    async with core.store.write() as writer:
        await writer.execute(sa.update(ladders).values(**damage))
    await core.service(Play).resign(table.id, ANN)
    assert (await core.snapshot(table.id)).table.status is Status.FINISHED
    assert await order(core) == [2, 1]


async def test_a_damaged_place_keeps_no_game_from_ending(core: Core) -> None:
    await join(core, ANN, BEN)
    table = await accepted(core, BEN, ANN)
    async with core.store.write() as writer:
        await writer.execute(sa.update(ladder_places).values(won=2**31 - 1 if writer.dialect == "postgresql" else 2**63 - 1))
    await core.service(Play).resign(table.id, ANN)
    assert (await core.snapshot(table.id)).table.status is Status.FINISHED


async def test_a_challenge_that_nobody_could_see_or_that_was_called_off_costs_nothing(core: Core, clock: Time) -> None:
    await join(core, ANN, BEN)
    wanted = TableRequest(guild_id=GUILD, channel_id=20, game=GAME, opponents=(ANN,), seats=2, clock=3600, ladder=True)
    unseen = (await core.service(Lobby).open(BEN, wanted)).table
    clock.pass_(CHALLENGED_FOR + WAITS)
    await core.service(Timing).sweep()
    assert (await core.snapshot(unseen.id)).table.status is Status.CLOSED
    assert await order(core) == [1, 2]
    table = await challenge(core, BEN, ANN)
    await core.service(Lobby).leave(table.id, BEN)
    assert await order(core) == [1, 2], "the challenger has thought better of it"
    table = await accepted(core, BEN, ANN)
    await core.service(Moderation).close(table.id, GUILD, CLEO)
    assert await order(core) == [1, 2]


async def test_leaving_or_being_forgotten_makes_room_and_late_games_change_nothing(core: Core) -> None:
    await join(core, ANN, BEN, CLEO, DEV)
    table = await accepted(core, CLEO, BEN)
    await core.service(Ladders).leave(GUILD, GAME, BEN)
    assert await order(core) == [1, 3, 4]
    await core.service(Play).resign(table.id, BEN)
    assert await order(core) == [1, 3, 4]
    await core.service(Privacy).forget(ANN)
    assert await order(core) == [3, 4]
    await join(core, BEN)
    assert await order(core) == [3, 4, 2]
    await won(core, BEN, DEV)
    assert await order(core) == [3, 2, 4]


async def test_idle_people_fall_slowly_but_not_for_a_vacation(core: Core, clock: Time) -> None:
    await join(core, ANN, BEN, CLEO)
    clock.pass_(20 * DAY)
    await won(core, CLEO, BEN)
    await core.service(Users).begin_vacation(ANN.id, 14)
    clock.pass_(13 * DAY)
    assert await order(core) == [1, 3, 2], "Ann’s vacation does not count"
    clock.pass_(12 * DAY)
    assert await order(core) == [3, 1, 2]


async def test_a_season_ends_with_badges_and_a_fresh_order_whenever_somebody_looks(core: Core, clock: Time) -> None:
    await join(core, ANN, BEN, CLEO, DEV)
    await won(core, DEV, CLEO)
    await won(core, BEN, ANN)
    assert await order(core) == [2, 1, 4, 3]
    clock.now = Season.at(clock.now).ends + DAY
    standing = await core.service(Ladders).get(GUILD, GAME, ANN.id)
    assert [(badge.place, badge.name) for badge in standing.last] == [(1, "Ben"), (2, "Ann"), (3, "Dev")]
    told = await results_message(ANN, await core.service(Ratings).results(GUILD, ANN.id, asked_by=BEN.id), "here", ENGLISH)
    season = Season.at(clock.now)
    before = season_of(number_of(season) - 1)
    badge = f"🥈 Bouncers ladder, season {before.quarter} of {before.year}"
    assert any(badge in item.content for item in told.items if isinstance(item, ui.TextDisplay))
    assert sorted(row.user_id for row in standing.places) == [1, 2, 3, 4]
    assert {(row.won, row.lost) for row in standing.places} == {(0, 0)}
    assert await order(core) == await order(core, BEN), "drawn once"
    clock.pass_(400 * DAY)
    assert (await core.service(Ladders).get(GUILD, GAME, ANN.id)).last == (), "nobody played"


def test_the_numbers_of_seasons() -> None:
    assert [season_of(number_of(Season(year, quarter))) for year in (2026, 2027) for quarter in (1, 4)] == [
        Season(2026, 1), Season(2026, 4), Season(2027, 1), Season(2027, 4),
    ]  # fmt: skip
    assert number_of(Season(2026, 4).next) == number_of(Season(2026, 4)) + 1


@pytest.mark.parametrize(("people", "mine", "shown"), [
    (4, 2, [1, 2, 3, 4]),
    (16, None, list(range(1, 11))),
    (16, 12, [1, 2, 3, *range(9, 16)]),
    (64, 40, [1, 2, 3, *range(37, 44)]),
    (64, 64, [1, 2, 3, *range(58, 65)]),
])  # fmt: skip
def test_a_long_ladder_shows_its_top_and_the_places_around_somebody(people: int, mine: int | None, shown: list[int]) -> None:
    places: Sequence[LadderPlace] = [a_ladder_place(100 + place, place=place) for place in range(1, people + 1)]
    assert [place for place, _ in _shown(places, mine)] == shown


async def on_ladder(world: World, *people: MemberActor) -> None:
    for one in people:
        shown = await one.slash(world.channel, "ladder", game=GAME)
        await one.click(reply(shown), label="Join")


async def test_people_join_challenge_play_and_change_places(world: World) -> None:
    shown = await world.ann.slash(world.channel, "ladder", game=GAME)
    assert shown.ephemeral
    assert labels(shown) == ["Join"]
    await on_ladder(world, world.ann, world.ben)
    shown = await world.ben.slash(world.channel, "ladder", game=GAME)
    assert "You’re in 2nd place." in world.text(shown)
    assert "1. Ann: 0 won, 0 lost" in world.picture(shown).alt
    (menu,) = selects(shown)
    assert list(menu.options) == ["1. Ann"]
    told = await world.ben.select(reply(shown), list(menu.options.values()), custom_id=menu.custom_id)
    assert "### Challenge Ann?\n1st place: 0 won, 0 lost." in world.text(told)
    await world.ben.click(reply(told), label="Back")
    assert "You’re in 2nd place." in world.text(told)
    assert world.messages() == []
    await world.ben.select(reply(told), list(menu.options.values()), custom_id=menu.custom_id)
    await world.ben.click(reply(told), label="Challenge")
    assert "You’ve challenged Ann: table #1." in world.text(told)
    lobby = next(message for message in world.messages() if "A ladder challenge!" in world.text(message))
    assert world.pinged(lobby) == {world.ann.id}
    await world.ann.click(lobby, label="Accept")
    with world.env._bot_scope():
        await core_of(world).service(Play).resign(1, user_of(world.ann))
    shown = await world.ann.slash(world.channel, "ladder", game=GAME)
    assert "1. Ben: 1 won, 0 lost" in world.picture(shown).alt
    shown = await world.ann.click(reply(shown), label="Leave the ladder")
    assert "You’ve left the ladder." in world.text(shown)


async def test_forged_challenges_are_refused(world: World) -> None:
    await on_ladder(world, world.ann, world.ben)
    shown = await world.ben.slash(world.channel, "ladder", game=GAME)
    for tokens, values in ((("chess",), [str(world.ann.id)]), ((GAME,), [str(world.cleo.id)]), ((GAME,), [str(world.ben.id)])):
        refused = await chosen(world.ben, reply(shown), Click("ladder-challenge", tokens=tokens), *values)
        assert refused.ephemeral
        assert "You’ve challenged" not in world.text(refused)
    refused = await forged(world.ben, reply(shown), Click("ladder", tokens=("chess",)))
    assert "There’s no game “chess”." in world.text(refused)
    with world.env._bot_scope():
        assert await core_of(world).tables(guild_id=world.guild.id) == ()


def test_places_are_counted_as_people_see_them() -> None:
    said = {
        1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th",
        12: "12th", 13: "13th", 21: "21st", 102: "102nd", 113: "113th",
    }  # fmt: skip
    assert {number: str(ordinal(number)) for number in said} == said
