"""Messages, channels and threads that people delete or lock: the game goes on as far as it can be seen."""

import pytest
from simcord.builders import ChannelHandle

from tests.bot.kit import World, a_chief, reply
from tests.bot.refusals import SEND, a_bad_line, refusal
from tests.bot.seated import open_table, pings
from tests.bot.settings_panels import close_table, remove_player

pytestmark = pytest.mark.slow


async def test_a_deleted_board_is_posted_anew(world: World) -> None:
    table = await open_table(world, "trampoline", world.ann, world.ben, seats=2)
    world.env.backend.delete_message(world.channel.id, table.board().id)
    answer = await table.type(world.ann, ("roll",))
    assert "gone" not in world.text(answer)
    assert pings(world)[-1] == world.ben.id
    alone = await open_table(world, "trampoline", world.cleo, seats=1)
    world.env.backend.delete_message(world.channel.id, alone.board().id)
    answer = await alone.type(world.cleo, ("roll",))
    assert answer.followups == []
    assert "Cleo" in world.text(alone.board())
    assert pings(world)[-1] == world.cleo.id


async def test_a_deleted_first_message_is_posted_anew(world: World) -> None:
    chief = a_chief(world)
    shown = await world.ann.slash(world.channel, "open", game="trampoline", seats=3)
    await world.ben.click(reply(shown), label="Join")
    world.env.backend.delete_message(world.channel.id, reply(shown).id)
    await remove_player(world, chief, 1, world.ben)
    (lobby,) = world.messages()
    assert "2 seats open" in world.text(lobby)
    await world.cleo.click(lobby, label="Join")
    world.env.backend.delete_message(world.channel.id, lobby.id)
    closed = await close_table(world, chief, 1)
    assert "Table #1 is closed." in world.text(closed)
    assert closed.followups == []
    assert world.messages() == [], "a closed table is good for nothing"


async def test_in_a_deleted_channel_nothing_is_lost_and_the_player_is_told(world: World) -> None:
    elsewhere = world.guild.create_text_channel("elsewhere")
    table = await open_table(world, "bouncers", world.ann, world.ben)
    world.env.backend.delete_channel(world.channel.id)
    answer = await world.ann.slash(elsewhere, "move", action="b2 b3", game="1")
    assert "**Ann** bounces b2 → b3." in world.text(reply(answer))
    assert "is gone, so I can’t show the board" in world.text(answer)
    assert answer.followups[0].ephemeral
    assert (await table.snapshot()).table.version == 1
    await world.pass_time(13 * 3600)
    shown = await world.ben.slash(elsewhere, "board", game="1")
    assert "Which piece bounces?" in world.text(shown)


async def test_when_its_thread_is_deleted_a_game_goes_on_in_the_channel(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    assert table.channel.id != world.channel.id
    world.env.backend.delete_channel(table.channel.id)
    answer = await world.ann.slash(world.channel, "move", action="b2 b3")
    assert answer.followups == []
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last())
    await world.ben.slash(world.channel, "move", action="b7 b6")
    assert f"<@{world.ann.id}>, which piece bounces?" in world.text(world.last())


async def test_a_private_game_is_not_shown_to_all_when_its_thread_is_deleted(world: World) -> None:
    await world.ann.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True)
    await world.ben.click(world.messages()[0], label="Accept")
    (thread,) = world.channel.threads
    before = len(world.messages())
    world.env.backend.delete_channel(thread.id)
    answer = await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    assert "is gone" in world.text(answer)
    assert len(world.messages()) == before


def lock(world: World, thread: ChannelHandle, *, locked: bool) -> None:
    """A moderator locks a thread, or opens it again."""
    metadata = world.env.backend.get_channel(thread.id).thread_metadata
    assert metadata is not None
    metadata.locked = metadata.archived = locked
    world.env.backend.announce_channel_update(thread.id)


async def test_in_a_locked_thread_the_player_is_told_and_the_board_comes_when_it_is_opened(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben, thread=True)
    world.watch.excused |= {"locked thread", "archived thread", "was tried"}
    lock(world, table.channel, locked=True)
    with a_bad_line(world, SEND, refusal(400, 50083)):
        answer = await world.ann.slash(world.channel, "move", action="b2 b3", game="1")
    assert "is locked, so I can’t show the board there" in world.text(answer)
    assert answer.followups[0].ephemeral
    assert (await table.snapshot()).table.version == 1
    lock(world, table.channel, locked=False)
    await world.settle()
    assert f"<@{world.ben.id}>, which piece bounces?" in world.text(world.last(table.channel))
