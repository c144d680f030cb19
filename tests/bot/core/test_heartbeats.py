"""Heartbeats: what happens to the players' time while the bot is away or its clock is wrong."""

from dataclasses import dataclass, field, replace

import pytest

from bot.core.clocks.heartbeats import CONFIRMED_WITHIN, Heartbeats, duration
from bot.core.clocks.membership import Membership
from bot.core.clocks.timing import WAITS, Timing
from bot.core.core import Core
from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.people import Users
from bot.core.play import Play
from bot.core.table.deadlines import ABANDONED_AFTER, OPEN_FOR, WARNED_AFTER
from bot.core.table.errors import WrongStage
from bot.parts import PARTS
from storage import queries
from storage.cluster.leases import Leases
from storage.schema.records import Grace, Job, JobKind, Status
from storage.store import Store
from storage.transactions import ShardFilter
from tests.bot.core.steps import hurt, table_of
from tests.bot.service import ANN, BEN, BOUNCERS, CLEO, DAY, DEV, HOUR, Time, first_action, jobs, made, started
from tests.marks import quick_first

Shards = tuple[Core, Core]

MINUTE = 60.0
OWNER = 77
ONE_DAY = replace(BOUNCERS, clock=int(DAY), strict=True)
UNTIMED = replace(BOUNCERS, clock=None)


@dataclass
class Machine:
    """A machine with a wall clock, which can be set, and a monotonic one, which cannot; and the true time."""

    store: Store
    clock: Time
    up: float = 1000.0
    real: float = field(init=False)

    def __post_init__(self) -> None:
        self.real = self.clock.now

    def uptime(self) -> float:
        return self.up

    def pass_(self, seconds: float) -> None:
        """Let time pass, whether the bot is running or not."""
        self.clock.pass_(seconds)
        self.up += seconds
        self.real += seconds

    def pause(self, seconds: float) -> None:
        """Freeze the machine without its knowledge; afterwards the network corrects its clock."""
        self.clock.pass_(seconds)
        self.real += seconds

    def boot(self) -> None:
        """Restart the machine, which resets its monotonic clock."""
        self.up = 1.0

    def discord(self, core: Core) -> None:
        """Have a core see what Discord, whose clock is always right, makes now."""
        core.discord.note(made(self.real))


@pytest.fixture
def machine(store: Store, clock: Time) -> Machine:
    return Machine(store, clock)


def process(machine: Machine) -> Core:
    """The core of a new process that is not connected to Discord yet."""
    core = Core(machine.store, parts=PARTS, now=machine.clock)
    core.service(Heartbeats).keep(machine.uptime, owner_id=OWNER)
    return core


async def connected(machine: Machine) -> Core:
    """The core of a new process that is connected to Discord."""
    core = process(machine)
    await core.service(Heartbeats).beat()
    return core


@pytest.fixture
async def running(machine: Machine) -> Core:
    return await connected(machine)


async def beats(core: Core, machine: Machine, seconds: float) -> None:
    """Let time pass while the bot is running, with a heartbeat every few minutes."""
    while seconds > 0:
        step = min(seconds, 4 * MINUTE)
        machine.pass_(step)
        seconds -= step
        await core.service(Heartbeats).beat()


async def jobs_of_reminders(core: Core) -> list[Job]:
    return [job for job in await jobs(core) if job.kind is JobKind.REMINDER]


async def test_a_bot_that_was_down_for_26_hours_ends_no_game(running: Core, store: Store, machine: Machine) -> None:
    before = (await started(running, ONE_DAY)).table
    await beats(running, machine, HOUR)
    machine.pass_(26 * HOUR)
    again = process(machine)
    assert await again.service(Timing).sweep() == (), "nothing is swept before the heartbeat"
    assert (await again.service(Heartbeats).beat()).given_back == 26 * HOUR
    assert await again.service(Timing).sweep() == (before.id,), "its reminder is found anew"
    assert await jobs_of_reminders(again) == []
    after = (await again.snapshot(before.id)).table
    assert before.deadline is not None
    assert before.notice_at is not None
    assert (after.deadline, after.notice_at) == (before.deadline + 26 * HOUR, before.notice_at + 26 * HOUR)
    assert after.given_back == 26 * HOUR
    async with store.read() as reader:
        (outage,) = await queries.heartbeats.outages_after(reader, 0.0)
    assert (outage.name, outage.since, outage.until) == ("main", machine.clock.now - 26 * HOUR, machine.clock.now)
    await beats(again, machine, 11 * HOUR)
    assert await again.service(Timing).sweep() == (before.id,)
    (reminder,) = await jobs_of_reminders(again)
    assert reminder.payload["which"] == "half"
    await beats(again, machine, 12 * HOUR + WAITS)
    await again.service(Timing).sweep()
    assert (await again.snapshot(before.id)).table.status is Status.FINISHED


