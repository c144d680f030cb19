"""Events: who enters, how they start, and how rounds begin and end."""

from collections import Counter
from dataclasses import replace

import pytest

from bot.core.core import Core
from bot.core.pace import Pace
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.errors import Refused
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.settings.moderation import Moderation
from bot.features.tournaments import service
from bot.features.tournaments import sql as tournaments_sql
from bot.features.tournaments.clock import key_hash, lots_of
from bot.features.tournaments.rules.formats import FORMATS
from bot.features.tournaments.service import MOST_TOURNAMENTS, Tournaments
from storage import queries
from storage.schema.kinds import JobKind, TournamentDeed, TournamentStatus
from storage.schema.records import OfferKind, Status
from storage.store import Store
from tests.bot.features.tournaments.tournament_games import BY, GUILD, NEWCOMER, PEOPLE, opened, started
from tests.bot.service import DAY, HOUR, Time
from tests.storage.samples import a_rating


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"format": "chess"}, "no such format"), ({"game": "chess"}, "no game"), ({"variant": "chess"}, "no variant “chess”"),
        ({"game": "pucks", "format": "pods", "most": 2}, "3 to 64"), ({"format": "pods"}, "can’t be played with 3 to 5"),
        ({"most": 9}, "3 to 8 players"), ({"name": "  "}, "needs a name"), ({"name": "x" * 61}, "at most 60 characters"),
        ({"clock": 0}, "A turn can last from one minute to 30 days"), ({"clock": 31 * int(DAY)}, "A turn can last"),
        ({"most_late": 101}, "can’t be more than 100%"), ({"most_late": -1}, "can’t be more than 100%"),
        ({"round_seconds": 3599}, "A round can last from one hour to 30 days"),
        ({"round_seconds": 31 * int(DAY)}, "A round can last"),
        ({"starts_in": 599.0}, "between ten minutes and 60 days from now"), ({"starts_in": 61 * DAY}, "An event can start"),
    ],
)  # fmt: skip
async def test_impossible_events_are_refused(core: Core, clock: Time, wanted: dict[str, object], words: str) -> None:
    with pytest.raises(Refused, match=words):
        await opened(core, clock, **wanted)  # type: ignore[arg-type]
    assert await core.service(Tournaments).of_guild(GUILD) == ()


async def test_a_server_has_ten_events_at_a_time(core: Core, clock: Time) -> None:
    cups = [await opened(core, clock, name=f"  Cup   {number} ") for number in range(MOST_TOURNAMENTS)]
    with pytest.raises(Refused, match="There are already 10 events running here"):
        await opened(core, clock)
    await opened(core, clock, guild_id=11)
    await core.service(Tournaments).cancel(cups[0].id, GUILD, BY)
    await opened(core, clock)
    names = [event.name for event in await core.service(Tournaments).of_guild(GUILD)]
    assert names == ["Cup", *(f"Cup {n}" for n in range(9, 0, -1))]


async def test_two_servers_do_not_see_each_others_events(core: Core, clock: Time) -> None:
    cup, other = await opened(core, clock), await opened(core, clock, guild_id=11)
    assert [event.id for event in await core.service(Tournaments).of_guild(11)] == [other.id]
    events = core.service(Tournaments)
    for what in (
        events.get(cup.id, 11), events.enter(cup.id, 11, NEWCOMER, 1), events.cancel(cup.id, 11, BY), events.get(99, GUILD),
        events.leave(cup.id, 11, PEOPLE[0]), events.pause(cup.id, 11, BY), events.hurry(cup.id, 11, BY),
    ):  # fmt: skip
        with pytest.raises(Refused, match="There’s no event"):
            await what
    assert (await cup.view()).row.status is TournamentStatus.OPEN


