"""The daily post of a server: one message a day at its hour, closed by the next, whatever happens."""

import itertools
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from bot.core.people import Users
from bot.features.posts.clock import PostHours
from bot.features.posts.service import Posts
from bot.features.puzzles.daily import Dailies
from bot.messages.click import Click
from bot.outbox.refusals import REFUSED_RETRY
from loopback.limits import Kind
from tests.bot.daily_posts import DAYS, dailies, open_posts, post_of, posts_in, solve, until_hour
from tests.bot.forging import forged
from tests.bot.kit import World, a_chief, buttons, reply
from tests.bot.outbox.test_openings import cut_off
from tests.bot.outbox.test_permissions import allow
from tests.bot.present import present
from tests.bot.puzzles import pick, play
from tests.bot.refusals import SEND, a_bad_line, refusal
from tests.bot.removal import put_out
from tests.bot.seated import all_that_is_public, core_of
from tests.bot.service import DAY, HOUR
from tests.bot.settings_panels import act, control, fill, form, open_panel, standing
from tests.bot.unsaid import unsaid


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """Each day has its puzzle."""
    with dailies():
        yield


async def chosen(world: World, **options: Any) -> Any:
    """A manager, who has chosen #games and 9 o’clock UTC for the post."""
    chief = a_chief(world)
    given: dict[str, Any] = {"channel": world.channel, "hour": 9, **options}
    await fill(world, chief, "server-settings", "daily", **given)
    return chief


async def posted(world: World, **options: Any) -> Any:
    """The manager, once the first day has been posted."""
    chief = await chosen(world, **options)
    await until_hour(world, 9)
    return chief


async def away(world: World, seconds: float) -> None:
    """The bot is off for a while."""
    with world.env._bot_scope():
        await world.client.close()
    await world.pass_time(seconds)
    await world.restart()


async def withdraw(world: World, *days: int) -> None:
    with world.env._bot_scope():
        for day in days:
            await core_of(world).service(Dailies).void(day)
    await world.settle()


async def quiet_owner(world: World) -> None:
    """The owner wants no messages from 8 to half past 11."""
    world.watch.excused |= {"was tried"}
    with world.env._bot_scope():
        await core_of(world).service(Users).change(world.guild.owner.id, quiet_from=8 * 60, quiet_until=11 * 60 + 30)


def calls(world: World, since: int = 0) -> list[Kind]:
    """The kinds of calls to Discord, except answers to commands and presses."""
    return [call.kind for call in world.watch.calls[since:] if call.kind in {Kind.SEND, Kind.EDIT, Kind.DELETE, Kind.OTHER}]


def letters(world: World) -> list[str]:
    """The direct messages to the owner of the server."""
    return [world.text(message) for message in world.guild.owner.dm_channel.history()]


@pytest.mark.slow
async def test_each_day_has_one_message_which_the_next_one_closes(world: World) -> None:
    await chosen(world)
    assert posts_in(world) == []
    await until_hour(world, 9)
    (first,) = posts_in(world)
    assert not unsaid(world.text(first), "Daily bounce #1", "Nobody here has solved it yet.")
    assert [one.label for one in buttons(first)] == ["Solve"]
    assert world.picture(first).alt
    since = len(world.watch.calls)
    await world.pass_time(DAY - 60)
    assert calls(world, since) == [], "nothing is edited while nothing has changed"
    await world.pass_time(60)
    first, second = posts_in(world)
    assert calls(world, since) == [Kind.SEND, Kind.EDIT]
    assert "Daily bounce #2" in world.text(second)
    assert [one.label for one in buttons(first)] == ["Puzzle and solution"]
    assert "Nobody here solved it." in world.text(first)
    assert world.picture(first).png != world.picture(second).png
    panel = await world.ben.click(first, label="Puzzle and solution")
    assert "🎯" in world.text(panel), "the day may go on elsewhere, so whoever has not tried it is shown no solution"
    await pick(world.ben, panel, "Give up", "Give up")
    again = await world.ben.click(first, label="Puzzle and solution")
    assert "Solution:" in world.text(again)
    assert "Practice" not in world.text(again)


