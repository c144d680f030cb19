"""The board goes out when the move is committed, and the answer to the click beside it: neither waits for the other."""

import aiohttp
import discord
import pytest

from bot.core.jobs import Outbox
from bot.outbox.attempts import TIME_LIMIT
from loopback.limits import Kind
from tests.bot.kit import World, reply
from tests.bot.outbox.test_permissions import allow
from tests.bot.refusals import ANSWER, EDIT, FOR_EVER, SEND, a_bad_line, a_slow_line, limited, refusal
from tests.bot.seated import Seated, core_of, open_table, pings
from tests.bot.ways import by_way

pytestmark = pytest.mark.slow


async def test_the_board_is_out_although_the_answer_hangs_for_ever(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    world.watch.excused.add("was never answered")
    with a_slow_line(world, ANSWER) as hung:
        await table.type(world.ann, ("b2", "b3"))
        assert hung
        assert pings(world)[-1] == world.ben.id
        assert f"<@{world.ben.id}>, which piece bounces?" in world.text(table.board())
        await table.type(world.ben, ("b7", "b6"))
        assert pings(world)[-1] == world.ann.id


async def test_the_answer_is_there_although_the_board_hangs_for_ever(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    with a_slow_line(world, SEND):
        answer = await table.type(world.ann, ("b2", "b3"))
        assert "**Ann** bounces b2 → b3." in world.text(answer)
        await world.pass_time(TIME_LIMIT + 1)
    await world.pass_time(600)
    assert pings(world)[-1] == world.ben.id
    assert pings(world).count(world.ben.id) == 1


async def test_a_lobby_is_shown_once_by_the_answer_or_else_by_the_outbox(world: World) -> None:
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3)
    since = len(world.watch.calls)
    await world.ben.click(reply(shown), label="Join")
    assert [call.kind for call in world.watch.calls[since:]] == [Kind.UPDATE]
    world.watch.excused.add("was never answered")
    since = len(world.watch.calls)
    with a_bad_line(world, ANSWER, refusal(500), times=1):
        await world.cleo.click(reply(shown), label="Join")
    lobby, board = world.messages()
    edited = [call.path.rpartition("/")[2] for call in world.watch.calls[since:] if call.kind is Kind.EDIT]
    assert sorted(edited) == [str(lobby.id), str(board.id)], "the lobby once, and the announced turn became a board"
    assert "Cleo" in world.text(lobby)
    assert await core_of(world).service(Outbox).next_due() is None


async def in_two_channels(world: World) -> tuple[Seated, Seated]:
    elsewhere = world.guild.create_text_channel("elsewhere")
    here = await open_table(world, "bouncers", world.ann, world.ben)
    return here, await open_table(world, "bouncers", world.ann, world.ben, channel=elsewhere)


async def test_what_fails_in_one_channel_is_not_held_up_by_a_rate_limit_in_another(world: World) -> None:
    one, other = await in_two_channels(world)
    await one.act(world.ann, ("b2", "b3"))
    await other.act(world.ann, ("b2", "b3"))
    slow = SEND.replace(r"\d+", str(world.channel.id))
    failing = SEND.replace(r"\d+", str(other.channel.id))
    with a_slow_line(world, slow, 46), a_bad_line(world, failing, refusal(503)):
        await one.show_all()
        await world.pass_time(7)
        assert f"<@{world.ben.id}>, which piece bounces?" in world.text(other.board())
        assert f"<@{world.ann.id}>, which piece bounces?" in world.text(one.board())
        await world.pass_time(40)
        assert f"<@{world.ben.id}>, which piece bounces?" in world.text(one.board())


async def test_a_long_rate_limit_is_waited_for_and_not_tried_in_between(world: World) -> None:
    one, other = await in_two_channels(world)
    slow = SEND.replace(r"\d+", str(world.channel.id))
    with limited(world, slow, 300) as tried:
        await one.type(world.ann, ("b2", "b3"))
        await by_way(world.ben, world.channel, "draw", game="1")
        await other.type(world.ann, ("b2", "b3"))
        assert f"<@{world.ben.id}>, which piece bounces?" in world.text(other.board())
        await world.pass_time(280)
        assert len(tried) == 2, "once for the board, and once for the click that came later"
    await world.pass_time(60)
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(one.board())
    assert await core_of(world).service(Outbox).next_due() is None


@pytest.mark.parametrize("code", [50083, 160005])
async def test_a_locked_thread_is_named_as_such(world: World, code: int) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    with a_bad_line(world, SEND, refusal(403, code)):
        answer = await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    assert "is locked, so I can’t show the board there" in world.text(answer)
    assert isinstance(world.client.get_channel(table.channel.id), discord.Thread)


async def test_an_answer_that_discord_rations_undoes_nothing(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    world.watch.excused.add("was never answered")
    with limited(world, ANSWER, 300), a_slow_line(world, EDIT, FOR_EVER):
        await table.type(world.ann, ("b2", "b3"))
    announced = world.last()
    assert "Ann bounces b2 → b3. Your turn in Bouncers #1: which piece bounces?" in world.text(announced)
    assert world.pinged(announced) == {world.ben.id}
    await world.pass_time(2 * TIME_LIMIT)
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(table.board()), "it becomes the board all the same"
    assert table.board().id == announced.id
    assert pings(world) == [world.ann.id, world.ben.id]


async def test_a_turn_whose_board_hangs_is_announced_once_although_the_history_may_not_be_read(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    allow(world, world.channel.id, read_message_history=False)
    world.watch.excused.add("was tried")
    with a_slow_line(world, EDIT, FOR_EVER):
        await table.type(world.ann, ("b2", "b3"))
        announced = world.last()
        await world.pass_time(TIME_LIMIT)
    await world.pass_time(TIME_LIMIT)
    assert table.board().id == announced.id
    assert pings(world) == [world.ann.id, world.ben.id]


async def test_whoever_is_offered_a_seat_of_a_private_game_is_let_in_though_the_connection_was_lost(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    await world.ben.click(world.messages()[0], label="Accept")
    (thread,) = world.channel.threads
    with a_bad_line(world, rf"PUT /channels/\d+/thread-members/{world.cleo.id}", aiohttp.ServerDisconnectedError):
        answer = await by_way(world.ann, thread, "substitute", newcomer=world.cleo, game="1")
        assert "to take over the seat" in world.text(answer)
        await world.pass_time(60)
    offer = world.last(thread, viewer=world.cleo)
    assert "Will you take over Ann’s seat in Bouncers #1?" in world.text(offer)
    assert world.pinged(offer) == {world.cleo.id}
