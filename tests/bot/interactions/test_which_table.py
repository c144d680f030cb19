"""Commands about a table: their options, which of several tables they mean, and what they read."""

from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from discord import AppCommandOptionType, app_commands

from bot import commands
from bot.core.people import Users
from bot.core.table.settings import PersonSettings
from bot.interactions.context import Context
from bot.interactions.tables import FINISHED_GAMES, OFFERED_AT_MOST, OWN_GAMES, table_command
from bot.messages.builder import MessageBuilder
from storage import queries
from storage.schema.records import Offers, SeatStatus, WatchFor
from tests.bot.kit import World, button, buttons, reply, select, selects, texts
from tests.bot.seated import Seated, core_of, open_table
from tests.bot.ways import by_seats

QUESTION = "There’s more than one game here. Which one?"


async def several(world: World, count: int) -> list[Seated]:
    """Tables of Ann and Ben in one channel, the newest last."""
    await core_of(world).service(Users).change_server(world.guild.id, most_tables=100)
    tables = []
    for _ in range(count):
        tables.append(await open_table(world, "bouncers", world.ann, world.ben))
        await world.pass_time(60)  # nobody opens tables faster than that
    return tables


async def seat_offered_to(table: Seated) -> int | None:
    offered = (await table.snapshot()).table.offers.substitute
    return None if offered is None else offered.to


async def watchers(world: World, table: Seated) -> dict[int, WatchFor]:
    async with core_of(world).store.read() as reader:
        return {watch.user_id: watch.what for watch in await queries.seats.watches_of_table(reader, table.table_id)}


COMMANDS: dict[str, dict[str, Any]] = {
    "move": {"action": "b2 b3"}, "watch": {"what": "turn"}, "board": {}, "replay": {"format": "log"},
}  # fmt: skip
SAID = {"move": "b2 → b3", "watch": "You’ll hear about every turn at table #1.", "board": "#1", "replay": "#1"}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
async def test_the_button_of_a_table_carries_the_command_out(world: World, command: str) -> None:
    table, _ = await several(world, 2)
    who = world.cleo if command == "watch" else world.ann
    asked = await who.slash(world.channel, command, **COMMANDS[command])
    assert QUESTION in world.text(asked)
    assert selects(asked) == []
    label = next(one.label for one in buttons(asked) if one.label.startswith("#1 "))
    answer = await who.click(reply(asked), label=label)
    assert SAID[command] in world.text(answer)
    assert QUESTION not in world.text(answer)
    if command == "move":
        assert (await table.snapshot()).table.version == 1
    if command == "watch":
        assert await watchers(world, table) == {world.cleo.id: WatchFor.TURN}


@pytest.mark.slow
async def test_more_than_a_row_of_tables_become_a_menu_that_does_the_same(world: World) -> None:
    tables = await several(world, 7)
    asked = await world.cleo.slash(world.channel, "watch", what="turn")
    assert buttons(asked) == []
    menu = select(asked)
    assert [label.split()[0] for label in menu.options] == [f"#{n}" for n in range(7, 0, -1)]
    await world.cleo.select(reply(asked), ["#3"])
    assert [world.cleo.id in await watchers(world, table) for table in tables] == [False, False, True, *[False] * 4]
    long = await world.ann.slash(world.channel, "move", action="b2 b3")
    played = await world.ann.select(reply(long), ["#5"])
    assert "b2 → b3" in world.text(played)
    assert (await tables[4].snapshot()).table.version == 1


@pytest.mark.slow
async def test_the_board_of_the_table_that_was_picked_has_the_buttons_of_that_table(world: World) -> None:
    table, other = await several(world, 2)
    asked = await world.ann.slash(world.channel, "board")
    label = next(one.label for one in buttons(asked) if one.label.startswith("#1 "))
    board = await world.ann.click(reply(asked), label=label)
    seats = await world.ann.click(reply(board), label="Substitute")
    await world.ann.select(reply(seats), [world.cleo])
    assert [await seat_offered_to(each) for each in (table, other)] == [world.cleo.id, None]
    await world.cleo.click(world.last(), label="Accept")
    assert (await table.snapshot()).players[0].user_id == world.cleo.id


@pytest.mark.slow
async def test_beyond_a_full_menu_the_newest_tables_are_offered_and_the_rest_mentioned(world: World) -> None:
    await several(world, OFFERED_AT_MOST)
    asked = await world.ann.slash(world.channel, "board")
    assert len(select(asked).options) == OFFERED_AT_MOST
    assert "These are the newest" not in world.text(asked)
    await open_table(world, "bouncers", world.ann, world.ben)
    asked = await world.ann.slash(world.channel, "board")
    assert len(select(asked).options) == OFFERED_AT_MOST
    assert "These are the newest 25." in world.text(asked)