@pytest.mark.slow
async def test_a_closed_message_stays_closed_after_presses_and_changes(world: World) -> None:
    chief = await posted(world)
    await act(world, chief, "server-settings", "daily", "off")
    await world.pass_time(DAY)
    (closed,) = posts_in(world)
    assert "This puzzle’s day is over." in world.text(closed)
    await world.ben.click(closed, label="Puzzle and solution")
    await fill(world, chief, "server-settings", "daily", channel=world.channel, hour=11)
    await world.pass_time(60)
    assert "This puzzle’s day is over." in world.text(posts_in(world)[0])
    assert open_posts(world) == []


async def test_a_day_that_has_begun_by_a_new_hour_is_posted_at_once(world: World) -> None:
    chief = await chosen(world)
    await until_hour(world, 10)
    await fill(world, chief, "server-settings", "daily", zone="Pacific/Kiritimati", hour=0)
    await world.pass_time(60)
    first, second = posts_in(world)
    assert "This puzzle’s day is over." in world.text(first)
    assert "Daily bounce #2" in world.text(second)


@pytest.mark.slow
async def test_until_it_is_closed_only_the_names_of_solvers_are_told(world: World) -> None:
    await posted(world)
    await solve(world, world.ben, 1)
    await solve(world, world.ann, 1, wrong=1)
    await solve(world, world.cleo, 1, given_up=True)
    since = len(world.watch.calls)
    assert (await world.cleo.click(open_posts(world)[0], label="Solve")).followups[-1].ephemeral
    assert [call.kind for call in world.watch.calls[since:]] == [Kind.UPDATE, Kind.FOLLOWUP]
    (shown,) = open_posts(world)
    assert "✅ **2** have solved it: Ann, Ben" in world.text(shown)
    seen = all_that_is_public(world)
    assert not [word for word in ("Cleo", "gave up", "first try", "second", "solution") if word in seen]
    since = len(world.watch.calls)
    await world.ann.click(shown, label="Solve")
    assert [call.kind for call in world.watch.calls[since:]] == [Kind.REPLY], "there is nothing new to show"
    await world.pass_time(DAY)
    closed, _ = posts_in(world)
    assert not unsaid(world.text(closed), "✅ **2** solved it: 50% on the first try, 50% on the second.", "1 gave up.")
    assert "Ann" not in world.text(closed)


@pytest.mark.slow
async def test_many_solvers_are_counted(world: World) -> None:
    await posted(world)
    for number in range(12):
        await solve(world, world.join(f"P{number}"), 1, wrong=number)
    await world.ann.click(open_posts(world)[0], label="Solve")
    assert "✅ **12** have solved it: P0, P1, P10, P11, P2, P3, P4, P5, P6, P7, 2 others" in world.text(open_posts(world)[0])


@pytest.mark.slow
async def test_it_is_edited_hourly_at_most_and_not_just_before_closing(world: World) -> None:
    await chosen(world, hour=0)
    await until_hour(world, 0)
    since = len(world.watch.calls)
    for number in range(72):
        await world.pass_time(1200)
        await solve(world, world.join(f"P{number}"), 2)
    made = calls(world, since)
    edits = [call.at for call in world.watch.calls[since:] if call.kind is Kind.EDIT]
    assert (made.count(Kind.SEND), len(edits), len(made)) == (1, 24, 25), "one after each of 23 hours, and the last one"
    assert min(later - earlier for earlier, later in itertools.pairwise(edits)) >= HOUR
    assert "✅ **71** solved it" in world.text(posts_in(world)[0])


async def test_a_press_opens_a_panel_and_solvers_are_named_within_an_hour(world: World) -> None:
    await posted(world)
    panel = await world.ann.click(open_posts(world)[0], label="Solve")
    assert panel.ephemeral
    for action in DAYS[0].own:
        assert "Nobody here has solved it yet." in world.text(open_posts(world)[0])
        await play(world.ann, panel, action)
    assert "Solved!" in world.text(panel)
    since = len(world.watch.calls)
    await world.pass_time(HOUR)
    assert calls(world, since) == [Kind.EDIT]
    assert "✅ **1** has solved it: Ann" in world.text(open_posts(world)[0])


