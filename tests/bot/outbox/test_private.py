"""Private tables: nothing of them is shown in public, and players who leave are removed from the thread."""

from collections.abc import Iterator
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import OverwriteType

from bot.core.jobs import Outbox
from bot.core.lobby import Lobby
from bot.core.play import Play
from bot.core.table.snapshot import User
from bot.features.watching.service import Watching
from storage.schema.records import Ending, Status, WatchFor
from tests.bot.kit import World, a_chief, buttons, reply
from tests.bot.private_threads import makers_may_remove
from tests.bot.refusals import a_bad_line, refusal
from tests.bot.seated import all_that_is_public, core_of, pings, user_of
from tests.bot.settings_panels import close_table
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow

MAKE = r"POST /channels/\d+/threads"
LET_IN = r"PUT /channels/\d+/thread-members/\d+"


async def private_game(world: World) -> ChannelHandle:
    """The thread of a private game of Ann and Ben."""
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True, clock="1d")
    await world.ben.click(world.messages()[0], label="Accept")
    (thread,) = world.channel.threads
    return thread


def hide(world: World, channel: ChannelHandle, member: MemberActor) -> None:
    """A moderator hides a channel from somebody."""
    denied = discord.Permissions(view_channel=True).value
    overwrite = Overwrite(target_id=member.id, type=OverwriteType.MEMBER, deny=denied)
    world.env.backend.set_overwrite(channel.id, overwrite)


async def test_the_public_message_of_a_private_table_names_nobody(world: World) -> None:
    thread = await private_game(world)
    public = all_that_is_public(world)
    for secret in ("Ben", str(world.ben.id), "1 day", "Variant"):
        assert secret not in public
    assert "Only invited people" in public
    assert "Ben" in all_that_is_public(world, thread)


@pytest.mark.parametrize("code", [(403, 50013), (403, 50001), (400, 30033), (404, 10003)])
async def test_a_private_table_without_a_thread_is_closed_and_its_opener_told(world: World, code: tuple[int, int]) -> None:
    with a_bad_line(world, MAKE, refusal(*code)):
        opened = await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    assert "Bouncers #1 is off: I couldn’t open its private thread" in world.text(opened)
    assert opened.followups[-1].ephemeral
    assert any("couldn’t open its private thread" in text for text in world.direct_messages(world.ann))
    (lobby,) = world.messages()
    assert "This table is closed." in world.text(lobby)
    assert buttons(lobby) == []
    assert world.direct_messages(world.ben) == []
    assert (await core_of(world).snapshot(1)).table.status is Status.CLOSED


async def test_a_private_table_is_closed_if_somebody_cannot_be_let_in_and_they_are_named(world: World) -> None:
    with a_bad_line(world, LET_IN, refusal(403, 50001)):
        opened = await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    assert "Bouncers #1 is off: Ben can’t see the channel, so they can’t join its private thread." in world.text(opened)
    assert "This table is closed." in world.text(world.messages()[0])
    (thread,) = world.channel.threads
    assert world.messages(thread) == []


async def test_somebody_who_cannot_see_the_channel_is_named_before_anything_is_opened(world: World) -> None:
    hide(world, world.channel, world.ben)
    refused = await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    assert f"Ben can’t see <#{world.channel.id}>" in world.text(refused)
    assert refused.ephemeral
    assert world.messages() == []


@pytest.mark.parametrize("kind", ["voice", "news", "stage"])
async def test_where_there_are_no_private_threads_a_private_table_is_refused(world: World, kind: str) -> None:
    channel: ChannelHandle = getattr(world.guild, f"create_{kind}_channel")("elsewhere")
    refused = await world.ann.slash(channel, "open", game="bouncers", opponent=world.ben, private=True)
    assert "Private games are played in a private thread" in world.text(refused)
    assert refused.ephemeral
    assert world.messages(channel) == []