@pytest.mark.slow
async def test_a_seat_is_not_offered_to_somebody_who_has_left(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    seats = await by_seats(world.ann, world.channel)
    world.env.inject_error("GET", "/guilds/*/members/*", status=404, code=10007, message="Unknown Member")
    answer = await world.ann.select(reply(seats), [world.cleo])
    assert "not on this server any more" in world.text(answer)
    snapshot = await table.snapshot()
    assert snapshot.table.offers == Offers()
    assert snapshot.players[0].status is SeatStatus.JOINED


ABOUT_A_TABLE = {"board", "move", "replay", "watch"}


def test_every_command_about_a_table_may_be_given_one_and_suggests_some() -> None:
    found = set()
    for command in commands.COMMANDS:
        game = command.get_parameter("game") if isinstance(command, app_commands.Command) else None
        if game is not None and game.autocomplete and command.name != "analyse":  # which takes a game from its start
            assert (game.type, game.required) == (AppCommandOptionType.string, False)
            assert str(game.description).startswith("Which ")
            assert command.guild_only
            found.add(command.name)
    assert found == ABOUT_A_TABLE


def test_discord_is_told_of_the_options_of_the_function_in_their_order() -> None:
    @table_command("look", description="Look at a game", games=FINISHED_GAMES)
    @app_commands.describe(often="How often")
    async def look(context: Context, often: int, game: str | None = None) -> None:
        """Nothing."""

    told = [(option.name, str(option.description), option.required) for option in look.parameters]
    assert told == [("often", "How often", True), ("game", "Which game, if there’s more than one here", False)]
    assert (look.name, look.description, look.guild_only) == ("look", "Look at a game", True)
    assert OWN_GAMES.description == "Which game, if you’re in several here"


@pytest.mark.parametrize("public", [False, True])
async def test_the_function_is_given_the_context_of_an_answer_and_the_options(world: World, *, public: bool) -> None:
    given: list[Any] = []

    @table_command("look", description="Look at a game")
    async def look(context: Context, game: str | None = None, public: bool = False) -> None:
        given.append((context.user.id, game, public))
        await context.reply.show(MessageBuilder().text("Here."))

    world.client.tree.add_command(look)
    await world.client.tree.sync()
    answer = await world.ann.slash(world.channel, "look", game="12", public=public)
    assert given == [(world.ann.id, "12", public)]
    assert texts(answer) == ["Here."]
    assert answer.ephemeral is not public


def counted(world: World, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The database snapshots taken from now on."""
    store, taken = world.client.core.store, list[str]()
    read = store.read

    def noted() -> AbstractAsyncContextManager[Any]:
        taken.append("read")
        return read()

    monkeypatch.setattr(store, "read", noted)
    return taken


@pytest.fixture
async def table(world: World) -> Seated:
    """A game of Bouncers in which it is Ann's turn."""
    return await open_table(world, "bouncers", world.ann, world.ben)


@pytest.mark.slow
async def test_a_click_reads_its_table_and_settings_once(world: World, table: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    await table.type(world.ann, ("b2", "b3"))
    (awaited,) = await table.awaited()
    board = table.board()
    more = reply(await awaited.click(board, label="More"))
    reads = counted(world, monkeypatch)
    for label, message in (("Move", board), ("More", board), ("What happened?", board), ("Board in words", more)):
        await awaited.click(message, label=label)
        assert reads == ["read"], label
        reads.clear()


@pytest.mark.slow
async def test_a_step_in_the_panel_reads_the_table_once(world: World, table: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    (awaited,) = await table.awaited()
    panel = reply(await awaited.click(world.last(), label="Move"))
    choice = (await table.choices(awaited))[0]
    reads = counted(world, monkeypatch)
    await awaited.click(panel, label=button(panel, choice.label).label)
    assert reads == ["read"]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "options", "most"), [
    ("help", {}, 1),  # the settings
    ("board", {"game": "1"}, 2),  # and the table
    ("board", {}, 3),  # and which table there is
    ("move", {"action": "nonsense"}, 2),
])  # fmt: skip
async def test_a_command_reads_settings_choice_and_table(
    world: World, table: Seated, monkeypatch: pytest.MonkeyPatch, command: str, options: dict[str, Any], most: int
) -> None:
    (awaited,) = await table.awaited()
    reads = counted(world, monkeypatch)
    await awaited.slash(world.channel, command, **options)
    assert len(reads) == most


async def test_a_command_is_answered_despite_unreadable_settings(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(_: int) -> PersonSettings:
        raise OSError("the disk is tired")

    monkeypatch.setattr(world.client.core.service(Users), "settings", broken)
    world.expected_errors.add("settings not read")
    assert "Springboard" in world.text(reply(await world.ann.slash(world.channel, "help")))
