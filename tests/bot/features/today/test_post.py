"""*What’s on* as a post: one message a day or week, a snapshot, skipped if nothing has happened."""

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest

from bot.features.posts.service import Posts
from loopback.limits import Kind
from tests.bot.daily_posts import dailies, solve, until_hour
from tests.bot.features.posts.test_jobs import away, calls, letters, roles_pinged
from tests.bot.i18n.speaking import the_server_speaks
from tests.bot.kit import World, a_chief, buttons, reply
from tests.bot.outbox.test_openings import cut_off
from tests.bot.outbox.test_permissions import allow
from tests.bot.present import present
from tests.bot.seated import all_that_is_seen, open_table
from tests.bot.service import DAY, HOUR
from tests.bot.settings_panels import act, fill
from tests.bot.today import post_of, posts_in, resigned
from tests.bot.unsaid import unsaid

LABELS = ["What’s on now", "Today’s puzzle"]


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    """Each day has its puzzle."""
    with dailies():
        yield


async def chosen(world: World, **options: Any) -> Any:
    """The channel that a manager has chosen for the post at 9 o’clock UTC."""
    channel = world.guild.create_text_channel("news")
    given: dict[str, Any] = {"channel": channel, "hour": 9, **options}
    await fill(world, a_chief(world), "server-settings", "today", **given)
    return channel


async def a_game_that_ends(world: World) -> None:
    await resigned(await open_table(world, "bouncers", world.ann, world.ben), world.ben)


async def posted(world: World) -> Any:
    """The channel, once the first message tells of a game."""
    news = await chosen(world)
    await a_game_that_ends(world)
    await until_hour(world, 9, 60)
    return news


@pytest.mark.slow
async def test_a_day_is_one_message_which_stays_as_it_was_posted(world: World) -> None:
    news = await chosen(world)
    await open_table(world, "bouncers", world.ann, world.ben)
    await a_game_that_ends(world)
    await until_hour(world, 9, 60)
    (first,) = posts_in(world, news)
    told, picture = world.text(first), world.picture(first)
    assert told.startswith("### 📅 Today\n**1 game is on**\n**#1 Bouncers** https://")
    assert "**Ended since yesterday**\n**#2 Bouncers** https://" in told
    assert picture.alt == "Bouncers #1 with Ann, Ben. It’s Ann’s turn. Bouncers #2 with Ann, Ben. Ann wins!"
    assert [one.label for one in buttons(first)] == LABELS
    assert world.pinged(first) == set()
    since = len(world.watch.calls)
    await world.pass_time(6 * HOUR)
    await a_game_that_ends(world)
    await until_hour(world, 9, 60)
    first, second = posts_in(world, news)
    made = [call for call in world.watch.calls[since:] if str(news.id) in call.path]
    assert [call.kind for call in made] == [Kind.SEND], "a day is one call"
    assert (world.text(first), world.picture(first).png) == (told, picture.png)
    assert [one.label for one in buttons(first)] == LABELS
    assert "#3 Bouncers" in world.text(second)
    assert "#2 Bouncers" not in world.text(second), "that was told yesterday"


@pytest.mark.slow
async def test_if_nothing_has_happened_nothing_is_posted(world: World) -> None:
    news = await chosen(world)
    await open_table(world, "bouncers", world.ann, world.ben, clock="none")
    await until_hour(world, 9, 60)
    assert len(posts_in(world, news)) == 1, "a game has begun"
    await world.pass_time(DAY)
    assert len(posts_in(world, news)) == 1, "it goes on, and nobody has moved"
    await solve(world, world.cleo, 2)
    await world.pass_time(DAY)
    (_, second) = posts_in(world, news)
    assert "**🏅 Daily bounce: Last 7 days**\n1. **Cleo** · 1 day · 1 try" in world.text(second)
    await world.pass_time(3 * DAY)
    assert len(posts_in(world, news)) == 2, "nobody has solved anything since"


