"""Where things are posted: in channels, threads, forum posts, and voice channels' chats."""

import asyncio
from typing import Final

import pytest

from bot.core.table.settings import DAY, HOUR, ZONE
from bot.core.table.snapshot import User
from bot.features.matchmaking.service import SeekPosts
from bot.features.matchmaking.waiting import next_round
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import TournamentRequest
from loopback.faults import Route
from loopback.model import FORUM, MEDIA, VOICE, Channel, Message
from storage.schema.records import PostKind
from tests.loopback.natures import Nature
from tests.loopback.scenes import SOON, opened, running
from tests.loopback.settings import choose
from tests.loopback.world import LoopbackWorld

LONGEST: Final = 10_080


def forum(world: LoopbackWorld, kind: int = FORUM) -> Channel:
    return world.loopback.discord.channel(world.guild, "game-talk", kind)


def post_in(world: LoopbackWorld, where: Channel) -> Channel:
    return world.loopback.discord.forum_post(where, world.ann, "Anybody for a game?")


def codes(world: LoopbackWorld) -> list[int]:
    return [refused.code for _, refused in world.loopback.refused]


def texts(world: LoopbackWorld, where: Channel) -> list[str]:
    """The texts that the bot posted in a place."""
    bot = world.loopback.discord.bot
    return [one.text for one in world.loopback.discord.seen_in(where.id) if one.author is bot]


def told_directly(world: LoopbackWorld) -> list[str]:
    channels = world.loopback.discord.channels
    return [one.text for one in world.loopback.discord.messages.values() if channels[one.channel_id].guild_id is None]


@pytest.mark.parametrize("threads", [False, True])
@pytest.mark.parametrize("kind", [FORUM, MEDIA])
async def test_people_who_wait_in_a_post_are_put_together_in_that_post(world: LoopbackWorld, kind: int, threads: bool) -> None:
    chosen = "yes" if threads else "no"
    await choose(world.people, world.chief, world.channel, "server-settings", "new-tables", threads=chosen)
    post = post_in(world, forum(world, kind))
    for person in (world.ann, world.ben):
        await world.people.slash(person, post, "match", game="bouncers")
    await asyncio.sleep(next_round(world.now()) - world.now() + SOON)
    (lobby,) = world.people.seen(post, Nature.LOBBY)
    assert lobby.pinged == {world.ann.id, world.ben.id}
    for person in (world.ann, world.ben):
        await world.people.click(person, lobby, "sb|accept")
    await asyncio.sleep(SOON)
    assert (len(world.people.seen(post, Nature.BOARD)), codes(world)) == (1, [])


async def test_who_waits_in_a_thread_waits_for_games_in_its_channel(world: LoopbackWorld) -> None:
    thread = world.loopback.discord.people_thread(world.channel, "talk", world.ann)
    for person in (world.ann, world.ben):
        await world.people.slash(person, thread, "match", game="bouncers")
    await asyncio.sleep(next_round(world.now()) - world.now() + SOON)
    assert (len(world.people.seen(world.channel, Nature.LOBBY)), codes(world)) == (1, [])


async def create(world: LoopbackWorld, where: Channel, **options: str) -> str:
    asked = {"game": "bouncers", "format": "swiss", "name": "Spring Cup"} | options
    first = {name: value for name, value in asked.items() if name != "start"}
    planned = await world.people.slash(world.chief, where, "event create", **first)
    if planned.original is None or not any(one.startswith("sb|event-plan-open|") for one in planned.original.custom_ids):
        return planned.text
    if "start" in asked:
        await world.people.click(world.chief, planned.original, "sb|event-plan-start|", asked["start"])
    return (await world.people.click(world.chief, planned.original, "sb|event-plan-open|")).text


@pytest.mark.parametrize("kind", [FORUM, MEDIA])
async def test_an_event_that_is_opened_in_a_post_is_posted_and_played_there(world: LoopbackWorld, kind: int) -> None:
    post = post_in(world, forum(world, kind))
    said = await create(world, post, format="knockout", start="1h")
    assert f"I’m posting it in <#{post.id}>." in said
    await asyncio.sleep(SOON)
    (message,) = [one for one in world.people.seen(post) if "Spring Cup" in one.text]
    await enter(world, message)
    assert [board.pinged for board in world.people.seen(post, Nature.BOARD)] != []
    assert codes(world) == []


async def enter(world: LoopbackWorld, message: Message) -> None:
    """Three people enter a tournament that starts in an hour, and check in; then it starts."""
    for wait in (0.0, HOUR / 2 + SOON):
        await asyncio.sleep(wait)
        for person in (world.ann, world.ben, world.cleo):
            await world.people.click(person, message, "sb|event-enter")
    await asyncio.sleep(HOUR / 2 + SOON)


@pytest.mark.parametrize("private", [False, True])
async def test_an_event_that_is_opened_in_a_thread_is_posted_in_its_channel(world: LoopbackWorld, private: bool) -> None:
    thread = world.loopback.discord.people_thread(world.channel, "talk", world.chief, private=private)
    said = await create(world, thread)
    assert f"I’m posting it in <#{world.channel.id}>." in said
    await asyncio.sleep(SOON)
    assert any("Spring Cup" in text for text in texts(world, world.channel))
    assert (texts(world, thread), codes(world)) == ([], [])


@pytest.mark.parametrize("right", ["send_messages", "attach_files"])
@pytest.mark.parametrize("command", ["event", "match"])
async def test_a_thread_opens_nothing_where_the_bot_may_not_post(world: LoopbackWorld, command: str, right: str) -> None:
    discord = world.loopback.discord
    thread = discord.people_thread(world.channel, "talk", world.chief, private=True)
    discord.deny(world.channel, discord.bot, right)
    if command == "event":
        said = await create(world, thread)
    else:
        said = (await world.people.slash(world.chief, thread, "match", game="bouncers")).text
    name = {"send_messages": "Send Messages", "attach_files": "Attach Files"}[right]
    assert said == f"I’d have to post in <#{world.channel.id}>, but I can’t. I still need: {name}."
    await asyncio.sleep(DAY)
    assert (texts(world, world.channel), codes(world)) == ([], [])


