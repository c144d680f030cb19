"""The first manager of a server who opens a table is asked once, privately, whether games get their own threads."""

from simcord.results import InteractionResult

from bot.core.people import Users
from bot.core.table.settings import ServerSettings
from bot.messages.click import Click
from loopback.limits import Kind
from tests.bot.forging import forged
from tests.bot.kit import World, a_chief, buttons, reply
from tests.bot.seated import all_that_is_public, core_of
from tests.bot.settings_panels import fill

QUESTION = "should each game get its own thread?"


async def settings(world: World) -> ServerSettings:
    return await core_of(world).service(Users).server(world.guild.id)


def is_asked(world: World, opened: InteractionResult) -> bool:
    """Whether the person who has opened a table is asked, alone."""
    assert QUESTION not in all_that_is_public(world)
    return any(QUESTION in world.text(message) and message.ephemeral for message in opened.followups)


async def test_the_first_manager_who_opens_a_table_is_asked_and_nobody_else(world: World) -> None:
    chief = a_chief(world)
    await world.ann.slash(world.channel, "help")
    assert not is_asked(world, await world.ann.slash(world.channel, "open", game="bouncers"))
    first = await chief.slash(world.channel, "open", game="bouncers")
    assert is_asked(world, first)
    assert "</server-settings:" in world.text(first.followups[-1])
    await world.restart()
    assert not is_asked(world, await chief.slash(world.channel, "open", game="bouncers"))
    assert not (await settings(world)).threads


async def test_a_manager_answers_with_one_press_and_the_next_table_has_a_thread(world: World) -> None:
    chief = a_chief(world)
    question = (await chief.slash(world.channel, "open", game="bouncers")).followups[-1]
    before = len(world.watch.calls)
    answer = await chief.click(question, label="Use threads")
    assert [call.kind for call in world.watch.calls[before:]] == [Kind.UPDATE]
    assert "each gets its own thread" in world.text(answer)
    assert buttons(answer) == []
    assert {"Join", "Start"} <= {one.label for one in buttons(world.messages()[0])}, "the table goes on in the channel"
    assert (await settings(world)).threads
    await world.ben.slash(world.channel, "open", game="bouncers")
    assert len(world.channel.threads) == 1


async def test_the_button_in_a_lobby_of_an_earlier_version_still_answers_for_managers_alone(world: World) -> None:
    chief = a_chief(world)
    first = reply(await world.ann.slash(world.channel, "open", game="bouncers"))
    refused = await forged(world.ann, first, Click("use-threads", 1))
    assert "You need the Manage Server permission for that." in world.text(refused)
    assert not (await settings(world)).threads
    answer = await forged(chief, first, Click("use-threads", 1))
    assert "each gets its own thread" in world.text(answer.followups[-1])
    assert {"Join", "Start"} <= {one.label for one in buttons(world.messages()[0])}
    assert (await settings(world)).threads


async def test_who_has_set_it_by_a_command_is_not_asked(world: World) -> None:
    chief = a_chief(world)
    await fill(world, chief, "server-settings", "new-tables", threads="no")
    assert not is_asked(world, await chief.slash(world.channel, "open", game="bouncers"))


async def test_a_private_table_asks_nobody_and_leaves_the_question_to_the_next(world: World) -> None:
    chief = a_chief(world)
    assert not is_asked(world, await chief.slash(world.channel, "open", game="bouncers", opponent=world.ben, private=True))
    assert is_asked(world, await chief.slash(world.channel, "open", game="bouncers"))


async def test_a_game_that_begins_at_once_leaves_the_question_to_the_next(world: World) -> None:
    chief = a_chief(world)
    assert not is_asked(world, await chief.slash(world.channel, "open", game="bouncers", computer="easy"))
    assert is_asked(world, await chief.slash(world.channel, "open", game="bouncers"))
