"""Where people find a position's code, and where they do not."""

import re

import pytest

from engines import GAMES
from engines.position_codes import KnownPosition, position_code, read_line
from tests.bot.command_line import output_of, springboard
from tests.bot.kit import World, reply
from tests.bot.seated import Seated, open_table
from tests.bot.ways import by_way, in_words


def codes_in(text: str) -> list[str]:
    return re.findall(r"^-# Code: `(\w+)`$", text, re.MULTILINE)


async def words_for(table: Seated, number: int = 0) -> str:
    """The board in words, as somebody at the table reads it."""
    shown = await in_words(table.people[number], table.board())
    assert shown.ephemeral
    return table.world.text(shown)


async def test_the_board_in_words_has_the_code_of_a_game_in_which_nothing_is_hidden(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    await table.type(world.ann, ("b2", "b3"))
    (code,) = codes_in(await words_for(table))
    assert read_line(code).end == KnownPosition(GAMES["bouncers"], (await table.snapshot()).playing.state)


async def test_a_game_with_hidden_cards_shows_no_code_not_even_when_it_is_over(world: World) -> None:
    table = await open_table(world, "bunny", world.ann, world.ben)
    assert codes_in(await words_for(table, 0)) == codes_in(await words_for(table, 1)) == []
    asked = await by_way(world.ann, table.channel, "resign")
    await world.ann.click(reply(asked), label="Resign")
    await world.settle()
    assert codes_in(await words_for(table, 0)) == codes_in(await words_for(table, 1)) == [], "cards stay hidden after the end"


def test_a_line_longer_than_the_name_of_a_file_is_still_a_line() -> None:
    code = position_code(GAMES["bouncers"], GAMES["bouncers"].start(2))
    moves = ("b2-b3", "g7-g6", "c2-c3", "f7-f6")
    assert springboard("verify", f"{code} {', '.join(moves)}" + " " * 300).exit_code == 0


def test_a_code_is_put_into_words_by_the_command_that_checks_logs() -> None:
    bouncers = GAMES["bouncers"]
    code = position_code(bouncers, bouncers.start(2))
    shown = output_of("verify", f"{code} b2-b3, g7-g6")
    first, *moves, _ = shown.splitlines()[:4]
    assert first == "Bouncers, 8×8, 16 pieces each, 2 players, rules version 1."
    assert moves == ["Red bounces b2 → b3.", "Blue bounces g7 → g6."]
    assert str(bouncers.describe(read_line(f"{code} b2-b3, g7-g6").end.view)) in shown


@pytest.mark.parametrize(("text", "message"), [
    ("bouncers1ABC", "Error: There’s a typo in this code, or part of it is missing: "),
    ("games/12.txt", "Error: There is no file games/12.txt, and as a code it cannot be read: “games/12.txt” isn’t"),
    ("", "Error: “” isn’t a position code."),
])  # fmt: skip
def test_what_is_neither_a_file_nor_a_code_is_told_without_a_traceback(text: str, message: str) -> None:
    assert output_of("verify", text, status=1).startswith(message)
