"""Time that can be trusted: nights, late clicks, short gaps, and vacations of two players who are asked at once.

tests/bot/test_time.py checks random histories of all of these.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import pytest_asyncio

from bot.core.clocks.heartbeats import Heartbeats
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.discord_clock import ENOUGH, OLDEST, DiscordClock
from bot.core.table.errors import WrongStage
from bot.core.table.request import TableRequest
from bot.core.table.snapshot import Snapshot, User
from bot.parts import PARTS
from storage import queries
from storage.schema.records import Grace, JobKind, Status, Table
from storage.store import Store
from tests.bot.core.steps import sweep_after, table_of
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, HOUR, Time, first_action, jobs, made, press, seeds, started
from tests.bot.time_histories import RoundsGame, board_of

MINUTE = 60.0
EIGHT_HOURS = replace(BOUNCERS, clock=int(8 * HOUR))
STRICT = replace(EIGHT_HOURS, strict=True)
NIGHT = {"zone": "UTC", "quiet_from": 22 * 60, "quiet_until": 8 * 60}
EVENING = datetime(2026, 1, 5, 20, 0, tzinfo=UTC).timestamp()


async def told(core: Core, clock: Time, until: float) -> list[tuple[float, str, int]]:
    """Let time pass until a moment. Returns the notices: the time in hours, the kind, and the person."""
    began, found = clock.now, []
    while (due := await core.service(Timing).next_due()) is not None and due <= until:
        clock.now = max(clock.now, due)
        await core.service(Timing).sweep()
        async with core.store.write() as writer:
            for job in await jobs(core):
                if job.kind is JobKind.REMINDER:
                    found.append(((max(job.due, clock.now) - began) / HOUR, job.payload["which"], job.payload["user"]))
                    await queries.jobs.finish(writer, job)
    clock.now = until
    return found


async def test_people_who_would_lose_asleep_are_told_in_their_last_waking_minute(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, **NIGHT)
    clock.now = EVENING
    await started(core, STRICT)
    assert await told(core, clock, EVENING + 8 * HOUR + WAITS) == [(2 - 1 / 60, "late", ANN.id)]


async def test_overtime_that_runs_at_night_is_announced_in_the_morning_while_there_is_time(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, **NIGHT)
    clock.now = EVENING
    snapshot = await started(core, EIGHT_HOURS)
    reminders = await told(core, clock, EVENING + 15 * HOUR + 1800.0)
    assert (await table_of(core, snapshot)).grace is Grace.RUNNING
    assert [(which, user) for _, which, user in reminders] == [("late", ANN.id), ("grace", ANN.id), ("late", ANN.id)]
    assert [hours for hours, *_ in reminders] == pytest.approx([2 - 1 / 60, 12, 8 + 1 / 60 + 7.2])


async def test_nobody_is_woken_who_is_awake_only_before_their_turn(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, **NIGHT)
    clock.now = EVENING + 3 * HOUR
    await started(core, STRICT)
    assert await told(core, clock, clock.now + 8 * HOUR) == []


async def test_changing_quiet_hours_changes_the_reminders(core: Core, clock: Time) -> None:
    clock.now = EVENING
    await started(core, STRICT)
    clock.pass_(HOUR)
    await core.service(Users).change(ANN.id, **NIGHT)
    assert await told(core, clock, EVENING + 8 * HOUR) == [(1 - 1 / 60, "late", ANN.id)]


async def test_a_minute_after_waking_is_too_late_to_be_told(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, **NIGHT)
    clock.now = EVENING + 12 * HOUR + 5 * MINUTE
    await started(core, replace(STRICT, clock=int(DAY - 4 * MINUTE)))
    reminders = await told(core, clock, clock.now + DAY)
    assert [which for _, which, _ in reminders] == ["half", "late"]
    assert reminders[1][0] == pytest.approx(14 - 6 / 60), "at 21:59, not at 8:00, a minute before the end"


async def test_overtime_that_begins_and_nearly_ends_at_night_is_told_once(core: Core, clock: Time) -> None:
    await core.service(Users).change(ANN.id, **NIGHT)
    clock.now = EVENING - 4 * HOUR + 5 * MINUTE
    await started(core, EIGHT_HOURS)
    reminders = await told(core, clock, EVENING + 12 * HOUR)
    assert [which for hours, which, _ in reminders if hours > 8] == ["late"]


async def test_reminders_missed_while_the_bot_was_away_come_late(store: Store, clock: Time) -> None:
    running = await connected(store, clock)
    await running.service(Users).change(ANN.id, **NIGHT)
    clock.now = EVENING + 4 * HOUR + 20 * MINUTE
    await running.service(Heartbeats).beat()
    await running.service(Heartbeats).resume()
    snapshot = await started(running, STRICT)
    while clock.now < EVENING + 12 * HOUR - 10 * MINUTE:
        clock.pass_(2 * MINUTE)
        await running.service(Heartbeats).beat()
    clock.pass_(20 * MINUTE)
    again = await connected(store, clock)
    await again.service(Timing).sweep()
    assert [job.payload["which"] for job in await jobs(again) if job.kind is JobKind.REMINDER] == ["late"]
    left = ((await table_of(again, snapshot)).deadline or 0.0) - clock.now
    assert 25 * MINUTE < left < 35 * MINUTE


@pytest.mark.parametrize("asked", [STRICT, EIGHT_HOURS])
async def test_a_click_before_the_deadline_counts_even_if_processed_later(core: Core, clock: Time, asked: TableRequest) -> None:
    snapshot = await started(core, asked)
    assert await sweep_after(core, clock, 8 * HOUR + 3.8) == (snapshot.table.id,), "reminders, and nothing else"
    clicked = made(clock.now - 5.0)
    played = await core.service(Play).act(snapshot.table.id, ANN, first_action(snapshot), interaction_id=clicked)
    assert (played.snapshot.table.status, played.snapshot.table.grace) == (Status.PLAYING, snapshot.table.grace)
    assert played.snapshot.playing.log[-1].entry.at == clock.now, "the log keeps the time of processing"


async def test_a_click_after_the_deadline_is_late_even_before_the_clock_acts(core: Core, clock: Time) -> None:
    snapshot = await started(core, STRICT)
    clock.pass_(8 * HOUR + 3.8)
    with pytest.raises(WrongStage):
        await core.service(Play).act(snapshot.table.id, ANN, first_action(snapshot), interaction_id=made(clock.now - 2.0))
    await sweep_after(core, clock, WAITS)
    assert (await table_of(core, snapshot)).status is Status.FINISHED


def test_a_press_is_corrected_by_the_skew_of_the_clocks() -> None:
    now = 1_800_000_000.0
    ahead = DiscordClock(lambda: now)
    for latency in (3.0, 0.25, 1.0):
        ahead.note(made(now + 7.0 - latency))
    assert ahead.skew == pytest.approx(6.75), "the fastest arrival tells best"
    assert ahead.moment(made(now + 7.0 - 4.0), now) == pytest.approx(now - 3.75)


def test_slow_arrivals_alone_are_not_taken_for_a_clock_that_is_behind() -> None:
    now = 1_800_000_000.0
    slow = DiscordClock(lambda: now)
    for _ in range(ENOUGH - 1):
        slow.note(made(now - 3.8))
    assert slow.skew == 0.0
    assert slow.moment(made(now - 3.8), now) == pytest.approx(now - 3.8)
    slow.note(made(now - 3.8))
    assert slow.skew == pytest.approx(-3.8), "so many in a row do not come late by the same time"


def test_a_press_that_cannot_be_dated_counts_as_made_now() -> None:
    now = 1_800_000_000.0
    for odd in (None, 5, made(now - OLDEST - 1.0), made(now + 60.0)):
        assert DiscordClock(lambda: now).moment(odd, now) == now


def process(store: Store, clock: Time) -> Core:
    """The core of a new process."""
    core = Core(store, parts=PARTS, now=clock)
    core.service(Heartbeats).keep(clock)
    return core


async def connected(store: Store, clock: Time) -> Core:
    """The core of a new process that is connected to Discord."""
    core = process(store, clock)
    await core.service(Heartbeats).beat()
    return core


@pytest.mark.parametrize("gap", [60.0, 180.0, 295.0, 310.0])
@pytest.mark.parametrize("left", [30.0, 290.0, 600.0])
async def test_an_outage_at_a_deadline_costs_nobody_a_strict_game(store: Store, clock: Time, gap: float, left: float) -> None:
    running = await connected(store, clock)
    snapshot = await started(running, replace(STRICT, clock=3600))
    for _ in range(100):
        if clock.now >= (snapshot.table.deadline or 0.0) - left:
            break
        clock.now = min(clock.now + 200.0, (snapshot.table.deadline or 0.0) - left)
        await running.service(Heartbeats).beat()
    clock.pass_(gap)
    again = await connected(store, clock)
    await again.service(Timing).sweep()
    table = await table_of(again, snapshot)
    assert (table.status, table.deadline) == (Status.PLAYING, clock.now + left)
    spoken_of = gap if gap > 300.0 else None
    assert table.given_back == spoken_of, "nothing is said of a short one"


async def test_a_sleeper_is_told_in_the_morning_if_an_outage_moved_the_deadline(store: Store, clock: Time) -> None:
    running = process(store, clock)
    await running.service(Users).change(ANN.id, **NIGHT)
    clock.now = EVENING + 3 * HOUR
    await running.service(Heartbeats).beat()
    snapshot = await started(running, replace(STRICT, clock=3600))
    for _ in range(14):
        clock.pass_(250.0)
        await running.service(Heartbeats).beat()
    assert await running.service(Timing).sweep() == (), (
        "there is nothing to tell her at this hour, and she will be asleep to the end"
    )
    clock.now = EVENING + 12 * HOUR
    again = await connected(store, clock)
    assert (await table_of(again, snapshot)).deadline == clock.now + 100.0
    await again.service(Timing).sweep()
    assert [job.payload["which"] for job in await jobs(again) if job.kind is JobKind.REMINDER] == ["late"]


async def test_a_short_gap_long_before_a_deadline_moves_nothing(store: Store, clock: Time) -> None:
    running = await connected(store, clock)
    snapshot = await started(running, STRICT)
    clock.pass_(200.0)
    again = await connected(store, clock)
    assert (await table_of(again, snapshot)).deadline == snapshot.table.deadline


async def test_a_stalled_process_gives_the_time_back_like_one_that_was_down(store: Store, clock: Time) -> None:
    running = await connected(store, clock)
    snapshot = await started(running, STRICT)
    clock.pass_(240.0)
    await running.service(Heartbeats).beat()
    assert await sweep_after(running, clock, 310.0) == (), "nothing is swept before the heartbeat"
    assert (await running.service(Heartbeats).beat()).given_back == 310.0
    assert (await table_of(running, snapshot)).deadline == (snapshot.table.deadline or 0.0) + 310.0


async def shown(core: Core, table: Table, clock: Time) -> None:
    """The message about the turn has been posted."""
    await core.service(Outbox).record_board(table.id, board_of(table, clock.now))


@pytest.mark.parametrize(("late", "given"), [(50.0, 0.0), (HOUR, HOUR), (8 * HOUR, 8 * HOUR), (15 * HOUR, 8 * HOUR)])
async def test_a_turns_time_starts_with_its_message_or_a_turn_late(core: Core, clock: Time, late: float, given: float) -> None:
    snapshot = await started(core, STRICT)
    await shown(core, snapshot.table, clock)
    acted = (await core.service(Play).act(snapshot.table.id, ANN, first_action(snapshot))).snapshot.table
    await sweep_after(core, clock, late)
    assert (await table_of(core, snapshot)).status is Status.PLAYING
    await shown(core, acted, clock)
    assert (await table_of(core, snapshot)).deadline == (acted.deadline or 0.0) + given


async def test_taking_a_permission_away_does_not_freeze_a_lost_game(core: Core, clock: Time) -> None:
    snapshot = await started(core, STRICT)
    await shown(core, snapshot.table, clock)
    await core.service(Play).act(snapshot.table.id, ANN, first_action(snapshot))
    await sweep_after(core, clock, 16 * HOUR + WAITS - 1)
    assert (await table_of(core, snapshot)).status is Status.PLAYING
    await sweep_after(core, clock, 1)
    assert (await table_of(core, snapshot)).status is Status.FINISHED


@pytest_asyncio.fixture
async def rounds(store: Store, clock: Time) -> AsyncIterator[Core]:
    """A core with a game in which several players are asked at once."""
    known = seeds()
    yield Core(store, parts=PARTS, now=clock, entropy=lambda _: next(known), games={"bouncers": RoundsGame()}, earlier=())


async def asked_at_once(core: Core, clock: Time, left: float) -> Snapshot:
    """Ann has acted; Ben and Cleo are asked, and `left` seconds remain."""
    snapshot = await started(core, replace(BOUNCERS, seats=3, clock=int(3 * DAY)), BEN, CLEO)
    clock.pass_(3 * DAY - left)
    return (await core.service(Play).act(snapshot.table.id, ANN, "go", interaction_id=press(snapshot, ANN))).snapshot


@pytest.mark.parametrize("order", [(BEN, CLEO), (CLEO, BEN)])
async def test_the_longer_of_two_simultaneous_vacations_counts(rounds: Core, clock: Time, order: tuple[User, User]) -> None:
    snapshot = await asked_at_once(rounds, clock, DAY)
    for user in order:
        await rounds.service(Users).begin_vacation(user.id, 10 if user is BEN else 5)
    assert (await table_of(rounds, snapshot)).deadline == clock.now + 11 * DAY


async def test_a_vacation_ends_early_and_the_other_one_goes_on(rounds: Core, clock: Time) -> None:
    snapshot = await asked_at_once(rounds, clock, DAY)
    await rounds.service(Users).begin_vacation(CLEO.id, 5)
    await rounds.service(Users).begin_vacation(BEN.id, 10)
    clock.pass_(2 * DAY)
    await rounds.service(Users).end_vacation(BEN.id)
    assert (await table_of(rounds, snapshot)).deadline == clock.now + 4 * DAY, "Cleo is back in three days"
    await rounds.service(Users).end_vacation(CLEO.id)
    assert (await table_of(rounds, snapshot)).deadline == clock.now + DAY


async def test_the_vacation_of_somebody_who_has_acted_does_not_count(rounds: Core, clock: Time) -> None:
    snapshot = await asked_at_once(rounds, clock, DAY)
    await rounds.service(Users).begin_vacation(BEN.id, 10)
    clock.pass_(DAY)
    await rounds.service(Play).act(snapshot.table.id, BEN, "go")
    assert (await table_of(rounds, snapshot)).deadline == clock.now + DAY


async def test_the_bot_plays_for_nobody_on_vacation_in_any_order(rounds: Core, clock: Time) -> None:
    snapshot = await asked_at_once(rounds, clock, DAY)
    await rounds.service(Users).begin_vacation(BEN.id, 5)
    await rounds.service(Users).begin_vacation(CLEO.id, 10)
    clock.pass_(4 * DAY)
    await rounds.service(Users).end_vacation(BEN.id)
    await sweep_after(rounds, clock, 5 * DAY)
    assert (await table_of(rounds, snapshot)).version == snapshot.table.version


async def test_nobody_loses_in_their_sleep_because_somebody_else_comes_back_at_night(rounds: Core, clock: Time) -> None:
    clock.now = EVENING - 4 * HOUR
    snapshot = await started(rounds, replace(STRICT, seats=2))
    await rounds.service(Users).change(ANN.id, **NIGHT)
    clock.pass_(HOUR)
    await rounds.service(Users).begin_vacation(BEN.id, 2)
    clock.now = EVENING + DAY + 2.5 * HOUR
    await rounds.service(Timing).sweep()
    await rounds.service(Users).end_vacation(BEN.id)
    morning = EVENING + DAY + 12 * HOUR
    assert (await table_of(rounds, snapshot)).deadline == morning + 15 * MINUTE
    assert (12 - 2.5, "late", ANN.id) in await told(rounds, clock, morning + 15 * MINUTE)


@pytest.mark.parametrize(("pressed", "saved"), [(-1.0, True), (1.0, False)])
async def test_a_vacation_saves_no_turn_whose_time_was_over(core: Core, clock: Time, pressed: float, saved: bool) -> None:
    snapshot = await started(core, STRICT)
    clock.pass_(8 * HOUR + 3.0)
    await core.service(Users).begin_vacation(ANN.id, 1, made(clock.now - 3.0 + pressed))
    await sweep_after(core, clock, WAITS)
    assert (await table_of(core, snapshot)).status is (Status.PLAYING if saved else Status.FINISHED)


async def test_overtime_begins_after_the_vacation(core: Core, clock: Time) -> None:
    snapshot = await started(core, EIGHT_HOURS)
    clock.pass_(8 * HOUR + 30.0)
    person = await core.service(Users).begin_vacation(ANN.id, 1, made(clock.now))
    await sweep_after(core, clock, WAITS)
    table = await table_of(core, snapshot)
    assert (table.grace, table.deadline) == (Grace.RUNNING, (person.vacation_until or 0.0) + 8 * HOUR)


async def test_without_vacations_acting_moves_no_deadline_of_others(rounds: Core, clock: Time) -> None:
    clock.now += 0.123456789
    snapshot = await started(rounds, replace(BOUNCERS, seats=3, clock=int(DAY)), BEN, CLEO)
    before = await table_of(rounds, snapshot)
    clock.pass_(1234.56789)
    await rounds.service(Play).act(snapshot.table.id, ANN, "go")
    after = await table_of(rounds, snapshot)
    assert (after.deadline, after.notice_at) == (before.deadline, before.notice_at)