async def test_a_private_table_opened_in_a_thread_for_all_is_played_in_a_thread_beside_it(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", thread=True)
    (public,) = world.channel.threads
    shown = await world.ann.slash(public, "open", game="bouncers", opponent=world.ben, private=True)
    await world.ben.click(reply(shown), label="Accept")
    private = next(thread for thread in world.channel.threads if thread.id != public.id)
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last(private))
    assert "which piece bounces?" not in all_that_is_public(world, public)
    assert "which piece bounces?" not in all_that_is_public(world)


async def test_when_the_thread_of_a_private_game_is_deleted_it_is_paused_and_its_players_are_told(world: World) -> None:
    thread = await private_game(world)
    before = all_that_is_public(world)
    world.env.backend.delete_channel(thread.id)
    await world.settle()
    for member in (world.ann, world.ben):
        (text,) = world.direct_messages(member)
        assert "Bouncers #1 is on hold and its clock has stopped: its private thread is gone." in text
    await world.pass_time(10 * 86400)
    table = (await core_of(world).snapshot(1)).table
    assert (table.status, table.clock, table.version) == (Status.PLAYING, None, 0)
    answer = await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    assert "**Ann** bounces b2 → b3." in world.text(reply(answer))
    assert "is gone, so nobody else can see the board" in world.text(answer)
    shown = await world.ben.slash(world.channel, "board", game="1")
    assert "Which piece bounces?" in world.text(shown)
    assert len(world.direct_messages(world.ann)) == 1, "they are told once"
    assert all_that_is_public(world) == before
    await close_table(world, a_chief(world), 1)
    ended = (await core_of(world).snapshot(1)).table
    assert ended.outcome is not None
    assert ended.outcome.how is Ending.CLOSED
    assert "which piece bounces?" not in all_that_is_public(world)


async def test_a_thread_that_was_deleted_unnoticed_pauses_the_game_when_something_is_to_be_shown(world: World) -> None:
    thread = await private_game(world)
    backend = world.env.backend
    backend.channels.pop(thread.id)
    backend.get_guild(world.guild.id).thread_ids.remove(thread.id)
    answer = await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    assert "is gone, so nobody else can see the board" in world.text(answer)
    assert (await core_of(world).snapshot(1)).table.clock is None
    assert len(world.direct_messages(world.ben)) == 1
    assert "which piece bounces?" not in all_that_is_public(world)


async def test_somebody_without_direct_messages_is_not_told_and_nothing_is_lost(world: World) -> None:
    thread = await private_game(world)
    with a_bad_line(world, r"POST /users/@me/channels", refusal(403, 50007), times=2):
        world.env.backend.delete_channel(thread.id)
        await world.settle()
    assert (await core_of(world).snapshot(1)).table.clock is None


async def test_a_rematch_of_a_private_game_is_as_private(world: World) -> None:
    thread = await private_game(world)
    await world.ann.click(reply(await by_way(world.ann, thread, "resign")), label="Resign")
    public = all_that_is_public(world)
    await world.ben.click(world.last(thread), label="Rematch")
    lobby = world.last(thread)
    assert world.pinged(lobby) == {world.ann.id}
    await world.ann.click(lobby, label="Accept")
    assert "which piece bounces?" in world.text(world.last(thread))
    assert all_that_is_public(world) == public


async def test_a_rematch_of_a_private_game_without_a_thread_gets_one(world: World) -> None:
    thread = await private_game(world)
    world.env.backend.delete_channel(thread.id)
    await world.settle()
    await world.ann.click(reply(await by_way(world.ann, world.channel, "resign", game="1")), label="Resign")
    await by_way(world.ben, world.channel, "rematch", game="1")
    (new,) = world.channel.threads
    await world.ann.click(world.last(new), label="Accept")
    assert "which piece bounces?" in world.text(world.last(new))


async def test_a_seat_of_a_private_game_is_not_offered_to_somebody_who_could_not_see_it(world: World) -> None:
    thread = await private_game(world)
    hide(world, world.channel, world.cleo)
    refused: Any = await by_way(world.ann, thread, "substitute", newcomer=world.cleo)
    assert "Cleo can’t see" in world.text(refused)
    assert (await core_of(world).snapshot(1)).table.offers.substitute is None


