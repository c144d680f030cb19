"""The decorator of commands about a table: what Discord is told of them, and what they are given."""

from typing import Any

import pytest
from discord import AppCommandOptionType, app_commands

from bot.commands import COMMANDS
from bot.interactions.context import Context
from bot.interactions.tables import FINISHED_GAMES, OWN_GAMES, table_command
from bot.messages.builder import MessageBuilder
from tests.bot.kit import World, texts

ABOUT_A_TABLE = {"board", "move", "replay", "watch"}


def test_every_command_about_a_table_may_be_given_one_and_suggests_some() -> None:
    found = set()
    for command in COMMANDS:
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
