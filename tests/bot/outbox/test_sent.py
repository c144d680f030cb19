"""What may have been sent already is looked for before it is sent again, when no nonce helps any more."""

from collections.abc import Callable

import aiohttp
import pytest

from bot.core.jobs import Outbox
from bot.messages.marks import clicks, mark
from bot.outbox.access import MARGIN, find_sent, own_messages
from tests.bot.kit import World
from tests.bot.refusals import SEND, a_bad_line, refusal
from tests.bot.seated import Seated, core_of, open_table, pings
from tests.bot.service import HOUR
from tests.bot.settings_panels import remind
from tests.bot.ways import by_way
from tests.marks import quick_first

LOST = quick_first(2, [refusal(500), ConnectionResetError, TimeoutError, aiohttp.ServerDisconnectedError, refusal(503)])
NAMES = ["500", "reset", "timeout", "disconnected", "503"]


async def begun(world: World) -> tuple[Seated, int]:
    """A table at which Ann has moved, and how many messages there are."""
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    return table, len(world.messages())


@pytest.mark.parametrize("error", LOST, ids=NAMES)
async def test_a_board_that_arrived_is_not_sent_again_without_its_nonce(world: World, error: Callable[[], Exception]) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    before, calls = len(world.messages()), len(world.watch.calls)
    with a_bad_line(world, SEND, error, arrives=True):
        await table.type(world.ann, ("b2", "b3"))
        await world.pass_time(3600)
    assert len(world.messages()) == before + 1
    assert pings(world, calls) == [world.ben.id]
    assert (await table.snapshot()).table.board_message_id == world.last().id
    assert await core_of(world).service(Outbox).next_due() is None


@pytest.mark.parametrize("error", LOST, ids=NAMES)
async def test_a_notice_that_arrived_is_not_sent_again(world: World, error: Callable[[], Exception]) -> None:
    _, before = await begun(world)
    with a_bad_line(world, SEND, error, arrives=True):
        await by_way(world.ann, world.channel, "draw")
        await world.pass_time(3600)
    assert len(world.messages()) == before + 1
    assert "offers you a draw" in world.text(world.last())


async def test_a_dying_process_leaves_its_last_message_to_be_found(world: World) -> None:
    table, before = await begun(world)
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError, times=2, arrives=True):
        await table.type(world.ben, ("b7", "b6"))
        await by_way(world.ben, world.channel, "draw")
    assert len(world.messages()) == before + 2
    await world.pass_time(1)
    await world.restart()
    await world.pass_time(3600)
    assert len(world.messages()) == before + 2
    assert await core_of(world).service(Outbox).next_due() is None


async def test_a_message_that_did_not_arrive_is_sent_by_the_next_process(world: World) -> None:
    _, before = await begun(world)
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError):
        await by_way(world.ann, world.channel, "draw")
    await world.pass_time(1)
    await world.restart()
    await world.pass_time(3600)
    assert len(world.messages()) == before + 1


async def test_without_the_right_to_read_the_history_it_is_sent_with_its_nonce_alone(world: World) -> None:
    _, before = await begun(world)
    world.env.inject_error("GET", f"/channels/{world.channel.id}/messages", status=403, code=50001, times=None)
    with a_bad_line(world, SEND, aiohttp.ServerDisconnectedError):
        await by_way(world.ann, world.channel, "draw")
        await world.pass_time(60)
    assert len(world.messages()) == before + 1


async def test_a_direct_message_that_may_have_arrived_does_not_go_to_the_channel_too(world: World) -> None:
    await open_table(world, "bouncers", world.ann, world.ben)
    await remind(world, world.ann, where="direct", half=True, late=False)
    before = len(world.messages())
    with a_bad_line(world, SEND, refusal(500), arrives=True):
        await world.pass_time(13 * HOUR)
    assert len(world.messages()) == before
    assert len(world.direct_messages(world.ann)) == 1


async def test_messages_are_recognised_by_their_mark_and_their_buttons(world: World) -> None:
    table, _ = await begun(world)
    with world.env._bot_scope():
        channel = world.client.get_partial_messageable(world.channel.id)
        found = await find_sent(world.client, channel, "b1-1-2", world.now() - 60)
        assert found is not None
        assert found.id == table.board().id
        assert ("more", 1, 1) in {(click.verb, click.table, click.version) for click in clicks(found)}
        assert await find_sent(world.client, channel, "b1-2-3", world.now() - 60) is None
        assert await find_sent(world.client, channel, "b1-1-2", world.now() + 3600) is None
    assert mark("b1-1-2") != mark("b1-1-3")
    assert 2**30 <= mark("anything") < 2**31


async def test_a_busy_channel_does_not_hide_what_was_sent_last(world: World) -> None:
    await begun(world)
    since = world.now()
    for number in range(250):
        await world.cleo.send(world.channel, f"chatter {number}")
    await by_way(world.ann, world.channel, "draw")
    with world.env._bot_scope():
        channel = world.client.get_partial_messageable(world.channel.id)
        own = await own_messages(world.client, channel, since + MARGIN)
    assert world.last().id in {message.id for message in own}