@pytest.mark.slow
@pytest.mark.parametrize("arrives", [False, True], ids=["lost", "arrives"])
@pytest.mark.parametrize("at", range(1, 4))
async def test_cut_off_at_any_call_the_days_are_posted_and_closed_once(world: World, at: int, arrives: bool) -> None:
    world.watch.excused |= {"The watch saw"}
    await posted(world)
    await until_hour(world, 8, 3590)
    with cut_off(world, at, arrives=arrives):
        await world.pass_time(30)
    await world.restart()
    await world.pass_time(6 * HOUR)
    first, second = posts_in(world)
    assert ("solution" in world.text(first), "solution" in world.text(second)) == (True, False)
    assert open_posts(world) == [second]


@pytest.mark.slow
@pytest.mark.parametrize("step", ["record", "_close"])
@pytest.mark.parametrize("restart", [True, False], ids=["restart", "same process"])
async def test_an_unrecorded_message_is_found_again(world: World, step: str, restart: bool) -> None:
    world.expected_errors |= {"job failed"}
    await posted(world)
    await until_hour(world, 8, 3590)
    with mock.patch.object(Posts, step, side_effect=RuntimeError("the bot is killed")):
        await world.pass_time(11)
    if restart:
        await world.restart()
    await world.pass_time(HOUR)
    first, second = posts_in(world)
    assert ("solution" in world.text(first), "solution" in world.text(second)) == (True, False)


async def test_killed_before_posting_it_comes_after_the_restart(world: World) -> None:
    await chosen(world)
    await until_hour(world, 8, 3590)
    with mock.patch.object(PostHours, "sweep", side_effect=RuntimeError("the bot is killed")):
        world.expected_errors |= {"a loop failed"}
        await world.pass_time(60)
        assert posts_in(world) == []
    await world.restart()
    assert len(posts_in(world)) == 1


@pytest.mark.slow
async def test_after_an_outage_of_two_days_there_is_one_message_and_the_one_before_is_closed(world: World) -> None:
    await posted(world)
    with world.env._bot_scope():
        world.client.heartbeat.disconnected()
        await world.client.close()
    await world.pass_time(2 * DAY + 5 * HOUR)
    assert len(posts_in(world)) == 1
    await world.restart()
    await world.pass_time(60)
    first, third = posts_in(world)
    assert "Daily bounce #3" in world.text(third)
    assert "solution" in world.text(first)
    await until_hour(world, 9)
    assert len(posts_in(world)) == 3


@pytest.mark.slow
async def test_a_day_that_began_during_an_outage_is_posted_late(world: World) -> None:
    await chosen(world, hour=22)
    await away(world, 26 * HOUR)
    await world.pass_time(60)
    (late,) = posts_in(world)
    assert "Daily bounce #1" in world.text(late), "here that day goes on until ten in the evening"
    await until_hour(world, 22)
    assert "Daily bounce #2" in world.text(posts_in(world)[1])


async def test_the_owner_is_told_once_of_a_missing_permission_and_it_comes_later(world: World) -> None:
    world.watch.excused |= {"was tried"}
    await chosen(world)
    allow(world, world.channel.id, send_messages=False)
    await until_hour(world, 9, 3 * HOUR)
    (told,) = letters(world)
    said, more = told.split("\n")
    assert said == "I can’t post “Daily puzzle” on Bounce Club: please look at my permissions."
    assert more.startswith(f"In <#{world.channel.id}> I still need: Send Messages. I’ll try again ")
    assert posts_in(world) == []
    allow(world, world.channel.id, send_messages=True)
    await world.settle()
    assert len(posts_in(world)) == 1
    assert (present(await post_of(world)).refused, len(letters(world))) == (None, 1)


@pytest.mark.slow
async def test_it_gives_up_at_last(world: World) -> None:
    world.watch.excused |= {"was tried"}
    chief = await chosen(world)
    allow(world, world.channel.id, send_messages=False)
    since = len(world.watch.calls)
    await world.pass_time(6 * DAY)
    tried = [call for call in world.watch.calls[since:] if call.kind is Kind.SEND and str(world.channel.id) in call.path]
    assert (len(tried), len(letters(world))) == (1 + len(REFUSED_RETRY), 1)
    shown = world.text(await open_panel(world, chief, "server-settings", at=world.guild.create_text_channel("else")))
    assert "⚠️ It has stopped: I couldn’t post it. Press *Change* and save it to try again." in shown
    allow(world, world.channel.id, send_messages=True)
    await fill(world, chief, "server-settings", "daily", hour=20)
    assert len(posts_in(world)) == 1, "it is tried at once"


