"""The daily puzzle: counted once and in time, with forgiving streaks, badges, and shared places in tables."""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.core.clocks.heartbeats import Heartbeats
from bot.core.core import Core
from bot.core.people import DAYS_BETWEEN, Users
from bot.core.table.errors import Refused
from bot.core.table.snapshot import User
from bot.features.posts import sql as posts_sql
from bot.features.posts.service import Posts
from bot.features.privacy.service import Privacy
from bot.features.puzzles.daily import Dailies, Span, TableRow
from bot.features.puzzles.service import Progress, Puzzles
from bot.features.puzzles.streaks import FEWEST, MONTH, Badge, Streak, away_in, badges, in_time, streak_now, streak_on
from bot.parts import PARTS
from opponents.puzzles.puzzle import Puzzle
from storage import queries
from storage.schema.puzzle_records import PuzzleAttempt
from storage.schema.records import Heartbeat, JobKind, Outage, PostKind, PuzzleOutcome
from storage.store import Store
from tests.bot.puzzles import LONG, PRACTICE, PUCKS, SHORT, collection, numbered, puzzles, wrong_actions
from tests.bot.service import ANN, BEN, CLEO, DAY, DEV, HOUR, Departed, Time, jobs
from tests.storage.samples import a_post

DAYS = tuple(numbered(SHORT, 1 + number) for number in range(40))
KNOWN = collection(*PRACTICE, days=DAYS)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    opened = await Store.open(address)
    yield opened
    await opened.close()


def service(store: Store, clock: Time, days: Sequence[Puzzle | None] = DAYS) -> Core:
    with puzzles(collection(*PRACTICE, days=tuple(days))):
        return Core(store, parts=PARTS, now=clock)


@pytest.fixture
def core(store: Store, clock: Time) -> Core:
    return service(store, clock)


async def solve(core: Core, user: User = ANN, *, wrong: int = 0, guild: int = 10) -> PuzzleAttempt:
    """Solve today’s puzzle after some wrong moves."""
    step = Progress(await core.service(Dailies).begin(user, guild))
    puzzle = step.solving.puzzle
    for action in (*[wrong_actions(puzzle)[0]] * wrong, *puzzle.own):
        step = await core.service(Puzzles).play(user.id, puzzle.name, step.solving.attempt.version, action)
    return step.solving.attempt


def attempt(
    day: int, streak: int = 1, *, forgiven: int | None = None, wrong: int = 0, puzzle: Puzzle | None = None
) -> PuzzleAttempt:
    """An attempt that solved a day’s puzzle at noon."""
    noon = KNOWN.calendar.begins(day) + DAY / 2
    return PuzzleAttempt(
        user_id=1, puzzle=(DAYS[day - 1] if puzzle is None else puzzle).name, name="Ann", day=day, day_ends=noon + DAY / 2,
        began_at=noon, ended_at=noon, used_at=noon, outcome=PuzzleOutcome.SOLVED, judged=(*[False] * wrong, True),
        ongoing=False, solved=1, streak=streak, forgiven=forgiven,
    )  # fmt: skip


def streaks(days: str, excused: str = "") -> list[int]:
    """The streak on each solved day: "x" marks solved days, "e" excused ones."""
    solved: list[PuzzleAttempt] = []
    for day, mark in enumerate(days, 1):
        if mark == "x":
            streak = streak_on(day, solved, lambda one: excused[one - 1 : one] == "e")
            solved.insert(0, attempt(day, streak.days, forgiven=streak.forgiven))
    return [one.streak or 0 for one in reversed(solved)]


