"""People who seek a game are matched in rounds and confirm within a day; whoever does not costs the others nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bot.core.clocks import outages
from bot.core.clocks.membership import Membership
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.places import Places
from bot.core.play import Play
from bot.core.table.errors import Refused, TableFull
from bot.core.table.snapshot import Snapshot, User
from bot.core.terms import Terms
from bot.features.matchmaking.clock import IDLE, MOST_GAMES, Rounds
from bot.features.matchmaking.service import OwnSeek, SeekPosts, Seeks
from bot.features.matchmaking.waiting import ANEW_EVERY, EVERY, next_round
from bot.features.matchmaking.wishes import PLAYS, TURNS, terms_of
from bot.features.posts.service import EDIT_EVERY
from bot.features.privacy.service import Privacy
from bot.parts import PARTS
from storage import queries
from storage.schema.kinds import WaitEnd
from storage.schema.records import Job, JobKind, Post, PostKind, SeatStatus, Status
from storage.schema.structures import Wishes
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, PEOPLE, Time, first_action, jobs, some
from tests.storage.samples import a_rating

GUILD, CHANNEL = 10, 20
DAILY = int(DAY // EVERY)
"""The rounds of a day."""

BOUNCERS_ONLY = ("bouncers/8x8-16",)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def core(store: Store, clock: Time) -> Core:
    return Core(store, parts=PARTS, now=clock)


async def wait(core: Core, user: User, *, guild: int = GUILD, **wishes: Any) -> OwnSeek:
    wanted = {"plays": BOUNCERS_ONLY} | wishes
    await core.service(Seeks).choose(guild, user, lambda known: replace(known, **wanted))
    return await core.service(Seeks).wait(guild, user, CHANNEL)


async def to_round(core: Core, clock: Time) -> None:
    """Let time pass until the next round, and hold it."""
    clock.now = next_round(clock.now)
    await core.service(Timing).sweep()
    assert await core.service(Rounds).sweep()
    assert not await core.service(Rounds).sweep()


async def matched(core: Core, guild: int = GUILD) -> list[Snapshot]:
    """The open and running tables of matched people, in order."""
    tables = await core.tables(guild_id=guild)
    return [await core.snapshot(table.id) for table in sorted(tables, key=lambda table: table.id) if table.matched]


async def met(core: Core, clock: Time, *users: User, **wishes: Any) -> Snapshot:
    """The table of people who have begun to wait, and met in the next round."""
    for user in users:
        await wait(core, user, **wishes)
    await to_round(core, clock)
    (snapshot,) = await matched(core)
    return snapshot


async def is_waiting(core: Core, user: User, guild: int = GUILD) -> bool:
    return (await core.service(Seeks).get(guild, user)).seek.since is not None


async def post(core: Core) -> Post:
    return some(await core.service(SeekPosts).get(GUILD, PostKind.SEEKS))


async def owed(core: Core, *kinds: JobKind) -> list[Job]:
    return [job for job in await jobs(core) if job.kind in kinds]


async def rate(core: Core, user: User, mu: float, game: str = "bouncers") -> None:
    async with core.store.write() as writer:
        await queries.ratings.put(writer, a_rating(user.id, guild_id=GUILD, game=game, mu=mu, sigma=1.0))


# --- being put together -------------------------------------------------------------------------------------------------------
async def test_two_people_with_the_same_wish_meet_in_the_next_round_and_begin_once_both_accept(core: Core, clock: Time) -> None:
    first = await wait(core, ANN)
    assert (first.waits, first.channel_id, first.off) == (True, CHANNEL, False)
    await to_round(core, clock)
    assert await matched(core) == []
    await wait(core, BEN, clocks=(3600, 86_400))
    assert await core.service(Rounds).next_due() == clock.now + EVERY
    snapshot = await met(core, clock)
    table = snapshot.table
    assert (table.game, table.variant, table.clock, table.rated, table.channel_id) == ("bouncers", "8x8-16", DAY, True, CHANNEL)
    assert [(seat.user_id, seat.status) for seat in snapshot.people] == [(1, SeatStatus.INVITED), (2, SeatStatus.INVITED)]
    assert {job.kind for job in await jobs(core, table.id)} == {JobKind.OPENING, JobKind.INVITATION}
    await core.service(Lobby).join(table.id, BEN)
    assert await is_waiting(core, ANN)
    assert await is_waiting(core, BEN), "until the game begins"
    begun = await core.service(Lobby).join(table.id, ANN)
    assert begun.table.status is Status.PLAYING
    assert [await is_waiting(core, user) for user in (ANN, BEN)] == [False, False]
    assert (await core.service(Seeks).get(GUILD, BEN)).seek.wishes.clocks == (3600, 86_400), "for next time"
    assert (await core.service(Seeks).get(GUILD, BEN)).playing == 1


async def test_nobody_is_asked_twice_at_a_time_unless_they_want_several_games(core: Core, clock: Time) -> None:
    await wait(core, ANN, games=2)
    await wait(core, BEN)
    await to_round(core, clock)
    await wait(core, CLEO)
    await wait(core, DEV)
    assert await core.service(Seeks).waiting(GUILD) == {"bouncers": 3}, "Ben is asked, Ann for one of her two"
    await to_round(core, clock)
    assert [sorted(seat.user_id for seat in snapshot.people) for snapshot in await matched(core)] == [[1, 2], [1, 3]]
    await to_round(core, clock)
    assert len(await matched(core)) == 2
    for snapshot in await matched(core):
        for seat in snapshot.people:
            await core.service(Lobby).join(snapshot.table.id, PEOPLE[seat.user_id])
    assert not await is_waiting(core, ANN)


async def test_nobody_has_more_matched_games_than_the_limit(core: Core, clock: Time) -> None:
    strangers = [User(100 + number, f"Stranger {number}") for number in range(MOST_GAMES + 2)]
    for stranger in strangers:
        await wait(core, ANN)
        await wait(core, stranger)
        await to_round(core, clock)
        for snapshot in await matched(core):
            if snapshot.table.status is Status.OPEN:
                for seat in snapshot.people:
                    await core.service(Lobby).join(snapshot.table.id, {ANN.id: ANN, stranger.id: stranger}[seat.user_id])
        await core.service(Seeks).stop(GUILD, stranger)
    assert len(await matched(core)) == MOST_GAMES == (await core.service(Seeks).get(GUILD, ANN)).playing
    assert await is_waiting(core, ANN)


async def test_declining_ends_the_wait_and_the_other_keeps_their_place(core: Core, clock: Time) -> None:
    since = (await wait(core, ANN)).seek.since
    snapshot = await met(core, clock, BEN)
    await core.service(Lobby).join(snapshot.table.id, ANN)
    declined = await core.service(Lobby).decline(snapshot.table.id, BEN)
    assert declined.table.status is Status.CLOSED
    assert not await is_waiting(core, BEN)
    snapshot = await met(core, clock, CLEO)
    assert [seat.user_id for seat in snapshot.people] == [1, 3]
    assert (await core.service(Seeks).get(GUILD, ANN)).seek.since == since


async def test_declining_one_of_two_games_leaves_the_wait_for_the_other(core: Core, clock: Time) -> None:
    await wait(core, ANN, games=2)
    snapshot = await met(core, clock, BEN)
    await core.service(Lobby).decline(snapshot.table.id, ANN)
    assert (await core.service(Seeks).get(GUILD, ANN)).seek.remaining == 1
    assert await is_waiting(core, BEN)


async def test_accepting_and_leaving_again_ends_the_wait(core: Core, clock: Time) -> None:
    snapshot = await met(core, clock, ANN, BEN)
    await core.service(Lobby).join(snapshot.table.id, ANN)
    assert (await core.service(Lobby).leave(snapshot.table.id, ANN)).table.status is Status.CLOSED
    assert (await is_waiting(core, ANN), await is_waiting(core, BEN)) == (False, True)


async def test_a_day_without_an_answer_ends_the_wait_and_is_told(core: Core, clock: Time) -> None:
    snapshot = await met(core, clock, ANN, BEN, CLEO, plays=("trampoline/standard",), seats=(3,))
    await core.service(Places).record_lobby_message(snapshot.table.id, 5, invites=True)
    await core.service(Lobby).join(snapshot.table.id, ANN)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    assert (await core.snapshot(snapshot.table.id)).table.status is Status.CLOSED
    assert [await is_waiting(core, user) for user in (ANN, BEN, CLEO)] == [True, False, False]
    told = await owed(core, JobKind.WAIT_OVER)
    assert sorted(job.payload["to"] for job in told) == [2, 3]
    assert {job.payload["why"] for job in told} == {WaitEnd.UNCONFIRMED.value}
    assert {job.place for job in told} == {"person 2", "person 3"}


async def test_the_day_begins_when_people_are_asked_and_those_not_asked_wait_on(core: Core, clock: Time) -> None:
    snapshot = await met(core, clock, ANN, BEN)
    clock.pass_(5 * HOUR)
    await core.service(Places).record_lobby_message(snapshot.table.id, 5, invites=True)
    assert (await core.snapshot(snapshot.table.id)).table.deadline == clock.now + DAY
    await core.service(Lobby).close(snapshot.table.id)
    await to_round(core, clock)
    (unasked,) = await matched(core)
    clock.pass_(DAY + WAITS)
    await core.service(Timing).sweep()
    assert (await core.snapshot(unasked.table.id)).table.status is Status.CLOSED
    assert [await is_waiting(core, user) for user in (ANN, BEN)] == [True, True]
    assert await owed(core, JobKind.WAIT_OVER) == []


async def test_a_table_that_a_manager_closes_costs_nobody_their_place(core: Core, clock: Time) -> None:
    snapshot = await met(core, clock, ANN, BEN)
    await core.service(Lobby).close(snapshot.table.id)
    await to_round(core, clock)
    assert [seat.user_id for snapshot in await matched(core) for seat in snapshot.people] == [1, 2]


async def test_only_matched_people_can_sit_down_and_nobody_starts_it_alone(core: Core, clock: Time) -> None:
    snapshot = await met(core, clock, ANN, BEN, CLEO, plays=("trampoline/standard",), seats=(3,))
    table_id = snapshot.table.id
    with pytest.raises(TableFull):
        await core.service(Lobby).join(table_id, DEV)
    await core.service(Lobby).join(table_id, ANN)
    await core.service(Lobby).join(table_id, BEN)
    with pytest.raises(Refused, match="by itself"):
        await core.service(Lobby).start(table_id, ANN)
    with pytest.raises(Refused, match="were matched"):
        await core.service(Terms).change(table_id, ANN, {"rounds": "3"})


async def test_matched_games_do_not_count_for_the_tables_somebody_may_open(core: Core, clock: Time) -> None:
    await wait(core, ANN)
    await wait(core, BEN)
    await to_round(core, clock)
    for _ in range(2):
        await core.service(Lobby).open(ANN, replace(BOUNCERS, most_tables=2))
    with pytest.raises(Refused):
        await core.service(Lobby).open(ANN, replace(BOUNCERS, most_tables=2))


# --- with whom ----------------------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("mine", [True, False])
async def test_avoiding_works_both_ways(core: Core, clock: Time, mine: bool) -> None:
    await wait(core, ANN)
    await wait(core, BEN)
    own = await core.service(Seeks).avoid(GUILD, ANN if mine else BEN, [BEN.id if mine else ANN.id])
    assert own.avoided == ((BEN if mine else ANN).id,)
    for _ in range(4 * DAILY):
        await to_round(core, clock)
    assert await matched(core) == []
    await wait(core, CLEO, plays=(*BOUNCERS_ONLY, "bunny/standard"))
    await to_round(core, clock)
    assert len(await matched(core)) == 1


async def test_avoidances_can_be_changed_and_hold_on_other_servers(core: Core, clock: Time) -> None:
    await core.service(Seeks).avoid(99, ANN, [BEN.id, CLEO.id, ANN.id])
    assert (await core.service(Seeks).get(GUILD, ANN)).avoided == (2, 3)
    assert (await core.service(Seeks).avoid(GUILD, ANN, [CLEO.id])).avoided == (3,)
    assert (await core.service(Seeks).get(GUILD, CLEO)).avoided == ()
    with pytest.raises(Refused, match="25 people at most"):
        await core.service(Seeks).avoid(GUILD, ANN, range(100, 126))


@pytest.mark.slow
async def test_people_of_similar_strength_meet_first_and_others_later(core: Core, clock: Time) -> None:
    for user, mu in ((ANN, 25.0), (BEN, 40.0)):
        await rate(core, user, mu)
        await wait(core, user)
    for _ in range(DAILY):
        await to_round(core, clock)
        assert await matched(core) == []
    for _ in range(2 * DAILY):
        await to_round(core, clock)
    assert len(await matched(core)) == 1


async def test_nobody_is_put_together_in_their_quiet_hours_or_on_vacation(core: Core, clock: Time) -> None:
    await wait(core, ANN)
    await wait(core, BEN)
    await core.service(Users).change(ANN.id, quiet_from=12 * 60 + 30, quiet_until=13 * 60 + 30)
    await to_round(core, clock)  # at one
    assert await matched(core) == []
    await core.service(Users).begin_vacation(BEN.id, 1)
    for _ in range(DAILY - 1):
        await to_round(core, clock)
    assert await matched(core) == []
    for _ in range(3):
        await to_round(core, clock)
    assert len(await matched(core)) == 1


@pytest.mark.slow
async def test_people_who_want_punctual_opponents_meet_no_others(core: Core, clock: Time) -> None:
    request = replace(BOUNCERS, clock=3600, seats=3, game="trampoline")
    for _ in range(12):  # how often it is Ben's turn is up to the dice; it takes ten turns to be known
        table_id = (await core.service(Lobby).open(CLEO, request)).table.id
        await core.service(Lobby).join(table_id, BEN)
        await core.service(Lobby).join(table_id, DEV)
        for _ in range(8):
            snapshot = await core.snapshot(table_id)
            if snapshot.table.status is Status.PLAYING and snapshot.awaited[0].user_id != BEN.id:
                await core.service(Play).act(table_id, PEOPLE[snapshot.awaited[0].user_id], first_action(snapshot))
            else:
                clock.pass_(2 * HOUR)
                await core.service(Timing).sweep()
    await wait(core, ANN, most_late=10)
    await wait(core, BEN)
    await to_round(core, clock)
    assert await matched(core) == []
    await wait(core, ANN, most_late=None)
    await to_round(core, clock)
    assert len(await matched(core)) == 1


# --- the end of a wait --------------------------------------------------------------------------------------------------------
async def test_waiting_too_long_is_told_after_quiet_hours(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, quiet_from=12 * 60, quiet_until=20 * 60)
    await wait(core, ANN, days=1)
    while clock.now < 1_767_614_400.0 + DAY:
        await to_round(core, clock)
    (job,) = await owed(core, JobKind.WAIT_OVER)
    assert (job.payload, job.place) == ({"to": 1, "why": "too-long"}, "person 1")
    assert job.due == 1_767_614_400.0 + DAY + 8 * HOUR
    assert not await is_waiting(core, ANN)


async def test_a_person_who_is_asked_waits_until_that_is_settled(core: Core, clock: Time) -> None:
    await wait(core, ANN, days=1)
    clock.pass_(DAY - HOUR)
    await wait(core, BEN)
    clock.now -= EVERY
    snapshot = await met(core, clock)
    for _ in range(3):
        await to_round(core, clock)
    assert await owed(core, JobKind.WAIT_OVER) == []
    await core.service(Lobby).decline(snapshot.table.id, BEN)
    await to_round(core, clock)
    assert [job.payload["why"] for job in await owed(core, JobKind.WAIT_OVER)] == ["too-long"]


async def test_choosing_anew_keeps_the_place_even_if_nothing_fits_for_a_while(core: Core, clock: Time) -> None:
    since = (await wait(core, ANN)).seek.since
    clock.pass_(HOUR)
    own = await core.service(Seeks).choose(GUILD, ANN, lambda wishes: replace(wishes, games=3, days=14, clocks=(3600,)))
    assert (own.seek.since, own.seek.remaining, own.seek.until) == (since, 3, clock.now + 14 * DAY)
    clock.pass_(3 * DAY)
    own = await core.service(Seeks).choose(GUILD, ANN, lambda wishes: replace(wishes, days=1))
    assert own.seek.until == clock.now + DAY, "never over already"
    own = await core.service(Seeks).choose(GUILD, ANN, lambda wishes: replace(wishes, plays=()))
    assert (own.waits, own.possible, own.seek.since) == (True, False, since)
    assert await core.service(Seeks).waiting(GUILD) == {}
    with pytest.raises(Refused, match="Pick a game first"):
        await core.service(Seeks).wait(GUILD, ANN, CHANNEL)
    own = await core.service(Seeks).choose(GUILD, ANN, lambda wishes: replace(wishes, plays=BOUNCERS_ONLY))
    assert (own.waits, own.possible, own.seek.since) == (True, True, since)


async def test_a_choice_does_not_ask_again_for_games_that_were_found(core: Core, clock: Time) -> None:
    await wait(core, ANN, games=2)
    snapshot = await met(core, clock, BEN)
    for user in (ANN, BEN):
        await core.service(Lobby).join(snapshot.table.id, user)
    own = await core.service(Seeks).choose(GUILD, ANN, lambda wishes: replace(wishes, clocks=(*wishes.clocks, 3600)))
    assert own.seek.remaining == 1


async def test_a_command_that_is_refused_changes_nothing(core: Core) -> None:
    before = await wait(core, ANN, plays=("trampoline/standard",))
    with pytest.raises(Refused, match="can be played like that"):
        await core.service(Seeks).choose(
            GUILD, ANN, lambda wishes: replace(wishes, plays=BOUNCERS_ONLY, seats=(3,)), possible=True
        )  # fmt: skip
    assert await core.service(Seeks).get(GUILD, ANN) == before


async def test_waiting_again_begins_anew_even_before_the_end_is_told(core: Core, clock: Time) -> None:
    await wait(core, ANN, days=1)
    clock.pass_(DAY + 60.0)
    assert not (await core.service(Seeks).get(GUILD, ANN)).waits
    own = await core.service(Seeks).wait(GUILD, ANN, CHANNEL)
    assert own.seek.until == clock.now + DAY
    await to_round(core, clock)
    assert await is_waiting(core, ANN)


async def test_two_people_meet_once_at_a_time_however_many_games_they_want(core: Core, clock: Time) -> None:
    await wait(core, ANN, games=2)
    await wait(core, BEN, games=2)
    clock.now = next_round(clock.now)
    await asyncio.gather(core.service(Rounds).sweep(), core.service(Rounds).sweep())
    await to_round(core, clock)
    assert len(await matched(core)) == 1


async def test_somebody_avoided_during_a_round_is_not_asked(core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    await wait(core, ANN)
    await wait(core, BEN)
    open_table = core.service(Rounds)._open

    async def avoided(post: Post, found: Any) -> None:
        await core.service(Seeks).avoid(GUILD, ANN, [BEN.id])
        await open_table(post, found)

    monkeypatch.setattr(core.service(Rounds), "_open", avoided)
    await to_round(core, clock)
    assert await matched(core) == []


async def test_people_of_two_continents_meet_when_both_are_awake(core: Core, clock: Time) -> None:
    for user, zone in ((ANN, "Europe/Berlin"), (BEN, "Pacific/Auckland")):
        await core.service(Users).change(user.id, quiet_from=22 * 60, quiet_until=8 * 60, zone=zone)
        await wait(core, user)
    for _ in range(DAILY):
        await to_round(core, clock)
    assert len(await matched(core)) == 1


async def test_joining_in_wishes_for_what_can_be_played_together(core: Core, clock: Time) -> None:
    await wait(core, ANN, rated=True)
    await core.service(Seeks).choose(GUILD, BEN, lambda known: replace(known, plays=BOUNCERS_ONLY, rated=False))
    await core.service(Seeks).join_in(GUILD, BEN)
    await core.service(Seeks).wait(GUILD, BEN, CHANNEL)
    await to_round(core, clock)
    assert len(await matched(core)) == 1


async def test_only_games_that_can_be_matched_count(core: Core) -> None:
    await wait(core, ANN, plays=(*BOUNCERS_ONLY, "trampoline/standard"), seats=(3,))
    assert await core.service(Seeks).waiting(GUILD) == {"trampoline": 1}


@pytest.mark.parametrize(
    "wrong",
    [{"plays": ("chess/standard",)}, {"clocks": (5,)}, {"seats": (1,)}, {"days": 99}, {"games": 9}, {"most_late": 11}],
    ids=lambda wrong: next(iter(wrong)),
)
async def test_what_cannot_be_chosen_is_refused_and_changes_nothing(core: Core, wrong: dict[str, Any]) -> None:
    before = await core.service(Seeks).get(GUILD, ANN)
    with pytest.raises(Refused):
        await core.service(Seeks).choose(GUILD, ANN, lambda wishes: replace(wishes, **wrong))
    assert await core.service(Seeks).get(GUILD, ANN) == before


async def test_switching_it_off_ends_all_waits_and_the_next_one_is_refused(core: Core, clock: Time) -> None:
    await wait(core, ANN)
    await core.service(SeekPosts).switch_off(GUILD, PostKind.SEEKS)
    assert not await is_waiting(core, ANN)
    assert [job.payload["why"] for job in await owed(core, JobKind.WAIT_OVER)] == ["switched-off"]
    with pytest.raises(Refused, match="Matching is switched off"):
        await wait(core, BEN)
    assert await core.service(Rounds).next_due() is None
    await core.service(SeekPosts).choose(GUILD, PostKind.SEEKS, channel_id=21, hour=0, zone="UTC", role_id=None)
    assert (await wait(core, BEN)).channel_id == 21


async def test_joining_in_asks_for_what_others_wait_for_unless_some_of_it_is_wished_for(core: Core) -> None:
    await wait(core, ANN, clocks=(3600,))
    await core.service(Seeks).join_in(GUILD, BEN)
    wishes = (await core.service(Seeks).get(GUILD, BEN)).seek.wishes
    assert (wishes.plays, wishes.clocks) == (BOUNCERS_ONLY, (86_400, 3600))
    await core.service(Seeks).choose(GUILD, CLEO, lambda known: replace(known, plays=(*BOUNCERS_ONLY, "bunny/standard")))
    await core.service(Seeks).join_in(GUILD, CLEO)
    assert (await core.service(Seeks).get(GUILD, CLEO)).seek.wishes.plays == (*BOUNCERS_ONLY, "bunny/standard")


async def test_a_forgotten_person_no_longer_waits_and_nobody_avoids_them(core: Core, clock: Time) -> None:
    await wait(core, ANN)
    await wait(core, BEN)
    await core.service(Seeks).avoid(GUILD, CLEO, [ANN.id])
    snapshot = await met(core, clock)
    await core.service(Privacy).forget(ANN)
    assert (await core.snapshot(snapshot.table.id)).table.status is Status.CLOSED
    assert [await is_waiting(core, user) for user in (ANN, BEN)] == [False, True]
    assert (await core.service(Seeks).get(GUILD, CLEO)).avoided == ()


# --- outages, clocks ----------------------------------------------------------------------------------------------------------
async def test_the_time_of_an_outage_and_of_an_absence_is_given_back(core: Core, clock: Time) -> None:
    for user in (ANN, BEN):
        await wait(core, user, days=1)
    before = clock.now
    clock.pass_(2 * DAY)
    async with core.store.write() as writer:
        await outages.give_back(core, writer, before + 60.0, clock.now)
    assert (await core.service(Seeks).get(GUILD, ANN)).seek.until == clock.now + DAY - 60.0
    await core.service(Membership).begin_grace(GUILD)
    clock.pass_(10 * DAY)
    await core.service(Membership).end_grace(GUILD)
    assert (await core.service(Seeks).get(GUILD, ANN)).seek.until == clock.now + DAY - 60.0
    await to_round(core, clock)
    assert len(await matched(core)) == 1


async def test_a_wrong_clock_keeps_nobody_waiting(core: Core, clock: Time) -> None:
    await wait(core, ANN)
    await wait(core, BEN, clocks=(3600,))
    right = clock.now
    clock.pass_(365 * DAY)
    await core.service(Rounds).sweep()
    clock.now = right + 60.0
    async with core.store.write() as writer:
        await outages.begin_anew(core, writer, clock.now)
    assert await core.service(Rounds).next_due() == clock.now
    for user in (ANN, BEN):
        await wait(core, user, clocks=(3600,))
    snapshot = await met(core, clock)
    async with core.store.write() as writer:
        await outages.begin_anew(core, writer, clock.now)
    assert (await core.snapshot(snapshot.table.id)).table.deadline == clock.now + DAY


# --- kills, faults ------------------------------------------------------------------------------------------------------------
class Killed(BaseException):
    pass


@pytest.mark.parametrize("survives", range(6))
async def test_a_round_cut_off_at_any_write_loses_nobody(
    core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch, survives: int
) -> None:
    people = [User(100 + number, f"Stranger {number}") for number in range(8)]
    for user in people:
        await wait(core, user)
    write, left = core.store.write, survives

    def killed() -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return write()

    clock.now = next_round(clock.now)
    monkeypatch.setattr(core.store, "write", killed)
    with suppress(Killed):
        await core.service(Rounds).sweep()
    monkeypatch.undo()
    again = Core(core.store, parts=PARTS, now=clock)
    await again.service(Rounds).sweep()
    asked = [seat.user_id for snapshot in await matched(again) for seat in snapshot.people]
    assert sorted(asked) == [user.id for user in people]
    assert await again.service(Rounds).next_due() == next_round(clock.now)


@pytest.mark.slow
async def test_a_failure_on_one_server_keeps_no_other_waiting(core: Core, clock: Time) -> None:
    for guild in (GUILD, 11):
        for user in (ANN, BEN):
            await wait(core, user, guild=guild)
    open_table = core.service(Rounds)._open

    async def broken(post: Post, found: Any) -> None:
        if post.guild_id == GUILD:
            raise RuntimeError("this server is odd")
        await open_table(post, found)

    core.service(Rounds)._open = broken  # type: ignore[method-assign]
    await to_round(core, clock)
    assert (len(await matched(core)), len(await matched(core, 11))) == (0, 1)
    core.service(Rounds)._open = open_table  # type: ignore[method-assign]
    await to_round(core, clock)
    assert len(await matched(core)) == 1


async def test_a_failing_round_undoes_nothing_of_managers(core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    await wait(core, ANN)

    async def failing(_: Post) -> None:
        await core.service(SeekPosts).switch_off(GUILD, PostKind.SEEKS)
        raise RuntimeError

    monkeypatch.setattr(core.service(Rounds), "_hold", failing)
    clock.now = next_round(clock.now)
    await core.service(Rounds).sweep()
    assert (await post(core)).due is None


# --- the message --------------------------------------------------------------------------------------------------------------
async def shown(core: Core) -> None:
    """The message is posted, and everything else is told."""
    known = await post(core)
    await core.service(SeekPosts).record(known, core.service(SeekPosts).day_for(known), 77, 5)
    for job in await owed(core, JobKind.POST, JobKind.POST_EDIT):
        await core.service(Outbox).finish(job, None)


async def test_the_message_is_posted_at_once_edited_hourly_and_renewed_after_six_hours(core: Core, clock: Time) -> None:
    await wait(core, ANN)
    assert [(job.subject, job.place) for job in await owed(core, JobKind.POST)] == [("post seeks", f"channel {CHANNEL}")]
    await shown(core)
    clock.pass_(60.0)
    await wait(core, BEN, clocks=(3600,))
    (edit,) = await owed(core, JobKind.POST, JobKind.POST_EDIT)
    assert (edit.kind, edit.due) == (JobKind.POST_EDIT, clock.now - 60.0 + EDIT_EVERY)
    clock.pass_(ANEW_EVERY)
    await wait(core, CLEO, clocks=(28_800,))
    assert {job.kind for job in await owed(core, JobKind.POST, JobKind.POST_EDIT)} == {JobKind.POST, JobKind.POST_EDIT}
    assert await core.service(Seeks).waiting(GUILD) == {"bouncers": 3}


async def test_the_message_tells_when_somebody_waits_again(core: Core, clock: Time) -> None:
    await wait(core, ANN)
    await wait(core, BEN)
    await to_round(core, clock)
    await shown(core)
    (snapshot,) = await matched(core)
    await core.service(Lobby).decline(snapshot.table.id, BEN)
    assert await core.service(Seeks).waiting(GUILD) == {"bouncers": 1}
    assert [job.kind for job in await owed(core, JobKind.POST, JobKind.POST_EDIT)] == [JobKind.POST_EDIT]


async def test_a_round_in_which_nothing_happens_leaves_the_message_alone(core: Core, clock: Time) -> None:
    await wait(core, ANN, days=1)
    await shown(core)
    for _ in range(DAILY - 1):
        await to_round(core, clock)
    assert await owed(core, JobKind.POST, JobKind.POST_EDIT) == []
    await to_round(core, clock)
    assert [job.kind for job in await owed(core, JobKind.POST, JobKind.POST_EDIT)] == [JobKind.POST_EDIT]


async def test_a_server_on_which_nobody_waits_has_no_rounds_until_somebody_does(core: Core, clock: Time) -> None:
    await wait(core, ANN)
    await to_round(core, clock)
    await core.service(Seeks).stop(GUILD, ANN)
    await to_round(core, clock)
    known = await post(core)
    assert known.due == clock.now + IDLE
    clock.now = next_round(clock.now)
    assert not await core.service(Rounds).sweep()
    await wait(core, ANN)
    await wait(core, BEN)
    await to_round(core, clock)
    assert len(await matched(core)) == 1


async def test_a_message_deleted_with_the_queue_is_posted_anew_with_it(core: Core) -> None:
    await wait(core, ANN)
    await shown(core)
    await core.service(SeekPosts).switch_off(GUILD, PostKind.SEEKS)
    await core.service(SeekPosts).choose(GUILD, PostKind.SEEKS, channel_id=CHANNEL, hour=0, zone="UTC", role_id=None)
    await wait(core, BEN)
    assert JobKind.POST in {job.kind for job in await owed(core, JobKind.POST, JobKind.POST_EDIT)}


def test_wishes_fit_all_tables_that_go_with_them() -> None:
    terms = terms_of(Wishes(plays=("pucks/standard", "bouncers/8x8-12", "gone/standard"), clocks=(3600, 86_400), seats=(2, 4)))
    assert {(one.game, one.variant, one.seats) for one in terms} == {
        ("pucks", "standard", 2), ("pucks", "standard", 4), ("bouncers", "8x8-12", 2),
    }  # fmt: skip
    assert len(terms) == 3 * 2 * 2
    every = terms_of(Wishes(plays=tuple(PLAYS), clocks=TURNS))
    assert {one.game for one in every} == {"bouncers", "bunny", "trampoline", "pucks"}
    assert {one.rated for one in terms_of(Wishes(plays=tuple(PLAYS), clocks=TURNS, rated=False))} == {False}