async def test_a_place_that_takes_no_messages_is_given_up_at_once_and_the_owner_is_told(world: LoopbackWorld) -> None:
    """An earlier version stored such a place for whoever used `/match` in a post."""
    owner, where = world.chief, forum(world)
    world.loopback.discord.own(world.guild, owner)
    posts = world.client.core.service(SeekPosts)
    await posts.choose(world.guild.id, PostKind.SEEKS, channel_id=where.id, hour=0, zone=ZONE, role_id=None)
    await world.people.slash(world.ann, world.channel, "match", game="bouncers")
    await asyncio.sleep(2 * DAY)
    assert codes(world) == [50008], "it is tried once"
    assert any("its channel only takes posts" in text for text in told_directly(world))
    shown = await world.people.slash(owner, world.channel, "server-settings")
    assert "It has stopped" in shown.text
    again = await choose(world.people, owner, world.channel, "server-settings", "matching", channel=where)
    assert "I can’t use that channel. Pick one of those that the form offers." in again.text
    again = await choose(world.people, owner, world.channel, "server-settings", "matching", channel=world.channel)
    assert f"**✅ Matching · saved**\nIn <#{world.channel.id}>" in again.text


async def test_the_owner_is_told_that_the_post_is_locked_where_people_are_put_together(world: LoopbackWorld) -> None:
    discord, post = world.loopback.discord, post_in(world, forum(world))
    discord.own(world.guild, world.chief)
    await world.people.slash(world.ann, post, "match", game="bouncers")
    discord.close_thread(post, locked=True, archived=True)
    await asyncio.sleep(HOUR)
    assert set(codes(world)) == {160005}
    (told,) = told_directly(world)
    assert f"Somebody who manages threads can unlock <#{post.id}>." in told
    discord.close_thread(post, locked=False, archived=False)
    await asyncio.sleep(SOON)
    assert len(texts(world, post)) == 1, "once it is open, it is posted"


async def test_an_event_whose_channel_takes_no_messages_is_cancelled(world: LoopbackWorld) -> None:
    where, events = forum(world), world.client.core.service(Tournaments)
    request = TournamentRequest(
        guild_id=world.guild.id, channel_id=where.id, name="Cup", game="bouncers", format="swiss", starts_in=HOUR
    )
    view = await events.open(User(world.chief.id, world.chief.name), request)
    await asyncio.sleep(2 * DAY)
    assert (codes(world), (await events.get(view.row.id, world.guild.id)).row.status) == ([50008], "cancelled")


async def test_a_server_may_play_in_the_posts_of_a_forum_and_in_the_chat_of_a_voice_channel(world: LoopbackWorld) -> None:
    talk, lounge = forum(world), world.loopback.discord.channel(world.guild, "lounge", VOICE)
    shown = await choose(world.people, world.chief, world.channel, "server-settings", "channels", channels=[talk, lounge])
    for where in (talk, lounge):
        assert f"<#{where.id}>" in shown.text
    refused = await world.people.slash(world.ann, world.channel, "open", game="bouncers")
    assert refused.text.startswith("Games on this server are played in ")
    for where in (post_in(world, talk), lounge):
        await world.people.slash(world.ann, where, "open", game="bouncers", opponent=world.ben, thread=True)
        await asyncio.sleep(SOON)
        assert len(world.people.seen(where, Nature.LOBBY)) == 1
    assert codes(world) == []


async def test_a_private_game_is_refused_where_no_private_thread_can_be(world: LoopbackWorld) -> None:
    lounge = world.loopback.discord.channel(world.guild, "lounge", VOICE)
    for where in (post_in(world, forum(world)), lounge):
        answer = await world.people.slash(world.ann, where, "open", game="bouncers", opponent=world.ben, private=True)
        assert answer.text == "Private games are played in a private thread. Open yours in a text channel."
    assert codes(world) == []


@pytest.mark.parametrize("private", [False, True])
async def test_a_thread_of_a_game_stays_open_for_the_longest_time(world: LoopbackWorld, private: bool) -> None:
    await opened(world, private=private, thread=True)
    (thread,) = [one for one in world.loopback.discord.channels.values() if one.is_thread]
    assert thread.archived_after == LONGEST


@pytest.mark.slow
@pytest.mark.parametrize("quiet", [0.0, 8 * DAY], ids=["open", "archived"])
async def test_whoever_is_asked_to_play_on_gets_into_the_thread_of_a_private_game(world: LoopbackWorld, quiet: float) -> None:
    discord, people = world.loopback.discord, world.people
    await running(world, private=True)
    (thread,) = [one for one in discord.channels.values() if one.is_thread]
    await asyncio.sleep(quiet)
    asked = await people.by_way(world.ann, world.channel, "substitute", str(world.cleo.id), game="1")
    assert asked.text.startswith(f"Asked <@{world.cleo.id}> to take over the seat.")
    await asyncio.sleep(SOON)
    assert world.cleo.id in thread.members
    (offer,) = [one for one in people.seen(thread, Nature.NOTICE) if world.cleo.id in one.pinged]
    await people.click(world.cleo, offer, "sb|substitute-yes")
    await asyncio.sleep(SOON)
    assert world.cleo.id in people.seen(thread, Nature.BOARD)[-1].pinged
    assert (codes(world), world.loopback.count(Route.ADD_MEMBER)) == ([], 3)