@pytest.mark.slow
async def test_private_tables_stay_private(world: World) -> None:
    news = await chosen(world)
    private = await open_table(world, "bouncers", world.ann, private=True, opponent=world.ben)
    lobby = next(message for message in world.messages(private.channel) if buttons(message))
    await world.ben.click(lobby, label="Accept")
    assert (await private.awaited()) == [world.ann]
    await until_hour(world, 9, 60)
    await world.pass_time(DAY)
    assert world.messages(news) == []


@pytest.mark.slow
async def test_with_the_daily_post_the_puzzle_is_offered_by_that_alone(world: World) -> None:
    news = await chosen(world)
    await fill(world, a_chief(world), "server-settings", "daily", channel=news, hour="9")
    await a_game_that_ends(world)
    await solve(world, world.ann, 1)
    await until_hour(world, 9, 60)
    (first,) = posts_in(world, news)
    assert [one.label for one in buttons(first)] == LABELS[:1]
    assert "Daily bounce" not in world.text(first), "that day goes on"
    await solve(world, world.ann, 1)
    await a_game_that_ends(world)
    await until_hour(world, 9, 60)
    second = posts_in(world, news)[-1]
    assert [one.label for one in buttons(second)] == ["What’s on now", "Standings"]
    assert "1. **Ann**" in world.text(second)


@pytest.mark.slow
async def test_its_buttons_show_what_goes_on_now_to_whoever_presses(world: World) -> None:
    news = await posted(world)
    await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    await world.pass_time(3 * DAY)
    post = posts_in(world, news)[0]
    before = world.text(post)
    shown = await world.cleo.click(post, label="What’s on now")
    assert shown.ephemeral
    assert "BOUNCE" in world.text(shown)
    assert "Bouncers" not in world.text(shown)
    assert (await world.cleo.click(post, label="Today’s puzzle")).ephemeral
    assert world.text(posts_in(world, news)[0]) == before


@pytest.mark.slow
async def test_a_week_is_one_message_on_its_day_and_tells_of_seven(world: World) -> None:
    news = await chosen(world, day=0)  # the world begins on a Thursday
    await a_game_that_ends(world)
    await until_hour(world, 9, 60)
    await world.pass_time(3 * DAY)
    assert posts_in(world, news) == []
    await world.pass_time(DAY)
    (first,) = posts_in(world, news)
    assert world.text(first).startswith("### 📅 This week\n**Ended in the last 7 days**\n**#1 Bouncers** ")
    await world.pass_time(DAY)
    await a_game_that_ends(world)
    await world.pass_time(5 * DAY)
    assert len(posts_in(world, news)) == 1
    await world.pass_time(DAY)
    _, second = posts_in(world, news)
    assert "#2 Bouncers" in world.text(second)
    assert "#1 Bouncers" not in world.text(second)
    await world.pass_time(14 * DAY)
    assert len(posts_in(world, news)) == 2


@pytest.mark.slow
async def test_a_weekly_post_comes_at_most_a_day_late(world: World) -> None:
    news = await chosen(world, day=0, hour=23)
    await a_game_that_ends(world)
    for seconds in (5 * DAY + HOUR, 8 * DAY):  # until Tuesday, 1 o’clock; from then until the Wednesday after next
        await away(world, seconds)
        await world.pass_time(60)
        assert len(posts_in(world, news)) == 1


@pytest.mark.slow
async def test_a_role_is_mentioned_once_and_the_server_reads_its_own_language(world: World) -> None:
    role = world.guild.create_role("bouncers", mentionable=True)
    news = await chosen(world, role=role)
    await open_table(world, "bouncers", world.ann, world.ben)
    await a_game_that_ends(world)
    await the_server_speaks(world, "de")
    await solve(world, world.ann, 1)
    await until_hour(world, 9, 60)
    await world.pass_time(HOUR)
    (post,) = posts_in(world, news)
    assert roles_pinged(world) == [role.id]
    told = all_that_is_seen(world, post)
    assert not unsaid(told, f"<@&{role.id}>", "### 📅 Heute", "**1 Spiel läuft**", "Seit gestern zu Ende gegangen")
    for english in ("game is on", "Ended", "wins", "turn", "Waiting", "Today", "What’s"):
        assert english not in told


