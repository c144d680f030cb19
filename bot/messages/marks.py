"""Marks: the numbers by which the bot recognises its own messages.

Discord's message history does not include nonces, but it does include ids that the sender may choose. So the bot makes a mark
from a message's nonce, or for a lobby message from its table's number. A layout has the mark as its container's id. A plain
message has no container, so its first button has the mark as its page. No menu has that many pages.
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
"""A table's number, in a folded board and in other words. The mention of a channel does not count."""

OF_NONCES: Final = 0x4000_0000
"""The number added to a mark made from a nonce. Marks of lobby messages are smaller; see `bot.messages.lobby`."""

OWN_IDS: Final = 1000
"""The lowest component id that the bot assigns. Discord numbers the other components from 1."""


def mark(nonce: str) -> int:
    """Return the mark of a message that is sent with a nonce."""
    return crc32(nonce.encode()) & (OF_NONCES - 1) | OF_NONCES


def marks_of(message: discord.Message) -> set[int]:
    """Return a message's marks: one, or none if the message is not the bot's own or has nothing that could carry a mark."""
    containers = {getattr(component, "id", None) or 0 for component in message.components}
    return {number for number in containers | {click.page for click in clicks(message)} if number >= MARKS_FROM}


def has_mark(message: discord.Message, nonce: str) -> bool:
    """Whether a message was sent with a nonce, judging by its mark."""
    return mark(nonce) in marks_of(message)


def clicks(message: discord.Message) -> Iterator[Click]:
    """Yield the clicks that a message's buttons and menus stand for."""
    for component in all_components(message.components):
        click = Click.read(getattr(component, "custom_id", None) or "")
        if click is not None:
            yield click


def table_of(message: discord.Message) -> int | None:
    """Return the number of the only table that a bot's message names in its buttons, or else in its words, or None."""
    named = {click.table for click in clicks(message) if click.table}
    if not named:
        texts = [message.content, *(getattr(one, "content", None) or "" for one in all_components(message.components))]
        words = "\n".join(texts).strip()
        folded = _FOLDED.match(words)
        named = {int(number) for number in ([folded[1]] if folded is not None else _NUMBERED.findall(words))}
    return named.pop() if len(named) == 1 else None


def all_components(components: Any) -> Iterator[Any]:
    """Yield components and all that they contain, at any depth."""
    for component in components:
        yield component
        accessory = getattr(component, "accessory", None)
        yield from all_components([*getattr(component, "children", ()), *([] if accessory is None else [accessory])])


def menu_id(select: "ui.Select[Any] | ui.UserSelect[Any]") -> int:
    """Return a menu's id, made from what the menu does and shows. It is smaller than any message's mark."""
    if isinstance(select, ui.Select):
        shown = [(option.value, option.default) for option in select.options]
    else:
        shown = [(str(value.id), True) for value in select.default_values]
    return OWN_IDS + crc32(repr((select.custom_id, shown)).encode()) % (MARKS_FROM - OWN_IDS)
