"""The commands that pages name, read as people type them: `/play game:Bouncers clock:1 day a turn`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import discord

from bot.commands import COMMANDS
from docs.site.links import ROOT
from docs.site.pages import leaves

TREE: Final[dict[str, Any]] = {leaf.qualified_name: leaf for command in COMMANDS for leaf in leaves(command)}
"""Every command that can be called, by full name."""

_FOLDERS: Final = {"data", "opt", "tmp"}
"""Folders of the container, which look like commands on the page."""

_TYPED: Final = re.compile(r"(?<!`)`/(?P<words>[a-z][^`]*)`")
_OPTION: Final = re.compile(r"\s(?=[a-z]\w*:)")


@dataclass(frozen=True)
class Typed:
    """A command as a page writes it.

    Attributes:
        where: the page and the line.
        text: everything that is typed.
        name: the full name, or the group's if it names only that.
        options: what is typed for each option.
    """

    where: str
    text: str
    name: str
    options: tuple[tuple[str, str], ...]

    @property
    def leaf(self) -> Any:
        return TREE[self.name]

    def parameter(self, option: str) -> Any:
        """The option of the command, or None."""
        return next((each for each in self.leaf.parameters if each.display_name == option), None)

    def value(self, option: str, typed: str) -> Any:
        """What Discord sends for what is typed. Raises ValueError if that cannot be chosen."""
        parameter = self.parameter(option)
        if parameter.choices:
            found = [one.value for one in parameter.choices if typed in {str(one.name), str(one.name).partition(":")[0]}]
            if len(found) != 1:
                raise ValueError(f"{typed!r} is none of {[str(one.name) for one in parameter.choices]}")
            return found[0]
        if parameter.type is discord.AppCommandOptionType.boolean:
            return {"True": True, "False": False}[typed]
        return int(typed) if parameter.type is discord.AppCommandOptionType.integer else typed


def typed_on(page: str) -> Iterator[Typed]:
    """The commands on a page."""
    path: Path = ROOT / page
    text = path.read_text(encoding="utf-8")
    for found in _TYPED.finditer(text):
        if "/" in found["words"].split()[0] or found["words"] in _FOLDERS:
            continue  # an address, such as /health/live, or a folder
        before, *options = _OPTION.split(" ".join(found["words"].split()))
        known = next((name for name in (before, before.split()[0]) if name in TREE), before)
        line = text.count("\n", 0, found.start()) + 1
        pairs = tuple((name, value) for name, _, value in (option.partition(":") for option in options))
        yield Typed(f"{page}:{line}", found["words"], known, pairs)
