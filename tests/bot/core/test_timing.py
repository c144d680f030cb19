"""Time at the tables, with a clock that the tests set: reminders, time-outs, grace, vacations, abandoned games."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.core.clocks.absence import absent_action
from bot.core.clocks.membership import Membership
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.reminders import all_asleep, last_awake, quiet_until
from bot.core.table.errors import Refused, WrongStage
from bot.core.table.history import NO_ENTRIES
from bot.core.table.settings import PersonSettings
from bot.core.table.snapshot import Snapshot
from bot.features.lobby.service import Rematches
from bot.features.offers.kinds import Seating
from bot.features.offers.service import Consent
from bot.features.verify.service import Proof
from bot.i18n.language import language
from engines import GAMES
from engines.game import may_act
from storage import queries
from storage.schema.records import Ending, EntryKind, Grace, Level, OfferKind, Result, SeatStatus, Status
from tests.bot.core.steps import sweep_after, table_of, winners
from tests.bot.notices import notice
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, PEOPLE, Time, first_action, jobs, started

ONE_DAY = replace(BOUNCERS, clock=int(DAY))
STRICT = replace(ONE_DAY, strict=True)
FOUR = replace(ONE_DAY, game="trampoline", seats=4)
CLOCKS = {HOUR: HOUR, 8 * HOUR: 8 * HOUR, DAY: DAY, 3 * DAY: DAY, 7 * DAY: DAY}
"""Seconds of grace for each clock."""


async def reminders(core: Core) -> list[tuple[str, int, float]]:
    """The pending reminders: which one, for whom, and when."""
    found = [(e.payload["which"], e.payload["user"], e.due) for e in await jobs(core) if e.kind == "reminder"]
    return sorted(found)


async def at(core: Core, snapshot: Snapshot) -> Snapshot:
    return await core.snapshot(snapshot.table.id)


async def act(core: Core, snapshot: Snapshot) -> Snapshot:
    """The awaited player acts."""
    now = await at(core, snapshot)
    return (await core.service(Play).act(now.table.id, PEOPLE[now.awaited[0].user_id], first_action(now))).snapshot


async def test_the_awaited_player_is_reminded_at_half_and_nine_tenths_of_the_time(core: Core, clock: Time) -> None:
    await started(core, ONE_DAY)
    begin = clock.now
    assert await core.service(Timing).next_due() == begin + 12 * HOUR
    await sweep_after(core, clock, 12 * HOUR)
    assert await reminders(core) == [("half", ANN.id, clock.now)]
    assert await core.service(Timing).next_due() == pytest.approx(begin + 0.9 * DAY)
    clock.now = begin + 0.9 * DAY + 1
    await core.service(Timing).sweep()
    assert [r[0] for r in await reminders(core)] == ["half", "late"]
    assert await core.service(Timing).next_due() == begin + DAY + WAITS


async def test_muted_reminders_are_not_sent(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, remind_half=False)
    await started(core, ONE_DAY)
    await sweep_after(core, clock, 13 * HOUR)
    assert await reminders(core) == []
    await sweep_after(core, clock, 9 * HOUR)
    assert [r[0] for r in await reminders(core)] == ["late"]


async def test_after_a_long_silence_of_the_bot_only_the_last_reminder_comes(core: Core, clock: Time) -> None:
    await started(core, ONE_DAY)
    await sweep_after(core, clock, 23 * HOUR)
    assert [r[0] for r in await reminders(core)] == ["late"]
    await core.service(Timing).sweep()
    assert [r[0] for r in await reminders(core)] == ["late"]


async def test_in_quiet_hours_a_reminder_waits_for_their_end(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, zone="Europe/Berlin", quiet_from=23 * 60, quiet_until=7 * 60)
    await started(core, ONE_DAY)
    clock.pass_(12 * HOUR)  # midnight UTC, one o'clock in Berlin
    await core.service(Timing).sweep()
    assert await reminders(core) == []
    assert await core.service(Timing).next_due() == clock.now + 6 * HOUR
    await sweep_after(core, clock, 6 * HOUR)
    assert await reminders(core) == [("half", ANN.id, clock.now)]


async def test_a_message_is_silent_only_if_everybody_it_names_is_asleep(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, zone="UTC", quiet_from=23 * 60, quiet_until=7 * 60)
    table_id = (await started(core)).table.id
    snapshot, midnight = await core.snapshot(table_id), clock.now + 12 * HOUR
    assert not all_asleep(snapshot, [ANN.id], clock.now)
    assert all_asleep(snapshot, [ANN.id], midnight)
    assert not all_asleep(snapshot, [ANN.id, BEN.id], midnight)
    assert not all_asleep(snapshot, [], midnight)


def test_quiet_hours_follow_the_clock_on_the_wall_when_it_is_changed() -> None:
    settings = PersonSettings(zone="Europe/Berlin", quiet_from=22 * 60, quiet_until=8 * 60)
    berlin = ZoneInfo("Europe/Berlin")
    spring = datetime(2026, 3, 29, 1, 30, tzinfo=berlin)  # clocks go forward at two: the night is an hour shorter
    assert quiet_until(settings, spring.timestamp()) - spring.timestamp() == 5.5 * HOUR
    autumn = datetime(2026, 10, 25, 1, 30, tzinfo=berlin)  # and back at three: an hour longer
    assert quiet_until(settings, autumn.timestamp()) - autumn.timestamp() == 7.5 * HOUR
    awake = datetime(2026, 3, 29, 12, 0, tzinfo=berlin).timestamp()
    assert quiet_until(settings, awake) == awake
    evening = datetime(2026, 3, 28, 22, 0, tzinfo=berlin)
    assert datetime.fromtimestamp(quiet_until(settings, evening.timestamp()), berlin).hour == 8
    assert quiet_until(PersonSettings(), 1.0) == 1.0


def test_quiet_hours_in_a_repeated_hour_come_twice() -> None:
    settings = PersonSettings(zone="Pacific/Auckland", quiet_from=150, quiet_until=200)
    there = ZoneInfo("Pacific/Auckland")

    def at(hour: int, minute: int, fold: int) -> float:
        return datetime(2026, 4, 5, hour, minute, tzinfo=there, fold=fold).timestamp()

    assert quiet_until(settings, at(2, 43, 0)) == at(2, 0, 1), "the clocks go back to two before it is twenty past three"
    assert quiet_until(settings, at(2, 43, 1)) == at(3, 20, 0)
    assert last_awake(settings, at(2, 43, 0)) == at(2, 29, 0)
    assert last_awake(settings, at(2, 43, 1)) == at(2, 29, 1)


def test_quiet_hours_that_begin_or_end_in_a_skipped_hour_do_so_after_it() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    three = datetime(2026, 3, 29, 3, 0, tzinfo=berlin).timestamp()
    assert quiet_until(PersonSettings(zone="Europe/Berlin", quiet_from=600, quiet_until=142), three - HOUR) == three
    assert last_awake(PersonSettings(zone="Europe/Berlin", quiet_from=150, quiet_until=300), three + HOUR) == three - 60.0


async def told(core: Core, snapshot: Snapshot) -> list[str]:
    """The notices for the players whose turn comes next, as far as they are still true."""
    snapshot = await at(core, snapshot)
    made = [notice(snapshot, job, language("en")) for job in await jobs(core) if job.payload.get("which") == "next"]
    return [str(said.builder.layout().to_components()) for said in made if said is not None and said.silent]


async def test_people_who_ask_are_told_one_turn_ahead(core: Core, clock: Time) -> None:
    for user in (CLEO, DEV):
        await core.service(Users).change(user.id, remind_next=True)
    snapshot = await started(core, FOUR, BEN, CLEO, DEV)
    assert [player.user_id for player in snapshot.players] == [ANN.id, BEN.id, CLEO.id, DEV.id]
    assert await reminders(core) == [], "they have just sat down"
    await act(core, snapshot)
    assert await reminders(core) == [("next", CLEO.id, clock.now)]
    (said,) = await told(core, snapshot)
    assert "<@3>, you’re next in **BOUNCE #1**, after Ben." in said
    await act(core, snapshot)
    assert await reminders(core) == [("next", CLEO.id, clock.now), ("next", DEV.id, clock.now)]
    (said,) = await told(core, snapshot)
    assert "<@4>, you’re next" in said, "what was not delivered in time is not true any more"
    await act(core, snapshot)
    assert await told(core, snapshot) == [], "Ann does not want to know"


async def test_nobody_is_told_of_their_turn_by_default_on_vacation_or_among_two(core: Core, clock: Time) -> None:
    for user in (ANN, BEN, CLEO):
        await core.service(Users).change(user.id, remind_next=True)
    await core.service(Users).begin_vacation(CLEO.id, 2)
    three = await started(core, replace(FOUR, seats=3), BEN, CLEO)
    await act(core, three)
    two = await started(core, replace(FOUR, seats=2))
    await act(core, two)
    beside_a_computer = await started(core, replace(FOUR, seats=3, computers=(Level.EASY,)), BEN)
    await act(core, beside_a_computer)
    assert await reminders(core) == []


async def test_in_quiet_hours_the_word_waits(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, remind_next=True, zone="UTC", quiet_from=11 * 60, quiet_until=15 * 60)
    snapshot = await started(core, replace(FOUR, seats=3), BEN, CLEO)
    for _ in range(2):
        await act(core, snapshot)
    assert await reminders(core) == [("next", ANN.id, clock.now + 3 * HOUR)]


async def test_a_computer_is_passed_over_and_nobody_is_next_while_pieces_are_placed(core: Core) -> None:
    snapshot = await started(core, replace(FOUR, computers=(Level.EASY,)), BEN, CLEO)
    assert [player.computer for player in snapshot.players] == [None, Level.EASY, None, None]
    assert snapshot.next_person == snapshot.players[2]
    placing = await started(core, replace(FOUR, game="pucks", seats=3), BEN, CLEO)
    assert placing.next_person is None
    random = await started(core, replace(FOUR, game="pucks", seats=3, options={"setup": "random"}), BEN, CLEO)
    assert random.next_person == random.players[random.playing.to_act[0] - 2]


async def test_with_two_players_running_out_of_time_loses_once(core: Core, clock: Time) -> None:
    snapshot = await started(core, STRICT)
    await sweep_after(core, clock, DAY - 1)
    assert (await at(core, snapshot)).table.status is Status.PLAYING
    assert await sweep_after(core, clock, 1 + WAITS) == (snapshot.table.id,)
    assert await core.service(Timing).sweep() == ()
    over = await at(core, snapshot)
    assert over.table.status is Status.FINISHED
    assert winners(over) == (1,)
    assert over.playing.log[-1].events[0].text == "Red ran out of time."


async def test_every_action_gives_the_next_player_the_whole_time(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(23 * HOUR)
    played = await core.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    assert played.snapshot.table.deadline == clock.now + DAY


async def test_a_move_at_the_instant_of_the_deadline_is_too_late_in_any_order(core: Core, clock: Time) -> None:
    for first in ("move", "sweep"):
        snapshot = await started(core, STRICT)
        clock.pass_(DAY + WAITS)
        move = core.service(Play).act(snapshot.table.id, ANN, "b2 b3")
        both = (move, core.service(Timing).sweep()) if first == "move" else (core.service(Timing).sweep(), move)
        results = await asyncio.gather(*both, return_exceptions=True)
        assert any(isinstance(result, WrongStage) for result in results)
        over = await at(core, snapshot)
        assert (over.table.status, over.table.version) == (Status.FINISHED, 1)


async def test_among_several_three_time_outs_in_a_row_withdraw_a_player(core: Core, clock: Time) -> None:
    snapshot = await started(core, FOUR, BEN, CLEO, DEV)
    table_id = snapshot.table.id
    away = ANN.id
    timed_out = 0
    for _ in range(60):
        snapshot = await core.snapshot(table_id)
        there = snapshot.person(away)
        assert there is not None
        if snapshot.table.status is not Status.PLAYING or there.status is SeatStatus.WITHDRAWN:
            break
        (awaited,) = snapshot.awaited
        if awaited.user_id == away:
            before = snapshot.table.version
            await sweep_after(core, clock, DAY + WAITS)
            timed_out += 1
            logged = (await core.snapshot(table_id)).playing.log[before]
            assert logged.entry.user_id is None
            assert logged.entry.kind is (EntryKind.PLAY if timed_out < 3 else EntryKind.WITHDRAW)
        else:
            user = next(u for u in (BEN, CLEO, DEV) if u.id == awaited.user_id)
            await core.service(Play).act(table_id, user, first_action(snapshot))
    if snapshot.table.status is Status.PLAYING:
        assert timed_out == 3


async def test_coming_back_in_time_resets_the_count(core: Core, clock: Time) -> None:
    snapshot = await started(core, FOUR, BEN, CLEO, DEV)
    await sweep_after(core, clock, DAY + WAITS)
    snapshot = await at(core, snapshot)
    assert snapshot.players[0].timeouts == 1
    for user in (BEN, CLEO, DEV, ANN):
        snapshot = (await core.service(Play).act(snapshot.table.id, user, first_action(snapshot))).snapshot
    assert snapshot.players[0].timeouts == 0


@pytest.mark.parametrize("game", GAMES)
async def test_the_bot_plays_legally_for_absent_players_in_every_game(core: Core, game: str) -> None:
    seats = core.games[game].seats[-1]
    others = (BEN, CLEO, DEV)[: min(seats, 4) - 1]
    snapshot = await started(core, replace(BOUNCERS, game=game, seats=min(seats, 4)), *others)
    history = snapshot.playing
    for _ in range(120):
        if history.outcome is not None:
            break
        seat = history.to_act[0]
        action = absent_action(history, seat)
        assert absent_action(history, seat) == action
        state = history.game.play(history.state, seat, action).state
        history = replace(history, first=state, log=NO_ENTRIES)


async def test_a_game_without_a_clock_is_abandoned_after_sixty_quiet_days_with_a_warning(core: Core, clock: Time) -> None:
    snapshot = await started(core)
    clock.pass_(50 * DAY)
    await core.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    await sweep_after(core, clock, 53 * DAY)
    assert [r[:2] for r in await reminders(core)] == [("abandoned", BEN.id)]
    await sweep_after(core, clock, 7 * DAY + WAITS)
    over = await at(core, snapshot)
    assert over.table.outcome == Result(winners=(), how=Ending.ABANDONED, reason="No move in 60 days.")


async def test_abandoning_a_game_without_a_clock_loses_it_once_begun(core: Core, clock: Time) -> None:
    snapshot = await started(core)
    for user in (ANN, BEN, ANN):
        await core.service(Play).act(snapshot.table.id, user, first_action(await at(core, snapshot)))
    await sweep_after(core, clock, 60 * DAY + WAITS)
    over = await at(core, snapshot)
    assert over.table.outcome == Result(winners=(0,), how=Ending.ABANDONED, reason="No move in 60 days.")
    assert over.result() == "No move in 60 days. **Red wins!**"
    assert (await core.service(Proof).verify(over.table.id)).problems == ()
    async with core.store.read() as reader:
        found = {r.user_id: (r.won, r.lost) for r in await queries.ratings.find(reader, guild_id=10)}
    assert found == {ANN.id: (1, 0), BEN.id: (0, 1)}


async def test_a_table_that_nobody_joins_is_closed_after_two_weeks(core: Core, clock: Time) -> None:
    snapshot = await core.service(Lobby).open(ANN, BOUNCERS)
    await sweep_after(core, clock, 14 * DAY + WAITS)
    assert (await at(core, snapshot)).table.status is Status.CLOSED


async def test_a_game_alone_has_no_clock(core: Core) -> None:
    snapshot = await started(core, replace(FOUR, seats=1))
    assert snapshot.table.status is Status.PLAYING
    assert snapshot.table.clock is None


async def test_a_vacation_across_a_deadline_moves_it(core: Core, clock: Time) -> None:
    snapshot = await started(core, STRICT)
    clock.pass_(20 * HOUR)
    await core.service(Users).begin_vacation(ANN.id, 3)
    await sweep_after(core, clock, 2 * DAY)
    shown = await at(core, snapshot)
    assert shown.table.status is Status.PLAYING
    assert shown.away == ((ANN.id, clock.now + DAY),)
    await sweep_after(core, clock, DAY + 4 * HOUR - 1)
    assert (await at(core, snapshot)).table.status is Status.PLAYING
    await sweep_after(core, clock, 1 + WAITS)
    assert (await at(core, snapshot)).table.status is Status.FINISHED


async def test_a_turn_that_begins_during_a_vacation_has_its_whole_time_after_it(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await core.service(Users).begin_vacation(BEN.id, 2)
    played = await core.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    assert played.snapshot.table.deadline == clock.now + 3 * DAY
    clock.pass_(DAY)
    await core.service(Users).end_vacation(BEN.id)
    shown = await at(core, snapshot)
    assert shown.table.deadline == clock.now + DAY
    assert shown.away == ()


async def test_vacations_are_limited_in_a_row_in_a_year_and_in_how_soon_they_follow(core: Core, clock: Time) -> None:
    for days in (0, 15):
        with pytest.raises(Refused, match="1 to 14 days"):
            await core.service(Users).begin_vacation(ANN.id, days)
    await core.service(Users).begin_vacation(ANN.id, 14)
    with pytest.raises(Refused, match="already on vacation"):
        await core.service(Users).begin_vacation(ANN.id, 1)
    clock.pass_(15 * DAY)
    with pytest.raises(Refused, match="go on vacation again"):
        await core.service(Users).begin_vacation(ANN.id, 1)
    clock.pass_(7 * DAY)
    with pytest.raises(Refused, match="7 of 21 vacation days"):
        await core.service(Users).begin_vacation(ANN.id, 8)
    await core.service(Users).begin_vacation(ANN.id, 7)
    clock.pass_(30 * DAY)
    with pytest.raises(Refused, match="0 of 21 vacation days"):
        await core.service(Users).begin_vacation(ANN.id, 1)
    clock.now = datetime(2027, 1, 2, tzinfo=UTC).timestamp()
    assert (await core.service(Users).begin_vacation(ANN.id, 14)).vacation_days["2027"] == 14


async def test_unused_days_return_and_a_vacation_over_new_year_counts_for_both(core: Core, clock: Time) -> None:
    clock.now = datetime(2026, 12, 30, tzinfo=UTC).timestamp()
    person = await core.service(Users).begin_vacation(ANN.id, 10)
    assert person.vacation_days == {"2026": 2.0, "2027": 8.0}
    clock.pass_(4 * DAY)
    person = await core.service(Users).end_vacation(ANN.id)
    assert person.vacation_days == {"2026": 2.0, "2027": 2.0}
    with pytest.raises(Refused, match="not on vacation"):
        await core.service(Users).end_vacation(ANN.id)


async def test_an_action_out_of_turn_gives_the_awaited_player_no_more_time(core: Core, clock: Time) -> None:
    opening = replace(BOUNCERS, game="pucks", seats=3, options={"setup": "random"}, clock=int(DAY))
    for _ in range(10):  # until somebody who is not waited for was dealt a card that can be played at once
        snapshot = await started(core, opening, BEN, CLEO)
        history = snapshot.playing
        quick = next((seat for seat in may_act(history.game, history.state) if seat not in history.to_act), None)
        if quick is not None:
            break
    assert quick is not None
    before = snapshot.table
    clock.pass_(HOUR)
    (play,) = history.game.choices(history.state, quick)
    card = next(c for c in history.game.choices(history.state, quick, (play.token,)) if c.final and c.token != "u-turn")
    snapshot = (await core.service(Play).act(before.id, (ANN, BEN, CLEO)[quick], (play.token, card.token))).snapshot
    after = snapshot.table
    assert (after.deadline, after.notice_at, after.turn) == (before.deadline, before.notice_at, before.turn)
    snapshot = (await core.service(Play).act(before.id, ANN, "draw")).snapshot
    assert snapshot.table.deadline == clock.now + DAY, "whoever acts and goes on has the whole time again"


@pytest.mark.parametrize(("passed", "grace"), [(23 * HOUR, Grace.LEFT), (DAY + WAITS, Grace.USED)])
async def test_a_substitute_gets_the_full_time_and_uses_grace(core: Core, clock: Time, passed: float, grace: Grace) -> None:
    snapshot = await started(core, ONE_DAY)
    await sweep_after(core, clock, passed)
    turn = (await at(core, snapshot)).table.turn
    await core.service(Consent).propose(snapshot.table.id, ANN, OfferKind.SUBSTITUTE, Seating(ANN.id, CLEO))
    after = (await core.service(Consent).agree(snapshot.table.id, CLEO, OfferKind.SUBSTITUTE)).snapshot.table
    assert (after.grace, after.deadline, after.turn) == (grace, clock.now + DAY, turn + 1)


@pytest.mark.parametrize("seconds", CLOCKS)
async def test_the_first_missed_deadline_gives_the_clock_or_at_most_a_day(core: Core, clock: Time, seconds: float) -> None:
    snapshot = await started(core, replace(BOUNCERS, clock=int(seconds)))
    await sweep_after(core, clock, seconds + WAITS)
    table = await table_of(core, snapshot)
    assert (table.status, table.grace) == (Status.PLAYING, Grace.RUNNING)
    assert table.deadline == clock.now + CLOCKS[seconds]
    await sweep_after(core, clock, CLOCKS[seconds] - 1)
    assert (await table_of(core, snapshot)).status is Status.PLAYING
    await sweep_after(core, clock, 1 + WAITS)
    over = await core.snapshot(snapshot.table.id)
    assert (over.table.status, over.table.grace) == (Status.FINISHED, Grace.USED)
    assert winners(over) == (1,)


@pytest.mark.parametrize("late", ["the same", "the other"])
async def test_grace_is_given_once_a_game_and_the_next_missed_deadline_loses(core: Core, clock: Time, late: str) -> None:
    snapshot = await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    await act(core, snapshot)
    table = await table_of(core, snapshot)
    assert (table.grace, table.deadline) == (Grace.USED, clock.now + DAY), "the other has the whole time, as always"
    if late == "the same":
        await act(core, snapshot)
    await sweep_after(core, clock, DAY + WAITS)
    assert winners(await core.snapshot(snapshot.table.id)) == ((1,) if late == "the same" else (0,))


async def test_at_a_strict_table_and_its_rematch_the_first_missed_deadline_loses(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(ONE_DAY, strict=True))
    clock.pass_(DAY + WAITS)
    with pytest.raises(WrongStage, match="out of time"):
        await act(core, snapshot)
    await core.service(Timing).sweep()
    assert (await table_of(core, snapshot)).status is Status.FINISHED
    assert (await core.service(Rematches).open(snapshot.table.id, ANN)).table.grace is Grace.STRICT


async def test_a_rematch_has_its_own_grace(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    for _ in range(2):
        await sweep_after(core, clock, DAY + WAITS)
    assert (await core.service(Rematches).open(snapshot.table.id, ANN)).table.grace is Grace.LEFT


@pytest.mark.parametrize("first", ["move", "sweep"])
async def test_a_move_just_after_the_deadline_counts_and_uses_the_grace(core: Core, clock: Time, first: str) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    move = core.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    await asyncio.gather(*((move, core.service(Timing).sweep()) if first == "move" else (core.service(Timing).sweep(), move)))
    table = await table_of(core, snapshot)
    assert (table.version, table.status, table.grace) == (1, Status.PLAYING, Grace.USED)
    assert table.deadline == clock.now + DAY


async def test_a_move_in_time_uses_nothing(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY - 1)
    await act(core, snapshot)
    assert (await table_of(core, snapshot)).grace is Grace.LEFT


async def test_awaited_players_are_told_when_it_begins_and_before_it_ends(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(BOUNCERS, clock=int(3 * DAY)))
    clock.pass_(3 * DAY + WAITS)
    begin = clock.now
    await core.service(Timing).sweep()
    assert [r[:2] for r in await reminders(core)] == [("grace", ANN.id)]
    assert (await table_of(core, snapshot)).notice_at == pytest.approx(begin + 0.9 * DAY)
    await sweep_after(core, clock, 0.9 * DAY + 1)
    assert [r[:2] for r in await reminders(core)] == [("grace", ANN.id), ("late", ANN.id)]
    assert await core.service(Timing).next_due() == begin + DAY + WAITS
    assert "refresh" in [job.kind for job in await jobs(core)], "the board shows it"


async def test_nobody_is_reminded_who_wants_no_reminders(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, remind_half=False, remind_late=False)
    await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    assert await reminders(core) == []


async def test_among_several_the_bot_plays_for_absent_players_and_the_last_two_have_grace(core: Core, clock: Time) -> None:
    snapshot = await started(core, replace(ONE_DAY, game="trampoline", seats=4), BEN, CLEO, DEV)
    await sweep_after(core, clock, DAY + WAITS)
    table = await table_of(core, snapshot)
    assert (table.version > 0, table.grace) == (True, Grace.LEFT)
    for user in (CLEO, DEV):
        await core.service(Play).resign(snapshot.table.id, user)
    await sweep_after(core, clock, DAY + WAITS)
    table = await table_of(core, snapshot)
    assert (table.status, table.grace) == (Status.PLAYING, Grace.RUNNING)


async def test_a_vacation_moves_the_grace_and_so_does_an_absence_from_the_server(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    ends = clock.now + DAY
    await core.service(Users).begin_vacation(ANN.id, 3)
    assert (await table_of(core, snapshot)).deadline == ends + 3 * DAY
    await core.service(Membership).begin_grace(10)
    clock.pass_(2 * DAY)
    await core.service(Membership).end_grace(10)
    assert (await table_of(core, snapshot)).deadline == ends + 5 * DAY
    assert (await table_of(core, snapshot)).grace is Grace.RUNNING


async def test_a_game_that_ends_in_its_grace_has_used_it(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await sweep_after(core, clock, DAY + WAITS)
    await core.service(Play).resign(snapshot.table.id, ANN)
    assert (await table_of(core, snapshot)).grace is Grace.USED


async def test_simultaneous_sweeps_give_grace_once(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    clock.pass_(DAY + WAITS)
    await asyncio.gather(*(core.service(Timing).sweep() for _ in range(3)))
    table = await table_of(core, snapshot)
    assert (table.status, table.grace, table.deadline) == (Status.PLAYING, Grace.RUNNING, clock.now + DAY)
    assert [r[0] for r in await reminders(core)].count("grace") == 1


async def test_an_offer_of_a_draw_and_a_nudge_leave_the_grace_as_it_is(core: Core, clock: Time) -> None:
    snapshot = await started(core, ONE_DAY)
    await act(core, snapshot)
    await sweep_after(core, clock, DAY + WAITS)
    before = await table_of(core, snapshot)
    await core.service(Consent).propose(before.id, BEN, OfferKind.DRAW)
    clock.pass_(13 * HOUR)
    await core.service(Play).nudge(before.id, ANN)
    await core.service(Consent).propose(before.id, ANN, OfferKind.DRAW)
    over = await table_of(core, snapshot)
    assert (over.status, over.grace) == (Status.FINISHED, Grace.USED)
    assert before.deadline is not None
    assert before.deadline > clock.now