@pytest.mark.slow
async def test_a_deleted_channel_stops_it_at_once_until_another_is_chosen(world: World) -> None:
    away = world.guild.create_text_channel("daily")
    chief = await chosen(world, channel=away)
    world.env.backend.delete_channel(away.id)
    since = len(world.watch.calls)
    await world.pass_time(2 * DAY)
    assert [call.path for call in world.watch.calls[since:] if str(away.id) in call.path] == [f"/channels/{away.id}/messages"]
    (told,) = letters(world)
    assert "I’ve stopped posting “Daily puzzle” on Bounce Club: its channel is gone.\nChoose another one in" in told
    asked = await form(world, chief, "server-settings", "daily")
    assert standing(control(asked, "channel")) == [], "a channel that is gone cannot be chosen again"
    await fill(world, chief, "server-settings", "daily", channel=world.channel)
    assert len(posts_in(world)) == 1
    assert await post_of(world) is not None


@pytest.mark.slow
async def test_the_owner_is_told_after_their_quiet_hours(world: World) -> None:
    await quiet_owner(world)
    await chosen(world)
    allow(world, world.channel.id, send_messages=False)
    await until_hour(world, 11)
    assert letters(world) == []
    await world.pass_time(HOUR)
    assert len(letters(world)) == 1


@pytest.mark.slow
async def test_nobody_is_told_of_a_refusal_that_is_over(world: World) -> None:
    await quiet_owner(world)
    await chosen(world)
    with a_bad_line(world, SEND, refusal(403, 50013)):
        await until_hour(world, 9, 120)
    assert len(posts_in(world)) == 1
    await world.pass_time(4 * HOUR)
    assert letters(world) == []


@pytest.mark.slow
async def test_a_server_that_removes_the_bot_gets_nothing_until_it_is_back(world: World) -> None:
    await posted(world)
    let_in, since = put_out(world), len(world.watch.calls)
    await world.pass_time(3 * DAY)
    assert world.watch.calls[since:] == []
    let_in()
    await world.settle()
    await world.pass_time(60)
    assert [("solution" in world.text(message)) for message in posts_in(world)] == [True, False]
    assert "Daily bounce #4" in world.text(posts_in(world)[-1])


@pytest.mark.slow
async def test_a_server_that_is_forgotten_has_no_post(world: World) -> None:
    await chosen(world)
    put_out(world)
    await world.pass_time(32 * DAY)
    assert await post_of(world) is None
    with world.env._bot_scope():
        assert await core_of(world).service(PostHours).next_due() is None


def roles_pinged(world: World) -> list[int]:
    """The roles pinged by new messages."""
    sent = [call for call in world.watch.calls if call.kind is Kind.SEND]
    return [int(role) for call in sent for role in (call.message.get("allowed_mentions") or {}).get("roles") or []]


@pytest.mark.slow
async def test_a_role_is_mentioned_once_a_day_and_by_no_edit(world: World) -> None:
    role = world.guild.create_role("bouncers", mentionable=True)
    await posted(world, role=role)
    assert roles_pinged(world) == [role.id]
    assert world.text(posts_in(world)[0]).startswith(f"<@&{role.id}>\n")
    await solve(world, world.ann, 1)
    await world.ben.click(open_posts(world)[0], label="Solve")
    assert world.text(posts_in(world)[0]).startswith(f"<@&{role.id}>\n")
    assert roles_pinged(world) == [role.id]
    await world.pass_time(DAY)
    assert len(roles_pinged(world)) == 2
    assert "<@&" not in world.text(posts_in(world)[0])


@pytest.mark.slow
async def test_a_deleted_role_is_not_mentioned(world: World) -> None:
    role = world.guild.create_role("bouncers", mentionable=True)
    await chosen(world, role=role)
    world.env.backend.delete_role(world.guild.id, role.id)
    await until_hour(world, 9)
    assert roles_pinged(world) == []
    assert "<@&" not in world.text(posts_in(world)[0])


@pytest.mark.slow
async def test_a_late_message_mentions_nobody(world: World) -> None:
    role = world.guild.create_role("bouncers", mentionable=True)
    await chosen(world, role=role)
    await away(world, 13 * HOUR)
    assert (len(posts_in(world)), roles_pinged(world)) == (1, [])


