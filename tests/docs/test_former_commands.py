"""Former commands: the help, the answers to people and the page say the same about what replaces them."""

import re
from collections.abc import Iterator
from typing import Final

import discord
import pytest

from bot.commands import COMMANDS
from bot.features.help.topics import FORMER_WORDS, TOPICS
from bot.messages.former_commands import FORMER
from docs.site.links import ROOT
from tests.docs.commands import TREE

PAGE: Final = ROOT / "docs" / "playing.md"
GROUPS: Final = {command.name for command in COMMANDS if isinstance(command, discord.app_commands.Group)}
AT_MOST: Final = 18
ENTRIES_AT_MOST: Final = 30
OPTIONS_AT_MOST: Final = 3
MORE_OPTIONS: Final = {
    "analyse": "a long game is opened only in part, and `move` says which",
}
"""The commands with more options, and why."""


def test_there_are_few_commands() -> None:
    assert len(COMMANDS) <= AT_MOST
    assert len(TREE) <= ENTRIES_AT_MOST


@pytest.mark.parametrize("name", TREE)
def test_a_command_has_the_options_that_people_use_first(name: str) -> None:
    many = len(TREE[name].parameters) > OPTIONS_AT_MOST
    assert many == (name in MORE_OPTIONS)


def test_no_command_that_is_there_is_said_to_be_gone() -> None:
    assert [name for name in FORMER if name in TREE and name.split()[0] not in GROUPS] == []


def test_the_help_knows_every_command_that_there_is() -> None:
    assert set(TREE) == set(TOPICS)
    assert set(FORMER_WORDS) <= set(FORMER)


@pytest.mark.parametrize("name", FORMER)
def test_what_does_the_same_now_is_there(name: str) -> None:
    named = re.findall(r"`/([a-z- ]+)`", str(FORMER[name]))
    assert named, "it says where to go"
    assert all(one in TREE or one in GROUPS for one in named)


def test_the_page_says_of_each_which_command_does_the_same_now() -> None:
    rows = [line.strip("| ").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| /")]
    told = {name: re.findall(r"`/([a-z- ]+)`", now) for before, now in rows for name in _names(before)}
    assert told == {name: re.findall(r"`/([a-z- ]+)`", str(way)) for name, way in FORMER.items()}


def _names(cell: str) -> Iterator[str]:
    """The commands in a cell such as `/settings show, language`: a name without a slash belongs to the group before it."""
    group = ""
    for word in cell.split(", "):
        group = word[1:].rpartition(" ")[0] if word.startswith("/") else group
        yield f"{group} {word}" if not word.startswith("/") else word[1:]