async def test_before_the_start_people_leave_without_a_trace(core: Core, clock: Time) -> None:
    cup = await opened(core, clock)
    await cup.enter(*PEOPLE[:3], replace(PEOPLE[1], name="Bee"))
    view = await core.service(Tournaments).leave(cup.id, GUILD, PEOPLE[0])
    assert [(entry.number, entry.name, entry.press) for entry in view.entries] == [(2, "Bee", None), (3, "Player 2", None)]
    assert view.can_enter
    for known in (PEOPLE[0], NEWCOMER):
        with pytest.raises(Refused, match="You’re not in this event"):
            await core.service(Tournaments).leave(cup.id, GUILD, known)
    view = await core.service(Tournaments).remove(cup.id, GUILD, BY, 2)
    assert [view.name_of(entry.number) for entry in view.entries] == ["Player 2"]
    with pytest.raises(Refused, match="There’s no such player"):
        await core.service(Tournaments).remove(cup.id, GUILD, BY, 2)


async def test_nobody_enters_a_full_event(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, most=3)
    await cup.enter(*PEOPLE[:3])
    assert not (await cup.view()).can_enter
    with pytest.raises(Refused, match="This event is full"):
        await cup.enter(NEWCOMER)
    await cup.enter(PEOPLE[0])
    await core.service(Tournaments).leave(cup.id, GUILD, PEOPLE[1])
    await cup.enter(NEWCOMER)


