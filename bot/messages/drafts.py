"""Drafts: what somebody has chosen so far in a private panel, before it is carried out.

Nothing of it is stored: the panel carries it. One custom_id is too short for that, so its buttons and menus do so between them,
each with a part of it after its own arguments.
"""

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
"""The sign before a part of a draft, among the tokens of a click."""

_TURN: Final = 50
"""The versions of the clicks of a panel begin with a multiple of this, by its turn; no panel has as many clicks."""

_TURNS: Final = 10
"""After so many turns, the first one comes again."""

_SAFE: Final = "/:.,-"
"""Signs that stand in a draft as they are: codes of boards are full of them."""

TOO_MUCH: Final = say("That’s too long for buttons. Choose a shorter board, or fewer people.")
"""Why a panel cannot carry what was chosen."""


class Draft:
    """Makes the clicks of a panel that carries a draft. Each click may be in the panel once.

    Args:
        verb: the beginning of their verbs.
        chosen: what was chosen, by name.
        turn: which turn of the panel it is, see `turn_in`.
    """

    def __init__(self, verb: str, chosen: Mapping[str, str], turn: int = 0) -> None:
        self._verb = verb
        self._first = turn % _TURNS * _TURN
        known = [(name, value) for name, value in chosen.items() if value]
        self._rest = urlencode(known, safe=_SAFE, quote_via=quote)
        self._made = 0

    def click(self, kind: str, *arguments: str) -> Click:
        """The click of the next button or menu, with as much of the draft as it has room for. Raises TooLong."""
        click = Click(f"{self._verb}-{kind}", version=self._first + self._made, tokens=(*arguments, _PART))
        room = LONGEST - len(click.custom_id)
        part, self._rest, self._made = self._rest[:room], self._rest[room:], self._made + 1
        return Click(click.verb, version=click.version, tokens=(*arguments, _PART + part))

    def finish(self) -> None:
        """Note that the panel has all of its clicks. Raises TooLong if they do not carry all of the draft."""
        if self._rest:
            raise TooLong(self._rest)


def draft_in(message: discord.Message | None, verb: str) -> dict[str, str]:
    """What was chosen in the panel that a message shows; empty if it carries no draft."""
    return draft_of(clicks(message) if message is not None else (), verb)


def turn_in(message: discord.Message | None, verb: str, *, refused: bool) -> int:
    """The turn in which a panel is shown in place of the one that a message shows.

    A menu that is shown as it was keeps what was picked in it last, on a computer's Discord. So after a choice that was refused
    its menus get other custom_ids, and show what is chosen.
    """
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
    """What is said of a draft that no panel can carry."""
    return MessageBuilder(colour=ERROR_COLOUR).text(language(TOO_MUCH))


def arguments(click: Click) -> tuple[str, ...]:
    """The arguments of a click in such a panel, with what was chosen in its menu."""
    return tuple(token for token in click.tokens if not token.startswith(_PART))
