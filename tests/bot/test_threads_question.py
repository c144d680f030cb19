"""In the first lobby of a server the bot asks once whether games get their own threads."""

from bot.sessions.table.settings import ServerSettings
from tests.bot.kit import World, a_chief, buttons, reply
from tests.bot.limits import Kind
from tests.bot.seated import sessions_of

QUESTION = "should each game get its own thread?"


async def settings(world: World) -> ServerSettings:
    return await sessions_of(world).users.server(world.guild.id)


async def test_the_first_lobby_asks_and_no_later_one(world: World) -> None:
    await world.ann.slash(world.channel, "help")
    first = reply(await world.ann.slash(world.channel, "play", game="bouncers"))
    assert QUESTION in world.text(first)
    assert "`/server-settings tables`" in world.text(first) or "</server-settings tables:" in world.text(first)
    second = reply(await world.ben.slash(world.channel, "play", game="bouncers"))
    assert QUESTION not in world.text(second)
    await world.ann.click(first, label="Leave")
    assert QUESTION not in world.text(world.messages()[0]), "nobody can answer at a table that is closed"
    await world.restart()
    assert QUESTION not in world.text(await world.ann.slash(world.channel, "play", game="bouncers"))


async def test_the_question_stays_while_people_come_and_goes_with_the_start(world: World) -> None:
    first = reply(await world.ann.slash(world.channel, "play", game="trampoline", seats=3))
    await world.ben.click(first, label="Join")
    assert QUESTION in world.text(world.messages()[0])
    await world.cleo.click(first, label="Join")
    assert QUESTION not in world.text(world.messages()[0])
    assert not (await settings(world)).threads


async def test_a_manager_answers_with_one_press_and_the_next_table_has_a_thread(world: World) -> None:
    chief = a_chief(world)
    first = reply(await world.ann.slash(world.channel, "play", game="bouncers"))
    refused = await world.ann.click(first, label="Use threads")
    assert "You need the permission Manage Server for that." in world.text(refused)
    assert not (await settings(world)).threads
    before = len(world.watch.calls)
    answer = await chief.click(first, label="Use threads")
    assert [call.kind for call in world.watch.calls[before:]] == [Kind.UPDATE, Kind.FOLLOWUP]
    assert "each gets its own thread" in world.text(answer.followups[-1])
    assert QUESTION not in world.text(world.messages()[0])
    assert {"Join", "Start"} <= {one.label for one in buttons(world.messages()[0])}, "the table goes on in the channel"
    assert (await settings(world)).threads
    await world.ben.slash(world.channel, "play", game="bouncers")
    assert len(world.channel.threads) == 1


async def test_who_has_set_it_by_a_command_is_not_asked(world: World) -> None:
    await a_chief(world).slash(world.channel, "server-settings tables", threads=False)
    assert QUESTION not in world.text(await world.ann.slash(world.channel, "play", game="bouncers"))


async def test_a_private_table_asks_nobody_and_leaves_the_question_to_the_next(world: World) -> None:
    private = await world.ann.slash(world.channel, "play", game="bouncers", opponent=world.ben, private=True)
    assert QUESTION not in world.text(private)
    assert QUESTION in world.text(await world.ann.slash(world.channel, "play", game="bouncers"))


async def test_a_game_that_begins_at_once_leaves_the_question_to_the_next(world: World) -> None:
    await world.ann.slash(world.channel, "play", game="bouncers", computer="easy")
    assert QUESTION in world.text(await world.ann.slash(world.channel, "play", game="bouncers"))