@pytest.mark.parametrize(("days", "excused", "found"), [
    ("xxx", "", [1, 2, 3]),
    ("x.xx", "", [1, 2, 3]),
    ("x..x", "", [1, 1]),
    ("x.x.xx", "", [1, 2, 1, 2]),
    ("x.xxxxxx.x", "", [1, 2, 3, 4, 5, 6, 7, 8]),
    ("x.xxxxx.x", "", [1, 2, 3, 4, 5, 6, 1]),
    ("x..........x", ".eeeeeeeeee.", [1, 2]),
    ("x..........x", "..eeeeeeee..", [1, 2]),
    ("x....x", ".ee...", [1, 1]),
    ("..x", "", [1]),
    ("x..x.x", "", [1, 1, 2]),
])  # fmt: skip
def test_a_streak_forgives_one_missed_day_a_week_and_none_in_a_vacation(days: str, excused: str, found: list[int]) -> None:
    assert streaks(days, excused) == found


def test_a_streak_ends_with_an_unforgiven_day() -> None:
    known = [attempt(3, 3), attempt(2, 2), attempt(1)]
    assert [streak_now(today, known, lambda _: False) for today in (3, 4, 5, 6)] == [3, 3, 3, 0]
    assert (streak_now(9, known, lambda _: True), streak_now(1, [], lambda _: False)) == (3, 0)
    assert streak_on(5, known, lambda _: False) == Streak(4, 4)


@pytest.mark.parametrize("hour", [0, 5, 12, 23])
def test_only_the_last_vacation_needs_to_be_known(hour: int) -> None:
    begins = KNOWN.calendar.begins

    def excused_by(*vacations: tuple[float, float]) -> Callable[[int], bool]:
        return lambda day: any(begin < begins(day + 1) and end > begins(day) for begin, end in vacations)

    for first_days, second_days in product((1, 5, 14), repeat=2):
        first = begins(2) + hour * HOUR, begins(2 + first_days) + hour * HOUR
        second = first[1] + DAYS_BETWEEN * DAY, first[1] + (DAYS_BETWEEN + second_days) * DAY
        back, known = 3 + first_days + DAYS_BETWEEN + second_days, [attempt(1)]
        assert begins(back) > second[1]
        assert streak_on(back, known, excused_by(first, second)) == streak_on(back, known, excused_by(second)) == Streak(1), (
            "the days between two vacations are missed anyway"
        )


def test_damaged_days_count_for_nothing() -> None:
    sound = attempt(2)
    for damaged in (
        replace(sound, day=-(2**62)), replace(sound, day=0), replace(sound, day=2**62), replace(sound, ended_at=None),
        replace(sound, outcome=PuzzleOutcome.GIVEN_UP), replace(sound, ended_at=sound.began_at + DAY),
    ):  # fmt: skip
        assert not in_time(damaged, KNOWN)
    assert in_time(sound, KNOWN)


def test_badges_are_for_patterns() -> None:
    week = [attempt(day, day - 7, wrong=1) for day in range(8, 15)]
    assert (badges(week[:6], KNOWN), badges(week, KNOWN)) == ((), (Badge.WEEK,))
    assert badges([attempt(31, MONTH, wrong=1)], KNOWN) == (Badge.WEEK, Badge.MONTH)
    assert badges([attempt(day) for day in range(8, 15)], KNOWN) == (Badge.FLAWLESS,)
    assert badges([attempt(day) for day in range(7, 14)], KNOWN) == (), "a week begins on a Monday"
    several = collection(days=(LONG, PUCKS, *DAYS[2:FEWEST]))
    solved = [attempt(1, puzzle=LONG, wrong=1), attempt(2, puzzle=PUCKS)]
    assert (badges(solved, several), badges(solved[:1], several)) == ((Badge.KINDS,), ())
    assert badges([], several) == ()


