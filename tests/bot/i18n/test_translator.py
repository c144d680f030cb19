"""Commands are described in every language. test_command_limits.py checks their lengths."""

from typing import Any

import discord
from discord import app_commands

from bot.commands import COMMANDS
from bot.i18n.language import languages
from bot.i18n.translator import CatalogueTranslator
from bot.menus import MENUS
from engines import GAMES
from tests.bot.i18n.catalogues import TEMPLATES, every_language, messages, read

GAME_CHOICES = {f"{game.title}: {game.summary}": game for game in GAMES.values()}


async def registered() -> list[dict[str, Any]]:
    client = discord.Client(intents=discord.Intents.none())
    tree: app_commands.CommandTree[discord.Client] = app_commands.CommandTree(client)
    for command in (*COMMANDS, *MENUS):
        tree.add_command(command)
    return [await command.get_translated_payload(tree, CatalogueTranslator()) for command in tree.get_commands()]


def described(payload: dict[str, Any], path: str = "") -> list[tuple[str, str, dict[str, str]]]:
    """Every text in a command, its options and choices: path, English, translations."""
    path = f"{path} {payload['name']}"
    found = []
    if "description" in payload:
        found.append((path, payload["description"], payload.get("description_localizations") or {}))
    else:  # a menu
        found.append((path, payload["name"], payload.get("name_localizations") or {}))
    for option in payload.get("options", ()):
        found += described(option, path)
    for choice in payload.get("choices", ()):
        found.append((f"{path}={choice['value']}", choice["name"], choice.get("name_localizations") or {}))
    return found


async def test_everything_in_a_command_is_in_the_catalogue() -> None:
    known = {message_id for message_id in messages(read(TEMPLATES)) if isinstance(message_id, str)}
    same = {*GAME_CHOICES, *(each.own_name for each in languages().values())}
    texts = [text for payload in await registered() for text in described(payload)]
    assert len(texts) > 100
    for where, english, _ in texts:
        assert english in known | same, where


@every_language
async def test_commands_keep_their_names_and_are_described_in_every_language(code: str) -> None:
    for payload in await registered():
        if payload["type"] == 1:
            assert not payload.get("name_localizations"), "people type them, and tell one another to type them"
        for where, english, others in described(payload):
            language, game = languages()[code], GAME_CHOICES.get(english)
            translated = language.template(english) if game is None else f"{game.title}: {language(game.summary)}"
            assert others.get(code, english) == translated, where
            assert len(translated) <= 100, f"{where}: {translated}"


async def test_wherever_a_game_is_chosen_it_comes_with_its_sentence() -> None:
    chosen = [
        choice["name"]
        for payload in await registered()
        for option in payload.get("options", ())
        if option["name"] == "game"
        for choice in option.get("choices", ())
    ]
    assert set(chosen) == set(GAME_CHOICES)
    assert len(chosen) >= 4 * len(GAMES)
