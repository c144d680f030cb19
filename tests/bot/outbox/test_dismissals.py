"""Whoever leaves a private table is taken out of its thread, and hears no more of it."""

from collections.abc import Iterator

import pytest
from simcord.builders import ChannelHandle

from bot.core.jobs import Outbox
from bot.features.watching.service import Watching
from storage.schema.records import WatchFor
from tests.bot.kit import World, reply
from tests.bot.private_threads import makers_may_remove
from tests.bot.seated import core_of, pings, user_of
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _as_in_discord() -> Iterator[None]:
    with makers_may_remove():
        yield


async def private_table(world: World, *, joined: bool = True) -> ChannelHandle:
    """A private table of Ann's, to which Ben is invited or has come. Gives its thread."""
    lobby = reply(await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True))
    if joined:
        await world.ben.click(lobby, label="Accept")
    (thread,) = world.channel.threads
    return thread


def members(world: World, thread: ChannelHandle) -> set[int]:
    """Who is in a thread, but the bot."""
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