async def test_the_first_attempt_counts_for_the_streak_and_later_ones_do_not(core: Core, clock: Time) -> None:
    first = await solve(core, wrong=2)
    assert (first.day, first.streak, first.judged, first.guild_id) == (1, 1, (False, False, True), 10)
    assert (await core.service(Dailies).begin(ANN, 11)).attempt == first, "it is over, and that is shown"
    clock.pass_(DAY)
    assert (await core.service(Dailies).standing(ANN.id, 10)).streak == 1
    assert (await solve(core)).streak == 2
    clock.pass_(2 * DAY)
    assert (await solve(core)).streak == 3
    clock.pass_(DAY)
    await core.service(Dailies).begin(ANN, 10)
    assert (await core.service(Puzzles).give_up(ANN.id, DAYS[4].name, 0)).solving.attempt.streak is None
    assert (await core.service(Dailies).standing(ANN.id, 10)).streak == 3
    clock.pass_(DAY)
    assert (await solve(core)).streak == 1, "two missed days in a week"


async def test_a_vacation_freezes_the_streak(core: Core, clock: Time) -> None:
    await solve(core)
    clock.pass_(DAY)
    await core.service(Users).begin_vacation(ANN.id, 7)
    clock.pass_(5 * DAY)
    assert (await core.service(Dailies).standing(ANN.id, 10)).streak == 1
    clock.pass_(3 * DAY)
    assert (await solve(core)).streak == 2


@pytest.mark.parametrize(("hours", "streak"), [(5.9, 1), (6.0, 2)])
async def test_days_of_a_long_outage_are_not_missed(core: Core, clock: Time, store: Store, hours: float, streak: int) -> None:
    core.service(Heartbeats).keep(clock)
    await core.service(Heartbeats).beat()
    await solve(core)
    midnight = KNOWN.calendar.begins(2)
    for day in range(2):
        clock.now = midnight + day * DAY + HOUR
        core = service(store, clock)
        core.service(Heartbeats).keep(clock)
        async with store.write() as writer:
            await queries.heartbeats.put(writer, Heartbeat(name="main", at=clock.now))
        clock.pass_(hours * HOUR)
        await core.service(Heartbeats).beat()
    clock.now = midnight + 2 * DAY + HOUR
    assert (await solve(core)).streak == streak, "two days in a row: one of them would be forgiven"


def test_overlapping_outages_count_once() -> None:
    assert (away_in(100.0, 200.0, []), away_in(100.0, 200.0, [(0.0, 50.0), (250.0, 300.0)])) == (0.0, 0.0)
    assert away_in(100.0, 200.0, [(150.0, 170.0), (90.0, 110.0), (160.0, 180.0), (165.0, 168.0), (195.0, 400.0)]) == 45.0


SYDNEY, ANGELES = 20, 30
"""Servers whose days begin at nine in the morning there."""


async def at_nine(core: Core, guild_id: int, zone: str, hour: int = 9) -> None:
    daily = PostKind.DAILY
    await core.service(Posts).choose(guild_id, daily, channel_id=guild_id + 1, hour=hour, zone=zone, role_id=None)


async def around_the_world(store: Store, hours: float) -> tuple[Core, Time]:
    """A service with both servers, some hours after the third day’s midnight UTC."""
    clock = Time(KNOWN.calendar.begins(3) + hours * HOUR)
    core = service(store, clock)
    await at_nine(core, SYDNEY, "Australia/Sydney")
    await at_nine(core, ANGELES, "America/Los_Angeles")
    return core, clock


@pytest.mark.parametrize(
    ("hours", "days"),
    [(-7.1, [2, 1, 2]), (-3.0, [2, 2, 2]), (-1.9, [3, 2, 2]), (0.0, [3, 2, 3]), (16.9, [3, 2, 3]), (17.1, [3, 3, 3])],
)
async def test_each_servers_day_begins_at_its_own_nine(store: Store, hours: float, days: list[int]) -> None:
    """In Sydney, in Los Angeles and elsewhere."""
    core, _ = await around_the_world(store, hours)
    assert [(await core.service(Dailies).today(guild_id)).number for guild_id in (SYDNEY, ANGELES, 10)] == days


