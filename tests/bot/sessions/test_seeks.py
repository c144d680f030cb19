"""People who seek a game: they are put together in rounds and confirm within a day; who does not costs the others nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bot.core.clocks import outages
from bot.core.clocks.timing import WAITS
from bot.core.service import Sessions
from bot.core.table.errors import Refused, TableFull
from bot.core.table.snapshot import Snapshot, User
from bot.features.matchmaking.clock import IDLE, MOST_GAMES
from bot.features.matchmaking.service import OwnSeek
from bot.features.matchmaking.waiting import EVERY, next_round
from bot.features.matchmaking.wishes import PLAYS, TURNS, terms_of
from bot.features.posts.owing import ANEW_EVERY, EDIT_EVERY
from storage import queries
from storage.schema.kinds import WaitEnd
from storage.schema.records import Job, JobKind, Post, PostKind, SeatStatus, Status
from storage.schema.structures import Wishes
from storage.store import Store
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, PEOPLE, Time, first_action, jobs
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
def sessions(store: Store, clock: Time) -> Sessions:
    return Sessions(store, now=clock)


async def wait(sessions: Sessions, user: User, *, guild: int = GUILD, **wishes: Any) -> OwnSeek:
    """Have somebody wait for a game."""
    wanted = {"plays": BOUNCERS_ONLY} | wishes
    await sessions.seeks.choose(guild, user, lambda known: replace(known, **wanted))
    return await sessions.seeks.wait(guild, user, CHANNEL)


async def to_round(sessions: Sessions, clock: Time) -> None:
    """Let time pass until the next round, and hold it."""
    clock.now = next_round(clock.now)
    await sessions.timing.sweep()
    assert await sessions.rounds.sweep()
    assert not await sessions.rounds.sweep()


async def matched(sessions: Sessions, guild: int = GUILD) -> list[Snapshot]:
    """The open and running tables of people who were put together, in their order."""
    tables = await sessions.tables(guild_id=guild)
    return [await sessions.snapshot(table.id) for table in sorted(tables, key=lambda table: table.id) if table.matched]


async def is_waiting(sessions: Sessions, user: User, guild: int = GUILD) -> bool:
    return (await sessions.seeks.get(guild, user)).seek.since is not None


async def post(sessions: Sessions) -> Post | None:
    return await sessions.posts.get(GUILD, PostKind.SEEKS)


async def owed(sessions: Sessions, *kinds: JobKind) -> list[Job]:
    return [job for job in await jobs(sessions) if job.kind in kinds]


async def rate(sessions: Sessions, user: User, mu: float, game: str = "bouncers") -> None:
    async with sessions._repository.store.write() as writer:
        await queries.ratings.put(writer, a_rating(user.id, guild_id=GUILD, game=game, mu=mu, sigma=1.0))


# --- being put together -------------------------------------------------------------------------------------------------------


async def test_two_who_want_the_same_are_put_together_in_the_next_round_and_begin_when_both_accept(
    sessions: Sessions, clock: Time
) -> None:
    first = await wait(sessions, ANN)
    assert (first.waits, first.channel_id, first.off) == (True, CHANNEL, False)
    await to_round(sessions, clock)
    assert await matched(sessions) == []
    await wait(sessions, BEN, clocks=(3600, 86_400))
    assert await sessions.rounds.next_due() == clock.now + EVERY
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    table = snapshot.table
    assert (table.game, table.variant, table.clock, table.rated, table.channel_id) == ("bouncers", "8x8-16", DAY, True, CHANNEL)
    assert [(seat.user_id, seat.status) for seat in snapshot.people] == [(1, SeatStatus.INVITED), (2, SeatStatus.INVITED)]
    assert {job.kind for job in await jobs(sessions, table.id)} == {JobKind.OPENING, JobKind.INVITATION}
    await sessions.lobby.join(table.id, BEN)
    assert await is_waiting(sessions, ANN)
    assert await is_waiting(sessions, BEN), "until the game begins"
    begun = await sessions.lobby.join(table.id, ANN)
    assert begun.table.status is Status.PLAYING
    assert not await is_waiting(sessions, ANN)
    assert not await is_waiting(sessions, BEN)
    assert (await sessions.seeks.get(GUILD, BEN)).seek.wishes.clocks == (3600, 86_400), "for the next time"
    assert (await sessions.seeks.get(GUILD, BEN)).playing == 1


async def test_nobody_is_asked_twice_at_a_time_unless_they_want_several_games(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN, games=2)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    await wait(sessions, CLEO)
    await wait(sessions, DEV)
    assert await sessions.seeks.waiting(GUILD) == {"bouncers": 3}, "Ben is asked, Ann for one of her two"
    await to_round(sessions, clock)
    assert [sorted(seat.user_id for seat in snapshot.people) for snapshot in await matched(sessions)] == [[1, 2], [1, 3]]
    await to_round(sessions, clock)
    assert len(await matched(sessions)) == 2
    for snapshot in await matched(sessions):
        for seat in snapshot.people:
            await sessions.lobby.join(snapshot.table.id, PEOPLE[seat.user_id])
    assert not await is_waiting(sessions, ANN)


async def test_nobody_has_more_games_like_that_than_the_bound(sessions: Sessions, clock: Time) -> None:
    strangers = [User(100 + number, f"Stranger {number}") for number in range(MOST_GAMES + 2)]
    for stranger in strangers:
        await wait(sessions, ANN)
        await wait(sessions, stranger)
        await to_round(sessions, clock)
        for snapshot in await matched(sessions):
            if snapshot.table.status is Status.OPEN:
                for seat in snapshot.people:
                    await sessions.lobby.join(snapshot.table.id, {ANN.id: ANN, stranger.id: stranger}[seat.user_id])
        await sessions.seeks.stop(GUILD, stranger)
    assert len(await matched(sessions)) == MOST_GAMES == (await sessions.seeks.get(GUILD, ANN)).playing
    assert await is_waiting(sessions, ANN)


async def test_one_who_declines_waits_no_more_and_the_other_keeps_their_place(sessions: Sessions, clock: Time) -> None:
    since = (await wait(sessions, ANN)).seek.since
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    await sessions.lobby.join(snapshot.table.id, ANN)
    declined = await sessions.lobby.decline(snapshot.table.id, BEN)
    assert declined.table.status is Status.CLOSED
    assert not await is_waiting(sessions, BEN)
    await wait(sessions, CLEO)
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    assert [seat.user_id for seat in snapshot.people] == [1, 3]
    assert (await sessions.seeks.get(GUILD, ANN)).seek.since == since


async def test_one_who_declines_one_of_two_games_still_waits_for_the_other(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN, games=2)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    await sessions.lobby.decline(snapshot.table.id, ANN)
    assert (await sessions.seeks.get(GUILD, ANN)).seek.remaining == 1
    assert await is_waiting(sessions, BEN)


async def test_one_who_accepts_and_leaves_again_waits_no_more(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    await sessions.lobby.join(snapshot.table.id, ANN)
    assert (await sessions.lobby.leave(snapshot.table.id, ANN)).table.status is Status.CLOSED
    assert (await is_waiting(sessions, ANN), await is_waiting(sessions, BEN)) == (False, True)


async def test_one_who_does_not_answer_within_a_day_waits_no_more_and_is_told(sessions: Sessions, clock: Time) -> None:
    for user in (ANN, BEN, CLEO):
        await wait(sessions, user, plays=("trampoline/standard",), seats=(3,))
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    await sessions.places.record_lobby_message(snapshot.table.id, 5, invites=True)
    await sessions.lobby.join(snapshot.table.id, ANN)
    clock.pass_(DAY + WAITS)
    await sessions.timing.sweep()
    assert (await sessions.snapshot(snapshot.table.id)).table.status is Status.CLOSED
    assert [await is_waiting(sessions, user) for user in (ANN, BEN, CLEO)] == [True, False, False]
    told = await owed(sessions, JobKind.WAIT_OVER)
    assert sorted(job.payload["to"] for job in told) == [2, 3]
    assert {job.payload["why"] for job in told} == {WaitEnd.UNCONFIRMED.value}
    assert {job.place for job in told} == {"person 2", "person 3"}


async def test_the_day_begins_when_they_are_asked_and_who_could_not_be_asked_waits_on(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    clock.pass_(5 * HOUR)
    await sessions.places.record_lobby_message(snapshot.table.id, 5, invites=True)
    assert (await sessions.snapshot(snapshot.table.id)).table.deadline == clock.now + DAY
    await sessions.lobby.close(snapshot.table.id)
    await to_round(sessions, clock)
    (unasked,) = await matched(sessions)
    clock.pass_(DAY + WAITS)
    await sessions.timing.sweep()
    assert (await sessions.snapshot(unasked.table.id)).table.status is Status.CLOSED
    assert await is_waiting(sessions, ANN)
    assert await is_waiting(sessions, BEN)
    assert await owed(sessions, JobKind.WAIT_OVER) == []


async def test_a_table_that_a_manager_closes_costs_nobody_their_place(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    await sessions.lobby.close(snapshot.table.id)
    await to_round(sessions, clock)
    assert [seat.user_id for snapshot in await matched(sessions) for seat in snapshot.people] == [1, 2]


async def test_only_those_who_are_put_together_can_sit_down_and_nobody_starts_it_alone(sessions: Sessions, clock: Time) -> None:
    for user in (ANN, BEN, CLEO):
        await wait(sessions, user, plays=("trampoline/standard",), seats=(3,))
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    table_id = snapshot.table.id
    with pytest.raises(TableFull):
        await sessions.lobby.join(table_id, DEV)
    await sessions.lobby.join(table_id, ANN)
    await sessions.lobby.join(table_id, BEN)
    with pytest.raises(Refused, match="by itself"):
        await sessions.lobby.start(table_id, ANN)
    with pytest.raises(Refused, match="matched up"):
        await sessions.terms.change(table_id, ANN, {"rounds": "3"})


async def test_it_does_not_count_for_the_tables_that_somebody_may_open(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    for _ in range(2):
        await sessions.lobby.open(ANN, replace(BOUNCERS, most_tables=2))
    with pytest.raises(Refused):
        await sessions.lobby.open(ANN, replace(BOUNCERS, most_tables=2))


# --- with whom ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mine", [True, False])
async def test_who_avoids_somebody_is_not_put_together_with_them_either_way(
    sessions: Sessions, clock: Time, mine: bool
) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    own = await sessions.seeks.avoid(GUILD, ANN if mine else BEN, [BEN.id if mine else ANN.id])
    assert own.avoided == ((BEN if mine else ANN).id,)
    for _ in range(4 * DAILY):
        await to_round(sessions, clock)
    assert await matched(sessions) == []
    await wait(sessions, CLEO, plays=(*BOUNCERS_ONLY, "bunny/standard"))
    await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_whom_somebody_avoids_can_be_changed_and_holds_on_other_servers(sessions: Sessions, clock: Time) -> None:
    await sessions.seeks.avoid(99, ANN, [BEN.id, CLEO.id, ANN.id])
    assert (await sessions.seeks.get(GUILD, ANN)).avoided == (2, 3)
    assert (await sessions.seeks.avoid(GUILD, ANN, [CLEO.id])).avoided == (3,)
    assert (await sessions.seeks.get(GUILD, CLEO)).avoided == ()
    with pytest.raises(Refused, match="25 people at most"):
        await sessions.seeks.avoid(GUILD, ANN, range(100, 126))


async def test_people_of_about_the_same_strength_meet_first_and_others_as_they_wait(sessions: Sessions, clock: Time) -> None:
    for user, mu in ((ANN, 25.0), (BEN, 40.0)):
        await rate(sessions, user, mu)
        await wait(sessions, user)
    for _ in range(DAILY):
        await to_round(sessions, clock)
        assert await matched(sessions) == []
    for _ in range(2 * DAILY):
        await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_nobody_is_put_together_in_their_quiet_hours_or_on_vacation(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    await sessions.users.change(ANN.id, quiet_from=12 * 60 + 30, quiet_until=13 * 60 + 30)
    await to_round(sessions, clock)  # at one
    assert await matched(sessions) == []
    await sessions.users.begin_vacation(BEN.id, 1)
    for _ in range(DAILY - 1):
        await to_round(sessions, clock)
    assert await matched(sessions) == []
    for _ in range(3):
        await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_who_wants_punctual_people_is_not_put_together_with_others(sessions: Sessions, clock: Time) -> None:
    request = replace(BOUNCERS, clock=3600, seats=3, game="trampoline")
    for _ in range(12):  # how often it is Ben's turn is up to the dice; it takes ten turns to be known
        table_id = (await sessions.lobby.open(CLEO, request)).table.id
        await sessions.lobby.join(table_id, BEN)
        await sessions.lobby.join(table_id, DEV)
        for _ in range(8):
            snapshot = await sessions.snapshot(table_id)
            if snapshot.table.status is Status.PLAYING and snapshot.awaited[0].user_id != BEN.id:
                await sessions.play.act(table_id, PEOPLE[snapshot.awaited[0].user_id], first_action(snapshot))
            else:
                clock.pass_(2 * HOUR)
                await sessions.timing.sweep()
    await wait(sessions, ANN, most_late=10)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    assert await matched(sessions) == []
    await wait(sessions, ANN, most_late=None)
    await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


# --- the end of a wait --------------------------------------------------------------------------------------------------------


async def test_whoever_has_waited_too_long_is_told_after_their_quiet_hours(sessions: Sessions, clock: Time) -> None:
    await sessions.users.change(ANN.id, quiet_from=12 * 60, quiet_until=20 * 60)
    await wait(sessions, ANN, days=1)
    while clock.now < 1_767_614_400.0 + DAY:
        await to_round(sessions, clock)
    (job,) = await owed(sessions, JobKind.WAIT_OVER)
    assert (job.payload, job.place) == ({"to": 1, "why": "too-long"}, "person 1")
    assert job.due == 1_767_614_400.0 + DAY + 8 * HOUR
    assert not await is_waiting(sessions, ANN)


async def test_one_who_is_asked_waits_until_that_is_settled(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN, days=1)
    clock.pass_(DAY - HOUR)
    await wait(sessions, BEN)
    clock.now -= EVERY
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    for _ in range(3):
        await to_round(sessions, clock)
    assert await owed(sessions, JobKind.WAIT_OVER) == []
    await sessions.lobby.decline(snapshot.table.id, BEN)
    await to_round(sessions, clock)
    assert [job.payload["why"] for job in await owed(sessions, JobKind.WAIT_OVER)] == ["too-long"]


async def test_choosing_anew_keeps_the_place_also_where_nothing_fits_for_a_while(sessions: Sessions, clock: Time) -> None:
    since = (await wait(sessions, ANN)).seek.since
    clock.pass_(HOUR)
    own = await sessions.seeks.choose(GUILD, ANN, lambda wishes: replace(wishes, games=3, days=14, clocks=(3600,)))
    assert (own.seek.since, own.seek.remaining, own.seek.until) == (since, 3, clock.now + 14 * DAY)
    clock.pass_(3 * DAY)
    own = await sessions.seeks.choose(GUILD, ANN, lambda wishes: replace(wishes, days=1))
    assert own.seek.until == clock.now + DAY, "never over already"
    own = await sessions.seeks.choose(GUILD, ANN, lambda wishes: replace(wishes, plays=()))
    assert (own.waits, own.possible, own.seek.since) == (True, False, since)
    assert await sessions.seeks.waiting(GUILD) == {}
    with pytest.raises(Refused, match="Pick a game first"):
        await sessions.seeks.wait(GUILD, ANN, CHANNEL)
    own = await sessions.seeks.choose(GUILD, ANN, lambda wishes: replace(wishes, plays=BOUNCERS_ONLY))
    assert (own.waits, own.possible, own.seek.since) == (True, True, since)


async def test_a_choice_does_not_ask_again_for_games_that_were_found(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN, games=2)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    for user in (ANN, BEN):
        await sessions.lobby.join(snapshot.table.id, user)
    own = await sessions.seeks.choose(GUILD, ANN, lambda wishes: replace(wishes, clocks=(*wishes.clocks, 3600)))
    assert own.seek.remaining == 1


async def test_a_command_that_is_refused_changes_nothing(sessions: Sessions) -> None:
    before = await wait(sessions, ANN, plays=("trampoline/standard",))
    with pytest.raises(Refused, match="can be played like that"):
        await sessions.seeks.choose(
            GUILD, ANN, lambda wishes: replace(wishes, plays=BOUNCERS_ONLY, seats=(3,)), possible=True
        )  # fmt: skip
    assert await sessions.seeks.get(GUILD, ANN) == before


async def test_waiting_again_after_the_end_begins_anew_also_before_the_round_that_tells_of_it(
    sessions: Sessions, clock: Time
) -> None:
    await wait(sessions, ANN, days=1)
    clock.pass_(DAY + 60.0)
    assert not (await sessions.seeks.get(GUILD, ANN)).waits
    own = await sessions.seeks.wait(GUILD, ANN, CHANNEL)
    assert own.seek.until == clock.now + DAY
    await to_round(sessions, clock)
    assert await is_waiting(sessions, ANN)


async def test_the_same_two_are_put_together_once_at_a_time_however_many_games_they_want(
    sessions: Sessions, clock: Time
) -> None:
    await wait(sessions, ANN, games=2)
    await wait(sessions, BEN, games=2)
    clock.now = next_round(clock.now)
    await asyncio.gather(sessions.rounds.sweep(), sessions.rounds.sweep())
    await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_who_is_avoided_while_a_round_goes_on_is_not_asked(
    sessions: Sessions, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    open_table = sessions.rounds._open

    async def avoided(post: Post, found: Any) -> None:
        await sessions.seeks.avoid(GUILD, ANN, [BEN.id])
        await open_table(post, found)

    monkeypatch.setattr(sessions.rounds, "_open", avoided)
    await to_round(sessions, clock)
    assert await matched(sessions) == []


async def test_people_of_two_continents_meet_when_both_are_awake(sessions: Sessions, clock: Time) -> None:
    for user, zone in ((ANN, "Europe/Berlin"), (BEN, "Pacific/Auckland")):
        await sessions.users.change(user.id, quiet_from=22 * 60, quiet_until=8 * 60, zone=zone)
        await wait(sessions, user)
    for _ in range(DAILY):
        await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_joining_in_wishes_for_what_can_really_be_played_together(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN, rated=True)
    await sessions.seeks.choose(GUILD, BEN, lambda known: replace(known, plays=BOUNCERS_ONLY, rated=False))
    await sessions.seeks.join_in(GUILD, BEN)
    await sessions.seeks.wait(GUILD, BEN, CHANNEL)
    await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_only_games_count_that_somebody_can_be_matched_for(sessions: Sessions) -> None:
    await wait(sessions, ANN, plays=(*BOUNCERS_ONLY, "trampoline/standard"), seats=(3,))
    assert await sessions.seeks.waiting(GUILD) == {"trampoline": 1}


@pytest.mark.parametrize(
    "wrong",
    [{"plays": ("chess/standard",)}, {"clocks": (5,)}, {"seats": (1,)}, {"days": 99}, {"games": 9}, {"most_late": 11}],
    ids=lambda wrong: next(iter(wrong)),
)
async def test_what_cannot_be_chosen_is_refused_and_changes_nothing(sessions: Sessions, wrong: dict[str, Any]) -> None:
    before = await sessions.seeks.get(GUILD, ANN)
    with pytest.raises(Refused):
        await sessions.seeks.choose(GUILD, ANN, lambda wishes: replace(wishes, **wrong))
    assert await sessions.seeks.get(GUILD, ANN) == before


async def test_switching_it_off_ends_all_waits_and_the_next_one_is_refused(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await sessions.posts.switch_off(GUILD, PostKind.SEEKS)
    assert not await is_waiting(sessions, ANN)
    assert [job.payload["why"] for job in await owed(sessions, JobKind.WAIT_OVER)] == ["switched-off"]
    with pytest.raises(Refused, match="Matching is switched off"):
        await wait(sessions, BEN)
    assert await sessions.rounds.next_due() is None
    await sessions.posts.choose(GUILD, PostKind.SEEKS, channel_id=21, hour=0, zone="UTC", role_id=None)
    assert (await wait(sessions, BEN)).channel_id == 21


async def test_joining_in_asks_for_what_others_wait_for_unless_some_of_it_is_wished_for(sessions: Sessions) -> None:
    await wait(sessions, ANN, clocks=(3600,))
    await sessions.seeks.join_in(GUILD, BEN)
    wishes = (await sessions.seeks.get(GUILD, BEN)).seek.wishes
    assert (wishes.plays, wishes.clocks) == (BOUNCERS_ONLY, (86_400, 3600))
    await sessions.seeks.choose(GUILD, CLEO, lambda known: replace(known, plays=(*BOUNCERS_ONLY, "bunny/standard")))
    await sessions.seeks.join_in(GUILD, CLEO)
    assert (await sessions.seeks.get(GUILD, CLEO)).seek.wishes.plays == (*BOUNCERS_ONLY, "bunny/standard")


async def test_who_is_forgotten_waits_no_more_and_nobody_avoids_them(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    await sessions.seeks.avoid(GUILD, CLEO, [ANN.id])
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    await sessions.users.forget(ANN)
    assert (await sessions.snapshot(snapshot.table.id)).table.status is Status.CLOSED
    assert not await is_waiting(sessions, ANN)
    assert await is_waiting(sessions, BEN)
    assert (await sessions.seeks.get(GUILD, CLEO)).avoided == ()


# --- outages, clocks ----------------------------------------------------------------------------------------------------------


async def test_the_time_of_an_outage_and_of_an_absence_is_given_back(sessions: Sessions, clock: Time) -> None:
    for user in (ANN, BEN):
        await wait(sessions, user, days=1)
    before = clock.now
    clock.pass_(2 * DAY)
    async with sessions._repository.store.write() as writer:
        await outages.give_back(sessions._repository, writer, before + 60.0, clock.now)
    assert (await sessions.seeks.get(GUILD, ANN)).seek.until == clock.now + DAY - 60.0
    await sessions.membership.begin_grace(GUILD)
    clock.pass_(10 * DAY)
    await sessions.membership.end_grace(GUILD)
    assert (await sessions.seeks.get(GUILD, ANN)).seek.until == clock.now + DAY - 60.0
    await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_a_clock_that_was_wrong_for_a_while_keeps_nobody_waiting(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN, clocks=(3600,))
    right = clock.now
    clock.pass_(365 * DAY)
    await sessions.rounds.sweep()
    clock.now = right + 60.0
    async with sessions._repository.store.write() as writer:
        await outages.begin_anew(sessions._repository, writer, clock.now)
    assert await sessions.rounds.next_due() == clock.now
    for user in (ANN, BEN):
        await wait(sessions, user, clocks=(3600,))
    await to_round(sessions, clock)
    (snapshot,) = await matched(sessions)
    async with sessions._repository.store.write() as writer:
        await outages.begin_anew(sessions._repository, writer, clock.now)
    assert (await sessions.snapshot(snapshot.table.id)).table.deadline == clock.now + DAY


# --- kills, faults ------------------------------------------------------------------------------------------------------------


class Killed(BaseException):
    pass


@pytest.mark.parametrize("survives", range(6))
async def test_a_round_that_is_cut_off_at_any_write_loses_nobody_and_asks_nobody_twice(
    sessions: Sessions, clock: Time, monkeypatch: pytest.MonkeyPatch, survives: int
) -> None:
    people = [User(100 + number, f"Stranger {number}") for number in range(8)]
    for user in people:
        await wait(sessions, user)
    write, left = sessions._repository.store.write, survives

    def killed() -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise Killed
        return write()

    clock.now = next_round(clock.now)
    monkeypatch.setattr(sessions._repository.store, "write", killed)
    with suppress(Killed):
        await sessions.rounds.sweep()
    monkeypatch.undo()
    again = Sessions(sessions._repository.store, now=clock)
    await again.rounds.sweep()
    asked = [seat.user_id for snapshot in await matched(again) for seat in snapshot.people]
    assert sorted(asked) == [user.id for user in people]
    assert await again.rounds.next_due() == next_round(clock.now)


async def test_what_goes_wrong_on_one_server_keeps_no_other_waiting(sessions: Sessions, clock: Time) -> None:
    for guild in (GUILD, 11):
        for user in (ANN, BEN):
            await wait(sessions, user, guild=guild)
    open_table = sessions.rounds._open

    async def broken(post: Post, found: Any) -> None:
        if post.guild_id == GUILD:
            raise RuntimeError("this server is odd")
        await open_table(post, found)

    sessions.rounds._open = broken  # type: ignore[method-assign]
    await to_round(sessions, clock)
    assert (len(await matched(sessions)), len(await matched(sessions, 11))) == (0, 1)
    sessions.rounds._open = open_table  # type: ignore[method-assign]
    await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_a_round_that_fails_does_not_undo_what_managers_have_done_meanwhile(
    sessions: Sessions, clock: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    await wait(sessions, ANN)

    async def failing(_: Post) -> None:
        await sessions.posts.switch_off(GUILD, PostKind.SEEKS)
        raise RuntimeError

    monkeypatch.setattr(sessions.rounds, "_hold", failing)
    clock.now = next_round(clock.now)
    await sessions.rounds.sweep()
    known = await post(sessions)
    assert known is not None
    assert known.due is None


# --- the message --------------------------------------------------------------------------------------------------------------


async def test_the_message_is_posted_at_once_then_edited_hourly_and_posted_anew_after_six_hours(
    sessions: Sessions, clock: Time
) -> None:
    await wait(sessions, ANN)
    (job,) = await owed(sessions, JobKind.POST)
    assert (job.subject, job.place) == ("post seeks", f"channel {CHANNEL}")
    known = await post(sessions)
    assert known is not None
    await sessions.posts.record(known, sessions.posts.day_for(known), 77, 5)
    await sessions.outbox.finish(job, None)
    clock.pass_(60.0)
    await wait(sessions, BEN, clocks=(3600,))
    (edit,) = await owed(sessions, JobKind.POST, JobKind.POST_EDIT)
    assert (edit.kind, edit.due) == (JobKind.POST_EDIT, clock.now - 60.0 + EDIT_EVERY)
    clock.pass_(ANEW_EVERY)
    await wait(sessions, CLEO, clocks=(28_800,))
    assert {job.kind for job in await owed(sessions, JobKind.POST, JobKind.POST_EDIT)} == {JobKind.POST, JobKind.POST_EDIT}
    assert await sessions.seeks.waiting(GUILD) == {"bouncers": 3}


async def shown(sessions: Sessions) -> None:
    """The message is there, and everything else is told."""
    known = await post(sessions)
    assert known is not None
    await sessions.posts.record(known, sessions.posts.day_for(known), 77, 5)
    for job in await owed(sessions, JobKind.POST, JobKind.POST_EDIT):
        await sessions.outbox.finish(job, None)


async def test_the_message_tells_of_somebody_who_waits_again(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    await shown(sessions)
    (snapshot,) = await matched(sessions)
    await sessions.lobby.decline(snapshot.table.id, BEN)
    assert await sessions.seeks.waiting(GUILD) == {"bouncers": 1}
    assert [job.kind for job in await owed(sessions, JobKind.POST, JobKind.POST_EDIT)] == [JobKind.POST_EDIT]


async def test_a_round_in_which_nothing_happens_leaves_the_message_alone(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN, days=1)
    await shown(sessions)
    for _ in range(DAILY - 1):
        await to_round(sessions, clock)
    assert await owed(sessions, JobKind.POST, JobKind.POST_EDIT) == []
    await to_round(sessions, clock)
    assert [job.kind for job in await owed(sessions, JobKind.POST, JobKind.POST_EDIT)] == [JobKind.POST_EDIT]


async def test_a_server_on_which_nobody_waits_has_no_rounds_until_somebody_does(sessions: Sessions, clock: Time) -> None:
    await wait(sessions, ANN)
    await to_round(sessions, clock)
    await sessions.seeks.stop(GUILD, ANN)
    await to_round(sessions, clock)
    known = await post(sessions)
    assert known is not None
    assert known.due == clock.now + IDLE
    clock.now = next_round(clock.now)
    assert not await sessions.rounds.sweep()
    await wait(sessions, ANN)
    await wait(sessions, BEN)
    await to_round(sessions, clock)
    assert len(await matched(sessions)) == 1


async def test_a_message_that_was_deleted_with_the_queue_is_posted_anew_with_it(sessions: Sessions) -> None:
    await wait(sessions, ANN)
    await shown(sessions)
    await sessions.posts.switch_off(GUILD, PostKind.SEEKS)
    await sessions.posts.choose(GUILD, PostKind.SEEKS, channel_id=CHANNEL, hour=0, zone="UTC", role_id=None)
    await wait(sessions, BEN)
    assert JobKind.POST in {job.kind for job in await owed(sessions, JobKind.POST, JobKind.POST_EDIT)}


def test_wishes_fit_all_tables_that_go_with_them() -> None:
    terms = terms_of(Wishes(plays=("pucks/standard", "bouncers/8x8-12", "gone/standard"), clocks=(3600, 86_400), seats=(2, 4)))
    assert {(one.game, one.variant, one.seats) for one in terms} == {
        ("pucks", "standard", 2), ("pucks", "standard", 4), ("bouncers", "8x8-12", 2),
    }  # fmt: skip
    assert len(terms) == 3 * 2 * 2
    every = terms_of(Wishes(plays=tuple(PLAYS), clocks=TURNS))
    assert {one.game for one in every} == {"bouncers", "bunny", "trampoline", "pucks"}
    assert {one.rated for one in terms_of(Wishes(plays=tuple(PLAYS), clocks=TURNS, rated=False))} == {False}