@pytest.mark.slow
async def test_names_in_it_ping_nobody(world: World) -> None:
    news = await chosen(world)
    first, second = world.join("@everyone"), world.join(f"<@{world.ann.id}>")
    await resigned(await open_table(world, "bouncers", first, second), second)
    await until_hour(world, 9, 60)
    (post,) = posts_in(world, news)
    assert world.pinged(post) == set()
    assert "@everyone" not in world.text(post)
    assert f"<@{world.ann.id}>" not in world.text(post).replace("\\<", "")


@pytest.mark.slow
async def test_the_owner_is_told_once_of_a_missing_permission_and_it_comes_later(world: World) -> None:
    world.watch.excused |= {"was tried"}
    news = await chosen(world)
    await a_game_that_ends(world)
    allow(world, news.id, send_messages=False)
    await until_hour(world, 9, 3 * HOUR)
    (told,) = letters(world)
    said, more = told.split("\n")
    assert said == "I can’t post “What’s on” on Bounce Club: please look at my permissions."
    assert more.startswith(f"In <#{news.id}> I still need: Send Messages.")
    assert "`/server-settings`" in told or "</server-settings:" in told
    allow(world, news.id, send_messages=True)
    await world.settle()
    assert (len(posts_in(world, news)), len(letters(world))) == (1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("arrives", [False, True], ids=["lost", "arrives"])
@pytest.mark.parametrize("at", range(1, 3))
async def test_cut_off_at_any_call_a_day_is_posted_once(world: World, at: int, arrives: bool) -> None:
    world.watch.excused |= {"The watch saw"}
    news = await chosen(world)
    await a_game_that_ends(world)
    await until_hour(world, 8, 3590)
    with cut_off(world, at, arrives=arrives):
        await world.pass_time(30)
    await world.restart()
    await world.pass_time(6 * HOUR)
    assert len(posts_in(world, news)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("restart", [True, False], ids=["restart", "same process"])
async def test_an_unrecorded_message_is_found_again(world: World, restart: bool) -> None:
    world.expected_errors |= {"job failed"}
    news = await chosen(world)
    await a_game_that_ends(world)
    await until_hour(world, 8, 3590)
    with mock.patch.object(Posts, "record", side_effect=RuntimeError("the bot is killed")):
        await world.pass_time(11)
    if restart:
        await world.restart()
    await world.pass_time(HOUR)
    assert len(posts_in(world, news)) == 1
    assert present(await post_of(world)).message_id == posts_in(world, news)[0].id


@pytest.mark.slow
async def test_switched_off_it_stays_and_is_silent(world: World) -> None:
    news = await posted(world)
    told = world.text(posts_in(world, news)[0])
    switched = world.text(await act(world, a_chief(world), "server-settings", "today", "off"))
    assert "**✅ What’s on · switched off**\nOff" in switched
    await a_game_that_ends(world)
    since = len(world.watch.calls)
    await world.pass_time(2 * DAY)
    assert calls(world, since) == []
    assert [world.text(post) for post in posts_in(world, news)] == [told]


@pytest.mark.slow
async def test_a_message_deleted_by_a_moderator_is_not_posted_again(world: World) -> None:
    news = await posted(world)
    world.env.backend.delete_message(news.id, posts_in(world, news)[0].id)
    await a_game_that_ends(world)
    await world.pass_time(DAY)
    (second,) = posts_in(world, news)
    assert "#2 Bouncers" in world.text(second)


async def test_a_forgotten_person_is_not_in_the_next_post(world: World) -> None:
    news = await chosen(world)
    await a_game_that_ends(world)
    await world.ben.click(reply(await act(world, world.ben, "settings", "data", "forget")), label="Forget me")
    await until_hour(world, 9, 60)
    told = all_that_is_seen(world, posts_in(world, news)[0])
    assert "Former player" in told
    assert "Ben" not in told
