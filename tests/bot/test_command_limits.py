"""The validator knows all of Discord's limits on commands, and all commands keep them in every language."""

from typing import Any

import discord
import pytest

from bot.commands import COMMANDS
from bot.i18n.language import languages
from bot.i18n.translator import CatalogueTranslator
from bot.interactions.command_tree import Tree
from bot.menus import MENUS
from loopback.command_limits import LARGEST, Node, breaches_of_commands, nodes_of, size_of


async def registered() -> list[dict[str, Any]]:
    tree = Tree(discord.Client(intents=discord.Intents.none()))
    for command in (*COMMANDS, *MENUS):
        tree.add_command(command)
    translator = CatalogueTranslator()
    return [await command.get_translated_payload(tree, translator) for command in tree.get_commands()]


async def test_every_command_keeps_every_limit_in_every_language() -> None:
    commands = await registered()
    assert list(breaches_of_commands(commands)) == []
    translated = {locale for _, node in nodes_of(commands) for locale in node.get("description_localizations") or {}}
    assert translated == set(languages()) - {"en"}


async def test_every_command_says_where_it_is_installed_and_used() -> None:
    """Otherwise Discord uses the application's settings, which offer commands to people where the bot can do nothing."""
    for command in await registered():
        assert (command["integration_types"], command["contexts"]) == ([0], [0]), command["name"]


async def test_a_language_whose_words_are_half_as_long_again_still_fits_into_each_command() -> None:
    assert max(size_of(command) for command in await registered()) < LARGEST / 1.5


def slash(*options: Node, name: str = "play", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "Plays.", "type": 1, "options": list(options), **more}


def menu(name: str = "Stats", kind: int = 2, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, **more}


def option(name: str = "o", kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "An option.", "type": kind, **more}


def sub(*options: Node, name: str = "show", kind: int = 1) -> dict[str, Any]:
    return option(name, kind, options=list(options))


def choice(name: str = "x", value: Any = "y", **more: Any) -> dict[str, Any]:
    return {"name": name, "value": value, **more}


@pytest.mark.parametrize("commands", [
    [slash(name=f"c{n}") for n in range(100)],
    [menu(f"M {n}", kind) for n in range(5) for kind in (2, 3)],
    [slash(name="stats"), menu("stats"), menu("stats", 3)],
    [menu("M" * 32, name_localizations={"de": "Was war los?"})],
    [slash(option("größe"), option("खेल"), option("it's_1-a"))],
    [slash(sub(sub(option("a", required=True), option("b"), name="x"), name="g", kind=2), sub(name="y"))],
    [slash(option(choices=[choice(f"{n:0100}", f"{n:0100}") for n in range(25)]))],
    [slash(option(kind=4, min_value=0, max_value=5), option("l", min_length=0, max_length=6000))],
    [slash(contexts=[0, 1, 2], integration_types=[0, 1], default_member_permissions="32")],
    [slash(description_localizations={"de": "x" * 100, "pt-BR": "y"})],
])  # fmt: skip
def test_what_just_fits_is_no_breach(commands: list[dict[str, Any]]) -> None:
    assert list(breaches_of_commands(commands)) == []


