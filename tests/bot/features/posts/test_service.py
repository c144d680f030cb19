"""Posts of servers: when a message is owed, in which time zone, and what happens to the one before."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from bot.core.core import NEVER, Core
from bot.features.posts import sql as posts_sql
from bot.features.posts.clock import PostHours
from bot.features.posts.rules import next_hour
from bot.features.posts.service import Posts
from opponents.puzzles.days import Calendar
from storage.schema.records import JobKind, Post, PostKind
from storage.schema.tables import posts as rows
from tests.bot.present import present
from tests.bot.service import DAY, HOUR, Time, jobs
from tests.storage.samples import a_post

DAILY = PostKind.DAILY


@pytest.fixture
def posts(core: Core) -> Posts:
    """Posts with a calendar that begins with the clock, on a Monday."""
    return Posts(core, Calendar((), date(2026, 1, 5)))


def at(text: str, zone: str = "UTC") -> float:
    """A local time as a timestamp."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


def there(moment: float, zone: str) -> str:
    return datetime.fromtimestamp(moment, UTC).astimezone(ZoneInfo(zone)).strftime("%d %H:%M")


@pytest.mark.parametrize(
    ("zone", "hour", "after", "hours"),
    [
        ("UTC", 9, "2026-01-05T08:59", ["05 09:00", "06 09:00"]),
        ("UTC", 9, "2026-01-05T09:00", ["06 09:00", "07 09:00"]),
        ("Pacific/Auckland", 0, "2026-01-05T00:30", ["06 00:00", "07 00:00"]),
        ("America/Los_Angeles", 23, "2026-01-05T00:30", ["05 23:00", "06 23:00"]),
        ("Asia/Kathmandu", 9, "2026-01-05T08:00", ["05 09:00", "06 09:00"]),
        ("Europe/Berlin", 2, "2026-03-28T12:00", ["29 03:00", "30 02:00"]),
        ("Europe/Berlin", 2, "2026-10-24T12:00", ["25 02:00", "26 02:00"]),
        ("Europe/Berlin", 9, "2026-03-28T08:00", ["28 09:00", "29 09:00", "30 09:00"]),
        ("Nowhere/At-all", 9, "2026-01-05T08:00", ["05 09:00"]),
        ("UTC", 33, "2026-01-05T08:00", ["05 09:00"]),
    ],
)
def test_the_next_hour_is_that_of_the_clocks_there(zone: str, hour: int, after: str, hours: list[str]) -> None:
    shown = "UTC" if zone.startswith("Nowhere") else zone
    moment = at(after, shown)
    for expected in hours:
        moment = next_hour(hour, zone, moment)
        assert there(moment, shown) == expected


def test_an_hour_that_comes_twice_counts_once() -> None:
    first = next_hour(2, "Europe/Berlin", at("2026-10-24T12:00"))
    assert next_hour(2, "Europe/Berlin", first) - first == 25 * HOUR


@pytest.mark.parametrize(
    ("zone", "weekday", "after", "hours"),
    [
        ("UTC", 0, "2026-01-05T08:59", ["05 09:00", "12 09:00", "19 09:00"]),
        ("UTC", 0, "2026-01-05T09:00", ["12 09:00", "19 09:00"]),
        ("UTC", 6, "2026-01-05T09:00", ["11 09:00", "18 09:00"]),
        ("Pacific/Auckland", 0, "2026-01-05T08:30", ["05 09:00", "12 09:00"]),
        ("America/Los_Angeles", 4, "2026-01-10T01:00", ["16 09:00", "23 09:00"]),
        ("Europe/Berlin", 6, "2026-03-22T09:00", ["29 09:00", "05 09:00"]),
        ("UTC", 7, "2026-01-05T08:59", ["05 09:00"]),
        ("UTC", -1, "2026-01-05T08:59", ["11 09:00"]),
    ],
)
def test_the_next_hour_on_a_weekday_is_by_local_clocks(zone: str, weekday: int, after: str, hours: list[str]) -> None:
    moment = at(after, zone)
    for expected in hours:
        moment = next_hour(9, zone, moment, weekday)
        assert there(moment, zone) == expected


async def test_a_weekly_message_is_due_on_its_day_and_at_most_a_day_late(core: Core, posts: Posts, clock: Time) -> None:
    post = await posts.choose(10, PostKind.TODAY, channel_id=20, hour=9, zone="UTC", role_id=None, weekday=2)
    assert (post.weekday, post.due) == (2, at("2026-01-07T09:00"))
    clock.pass_(3 * DAY)  # Thursday, 12 o’clock: more than a day late
    assert await core.service(PostHours).owe_due() == (post,)
    assert await kinds(core) == []
    assert await core.service(PostHours).next_due() == at("2026-01-14T09:00")
    clock.pass_(6 * DAY + 20 * HOUR)  # Thursday, 8 o’clock: within a day, and on another one
    (late,) = await core.service(PostHours).owe_due()
    assert await kinds(core) == ["post"]
    assert not posts.is_on_time(late, clock())
    assert await core.service(PostHours).next_due() == at("2026-01-21T09:00")
    clock.pass_(6 * DAY + HOUR)
    (in_time,) = await core.service(PostHours).owe_due()
    assert posts.is_on_time(in_time, clock())


async def chosen(posts: Posts, hour: int = 9, zone: str = "UTC", guild_id: int = 10, channel_id: int = 20) -> Post:
    return await posts.choose(guild_id, DAILY, channel_id=channel_id, hour=hour, zone=zone, role_id=None)