DAMAGE = {
    "a reminder for nobody": "UPDATE outbox SET payload = '{}' WHERE table_id = 1 AND kind = 'reminder'",
    "a reminder for an endless id": """UPDATE outbox SET payload = json_set(payload, '$.user', 1e30) WHERE table_id = 1""",
    "a reminder at no time": "UPDATE outbox SET due = 1e12, key = 'x' WHERE table_id = 1 AND kind = 'reminder'",
    "a server without an id": "INSERT INTO servers (guild_id, settings, left_at) VALUES ('x', '{}', 5.0)",
    "a server that was left at no time": "INSERT INTO servers (guild_id, settings, left_at) VALUES (99, '{}', 'x')",
    "a server that was left before all time": "INSERT INTO servers (guild_id, settings, left_at) VALUES (99, '{}', -1e300)",
    "a heartbeat of its own at no time": "UPDATE heartbeats SET at = 'x'",
    "a heartbeat of others after all time": "INSERT INTO heartbeats (name, at) VALUES ('shard 0 of 2', 1e300)",
}


@pytest.mark.parametrize("what", quick_first(1, DAMAGE))
async def test_a_damaged_row_does_not_stop_other_clocks(running: Core, store: Store, machine: Machine, what: str) -> None:
    for user in (ANN, BEN):
        await running.service(Users).change(user.id, quiet_from=120, quiet_until=360)
    await started(running, ONE_DAY)
    sound = (await started(running, ONE_DAY)).table.id
    await beats(running, machine, 13 * HOUR)
    await running.service(Timing).sweep()
    hurt(store, DAMAGE[what])
    machine.pass_(6 * HOUR)
    again = process(machine)
    assert (await again.service(Heartbeats).beat()).halted is None
    assert await again.service(Membership).reconcile(lambda guild_id: guild_id % 1 == 0, lambda _: True) == ()
    assert await again.service(Membership).forget_due() == ()
    assert await again.service(Membership).next_due() is None
    assert [job.table_id for job in await jobs(again) if job.kind is JobKind.REMINDER and job.table_id == sound]
    await beats(again, machine, 25 * HOUR)
    await again.service(Timing).sweep()
    assert (await again.snapshot(sound)).table.status is Status.FINISHED


async def test_some_minutes_are_no_outage(running: Core, machine: Machine) -> None:
    before = (await started(running, ONE_DAY)).table
    for _ in range(3):
        machine.pass_(5 * MINUTE)
        running = process(machine)
        assert (await running.service(Heartbeats).beat()).given_back is None
    assert (await running.snapshot(before.id)).table == before


async def test_without_a_session_time_does_not_count_and_is_given_back(running: Core, machine: Machine) -> None:
    before = (await started(running, ONE_DAY)).table
    await beats(running, machine, 23 * HOUR)
    running.service(Heartbeats).pause()
    machine.pass_(2 * HOUR)
    assert await running.service(Timing).sweep() == ()
    assert await running.service(Timing).next_due() is None
    assert (await running.service(Heartbeats).beat()).given_back == 2 * HOUR
    await running.service(Timing).sweep()
    assert (await running.snapshot(before.id)).table.status is Status.PLAYING
    assert await running.service(Timing).next_due() == machine.clock.now + HOUR + WAITS