@pytest.mark.parametrize(("commands", "said"), [
    ([slash(name=f"c{n}") for n in range(101)], "101 commands of type 1"),
    ([menu(f"M {n}") for n in range(6)], "6 commands of type 2"),
    ([menu(f"M {n}", 3) for n in range(6)], "6 commands of type 3"),
    ([menu(kind=5)], "is of type 5"),
    ([slash(), slash()], "'play' twice"),
    ([menu("A", name_localizations={"de": "X"}), menu("B", name_localizations={"de": "X"})], "'X' twice"),
    ([menu("A"), menu("B", name_localizations={"de": "A"})], "'A' twice"),
    ([menu("M" * 33)], "33 characters"),
    ([menu("")], "0 characters"),
    ([menu("A", name_localizations={"de": "M" * 33})], "33 characters"),
    ([menu("A ")], "a space at its end"),
    ([menu(description="Shows.")], "has a description"),
    ([menu(options=[option()])], "has options"),
    ([slash(contexts=[])], "the contexts []"),
    ([slash(integration_types=[2])], "the integration_types [2]"),
    ([slash(default_member_permissions="manage")], "the permissions 'manage'"),
    ([slash(name="Play")], "'Play' is no name"),
    ([slash(name="pläy ")], "is no name"),
    ([slash(name="p" * 33)], "is no name"),
    ([slash(option("a b"))], "'a b' is no name"),
    ([slash(option(description_localizations={"de": "x" * 101}))], "101 characters"),
    ([slash(name_localizations={"de": "Spielen"})], "'Spielen' is no name"),
    ([slash(option("о́"))], "is no name"),
    ([slash(description="")], "0 characters"),
    ([{"name": "play", "type": 1}], "0 characters"),
    ([slash(description_localizations={"de": "x" * 101})], "101 characters"),
    ([slash(description_localizations={"xx": "Spielt."})], "translated into xx"),
    ([slash(*(option(f"o{n}") for n in range(26)))], "26 options"),
    ([slash(option(), option())], "'o' twice"),
    ([slash(option("a"), option("b", required=True))], "after one that need not"),
    ([slash(option(kind=12))], "is of type 12"),
    ([slash(sub(), option("b"))], "both subcommands and options"),
    ([slash(sub(kind=2))], "a group of something else"),
    ([slash(sub(option("b"), kind=2))], "a group of something else"),
    ([slash(sub(sub(sub(name="z"), name="y", kind=2), name="x", kind=2))], "a group within a group"),
    ([slash(sub(sub(name="z")))], "a subcommand with subcommands"),
    ([slash(option(options=[option("p")]))], "an option with options"),
    ([slash(option(kind=6, choices=[choice()]))], "has no choices"),
    ([slash(option(kind=5, autocomplete=True))], "has no autocomplete"),
    ([slash(option(kind=3, max_value=5))], "has no max_value"),
    ([slash(option(kind=4, min_value=6, max_value=5))], "takes 6 to 5"),
    ([slash(option(max_length=6001))], "takes 0 to 6001"),
    ([slash(option(choices=[choice(str(n), str(n)) for n in range(26)]))], "26 choices"),
    ([slash(option(choices=[choice(value="1"), choice(value="2")]))], "'x' twice"),
    ([slash(option(choices=[choice("a"), choice("b")]))], "stand for 'y'"),
    ([slash(option(choices=[choice("x" * 101)]))], "101 characters"),
    ([slash(option(choices=[choice(value="x" * 101)]))], "101 characters"),
    ([slash(option(choices=[choice(name_localizations={"de": "x" * 101})]))], "101 characters"),
    ([slash(option(kind=4, choices=[choice()]))], "of another type"),
    ([slash(option(choices=[choice(value=1)]))], "of another type"),
    ([slash(option(autocomplete=True, choices=[choice()]))], "both choices and autocomplete"),
])  # fmt: skip
def test_every_limit_is_watched(commands: list[dict[str, Any]], said: str) -> None:
    assert any(said in sentence for sentence in breaches_of_commands(commands)), list(breaches_of_commands(commands))


def test_of_all_translations_only_the_longest_counts() -> None:
    small = slash(option(choices=[choice("ab", "abc")]), name="play", description="Plays.")
    assert size_of(small) == len("play") + len("Plays.") + len("o") + len("An option.") + len("ab") + len("abc")
    translated = small | {"description_localizations": {"de": "Spielt.", "fr": "x" * 50}, "name_localizations": {"de": "x"}}
    assert size_of(translated) == size_of(small) - len("Plays.") + 50
    full = slash(*(option(f"o{n}", choices=[choice("x" * 90, "y" * 90)] * 25) for n in range(2)))
    assert any("more than 8000" in sentence for sentence in breaches_of_commands([full]))