async def test_a_private_game_that_is_over_before_its_thread_is_there_shows_its_end_in_it(world: World) -> None:
    with a_bad_line(world, MAKE, refusal(503, 0), times=2):
        await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
        assert world.channel.threads == []
        await core_of(world).service(Lobby).join(1, User(world.ben.id, "Ben"))
        await core_of(world).service(Play).resign(1, User(world.ann.id, "Ann"))
    assert "Ben wins" not in all_that_is_public(world)
    await world.pass_time(3600)
    (thread,) = world.channel.threads
    assert "Ben wins" in world.text(world.last(thread, viewer=world.ben))
    assert "Ben wins" not in all_that_is_public(world)


@pytest.fixture(autouse=True)
def _as_in_discord() -> Iterator[None]:
    with makers_may_remove():
        yield


async def private_table(world: World, *, joined: bool = True) -> ChannelHandle:
    """The thread of a private table of Ann's, which Ben has joined or is invited to."""
    lobby = reply(await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True))
    if joined:
        await world.ben.click(lobby, label="Accept")
    (thread,) = world.channel.threads
    return thread


def members(world: World, thread: ChannelHandle) -> set[int]:
    """The members of a thread, except the bot."""
    return set(world.env.backend.channels[thread.id].thread_members) - {world.env.backend.bot_user.id}


async def test_declining_a_private_table_removes_one_from_its_thread(world: World) -> None:
    thread = await private_table(world, joined=False)
    assert members(world, thread) == {world.ann.id, world.ben.id}
    await world.ben.click(world.messages()[0], label="Decline")
    assert members(world, thread) == {world.ann.id}


async def test_handing_a_seat_over_removes_one_from_the_thread(world: World) -> None:
    thread = await private_table(world)
    with world.env._bot_scope():
        await core_of(world).service(Watching).watch(1, user_of(world.ben), WatchFor.TURN)
    await by_way(world.ben, thread, "substitute", newcomer=world.cleo)
    assert members(world, thread) == {world.ann.id, world.ben.id, world.cleo.id}
    await world.cleo.click(world.last(thread), label="Accept")
    assert members(world, thread) == {world.ann.id, world.cleo.id}
    since = len(world.watch.calls)
    await world.ann.slash(thread, "move", action="b2 b3")
    await by_way(world.cleo, thread, "resign")
    assert world.ben.id not in pings(world, since)
    gone = await world.ben.slash(world.channel, "board", game="1")
    assert "There’s no table #1 here." in world.text(gone)


async def test_refusing_an_offered_seat_removes_one_again(world: World) -> None:
    thread = await private_table(world)
    await by_way(world.ben, thread, "substitute", newcomer=world.cleo)
    await world.cleo.click(world.last(thread), label="Decline")
    assert members(world, thread) == {world.ann.id, world.ben.id}


async def test_leaving_the_thread_oneself_costs_no_call(world: World) -> None:
    thread = await private_table(world, joined=False)
    world.env.backend.channels[thread.id].thread_members.pop(world.ben.id)
    await world.ben.click(world.messages()[0], label="Decline")
    with world.env._bot_scope():
        assert await core_of(world).service(Outbox).due() == ()


async def test_if_discord_refuses_the_table_goes_on_all_the_same(world: World) -> None:
    thread = await private_table(world)
    world.env.backend.channels[thread.id].owner_id = world.ann.id  # so that the bot may not take anybody out
    await by_way(world.ben, thread, "substitute", newcomer=world.cleo)
    await world.cleo.click(world.last(thread), label="Accept")
    assert "not taken out of the thread" in [line["event"] for line in world.logs]
    with world.env._bot_scope():
        assert await core_of(world).service(Outbox).due() == ()
    assert "Cleo" in world.text(world.last(thread))


async def test_one_can_stop_watching_a_private_table_after_leaving_it(world: World) -> None:
    await private_table(world, joined=False)
    await world.ben.click(world.messages()[0], label="Decline")
    for number in ("1", "99"):
        said = world.text(await world.ben.slash(world.channel, "watch", what="off", game=number))
        assert said == f"You won’t hear about table #{number} any more."
    assert "There’s no table #1 here." in world.text(await world.ben.slash(world.channel, "watch", what="end", game="1"))
