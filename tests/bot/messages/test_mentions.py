"""Texts and buttons: commands can be clicked, names are seen, and long actions are typed."""

import random
import re
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from discord import app_commands, ui
from discord.app_commands import AppCommand

from bot.commands import COMMANDS
from bot.core.table.audience import Unseen
from bot.i18n.language import ENGLISH, languages
from bot.messages.builder import CommandMentions, MessageBuilder
from bot.messages.click import Click
from bot.messages.unseen import unseen_words
from engines import GAMES
from engines.chance import Fair
from tests.bot.i18n.catalogues import TEMPLATES, forms, messages, read, translations
from tests.bot.kit import World, reply
from tests.bot.seated import open_table
from tests.engines.contract_games import random_action


def registered(command_id: int, name: str, *options: dict[str, Any]) -> AppCommand:
    """A command as Discord returns it from registration."""
    data: Any = {"id": str(command_id), "application_id": "1", "name": name, "description": "-", "type": 1, "options": options}
    return AppCommand(data=data, state=None)  # type: ignore[arg-type]


def inner(kind: int, name: str, *options: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "name": name, "description": "-", "options": options}


@pytest.fixture
def known() -> CommandMentions:
    made = CommandMentions()
    made.learn(
        [
            registered(11, "board", inner(3, "game")),
            registered(12, "settings", inner(1, "show"), inner(1, "forget-me"), inner(2, "sounds", inner(1, "off"))),
        ]
    )
    return made


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("`/board` shows it.", "</board:11> shows it."),
        ("`/settings show`, `/settings forget-me`", "</settings show:12>, </settings forget-me:12>"),
        ("`/settings sounds off`", "</settings sounds off:12>"),
        ("**`/board`**\n-# `/board`", "**</board:11>**\n-# </board:11>"),
        ("`/settings` and `/settings sounds` are no commands", None),
        ("`/chess` is not known", None),
        ("Type `/board game:12` or /board or ` /board`.", None),
        ("``/board``", None),
        ("```\n`/board`\n```", None),
        ("```\nx\n``` `/board` ```y```", "```\nx\n``` </board:11> ```y```"),
    ],
)
def test_only_a_command_in_backticks_becomes_a_mention(known: CommandMentions, words: str, shown: str | None) -> None:
    assert known(words) == (shown or words)


def test_until_commands_are_registered_texts_stay_as_they_are() -> None:
    assert CommandMentions()("`/board`") == "`/board`"


def test_after_another_registration_the_ids_before_are_forgotten(known: CommandMentions) -> None:
    known.learn([registered(99, "board")])
    assert known("`/board` `/settings show`") == "</board:99> `/settings show`"


async def test_every_message_mentions_commands_by_their_registered_ids(world: World) -> None:
    play, settings = await _id_of(world, "play"), await _id_of(world, "settings")
    told = world.text(await world.ann.slash(world.channel, "board"))
    assert f"</play:{play}>" in told
    assert "`/play`" not in told
    (shown,) = MessageBuilder().text("`/settings`").items
    assert isinstance(shown, ui.TextDisplay)
    assert shown.content == f"</settings:{settings}>"


async def _id_of(world: World, name: str) -> int:
    return next(command.id for command in await world.client.tree.fetch_commands() if command.name == name)


def _commands() -> Iterator[str]:
    """The full names of all commands and groups."""
    for command in COMMANDS:
        yield command.name
        if isinstance(command, app_commands.Group):
            yield from (inner.qualified_name for inner in command.walk_commands())


@pytest.mark.parametrize("code", languages())
def test_texts_name_only_existing_commands_in_backticks(code: str) -> None:
    texts = messages(read(TEMPLATES)).values() if code == "en" else translations(code)
    known = set(_commands())
    for message in texts:
        for words in forms(message.id if code == "en" else message.string):
            for name in re.findall(r"`/([a-z-]+(?: [a-z-]+)*)", words):
                assert name in known or any(name.startswith(f"{one} ") for one in known), words
            bare = re.sub(r"`[^`]*`", "", words)
            assert not [name for name in re.findall(r"(?<![\w/])/([a-z-]+)", bare) if name in known], words


def test_names_are_shown_as_people_see_them_or_replaced_if_invisible() -> None:
    told = ENGLISH(unseen_words({1: Unseen.CHANNEL, 2: Unseen.LEFT}, {1: "1. *Ann*", 2: "\u3164"}, 77))
    assert told == (
        "Somebody isn’t on this server any more. 1\\. \\*Ann\\* can’t see <#77>. "
        "Pick somebody else, use another channel, or ask a moderator to let them in."
    )


async def test_an_action_too_long_for_buttons_goes_on_by_typing(world: World) -> None:
    table = await open_table(world, "bouncers", world.ann, world.ben)
    panel = await world.ann.click(table.board(), label="Move")
    with mock.patch("bot.messages.click.LONGEST", 17):
        await world.ann.click(reply(panel), label="b2")
        assert "too long for buttons. Type on: `/move action:b2 …`" in world.text(panel)
        await world.ann.click(reply(panel), label="Start over")
    assert "Which piece bounces?" in world.text(panel)


@pytest.mark.parametrize("game", [game for game in GAMES if game != "bouncers"])
def test_the_buttons_of_all_games_but_bouncers_hold_the_longest_actions(game: str) -> None:
    dice = random.Random(5)
    rules = GAMES[game]
    longest = ""
    for seed in range(3):
        state = rules.start(rules.seats[-1], None, Fair(bytes([seed]) * 32))
        for _ in range(300):
            if rules.outcome(state) is not None:
                break
            seat = rules.to_act(state)[0]
            action = random_action(rules, state, seat, dice)
            longest = max(longest, " ".join(action), key=len)
            state = rules.play(state, seat, action).state
    if game == "pucks":
        longest = max(longest, "play mix c north-of d f south-of a g west-of b done", "orange m1 right", key=len)
    assert len(Click("choose", 99_999_999, 99_999, 9, tuple(longest.split())).custom_id) <= 100