async def test_a_post_at_nine_in_sydney_is_open_for_a_day(store: Store) -> None:
    core, clock = await around_the_world(store, -1.5)
    begun = await core.service(Dailies).begin(ANN, SYDNEY)
    assert (begun.attempt.day, begun.attempt.day_ends) == (3, KNOWN.calendar.begins(3) + 22 * HOUR)
    clock.pass_(22 * HOUR)
    played = await core.service(Puzzles).play(ANN.id, begun.puzzle.name, 0, begun.puzzle.own[0])
    assert played.solving.attempt.streak == 1


async def test_an_attempt_keeps_its_end_after_a_change_of_hour(store: Store) -> None:
    core, clock = await around_the_world(store, -1.5)
    ann, ben = [await core.service(Dailies).begin(user, SYDNEY) for user in (ANN, BEN)]
    await at_nine(core, SYDNEY, "UTC", 12)
    assert (await core.service(Dailies).begin(ANN, SYDNEY)).attempt.day == 2, "by the new hour, that day goes on"
    assert (await core.service(Puzzles).get(ANN.id, ann.puzzle.name)).attempt == ann.attempt
    clock.pass_(22 * HOUR)
    await core.service(Puzzles).play(ANN.id, ann.puzzle.name, 0, ann.puzzle.own[0])
    clock.pass_(3 * HOUR)
    late = await core.service(Puzzles).play(BEN.id, ben.puzzle.name, 0, ben.puzzle.own[0])
    assert late.solving.attempt.streak is None
    assert [entry.name for entry in await core.service(Dailies).table(SYDNEY, Span.TODAY)] == ["Ann"]


async def test_an_open_day_goes_on_after_a_change_of_hour(store: Store) -> None:
    core, clock = await around_the_world(store, -1.5)
    post = await core.service(Posts).get(SYDNEY, PostKind.DAILY)
    assert post is not None
    await core.service(Posts).record(post, core.service(Posts).day_for(post), 500, 0)
    await at_nine(core, SYDNEY, "Australia/Sydney", 21)
    today = await core.service(Dailies).today(SYDNEY)
    assert (today.number, today.ends) == (3, KNOWN.calendar.begins(4) + 10 * HOUR)
    (edit,) = [job for job in await jobs(core) if job.kind is JobKind.POST_EDIT]
    assert edit.due == clock(), "it says when it ends"
    await core.service(Posts).switch_off(SYDNEY, PostKind.DAILY)
    today = await core.service(Dailies).today(SYDNEY)
    assert (today.number, today.ends) == (3, KNOWN.calendar.begins(4)), "without an hour, a day ends at midnight UTC"
    (close,) = [job for job in await jobs(core) if job.kind is JobKind.POST_EDIT]
    assert close.due == today.ends


async def test_a_streak_counts_days_wherever_they_are_solved(store: Store) -> None:
    core, clock = await around_the_world(store, -30.0)
    solved = [await solve(core, guild=ANGELES)]
    clock.now = KNOWN.calendar.begins(2)
    solved.append(await solve(core, guild=10))
    clock.now = KNOWN.calendar.begins(3) - HOUR
    solved.append(await solve(core, guild=SYDNEY))
    assert [(one.day, one.streak) for one in solved] == [(1, 1), (2, 2), (3, 3)]
    standing = [(await core.service(Dailies).standing(ANN.id, guild_id)).streak for guild_id in (SYDNEY, ANGELES, 10)]
    assert standing == [3, 3, 3], "though the third day has not begun in Los Angeles"


async def test_an_earlier_day_solved_after_a_later_one_is_not_missed(store: Store) -> None:
    core, clock = await around_the_world(store, -30.0)
    await solve(core, guild=10)
    clock.now = KNOWN.calendar.begins(3) - HOUR
    third = await solve(core, guild=SYDNEY)
    assert (third.day, third.streak, third.forgiven) == (3, 2, 2)
    second = await solve(core, guild=10)
    assert (second.day, second.streak) == (2, 2)
    async with store.read() as reader:
        counted = await core.service(Puzzles).counted(reader, ANN.id)
    assert [(one.day, one.streak, one.forgiven) for one in counted] == [(3, 3, None), (2, 2, None), (1, 1, None)]