async def test_unreliable_players_may_not_enter(core: Core, clock: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    async def pace(*_: object) -> Pace | None:
        return known

    monkeypatch.setattr(service, "pace_of_person", pace)
    cup = await opened(core, clock, most_late=10)
    known: Pace | None = Pace(turns=20, seconds=5.0, timeouts=3)
    with pytest.raises(Refused, match=r"at most 10% time-outs. In the last ninety days, 15% of your turns timed out"):
        await cup.enter(PEOPLE[0])
    known = Pace(turns=20, seconds=5.0, timeouts=2)
    await cup.enter(PEOPLE[0])
    known = None
    await cup.enter(PEOPLE[1])
    assert len((await cup.view()).entries) == 2


async def test_check_in_opens_a_day_ahead_and_is_required(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 5, starts_in=3 * DAY)
    await cup.enter()
    assert (await cup.tick(2 * DAY - 1)).row.status is TournamentStatus.OPEN
    assert (await cup.tick(1)).row.status is TournamentStatus.CHECK_IN
    (call,) = await cup.owed(JobKind.EVENT_CALL)
    assert (call.payload, call.place) == ({"event": cup.id, "number": 1}, "channel 20")
    await cup.enter(*PEOPLE[:3], NEWCOMER)
    await core.service(Tournaments).leave(cup.id, GUILD, PEOPLE[2])
    assert (await cup.tick(DAY - 1)).row.status is TournamentStatus.CHECK_IN
    view = await cup.tick(1)
    assert view.row.status is TournamentStatus.RUNNING
    assert sorted(entry.name for entry in view.entries) == ["Newcomer", "Player 0", "Player 1"]
    assert [call.payload["number"] for call in await cup.owed(JobKind.EVENT_CALL)] == [1, 2]


async def test_an_event_starting_soon_uses_half_the_time_for_check_in(core: Core, clock: Time) -> None:
    row = (await (await opened(core, clock, starts_in=600.0)).view()).row
    assert (row.check_in_at, row.starts_at, row.due) == (clock.now + 300, clock.now + 600, clock.now + 300)


async def test_too_few_players_cancel_the_event(core: Core, clock: Time) -> None:
    cup = await opened(core, clock, 3)
    await cup.enter()
    await cup.tick(DAY)
    await cup.enter(*PEOPLE[:2])
    view = await cup.tick(DAY)
    assert (view.row.status, view.row.finished_at, view.row.due) == (TournamentStatus.CANCELLED, clock.now, None)
    assert view.standings == ()
    assert (await cup.deeds())[-1] is TournamentDeed.CANCELLED
    assert [call.payload["number"] for call in await cup.owed(JobKind.EVENT_CALL)] == [1]
    with pytest.raises(Refused, match="This event is over"):
        await cup.enter(NEWCOMER)


async def test_the_lots_follow_from_the_published_key_and_the_presses(core: Core, clock: Time) -> None:
    cup = await opened(core, clock)
    told = key_hash((await cup.view()).row)
    row = (await cup.start()).row
    assert (key_hash(row), row.lots) == (told, lots_of(row, [1000 + user.id for user in reversed(cup.people)]))
    assert row.lots != lots_of(row, [1000 + user.id for user in cup.people[1:]])


async def test_the_strongest_are_the_first_seeds(core: Core, clock: Time, store: Store) -> None:
    cup = await opened(core, clock, 4, "knockout")
    async with store.write() as writer:
        for user, mu in zip(PEOPLE, (10.0, 40.0, 30.0), strict=False):
            await queries.ratings.put(writer, a_rating(user.id, guild_id=GUILD, mu=mu, sigma=1.0))
        for other in ({"game": "bunny"}, {"guild_id": 11}):
            await queries.ratings.put(writer, a_rating(PEOPLE[3].id, mu=90.0, **({"guild_id": GUILD} | other)))
    view = await cup.start()
    seeds = [view.name_of(entry.number) for entry in sorted(view.entries, key=lambda entry: entry.seed)]
    assert seeds == ["Player 1", "Player 2", "Player 3", "Player 0"]
    assert {frozenset(game.seats) for game in view.row.rounds[0].games} == {frozenset({2, 1}), frozenset({3, 4})}


@pytest.mark.parametrize(
    ("format_", "game", "players"),
    [("round_robin", "bouncers", 5), ("swiss", "bunny", 7), ("knockout", "bouncers", 6), ("pods", "pucks", 7)],
)
async def test_rounds_follow_till_all_have_a_place(core: Core, clock: Time, format_: str, game: str, players: int) -> None:
    cup = await started(core, clock, players, format_, game=game)
    rounds = FORMATS[format_].system.rounds(players)
    for number in range(1, rounds + 1):
        view = await cup.view()
        if not view.format.system.at_once:
            assert len(view.row.rounds) == number
            assert all(each.table_id for each in view.row.rounds[-1].games), "all games of a round begin with it"
            assert view.row.ends_at == clock.now + 7 * DAY
        clock.pass_(HOUR)
        view = await cup.finish_round()
        if view.row.status is TournamentStatus.FINISHED:
            break
    assert (view.row.status, view.row.finished_at) == (TournamentStatus.FINISHED, clock.now)
    assert (view.row.due, view.row.ends_at) == (None, None)
    assert view.event is not None
    assert len(view.row.rounds) == rounds
    assert {entry.number: entry.place for entry in view.entries} == {line.player: line.place for line in view.standings}
    assert min(entry.place or 99 for entry in view.entries) == 1
    tables = [game.table_id for each in view.row.rounds for game in each.games]
    assert len(set(tables)) == len(tables)
    calls = [call.payload["number"] for call in await cup.owed(JobKind.EVENT_CALL)]
    told = [2, rounds + 2] if view.format.system.at_once else [*range(2, rounds + 3)]
    assert calls == [1, *told]
    assert [event.id for event in await core.service(Tournaments).of_guild(GUILD, over=True)] == [cup.id]
    assert await core.service(Tournaments).of_guild(GUILD) == ()


async def test_an_events_games_are_ordinary_games_that_belong_to_it(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 3, clock=int(DAY), rated=False)
    game, table = await cup.game(), (await cup.table()).table
    people = [cup.user(number).id for number in game.seats]
    assert (table.event_id, table.clock, table.rated, table.status) == (cup.id, int(DAY), False, Status.PLAYING)
    assert [seat.user_id for seat in (await cup.table()).players] == people
    assert table.id in {job.table_id for job in await cup.owed(JobKind.BOARD)}, "its board is posted"


@pytest.mark.slow
async def test_in_a_round_robin_nobody_has_more_than_three_games_at_once(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 8)
    assert (await cup.view()).row.ends_at == clock.now + 3 * 7 * DAY, "seven games, three at a time"
    seen = 0
    while games := await cup.open_games():
        on = Counter(number for game in games for number in game.seats)
        assert max(on.values()) <= 3
        assert seen or set(on.values()) == {3}
        await cup.lose(games[seen % len(games)], 0)
        await cup.tick()
        seen += 1
    assert seen == 28
    assert (await cup.view()).row.status is TournamentStatus.FINISHED


async def test_draws_called_off_games_and_closed_tables_share_the_points(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 4, "round_robin")
    for index, number in ((0, 0), (1, 0), (0, 1)):
        game, table_id = await cup.game(number, index), await cup.table_id(number, index)
        one, other = map(cup.user, game.seats)
        if (number, index) == (0, 0):
            await core.service(Consent).propose(table_id, one, OfferKind.DRAW)
            await core.service(Consent).agree(table_id, other, OfferKind.DRAW)
        elif (number, index) == (0, 1):
            await core.service(Consent).propose(table_id, one, OfferKind.CALL_OFF)
            await core.service(Consent).agree(table_id, other, OfferKind.CALL_OFF)
        else:
            await core.service(Moderation).close(table_id, GUILD, NEWCOMER)
        assert (await cup.game(number, index)).places == (1, 1)
    assert sorted((await cup.points()).values()) == [0.5, 0.5, 1.0, 1.0]


async def test_handing_over_a_seat_loses_the_game_for_the_event(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 3)
    game, table_id = await cup.game(), await cup.table_id()
    leaver, other = map(cup.user, game.seats)
    await core.service(Consent).propose(table_id, leaver, OfferKind.SUBSTITUTE, Seating(leaver.id, NEWCOMER))
    await core.service(Consent).agree(table_id, NEWCOMER, OfferKind.SUBSTITUTE)
    await core.service(Play).resign(table_id, other)
    assert (await cup.game()).places == (2, 1), "the newcomer has won a game that is not theirs"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
async def test_in_pods_the_last_to_leave_is_placed_first(core: Core, clock: Time, order: tuple[int, ...]) -> None:
    cup = await started(core, clock, 4, "pods", game="pucks")
    await cup.lose(await cup.game(), *order)
    places = (await cup.game()).places
    assert [places[seat] for seat in order] == [4, 3, 2]
    assert sorted((await cup.points()).values()) == pytest.approx([0, 1 / 3, 2 / 3, 1])


async def test_an_outlasting_game_is_decided_by_used_time_and_goes_on_unrated(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 3, round_seconds=int(2 * DAY))
    game, table_id = await cup.game(), await cup.table_id()
    for seconds in (HOUR, 5 * HOUR, 2 * HOUR, HOUR):  # the first seat has used 3 hours, the second one 6
        await cup.act(game, seconds)
    clock.pass_(2 * HOUR)
    view = await cup.tick(2 * DAY - 11 * HOUR - 1)
    assert not view.row.rounds[0].games[0].places
    view = await cup.tick(1)
    assert view.row.status is TournamentStatus.FINISHED
    after = view.row.rounds[0].games[0]
    assert (after.places, after.ending) == ((2, 1), "adjudicated"), "the first one was awaited for the rest of the time"
    assert (await cup.deeds()).count(TournamentDeed.TIMED) == 3
    table = (await core.snapshot(table_id)).table
    assert (table.status, table.rated, table.event_id) == (Status.PLAYING, False, cup.id)
    await core.service(Play).resign(table_id, cup.user(game.seats[1]))
    assert (await cup.game()).places == (2, 1), "how it ends later changes nothing"
    assert (await core.snapshot(table_id)).table.status is Status.FINISHED


async def test_waits_are_capped_by_the_clock_and_equal_times_share_a_place(core: Core, clock: Time) -> None:
    view = await (await started(core, clock, 3, "knockout", clock=int(DAY), round_seconds=int(3 * HOUR))).tick(3 * HOUR)
    assert [game.places for game in view.row.rounds[0].games[:2]] == [(2, 1), (2, 1)], "each was awaited in one of them"
    assert view.row.rounds[0].games[2].table_id, "so the match is level, and goes on"


@pytest.mark.parametrize(("days", "loses"), [(6, 1), (14, 0)])
async def test_only_a_week_of_vacation_is_left_out(core: Core, clock: Time, days: int, loses: int) -> None:
    cup = await started(core, clock, 3, round_seconds=int(20 * DAY))
    game = await cup.game()
    for seconds in (DAY, 2 * DAY):  # the first seat has used a day, the second one two days
        await cup.act(game, seconds)
    clock.pass_(HOUR)
    await core.service(Users).begin_vacation(cup.user(game.seats[0]).id, days)
    await cup.act(game, days * DAY + HOUR)
    row = (await cup.view()).row
    async with core.store.write() as writer:
        await tournaments_sql.put(writer, replace(row, ends_at=clock.now, due=clock.now))
    assert (await cup.tick()).row.rounds[0].games[0].places == tuple(2 if seat == loses else 1 for seat in (0, 1))


async def test_an_outage_counts_for_nobody_and_postpones_the_end(core: Core, clock: Time, store: Store) -> None:
    cup = await started(core, clock, 3, round_seconds=int(2 * DAY))
    ends_at, game = await cup.ends_at(), await cup.game()
    await cup.act(game, HOUR)
    since = clock.now
    clock.pass_(10 * HOUR)
    async with store.write() as writer:
        await tournaments_sql.move(writer, 10 * HOUR, since)
    await cup.act(game, HOUR / 2)
    row = (await cup.view()).row
    assert (row.ends_at, row.due, row.outages) == (ends_at + 10 * HOUR,) * 2 + (((since, since + 10 * HOUR),),)
    async with store.write() as writer:
        await tournaments_sql.put(writer, replace(row, ends_at=clock.now, due=clock.now))
    places = (await cup.tick()).row.rounds[0].games[0].places
    assert places == (2, 1), "an hour against half an hour, and not against ten and a half"


async def test_leavers_of_a_pod_are_placed_behind_those_who_play_on(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 4, "pods", game="pucks", round_seconds=int(DAY))
    game = await cup.game()
    for seconds in (HOUR, 3 * HOUR, 2 * HOUR, HOUR):
        await cup.act(game, seconds)
    assert (await cup.table()).awaited[0].place == 0
    await cup.lose(game, 2)
    await core.service(Tournaments).leave(cup.id, GUILD, cup.user(game.seats[3]))
    after = (await cup.tick(DAY)).row.rounds[0].games[0]
    assert after.ending == "adjudicated"
    assert after.places == (3, 1, 4, 2), "who has resigned has left the game, who has left the event has their seat still"


async def test_a_table_in_quarantine_is_a_draw_at_the_end_of_the_round(core: Core, clock: Time, store: Store) -> None:
    cup = await started(core, clock, 4, round_seconds=int(DAY))
    table_id = await cup.table_id()
    async with store.write() as writer:
        await queries.quarantine.put(writer, table_id, "it is broken")
    view = await cup.tick(DAY)
    first, second = view.row.rounds[0].games
    assert (first.places, second.places, view.row.status) == ((1, 1), (2, 1), TournamentStatus.FINISHED)
    assert first.ending == "adjudicated"


async def test_games_that_never_began_are_drawn(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 6, round_seconds=int(DAY))
    began = sum(game.table_id is not None for each in (await cup.view()).row.rounds for game in each.games)
    assert began == 9, "of fifteen: nobody has more than three"
    view = await cup.tick(2 * DAY)
    games = [game for each in view.row.rounds for game in each.games]
    assert view.row.status is TournamentStatus.FINISHED
    assert sum(game.table_id is not None for game in games) == 9, "none has begun only to be ended"
    assert {game.places for game in games if game.table_id is None} == {(1, 1)}
    assert all(entry.place for entry in view.entries)


async def test_a_level_match_goes_on_after_the_other_games_and_ends_by_lot(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 4, "knockout")
    games = (await cup.view()).row.rounds[0].games
    pairs = sorted({tuple(sorted(game.seats)) for game in games})
    level = [game for game in games if tuple(sorted(game.seats)) == pairs[0]]
    for game in level:
        await cup.lose(game, 0)
    clock.pass_(DAY)
    view = await cup.tick()
    assert len(view.row.rounds[0].games) == 4, "the other match goes on, and its round must not become longer"
    for game in games:
        if game not in level:
            await cup.lose(game, game.seats.index(pairs[1][1]))
    view = await cup.tick()
    assert [sorted(game.seats) for game in view.row.rounds[0].games[4:]] == [list(pairs[0])]
    assert view.row.ends_at == clock.now + 7 * DAY
    assert [call.payload["number"] for call in await cup.owed(JobKind.EVENT_CALL)] == [1, 2]
    await core.service(Moderation).close(await cup.table_id(0, 4), GUILD, NEWCOMER)
    view = await cup.tick()
    assert (len(view.row.rounds), len(set(view.row.rounds[1].games[0].seats) & set(pairs[0]))) == (2, 1)
