"""Drafts: what somebody has chosen so far in a private panel. The panel's buttons and menus each carry a part of it."""

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
"""The sign that begins a part of a draft among a click's tokens."""

_TURN: Final = 50
"""The number by which the versions of a panel's clicks grow from turn to turn. No panel has that many clicks."""

_TURNS: Final = 10
"""The number of turns after which the versions begin anew."""

_SAFE: Final = "/:.,-"
"""Signs that a draft leaves unquoted, because the codes of boards are full of them."""

TOO_MUCH: Final = say("That’s too long for buttons. Choose a shorter board, or fewer people.")
"""What is said when a panel cannot carry what was chosen."""


class Draft:
    """Makes the clicks of a panel that carries a draft. Each click is used only once.

    Args:
        verb: how the verbs of the clicks begin.
        chosen: what was chosen, by name.
        turn: the panel's turn, see `turn_in`.
    """

    def __init__(self, verb: str, chosen: Mapping[str, str], turn: int = 0) -> None:
        self._verb = verb
        self._first = turn % _TURNS * _TURN
        known = [(name, value) for name, value in chosen.items() if value]
        self._rest = urlencode(known, safe=_SAFE, quote_via=quote)
        self._made = 0

    def click(self, kind: str, *arguments: str) -> Click:
        """Return the click of the next button or menu, with as much of the draft as fits. Raises TooLong."""
        click = Click(f"{self._verb}-{kind}", version=self._first + self._made, tokens=(*arguments, _PART))
        room = LONGEST - len(click.custom_id)
        part, self._rest, self._made = self._rest[:room], self._rest[room:], self._made + 1
        return Click(click.verb, version=click.version, tokens=(*arguments, _PART + part))

    def finish(self) -> None:
        """Note that the panel has all of its clicks. Raises TooLong if they do not carry the whole draft."""
        if self._rest:
            raise TooLong(self._rest)


def draft_in(message: discord.Message | None, verb: str) -> dict[str, str]:
    """Return what was chosen in the panel that a message shows. It is empty if the message carries no draft."""
    return draft_of(clicks(message) if message is not None else (), verb)


def turn_in(message: discord.Message | None, verb: str, *, refused: bool) -> int:
    """Return the turn of the panel that replaces a message's. It grows after a refused choice, which resets the menus."""
    shown = (click.version // _TURN for click in (clicks(message) if message is not None else ()) if _of(click, verb))
    return next(shown, 0) + refused


def _of(click: Click, verb: str) -> bool:
    return click.verb.startswith(f"{verb}-")


def draft_of(known: Iterable[Click], verb: str) -> dict[str, str]:
    """Return what was chosen in a panel, read from the panel's clicks."""
    parts = {}
    for click in known:
        if _of(click, verb):
            parts[click.version] = next((token[1:] for token in click.tokens if token.startswith(_PART)), "")
    return dict(parse_qsl("".join(part for _, part in sorted(parts.items()))))


def too_much(language: Language) -> MessageBuilder:
    """Say that no panel can carry a draft."""
    return MessageBuilder(colour=ERROR_COLOUR).text(language(TOO_MUCH))


def arguments(click: Click) -> tuple[str, ...]:
    """Return the arguments of a click in a panel with a draft, followed by what was chosen in the click's menu."""
    return tuple(token for token in click.tokens if not token.startswith(_PART))