@pytest.mark.parametrize(("away", "streak"), [(5.9, 1), (6.1, 2)])
async def test_an_outage_is_one_of_the_days_of_the_server(store: Store, away: float, streak: int) -> None:
    """It spans two UTC days, but one of Sydney’s."""
    core, clock = await around_the_world(store, 23.0)
    assert (await solve(core, guild=SYDNEY)).day == 4
    midnight = KNOWN.calendar.begins(5)
    async with store.write() as writer:
        for day in range(2):
            since = midnight + day * DAY - HOUR
            await queries.heartbeats.add_outage(writer, Outage(name="main", since=since, until=since + away * HOUR))
    clock.now = midnight + 2 * DAY - HOUR
    assert (await solve(core, guild=SYDNEY)).streak == streak


async def test_what_is_solved_after_midnight_does_not_count(core: Core, clock: Time) -> None:
    begun = await core.service(Dailies).begin(ANN, 10)
    clock.pass_(11 * HOUR + 3599)
    await core.service(Puzzles).play(ANN.id, begun.puzzle.name, 0, wrong_actions(begun.puzzle)[0])
    clock.pass_(1)
    late = await core.service(Puzzles).play(ANN.id, begun.puzzle.name, 1, begun.puzzle.own[0])
    assert (late.solving.attempt.outcome, late.solving.attempt.streak) == (PuzzleOutcome.SOLVED, None)
    assert await core.service(Dailies).table(10, Span.YESTERDAY) == ()
    assert (await core.service(Dailies).standing(ANN.id, 10)).streak == 0


async def test_days_without_a_puzzle_are_told_and_not_missed(store: Store) -> None:
    clock = Time()
    core = service(store, clock, (DAYS[0], None, DAYS[2], DAYS[3]))
    await solve(core)
    clock.pass_(DAY)
    with pytest.raises(Refused, match="no daily bounce today"):
        await core.service(Dailies).begin(ANN, 10)
    clock.pass_(2 * DAY)
    assert (await solve(core)).forgiven == 3
    clock.pass_(DAY)
    with pytest.raises(Refused, match="run out of new puzzles"):
        await core.service(Dailies).begin(ANN, 10)
    clock.pass_(-5 * DAY)
    with pytest.raises(Refused, match="begins on <t:1767571200:f>"):
        await core.service(Dailies).begin(ANN, 10)


async def test_only_the_newest_messages_of_a_withdrawn_day_are_edited(core: Core, clock: Time, store: Store) -> None:
    async with store.write() as writer:
        for guild_id, day in ((10, 2), (20, 1), (30, 2)):
            message = 100 * guild_id
            post = a_post(guild_id=guild_id, day=day, message_id=message, posted_in=guild_id + 1, posted_at=clock(), shown=5)
            await posts_sql.put(writer, post)
    clock.pass_(DAY)
    await core.service(Dailies).void(2)
    owed = await jobs(core)
    assert [(job.kind, job.guild_id, job.key, job.place, job.due) for job in owed] == [
        (JobKind.POST_EDIT, 10, "1000", "channel 11", clock()),
        (JobKind.POST_EDIT, 30, "3000", "channel 31", clock()),
    ]
    kept = [await core.service(Posts).get(guild_id, PostKind.DAILY) for guild_id in (10, 20, 30)]
    assert [(post.message_id, post.day) for post in kept if post is not None] == [(None, None), (2000, 1), (None, None)]
    await core.service(Dailies).void(2)
    assert await jobs(core) == owed


