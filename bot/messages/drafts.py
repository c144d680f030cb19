"""Drafts: what somebody has chosen in a private panel so far, carried in parts by its buttons and menus."""

from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode

import discord

from bot.i18n.language import Language
from bot.messages.builder import ERROR_COLOUR, MessageBuilder
from bot.messages.click import LONGEST, Click, TooLong
from bot.messages.marks import clicks
from engines.text import say

_PART: Final = "="
"""The sign before a part of a draft, among a click's tokens."""

_TURN: Final = 50
"""The versions of a panel's clicks begin with a multiple of this, by turn; no panel has as many clicks."""

_TURNS: Final = 10
"""After how many turns the first comes again."""

_SAFE: Final = "/:.,-"
"""Signs that a draft keeps as they are: codes of boards are full of them."""

TOO_MUCH: Final = say("That’s too long for buttons. Choose a shorter board, or fewer people.")
"""Why a panel cannot carry what was chosen."""


class Draft:
    """Makes the clicks, each used once, of a panel that carries a draft of choices by name; for `turn` see `turn_in`."""

    def __init__(self, verb: str, chosen: Mapping[str, str], turn: int = 0) -> None:
        self._verb = verb
        self._first = turn % _TURNS * _TURN
        known = [(name, value) for name, value in chosen.items() if value]
        self._rest = urlencode(known, safe=_SAFE, quote_via=quote)
        self._made = 0

    def click(self, kind: str, *arguments: str) -> Click:
        """The click of the next button or menu, with as much of the draft as fits. Raises TooLong."""
        click = Click(f"{self._verb}-{kind}", version=self._first + self._made, tokens=(*arguments, _PART))
        room = LONGEST - len(click.custom_id)
        part, self._rest, self._made = self._rest[:room], self._rest[room:], self._made + 1
        return Click(click.verb, version=click.version, tokens=(*arguments, _PART + part))

    def finish(self) -> None:
        """Note that the panel has all of its clicks. Raises TooLong if they do not carry the whole draft."""
        if self._rest:
            raise TooLong(self._rest)


def draft_in(message: discord.Message | None, verb: str) -> dict[str, str]:
    """What was chosen in the panel that a message shows; empty if it carries no draft."""
    return draft_of(clicks(message) if message is not None else (), verb)


def turn_in(message: discord.Message | None, verb: str, *, refused: bool) -> int:
    """The turn of a panel that replaces another: menus get new custom_ids, or Discord would keep a refused choice."""
    shown = (click.version // _TURN for click in (clicks(message) if message is not None else ()) if _of(click, verb))
    return next(shown, 0) + refused


def _of(click: Click, verb: str) -> bool:
    return click.verb.startswith(f"{verb}-")


def draft_of(known: Iterable[Click], verb: str) -> dict[str, str]:
    """What was chosen in a panel, by the clicks in it."""
    parts = {}
    for click in known:
        if _of(click, verb):
            parts[click.version] = next((token[1:] for token in click.tokens if token.startswith(_PART)), "")
    return dict(parse_qsl("".join(part for _, part in sorted(parts.items()))))


def too_much(language: Language) -> MessageBuilder:
    """What is said about a draft that no panel can carry."""
    return MessageBuilder(colour=ERROR_COLOUR).text(language(TOO_MUCH))


def arguments(click: Click) -> tuple[str, ...]:
    """The arguments of a click in such a panel, with what was chosen in its menu."""
    return tuple(token for token in click.tokens if not token.startswith(_PART))