async def test_a_machine_that_slept_was_away(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    await beats(running, machine, 23 * HOUR)
    machine.pass_(8 * HOUR)
    assert await running.service(Timing).sweep() == (), "the clock wakes up before the heart"
    beat = await running.service(Heartbeats).beat()
    assert (beat.given_back, beat.halted) == (8 * HOUR, None)
    await running.service(Timing).sweep()
    assert (await table_of(running, snapshot)).status is Status.PLAYING


async def test_a_move_is_accepted_before_the_time_is_given_back(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    machine.pass_(26 * HOUR)
    again = process(machine)
    played = await again.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    assert played.snapshot.table.deadline == machine.clock.now + DAY
    machine.pass_(1.0)
    await again.service(Heartbeats).beat()
    after = await table_of(again, snapshot)
    assert after.deadline == machine.clock.now + DAY, "the outage is not given back to a turn that began after it"


async def test_with_heartbeats_a_move_after_the_deadline_is_still_too_late(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    await beats(running, machine, DAY)
    with pytest.raises(WrongStage):
        await running.service(Play).act(snapshot.table.id, ANN, "b2 b3")


async def test_outages_in_a_turn_add_up_and_a_new_turn_has_none(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    for hours in (2, 3):
        machine.pass_(hours * HOUR)
        running = await connected(machine)
    assert (await table_of(running, snapshot)).given_back == 5 * HOUR
    played = await running.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    assert played.snapshot.table.given_back is None


async def test_open_tables_and_games_without_a_clock_wait_longer_too(running: Core, machine: Machine) -> None:
    begin = machine.clock.now
    opened = await running.service(Lobby).open(CLEO, BOUNCERS)
    untimed = await started(running, UNTIMED)
    machine.pass_(50 * DAY)
    again = await connected(machine)
    await again.service(Timing).sweep()
    still = await table_of(again, opened)
    assert (still.status, still.deadline) == (Status.OPEN, begin + OPEN_FOR + 50 * DAY)
    game = await table_of(again, untimed)
    assert (game.deadline, game.notice_at) == (begin + ABANDONED_AFTER + 50 * DAY, begin + WARNED_AFTER + 50 * DAY)
    assert game.given_back is None, "there is no clock to tell of"


@pytest.mark.parametrize(("away", "given"), [(DAY, 0.0), (3 * DAY, DAY), (5 * DAY, 3 * DAY)])
async def test_an_outage_in_a_vacation_changes_nothing(running: Core, machine: Machine, away: float, given: float) -> None:
    snapshot = await started(running, ONE_DAY)
    other = await started(running, ONE_DAY, DEV)
    await beats(running, machine, HOUR)
    await running.service(Users).begin_vacation(ANN.id, 2)
    before = await table_of(running, snapshot)
    machine.pass_(away)
    again = await connected(machine)
    after = await table_of(again, snapshot)
    assert before.deadline is not None
    assert after.deadline == before.deadline + given
    assert (after.given_back or 0.0) == given
    assert (await table_of(again, other)).deadline == after.deadline


async def test_the_vacation_of_somebody_not_awaited_stops_no_clock(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    await running.service(Users).begin_vacation(BEN.id, 2)
    machine.pass_(DAY)
    again = await connected(machine)
    assert (await table_of(again, snapshot)).given_back == DAY


async def test_a_waiting_reminder_disturbs_nobody_after_an_outage(running: Core, machine: Machine) -> None:
    await running.service(Users).change(ANN.id, zone="UTC", quiet_from=22 * 60, quiet_until=8 * 60)
    await started(running, ONE_DAY)
    await beats(running, machine, 12 * HOUR)  # until midnight
    await running.service(Timing).sweep()
    midnight = machine.clock.now
    assert await running.service(Timing).next_due() == midnight + 8 * HOUR
    machine.pass_(23 * HOUR)
    again = await connected(machine)
    await again.service(Timing).sweep()
    assert await jobs_of_reminders(again) == []
    assert await again.service(Timing).next_due() == midnight + DAY + 8 * HOUR


async def test_only_a_few_boards_are_edited_after_an_outage(running: Core, machine: Machine) -> None:
    for n in range(25):
        await started(running, replace(ONE_DAY, channel_id=100 + n, guild_id=200 + n))
        await beats(running, machine, 4 * MINUTE)
    machine.pass_(DAY)
    again = await connected(machine)
    refreshed = [job.table_number for job in await jobs(again) if job.kind is JobKind.REFRESH]
    assert sorted(refreshed) == list(range(1, 21))


async def test_without_heartbeats_the_last_activity_counts(core: Core, machine: Machine) -> None:
    snapshot = await started(core, ONE_DAY)
    machine.pass_(3 * DAY)
    first = process(machine)
    assert (await first.service(Heartbeats).beat()).given_back == 3 * DAY
    await first.service(Timing).sweep()
    assert (await table_of(first, snapshot)).status is Status.PLAYING


async def test_a_new_database_has_had_no_outage(machine: Machine) -> None:
    beat = await process(machine).service(Heartbeats).beat()
    assert (beat.given_back, beat.halted, beat.news) == (None, None, False)


@pytest.mark.parametrize("first", ["heartbeat", "server"])
async def test_a_server_returning_after_an_outage_gets_its_time_once(running: Core, machine: Machine, first: str) -> None:
    snapshot = await started(running, ONE_DAY)
    await beats(running, machine, HOUR)
    await running.service(Membership).begin_grace(BOUNCERS.guild_id)
    await beats(running, machine, 2 * HOUR)
    machine.pass_(5 * HOUR)
    again = process(machine)
    if first == "heartbeat":
        await again.service(Heartbeats).beat()
    assert await again.service(Membership).end_grace(BOUNCERS.guild_id)
    if first == "server":
        await again.service(Heartbeats).beat()
    assert (await table_of(again, snapshot)).deadline == machine.clock.now + 23 * HOUR


async def test_a_clock_that_jumps_makes_the_bot_forget_no_server(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    await running.service(Membership).begin_grace(BOUNCERS.guild_id)
    machine.clock.pass_(365 * DAY)
    assert await running.service(Membership).forget_due() == ()
    await running.service(Heartbeats).beat()
    assert await running.service(Membership).next_due() is None
    await running.service(Heartbeats).resume()
    await process(machine).service(Heartbeats).beat()
    assert await running.service(Membership).forget_due() == ()
    await running.service(Membership).end_grace(BOUNCERS.guild_id)
    assert (await table_of(running, snapshot)).deadline == machine.clock.now + DAY


async def test_an_unreadable_table_keeps_no_time_from_others(running: Core, store: Store, machine: Machine) -> None:
    broken, sound = await started(running, ONE_DAY), await started(running, ONE_DAY)
    await running.service(Users).begin_vacation(ANN.id, 2)
    async with store.write() as writer:
        await queries.tables.change(writer, broken.table.id, version=7)
    machine.pass_(3 * DAY)
    again = process(machine)
    assert (await again.service(Heartbeats).beat()).given_back == 3 * DAY
    assert (await table_of(again, sound)).given_back == DAY


@pytest.mark.parametrize("jump", quick_first(1, [3 * HOUR, -365 * DAY, 365 * DAY, -3 * HOUR]))
async def test_a_jumping_clock_stops_time_outs_until_the_operator_acts(running: Core, machine: Machine, jump: float) -> None:
    snapshot = await started(running, ONE_DAY)
    await beats(running, machine, 23 * HOUR)
    machine.clock.pass_(jump)
    assert await running.service(Timing).sweep() == (), "nobody has noticed yet, and nothing happens all the same"
    beat = await running.service(Heartbeats).beat()
    assert beat.news
    assert beat.halted is not None
    assert f"jumped {'forward' if jump > 0 else 'back'} by {duration(abs(jump))}" in beat.halted
    await beats(running, machine, 2 * HOUR)
    assert await running.service(Timing).sweep() == ()
    assert (await table_of(running, snapshot)).status is Status.PLAYING

    played = await running.service(Play).act(snapshot.table.id, ANN, "b2 b3")
    assert played.snapshot.table.version == 1, "games can be played all the same"
    again = process(machine)
    assert (await again.service(Heartbeats).beat()).halted == beat.halted, "a new start changes nothing"

    assert await Heartbeats(Core(machine.store, parts=PARTS, now=machine.clock)).resume()
    assert (await table_of(again, snapshot)).deadline == machine.clock.now + DAY
    machine.pass_(MINUTE)
    on = await again.service(Heartbeats).beat()
    assert (on.halted, on.news, on.given_back) == (None, True, None)
    assert await again.service(Timing).sweep() == (snapshot.table.id,), "its reminders are found anew"
    assert await again.service(Timing).next_due() == machine.clock.now - MINUTE + DAY / 2


async def test_setting_the_clock_by_a_few_seconds_does_no_harm(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    for step in (5.0, -5.0, 90.0, -90.0):
        machine.clock.pass_(step)
        machine.pass_(MINUTE)
        beat = await running.service(Heartbeats).beat()
        assert (beat.halted, beat.given_back) == (None, None)
    assert (await table_of(running, snapshot)).given_back is None
    await beats(running, machine, DAY)
    await running.service(Timing).sweep()
    assert (await table_of(running, snapshot)).status is Status.FINISHED


@pytest.mark.slow
@pytest.mark.parametrize("away", [-HOUR, -1000 * DAY, 61 * DAY, 400 * DAY])
async def test_an_impossible_clock_at_the_start_stops_time_outs(running: Core, machine: Machine, away: float) -> None:
    snapshot = await started(running, ONE_DAY)
    machine.boot()
    machine.clock.pass_(away)
    again = process(machine)
    beat = await again.service(Heartbeats).beat()
    assert beat.halted is not None
    assert beat.halted.startswith("The clock of this machine shows ")
    await beats(again, machine, 2 * DAY)
    assert await again.service(Timing).sweep() == ()
    assert (await table_of(again, snapshot)).status is Status.PLAYING
    assert await again.service(Heartbeats).resume()
    assert not await again.service(Heartbeats).resume()


async def test_a_paused_machine_was_away_and_nobody_need_act(running: Core, store: Store, machine: Machine) -> None:
    before = (await started(running, ONE_DAY)).table
    machine.discord(running)
    await beats(running, machine, HOUR)
    machine.pause(26 * HOUR)
    assert await running.service(Timing).sweep() == ()
    assert (await running.service(Heartbeats).beat()).halted is not None, "so far it may be a clock that was set wrong"
    assert await owner_is_told(running) == []
    machine.pass_(MINUTE)
    machine.discord(running)
    machine.pass_(MINUTE)
    beat = await running.service(Heartbeats).beat()
    assert (beat.halted, beat.news, beat.given_back) == (None, True, 26 * HOUR + 2 * MINUTE)
    assert (await running.snapshot(before.id)).table.deadline == (before.deadline or 0.0) + 26 * HOUR + 2 * MINUTE
    async with store.read() as reader:
        (outage,) = await queries.heartbeats.outages_after(reader, 0.0)
    assert outage.until - outage.since == beat.given_back
    await beats(running, machine, HOUR)
    assert await owner_is_told(running) == [], "all went well by itself"


async def test_a_click_right_after_a_pause_shows_the_outage(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    machine.discord(running)
    machine.pause(3 * HOUR)
    machine.discord(running)
    beat = await running.service(Heartbeats).beat()
    assert (beat.halted, beat.given_back) == (None, 3 * HOUR)
    assert (await table_of(running, snapshot)).deadline == (snapshot.table.deadline or 0.0) + 3 * HOUR


async def test_a_short_pause_saves_a_turn_that_would_end_in_it(running: Core, machine: Machine) -> None:
    snapshot = await started(running, replace(ONE_DAY, clock=int(HOUR)))
    await beats(running, machine, HOUR - 1 * MINUTE)
    machine.pause(4 * MINUTE)
    machine.discord(running)
    assert (await running.service(Heartbeats).beat()).given_back is None
    assert (await table_of(running, snapshot)).deadline == (snapshot.table.deadline or 0.0) + 4 * MINUTE


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("jump", [3 * HOUR, -3 * HOUR, -3 * DAY, 365 * DAY])
async def test_nobody_loses_by_what_a_wrong_clock_wrote(running: Core, machine: Machine, jump: float, restarts: bool) -> None:
    snapshot, other = await started(running, ONE_DAY), await started(running, ONE_DAY)
    machine.discord(running)
    await beats(running, machine, HOUR)
    machine.clock.pass_(jump)
    await running.service(Heartbeats).beat()
    await running.service(Play).act(other.table.id, ANN, first_action(other))
    for _ in range(30):
        machine.discord(running)
        await beats(running, machine, 4 * MINUTE)
        assert await running.service(Timing).sweep() == ()
    assert await owner_is_told(running) == [OWNER]
    again = process(machine) if restarts else running
    machine.discord(again)
    assert (await again.service(Heartbeats).beat()).halted is not None, "a new start changes nothing"
    machine.clock.pass_(-jump)
    beat = await again.service(Heartbeats).beat()
    assert (beat.halted, beat.given_back) == (None, None)
    for one in (snapshot, other):
        table = await table_of(again, one)
        assert (table.status, table.deadline) == (Status.PLAYING, machine.clock.now + DAY)


async def test_doubts_of_another_number_of_shards_end_too(neighbours: Shards, store: Store, machine: Machine) -> None:
    machine.clock.pass_(3 * HOUR)
    assert (await neighbours[0].service(Heartbeats).beat()).halted is not None
    again = await shard_of(machine, GUILD, 2)
    assert (await again.service(Heartbeats).beat()).halted is not None
    machine.clock.pass_(-3 * HOUR)
    machine.discord(again)
    assert (await again.service(Heartbeats).beat()).halted is None
    async with store.read() as reader:
        assert [beat.name for beat in await queries.heartbeats.find(reader) if beat.halted is not None] == []
    assert await doubts(again) == []


@pytest.mark.parametrize(("wrong", "left"), [(-5 * DAY, DAY), (5 * DAY, HOUR)], ids=["ahead", "behind"])
async def test_correcting_a_wrong_clock_costs_nobody_time(running: Core, machine: Machine, wrong: float, left: float) -> None:
    machine.real += wrong
    snapshot = await started(running, ONE_DAY)
    machine.discord(running)
    await beats(running, machine, 23 * HOUR)
    machine.clock.pass_(wrong)
    beat = await running.service(Heartbeats).beat()
    assert (beat.halted, beat.given_back is None) == (None, wrong < 0)
    assert (await table_of(running, snapshot)).deadline == machine.clock.now + left


async def test_after_months_discord_shows_that_the_clock_is_right(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    machine.pass_(100 * DAY)
    machine.boot()
    again = process(machine)
    assert (await again.service(Heartbeats).beat()).halted is not None
    machine.discord(again)
    assert (await again.service(Heartbeats).beat()).given_back == 100 * DAY
    assert (await table_of(again, snapshot)).deadline == (snapshot.table.deadline or 0.0) + 100 * DAY


async def test_the_owner_is_told_once_unless_the_operator_acts(neighbours: Shards, machine: Machine) -> None:
    machine.clock.pass_(3 * HOUR)
    for core in neighbours:
        assert (await core.service(Heartbeats).beat()).halted is not None
    (owed,) = await doubts(neighbours[0])
    assert (owed.due, owed.payload, owed.place) == (machine.clock.now + CONFIRMED_WITHIN, {"to": OWNER}, f"person {OWNER}")
    await neighbours[0].service(Heartbeats).resume()
    assert await doubts(neighbours[0]) == []


async def doubts(core: Core) -> list[Job]:
    return [job for job in await jobs(core) if job.kind is JobKind.CLOCK_DOUBTED]


async def owner_is_told(core: Core) -> list[int]:
    """The people who have been told that the clock cannot be right."""
    return [job.payload["to"] for job in await core.service(Outbox).due() if job.kind is JobKind.CLOCK_DOUBTED]


async def test_a_jump_back_delays_no_job(running: Core, machine: Machine) -> None:
    await started(running, ONE_DAY)
    machine.clock.pass_(-DAY)
    assert await running.service(Outbox).due() == ()
    await running.service(Heartbeats).beat()
    assert JobKind.BOARD in {job.kind for job in await running.service(Outbox).due()}


async def test_when_the_operator_acts_a_vacation_still_comes_first(running: Core, machine: Machine) -> None:
    snapshot = await started(running, ONE_DAY)
    person = await running.service(Users).begin_vacation(ANN.id, 5)
    machine.clock.pass_(DAY)
    await running.service(Heartbeats).beat()
    await running.service(Heartbeats).resume()
    assert person.vacation_until is not None
    assert (await table_of(running, snapshot)).deadline == person.vacation_until + DAY


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(20.0, "0 min"), (300.0, "5 min"), (3600.0, "1 h"), (93_900.0, "26 h 5 min"), (40 * DAY, "40 d"), (3571.0, "1 h")],
)
def test_an_outage_is_measured_in_few_characters(seconds: float, said: str) -> None:
    assert duration(seconds) == said


async def test_an_outage_moves_a_period_of_grace(running: Core, machine: Machine) -> None:
    snapshot = await started(running, replace(ONE_DAY, strict=False))
    await beats(running, machine, DAY + WAITS)
    await running.service(Timing).sweep()
    ends = machine.clock.now + DAY
    assert (await table_of(running, snapshot)).deadline == ends
    machine.pass_(26 * HOUR)
    again = await connected(machine)
    await again.service(Timing).sweep()
    table = await table_of(again, snapshot)
    assert (table.deadline, table.grace, table.status) == (ends + 26 * HOUR, Grace.RUNNING, Status.PLAYING)


async def shard_of(machine: Machine, guild_id: int, of: int) -> Core:
    """The core of the shard that serves a server, in a new process."""
    share = ShardFilter((guild_id >> 22) % of, of)
    leases, name = Leases(machine.store), f"shard {share.shard} of {of}"
    await leases.add(name)
    lease = await leases.claim(name, "this process", 3600.0)
    assert lease is not None
    core = Core(machine.store.part(share, name, lease.fence), parts=PARTS, now=machine.clock, name=name)
    core.service(Heartbeats).keep(machine.uptime, owner_id=OWNER)
    return core


GUILD = BOUNCERS.guild_id
NEIGHBOUR = GUILD + (1 << 22)
"""A server that another shard serves whenever there are several."""


@pytest.fixture
async def neighbours(machine: Machine) -> Shards:
    """Two of three shards."""
    shards = await shard_of(machine, GUILD, 3), await shard_of(machine, NEIGHBOUR, 3)
    for core in shards:
        await core.service(Heartbeats).beat()
    return shards


async def test_an_outage_of_a_shard_is_given_back_only_there(neighbours: Shards, machine: Machine) -> None:
    here, there = neighbours
    ours = (await started(here, ONE_DAY)).table
    theirs = (await started(there, replace(ONE_DAY, guild_id=NEIGHBOUR))).table
    here.service(Heartbeats).pause()
    await beats(there, machine, 3 * HOUR)
    assert (await here.service(Heartbeats).beat()).given_back == 3 * HOUR
    assert (await here.snapshot(ours.id)).table.deadline == (ours.deadline or 0.0) + 3 * HOUR
    assert (await there.snapshot(theirs.id)).table.deadline == theirs.deadline
    assert await here.service(Timing).sweep() == (ours.id,), "its reminders are found anew"
    await beats(there, machine, 22 * HOUR)
    assert await there.service(Timing).sweep() == (theirs.id,)


async def test_a_shard_taken_over_in_time_had_no_outage(neighbours: Shards, machine: Machine) -> None:
    here, _ = neighbours
    before = (await started(here, ONE_DAY)).table
    machine.pass_(4 * MINUTE + 30.0)
    after = await shard_of(machine, GUILD, 3)
    assert (await after.service(Heartbeats).beat()).given_back is None
    assert (await after.snapshot(before.id)).table.deadline == before.deadline


@pytest.mark.parametrize("of", [2, 5])
async def test_time_without_shards_is_given_back(neighbours: Shards, machine: Machine, of: int) -> None:
    here, there = neighbours
    before = (await started(here, ONE_DAY)).table
    await beats(there, machine, HOUR)
    machine.pass_(2 * HOUR)
    again = await shard_of(machine, GUILD, of)
    assert (await again.service(Heartbeats).beat()).given_back == 2 * HOUR
    assert (await again.snapshot(before.id)).table.deadline == (before.deadline or 0.0) + 2 * HOUR


async def test_a_process_that_becomes_several_gives_time_back_once(running: Core, machine: Machine) -> None:
    before = (await started(running, ONE_DAY)).table
    machine.pass_(2 * HOUR)
    for guild_id in (GUILD, NEIGHBOUR):
        assert (await (await shard_of(machine, guild_id, 2)).service(Heartbeats).beat()).given_back == 2 * HOUR
    assert (await running.snapshot(before.id)).table.deadline == (before.deadline or 0.0) + 2 * HOUR


async def test_an_old_number_of_shards_says_nothing_of_later(neighbours: Shards, machine: Machine) -> None:
    here, _ = neighbours
    before = (await started(here, ONE_DAY)).table
    of_five = await shard_of(machine, GUILD, 5)
    await beats(of_five, machine, 3 * HOUR)
    machine.pass_(HOUR)
    again = await shard_of(machine, GUILD, 3)
    assert (await again.service(Heartbeats).beat()).given_back == HOUR
    assert (await again.snapshot(before.id)).table.deadline == (before.deadline or 0.0) + HOUR


async def test_the_shard_of_the_table_looks_at_vacations(neighbours: Shards, machine: Machine) -> None:
    here, there = neighbours
    ours = (await started(here, ONE_DAY)).table
    await here.service(Users).begin_vacation(ANN.id, 2)
    resting = (await here.snapshot(ours.id)).table.deadline
    there.service(Heartbeats).pause()
    await beats(here, machine, 3 * HOUR)
    assert (await there.service(Heartbeats).beat()).given_back == 3 * HOUR
    assert (await here.snapshot(ours.id)).table.deadline == resting
    here.service(Heartbeats).pause()
    machine.pass_(HOUR)
    await here.service(Heartbeats).beat()
    assert (await here.snapshot(ours.id)).table.deadline == resting, "somebody who is away loses no time by an outage"