async def test_a_withdrawn_day_counts_for_nobody(core: Core, clock: Time) -> None:
    await solve(core)
    clock.pass_(DAY)
    await solve(core, BEN)
    await core.service(Puzzles).report(BEN.id, DAYS[1].name)
    assert await core.service(Dailies).void(2) == (DAYS[1].name, 1)
    assert await core.service(Dailies).void(99) == (None, 0)
    with pytest.raises(Refused, match="Something was wrong with today’s puzzle"):
        await core.service(Dailies).begin(ANN, 10)
    clock.pass_(DAY)
    assert await core.service(Dailies).table(10, Span.YESTERDAY) == ()
    assert (await solve(core)).forgiven is None


async def test_during_the_day_only_the_solvers_are_told(core: Core, clock: Time) -> None:
    for user, wrong in ((CLEO, 0), (ANN, 2), (BEN, 1)):
        clock.pass_(60)
        await solve(core, user, wrong=wrong)
    await solve(core, DEV, guild=11)
    today = await core.service(Dailies).table(10, Span.TODAY)
    assert today == tuple(TableRow(user.id, user.name, 1, None, 0) for user in (ANN, BEN, CLEO)), "in the order of their names"
    for span in (Span.YESTERDAY, Span.WEEK, Span.MONTH):
        assert await core.service(Dailies).table(10, span) == ()
    clock.pass_(DAY)
    rows = [(one.name, one.tries, one.place) for one in await core.service(Dailies).table(10, Span.YESTERDAY)]
    assert rows == [("Cleo", 1, 1), ("Ben", 2, 2), ("Ann", 3, 3)]
    assert await core.service(Dailies).table(10, Span.TODAY) == ()


async def test_equals_share_a_place_in_a_table_of_several_days(core: Core, clock: Time) -> None:
    for day in range(3):
        for user, wrong, days in ((ANN, 1, (0, 1)), (BEN, 0, (0, 1)), (CLEO, 1, (1, 2)), (DEV, 0, (2,))):
            if day in days:
                await solve(core, user, wrong=wrong)
        clock.pass_(DAY)
    expected = [("Ben", 2, 2, 1), ("Ann", 2, 4, 2), ("Cleo", 2, 4, 2), ("Dev", 1, 1, 4)]
    for span in (Span.WEEK, Span.MONTH):
        found = await core.service(Dailies).table(10, span)
        assert [(one.name, one.days, one.tries, one.place) for one in found] == expected
    clock.pass_(7 * DAY)
    assert [one.name for one in await core.service(Dailies).table(10, Span.WEEK)] == []
    assert len(await core.service(Dailies).table(10, Span.MONTH)) == 4
    core.audience = Departed(frozenset({BEN.id, DEV.id}))
    assert [(one.name, one.place) for one in await core.service(Dailies).table(10, Span.MONTH)] == [("Ann", 1), ("Cleo", 1)]
    core.audience = Departed()
    await core.service(Privacy).forget(BEN)
    rows = [(one.name, one.place) for one in await core.service(Dailies).table(10, Span.MONTH)]
    assert rows == [("Ann", 1), ("Cleo", 1), ("Dev", 3)]


async def test_a_damaged_row_is_left_out_of_the_table(tmp_path: Path) -> None:
    store, clock = await Store.open(tmp_path / "games.sqlite3"), Time()
    core = service(store, clock)
    for user in (ANN, BEN):
        await solve(core, user)
    clock.pass_(DAY)
    for damage in ("name = x'00ff'", "judged = '5'", "ended_at = 'x'", "streak = 'x'"):
        async with store.write() as writer:
            await writer.execute(sa.text(f"UPDATE puzzle_attempts SET {damage} WHERE user_id = 2"))
        assert [one.name for one in await core.service(Dailies).table(10, Span.WEEK)] == ["Ann"]
        assert (await core.service(Dailies).standing(ANN.id, 10)).streak == 1
        assert (await core.service(Dailies).standing(BEN.id, 10)).streak == 0
    await store.close()
