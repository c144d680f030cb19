"""Who leaves an event or misses deadlines, who comes back, and who enters late."""

from collections import Counter

import pytest

from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from bot.features.privacy.service import Privacy
from bot.features.tournaments.service import Tournaments
from storage.schema.kinds import JobKind, TournamentActor, TournamentDeed, TournamentStatus
from storage.schema.records import Status
from tests.bot.features.tournaments.tournament_games import GUILD, NEWCOMER, Cup, started
from tests.bot.present import present
from tests.bot.service import DAY, HOUR, Time


async def test_leaving_loses_open_games_and_one_may_come_back_next_round(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    game = await cup.game()
    leaver, other = game.seats
    view = await core.service(Tournaments).leave(cup.id, GUILD, cup.user(leaver))
    after = view.row.rounds[0].games[0]
    assert (after.places, after.ending) == ((2, 1), "forfeited")
    assert (await cup.points())[other] == 1.0
    with pytest.raises(Refused, match="You’re not in this event"):
        await core.service(Tournaments).leave(cup.id, GUILD, cup.user(leaver))
    view = await cup.finish_round()
    assert leaver not in {number for game in view.row.rounds[1].games for number in game.seats}
    assert leaver not in view.row.rounds[1].byes
    await cup.enter(cup.user(leaver))
    view = await cup.finish_round()
    third = view.row.rounds[2]
    assert leaver in {*third.byes, *(number for game in third.games for number in game.seats)}
    deeds = (TournamentDeed.WITHDREW, TournamentDeed.CAME_BACK)
    assert [deed for deed in await cup.deeds() if deed in deeds] == [*deeds]


@pytest.mark.parametrize(("lost", "counts"), [(1, False), (2, True)])
async def test_a_leavers_results_stay_if_half_was_played(core: Core, clock: Time, lost: int, counts: bool) -> None:
    cup = await started(core, clock, 5)
    games = [game for each in (await cup.view()).row.rounds for game in each.games if 1 in game.seats]
    for game in [game for game in games if game.table_id][:lost]:
        await cup.lose(game, 1 - game.seats.index(1))
    await core.service(Tournaments).leave(cup.id, GUILD, cup.user(1))
    view = await cup.view()
    assert [line.counts for line in view.standings if line.player == 1] == [counts]
    assert sum(points for number, points in (await cup.points()).items() if number != 1) == (4 - lost if counts else 0)


async def test_the_first_missed_deadline_is_overtime_and_the_second_withdraws(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 3, clock=int(8 * HOUR))
    for _ in range(8):
        view = await cup.tick(HOUR)
    view = await cup.tick(WAITS)
    lapsed = Counter({entry.number: entry.lapses for entry in view.entries})
    awaited = {game.seats[0] for each in view.row.rounds for game in each.games}
    assert set(lapsed.values()) <= {0, 1}
    assert {number for number in lapsed if lapsed[number]} == awaited
    assert not any(entry.has_left for entry in view.entries)
    view = await cup.tick(9 * HOUR)  # the overtime is missed, too, within a day: that is one absence
    assert all(entry.lapses <= 1 for entry in view.entries)
    assert view.row.status is TournamentStatus.FINISHED


async def absent(cup: Cup, number: int) -> None:
    """For a day, everybody but one player acts as soon as they can."""
    for _ in range(12):
        for game in await cup.open_games():
            snapshot = await cup.core.snapshot(present(game.table_id))
            if snapshot.table.status is Status.PLAYING and snapshot.awaited[0].user_id != cup.user(number).id:
                await cup.act(game, 0.0)
        await cup.tick(2 * HOUR)


@pytest.mark.slow
async def test_missing_two_deadlines_withdraws_a_player_and_tells_them_once(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss", game="bunny", clock=int(6 * HOUR), round_seconds=int(20 * HOUR))
    number = (await cup.game()).seats[0]
    for _ in range(40):
        await absent(cup, number)
        entry = next(entry for entry in (await cup.view()).entries if entry.number == number)
        if entry.has_left:
            break
        assert await cup.owed(JobKind.EVENT_LEFT) == []
    assert (entry.has_left, entry.lapses) == (True, 2)
    (farewell,) = await cup.owed(JobKind.EVENT_LEFT)
    user = cup.user(number)
    assert (farewell.payload, farewell.place) == ({"event": cup.id, "to": user.id}, f"person {user.id}")
    acts = [act for act in (await cup.view()).row.acts if act.deed is TournamentDeed.WITHDREW]
    assert [(act.by, act.entry) for act in acts] == [(TournamentActor.BOT, number)]


async def test_two_games_missed_on_one_day_count_once(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 3, "knockout", clock=int(8 * HOUR), round_seconds=int(7 * DAY))
    games = (await cup.view()).row.rounds[0].games
    assert len(games) == 2
    await cup.act(games[0], 0.0)
    player = games[1].seats[0]
    assert games[0].seats[1] == player, "the same one is awaited in both"
    view = await cup.tick(8 * HOUR + WAITS)
    assert {entry.number: entry.lapses for entry in view.entries}[player] == 1
    assert not any(entry.has_left for entry in view.entries)


async def test_a_decided_game_withdraws_nobody(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss", clock=int(3 * DAY), round_seconds=int(2 * DAY))
    game = await cup.game()
    await cup.tick(2 * DAY)
    assert (await cup.game()).ending == "adjudicated"
    await cup.finish_round()
    clock.pass_(2 * DAY + WAITS)
    while await core.service(Timing).sweep():
        pass
    assert (await core.snapshot(present(game.table_id))).table.deadline is not None
    assert all(entry.lapses == 0 for entry in (await cup.view()).entries if entry.number in game.seats)


@pytest.mark.parametrize("number", [1, 4])
async def test_a_forgotten_player_leaves_and_gets_no_new_games(core: Core, clock: Time, number: int) -> None:
    cup = await started(core, clock, 5)
    before = [game for game in await cup.open_games() if number in game.seats]
    await core.service(Privacy).forget(cup.user(number))
    view = await cup.tick()
    games = [game for each in view.row.rounds for game in each.games if number in game.seats]
    assert all(game.places for game in games)
    assert [game.table_id for game in games if game.table_id] == [game.table_id for game in before]
    entry = next(entry for entry in view.entries if entry.number == number)
    assert (entry.user_id < 0, entry.has_left, entry.press) == (True, True, None)


async def test_late_entry_to_a_swiss_event_gives_half_a_point_a_round(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 7, "swiss")
    await cup.finish_round()
    await cup.enter(NEWCOMER)
    view = await cup.view()
    entry = present(view.entry_of(NEWCOMER.id))
    cup.extra[entry.number] = NEWCOMER
    assert (entry.number, entry.missed, entry.seed) == (8, 2, 8)
    assert (await cup.points())[8] == 1.0
    view = await cup.finish_round()
    assert 8 in {number for game in view.row.rounds[2].games for number in game.seats}
    assert not view.can_enter
    with pytest.raises(Refused, match="Half of this event is over, so it’s too late to enter"):
        await cup.enter(User(901, "Latecomer"))


async def test_late_entry_to_a_round_robin_adds_games_and_time(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 4)
    ends_at = (await cup.view()).row.ends_at
    assert ends_at == clock.now + 7 * DAY
    await cup.enter(NEWCOMER)
    cup.extra[5] = NEWCOMER
    view = await cup.tick()
    assert view.event is not None
    games = [game for each in view.row.rounds for game in each.games]
    assert Counter(number for game in games for number in game.seats) == dict.fromkeys(range(1, 6), 4)
    assert view.row.ends_at == ends_at + 7 * DAY, "four games do not fit into the time of three"
    for _ in range(9):
        view = await cup.finish_round()
    assert view.row.status is TournamentStatus.FINISHED
    assert [entry.place for entry in view.entries] == [1, 2, 3, 4, 5]


async def test_nobody_enters_a_knockout_late_and_a_full_event_stays_full(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 4, "knockout")
    with pytest.raises(Refused, match="this format has no late entry"):
        await cup.enter(NEWCOMER)
    full = await started(core, clock, 4, most=4)
    with pytest.raises(Refused, match="This event is full"):
        await full.enter(NEWCOMER)


async def test_late_entry_to_pods(core: Core, clock: Time) -> None:
    cup = await started(core, clock, 6, "pods", game="pucks")
    await cup.enter(NEWCOMER)
    cup.extra[7] = NEWCOMER
    assert (await cup.points())[7] == 0.5
    view = await cup.finish_round()
    assert Counter(number for game in view.row.rounds[1].games for number in game.seats) == dict.fromkeys(range(1, 8), 1)