async def kinds(core: Core) -> list[str]:
    return sorted(f"{job.kind} {job.key}".strip() for job in await jobs(core))


async def test_a_message_is_due_at_its_hour_and_again_a_day_later(core: Core, posts: Posts, clock: Time) -> None:
    post = await chosen(posts)
    assert post.due == at("2026-01-06T09:00")
    assert await core.service(PostHours).owe_due() == ()
    clock.pass_(21 * HOUR)
    assert await core.service(PostHours).next_due() == clock()
    assert await core.service(PostHours).owe_due() == (post,)
    (job,) = await jobs(core)
    assert (job.kind, job.subject, job.place, job.payload) == (JobKind.POST, "post daily", "channel 20", {})
    assert await core.service(PostHours).next_due() == at("2026-01-07T09:00")
    assert await core.service(PostHours).owe_due() == ()


async def test_nothing_is_due_while_time_is_suspended(core: Core, posts: Posts, clock: Time) -> None:
    await chosen(posts)
    clock.pass_(22 * HOUR)
    core.counting = NEVER
    assert await core.service(PostHours).next_due() is None
    assert await core.service(PostHours).owe_due() == ()


async def test_the_next_message_closes_the_previous_one_after_its_day(core: Core, posts: Posts, clock: Time) -> None:
    post = await chosen(posts)
    await posts.record(post, 1, 501, 7)
    assert await kinds(core) == []
    await posts.record(post, 1, 501, 7)
    assert await kinds(core) == [], "it is the same one"
    clock.pass_(DAY)
    await posts.record(post, 2, 502, 7)
    (job,) = await jobs(core)
    assert (job.kind, job.key, job.due) == (JobKind.POST_EDIT, "501", clock())
    assert job.payload == {"channel": 20, "message": 501, "day": 1}
    await posts.switch_off(10, DAILY)
    assert [(job.key, job.due) for job in await jobs(core)] == [("501", clock()), ("502", at("2026-01-07T00:00"))]


async def test_a_post_switched_off_while_posting_is_closed(core: Core, posts: Posts) -> None:
    post = await chosen(posts)
    await posts.switch_off(10, DAILY)
    await posts.record(post, 1, 501, 7)
    assert await kinds(core) == ["post-edit 501"]


async def test_a_server_that_never_had_one_has_nothing_to_switch_off(core: Core, posts: Posts) -> None:
    assert await posts.switch_off(10, DAILY) is None
    await posts.record_nothing(10, DAILY)
    await posts.stop(10, DAILY)
    await posts.record(a_post(10), 1, 501, 7)
    await posts.note_refusal(a_post(10), 50013, 3)
    assert await posts.get(10, DAILY) is None
    assert await kinds(core) == []


async def test_only_the_newest_message_is_recorded_as_edited(posts: Posts, clock: Time) -> None:
    post = await chosen(posts)
    await posts.record(post, 1, 501, 7)
    known = present(await posts.get(10, DAILY))
    await posts.record_edit(known, 8, pressed=True)
    after = present(await posts.get(10, DAILY))
    assert (after.shown, after.edited_at) == (8, None)
    await posts.record_edit(known, 9, pressed=False)
    await posts.record_edit(a_post(10, message_id=500), 10, pressed=False)
    after = present(await posts.get(10, DAILY))
    assert (after.shown, after.edited_at) == (9, clock())


async def test_a_refusal_is_reported_once(core: Core, posts: Posts) -> None:
    post = await chosen(posts)
    await posts.note_refusal(post, 50013, 3)
    await posts.note_refusal(post, 50001, 4)
    (job,) = await jobs(core)
    assert (job.kind, job.place) == (JobKind.POST_REFUSED, "person 3")
    assert job.payload == {"to": 3, "channel": 20, "code": 50013}
    await posts.stop(10, DAILY)
    stopped = present(await posts.get(10, DAILY))
    assert (stopped.due, stopped.refused) == (None, 50013)
    again = await chosen(posts, channel_id=21)
    assert (again.due is not None, again.refused) == (True, None)
    assert [job.place for job in await jobs(core) if job.kind is JobKind.POST] == ["channel 21"], "it is tried at once"


async def test_nobody_is_told_if_the_owner_is_unknown(core: Core, posts: Posts) -> None:
    await posts.note_refusal(await chosen(posts), 50013, None)
    assert await kinds(core) == []


async def test_an_unreadable_row_holds_no_other_up(core: Core, posts: Posts, clock: Time) -> None:
    for guild_id in (10, 11):
        await chosen(posts, guild_id=guild_id)
    async with core.store.write() as writer:
        await writer.execute(sa.update(rows).where(rows.c.guild_id == 10).values(channel_id=sa.text("'x'")))
    clock.pass_(DAY)
    assert [post.guild_id for post in await core.service(PostHours).owe_due()] == [11]
    assert await core.service(PostHours).owe_due() == ()
    assert present(await core.service(PostHours).next_due()) > clock(), "nobody looks at it all the time"


async def test_a_row_with_wrong_values_is_still_due(core: Core, posts: Posts, clock: Time) -> None:
    async with core.store.write() as writer:
        for guild_id, wrong in ((10, {"zone": ""}), (11, {"hour": -(2**63)}), (12, {"due": -1.0}), (13, {"zone": "x" * 5000})):
            await posts_sql.put(writer, a_post(guild_id, **({"due": clock() - HOUR} | wrong)))
    assert len(await core.service(PostHours).owe_due()) == 4
    assert present(await core.service(PostHours).next_due()) > clock()
