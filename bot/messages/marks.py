"""Marks: the numbers by which the bot recognises its own messages.

Discord's history has no nonces, but ids that the sender may choose. A mark is made from a message's nonce, or for a lobby
message from its table's number. A layout has it as its container's id. A plain message cannot, so there it is the page of the
first button, as no menu has that many pages.
"""

import re
from collections.abc import Iterator
from typing import Any, Final
from zlib import crc32

import discord
from discord import ui

from bot.messages.click import MARKS_FROM, Click

_FOLDED: Final = re.compile(r"-# #(\d{1,18}) · ")
_NUMBERED: Final = re.compile(r"(?<![\w<&])#(\d{1,18})\b")
"""A table's number, in a folded board and in other words; a mention of a channel is none."""

OF_NONCES: Final = 0x4000_0000
"""Added to a mark made from a nonce. Those of lobby messages are smaller; see `bot.messages.lobby`."""

OWN_IDS: Final = 1000
"""The lowest component id that the bot gives; Discord numbers the others from 1."""


def mark(nonce: str) -> int:
    """Return the mark of a message with a nonce."""
    return crc32(nonce.encode()) & (OF_NONCES - 1) | OF_NONCES


def marks_of(message: discord.Message) -> set[int]:
    """A message's marks: one, or none if it is not the bot's own or has nothing to carry one."""
    containers = {getattr(component, "id", None) or 0 for component in message.components}
    return {number for number in containers | {click.page for click in clicks(message)} if number >= MARKS_FROM}


def has_mark(message: discord.Message, nonce: str) -> bool:
    """Whether a message was sent with a nonce, by its mark."""
    return mark(nonce) in marks_of(message)


def clicks(message: discord.Message) -> Iterator[Click]:
    """Yield the clicks that a message's buttons and menus stand for."""
    for component in all_components(message.components):
        click = Click.read(getattr(component, "custom_id", None) or "")
        if click is not None:
            yield click


def table_of(message: discord.Message) -> int | None:
    """The number of the table that a bot's message is about, by its buttons or else its words; None if not just one."""
    named = {click.table for click in clicks(message) if click.table}
    if not named:
        texts = [message.content, *(getattr(one, "content", None) or "" for one in all_components(message.components))]
        words = "\n".join(texts).strip()
        folded = _FOLDED.match(words)
        named = {int(number) for number in ([folded[1]] if folded is not None else _NUMBERED.findall(words))}
    return named.pop() if len(named) == 1 else None


def all_components(components: Any) -> Iterator[Any]:
    """Yield components and all that they contain."""
    for component in components:
        yield component
        accessory = getattr(component, "accessory", None)
        yield from all_components([*getattr(component, "children", ()), *([] if accessory is None else [accessory])])


def menu_id(select: "ui.Select[Any] | ui.UserSelect[Any]") -> int:
    """A menu's id, by what it does and shows; less than any mark of a message."""
    if isinstance(select, ui.Select):
        shown = [(option.value, option.default) for option in select.options]
    else:
        shown = [(str(value.id), True) for value in select.default_values]
    return OWN_IDS + crc32(repr((select.custom_id, shown)).encode()) % (MARKS_FROM - OWN_IDS)
