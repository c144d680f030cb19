"""Mentions of commands: a command that a text names in backticks, such as `/play`, becomes one that can be clicked.

Texts go on naming commands in backticks, in every language. What they become needs the ids that Discord gives to commands when
they are registered; as long as these are not known, it stays as it is. So does what cannot be clicked: a command with its
options (`/move action:c2 c3`), the name of a group of commands, and everything within a block of code.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from discord.app_commands import AppCommand, AppCommandGroup, Argument

FENCE: Final = "```"

_NAMED: Final = re.compile(r"(?<!`)`/([a-z-]+(?: [a-z-]+){0,2})`(?!`)")
"""A command in backticks, with the names of its group before it."""


class CommandMentions:
    """The commands that Discord knows, by their full names, and the texts that name them."""

    def __init__(self) -> None:
        self._mentions: dict[str, str] = {}

    def learn(self, registered: Iterable[AppCommand]) -> None:
        """Take note of what Discord has registered, in place of all that it had before."""
        self._mentions = {name: f"</{name}:{command.id}>" for command in registered for name in _full_names(command)}

    def __call__(self, words: str) -> str:
        """The text with mentions in the place of the commands that can be clicked."""
        if not self._mentions or "`/" not in words:
            return words
        parts = words.split(FENCE)  # every second one stands in a block of code
        parts[::2] = [_NAMED.sub(self._mention, part) for part in parts[::2]]
        return FENCE.join(parts)

    def _mention(self, named: re.Match[str]) -> str:
        return self._mentions.get(named[1], named[0])


def _full_names(command: AppCommand | AppCommandGroup, before: str = "") -> Iterator[str]:
    """The names of what can be run of a command: its own, or if it is a group, those of the commands in it."""
    name = f"{before}{command.name}"
    inner = [option for option in command.options if not isinstance(option, Argument)]
    if not inner:
        yield name
    for option in inner:
        yield from _full_names(option, f"{name} ")


mentions: Final = CommandMentions()
"""Of the bot that this process runs."""