@pytest.mark.slow
async def test_without_a_puzzle_nothing_is_posted_and_the_last_message_is_closed(world: World) -> None:
    with dailies(DAYS[0], None, DAYS[2]):
        await world.restart()
    await posted(world)
    await until_hour(world, 9)
    (first,) = posts_in(world)
    assert "solution" in world.text(first)
    await until_hour(world, 9)
    assert "Daily bounce #3" in world.text(posts_in(world)[-1])
    since = len(world.watch.calls)
    await world.pass_time(3 * DAY)
    assert calls(world, since) == [Kind.EDIT], "they have run out"
    refused = await forged(world.ann, posts_in(world)[-1], Click("daily", tokens=("7",)))
    assert "There’s no puzzle for that day." in world.text(refused)


@pytest.mark.slow
async def test_switched_off_it_closes_after_its_day_and_can_come_back(world: World) -> None:
    chief = await posted(world)
    assert "Daily puzzle · switched off" in world.text(await act(world, chief, "server-settings", "daily", "off"))
    await world.pass_time(14 * HOUR)
    assert len(open_posts(world)) == 1, "its day goes on, and so its solution is nobody’s business"
    await world.pass_time(2 * HOUR)
    (first,) = posts_in(world)
    assert "solution" in world.text(first)
    await world.pass_time(2 * DAY)
    assert len(posts_in(world)) == 1
    await fill(world, chief, "server-settings", "daily", hour=20)
    await until_hour(world, 20)
    assert len(posts_in(world)) == 2


@pytest.mark.slow
async def test_a_new_hour_or_channel_posts_no_day_twice(world: World) -> None:
    chief = await posted(world)
    other = world.guild.create_text_channel("daily")
    await fill(world, chief, "server-settings", "daily", channel=other, hour=12)
    await until_hour(world, 12)
    assert (len(posts_in(world)), len(posts_in(world, other))) == (1, 0)
    await world.pass_time(DAY)
    assert (len(open_posts(world)), len(open_posts(world, other))) == (0, 1)


@pytest.mark.slow
async def test_a_withdrawn_puzzle_says_so_and_is_not_posted_again(world: World) -> None:
    await posted(world)
    (pressed,) = open_posts(world)
    since = len(world.watch.calls)
    await withdraw(world, 1, 2)
    (closed,) = posts_in(world)
    assert calls(world, since) == [Kind.EDIT]
    assert "This puzzle was withdrawn" in world.text(closed)
    assert "solution" not in world.text(closed)
    assert buttons(closed) == []
    refused = await forged(world.ann, pressed, Click("daily", tokens=("1",)))
    assert "Something was wrong with today’s puzzle" in world.text(refused)
    await world.pass_time(DAY)
    assert posts_in(world) == [closed]
    assert calls(world, since) == [Kind.EDIT], "it is closed already"
    await world.pass_time(DAY)
    assert "Daily bounce #3" in world.text(posts_in(world)[-1])


@pytest.mark.slow
async def test_yesterdays_withdrawn_puzzle_is_closed_while_it_is_the_newest(world: World) -> None:
    await posted(world)
    await until_hour(world, 1)
    await withdraw(world, 1)
    assert "This puzzle was withdrawn" in world.text(posts_in(world)[0])
    await until_hour(world, 9)
    first, second = posts_in(world)
    await withdraw(world, 1)
    assert "This puzzle was withdrawn" in world.text(first)
    assert open_posts(world) == [second]


@pytest.mark.slow
async def test_a_forgotten_person_is_removed_from_the_message(world: World) -> None:
    await posted(world)
    await solve(world, world.ann, 1)
    await world.ben.click(open_posts(world)[0], label="Solve")
    assert "Ann" in world.text(open_posts(world)[0])
    await world.ann.click(reply(await act(world, world.ann, "settings", "data", "forget")), label="Forget me")
    await world.pass_time(HOUR)
    assert "Nobody here has solved it yet." in world.text(open_posts(world)[0])


async def test_a_message_deleted_by_a_moderator_is_not_posted_again(world: World) -> None:
    await posted(world)
    world.env.backend.delete_message(world.channel.id, posts_in(world)[0].id)
    await world.pass_time(DAY + 60)
    assert len(posts_in(world)) == 1
    assert "Daily bounce #2" in world.text(posts_in(world)[0])
