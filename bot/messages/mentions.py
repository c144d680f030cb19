"""Mentions of commands: a command that a text names in backticks, such as `/play`, becomes one that can be clicked.

Texts name commands in backticks, in every language. A mention needs the id that Discord gives to a command when it is
registered; until it is known, the backticks stay. They also stay where nothing can be clicked: round a command with its options
(`/move action:c2 c3`), round the name of a group of commands, and within a block of code.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from discord.app_commands import AppCommand, AppCommandGroup, Argument

FENCE: Final = "```"

_NAMED: Final = re.compile(r"(?<!`)`/([a-z-]+(?: [a-z-]+){0,2})`(?!`)")
"""A command in backticks, with the names of its group before it."""


class CommandMentions:
    """Turns the names of commands in texts into mentions, once their ids are known."""

    def __init__(self) -> None:
        self._mentions: dict[str, str] = {}

    def learn(self, registered: Iterable[AppCommand]) -> None:
        """Take the commands that Discord has registered, in place of all others."""
        self._mentions = {name: f"</{name}:{command.id}>" for command in registered for name in _full_names(command)}

    def __call__(self, words: str) -> str:
        """The text with mentions in the places of the commands that can be clicked."""
        if not self._mentions or "`/" not in words:
            return words
        parts = words.split(FENCE)  # every second one stands in a block of code
        parts[::2] = [_NAMED.sub(self._mention, part) for part in parts[::2]]
        return FENCE.join(parts)

    def _mention(self, named: re.Match[str]) -> str:
        return self._mentions.get(named[1], named[0])


def _full_names(command: AppCommand | AppCommandGroup, before: str = "") -> Iterator[str]:
    """The full name of a command, or of each command in a group."""
    name = f"{before}{command.name}"
    inner = [option for option in command.options if not isinstance(option, Argument)]
    if not inner:
        yield name
    for option in inner:
        yield from _full_names(option, f"{name} ")


mentions: Final = CommandMentions()
"""The mentions of the bot that this process runs."""
