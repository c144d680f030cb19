"""An invented language that turns a template's letters full-width and leaves inserted values alone.

Ordinary letters that remain have not gone through a template of `say`: names, moves in notation, or mistakes, which `leftovers`
finds.
"""

import gettext
import re
from collections.abc import Iterable
from string import Formatter

from bot.i18n.language import Language
from engines import GAMES
from engines.pucks.board.deck import card

_WIDE = {ord(letter): ord(letter) - ord("!") + ord("！") for letter in map(chr, range(33, 127)) if letter.isalpha()}


def disguised(template: str) -> str:
    """The template in full-width letters, with its placeholders unchanged."""
    parts = []
    for words, field, spec, conversion in Formatter().parse(template):
        parts.append(words.translate(_WIDE).replace("{", "{{").replace("}", "}}"))
        if field is not None:
            parts.append("{" + field + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}")
    return "".join(parts)


class _Disguise(gettext.NullTranslations):
    def info(self) -> dict[str, str]:
        return {"language-team": "Esperanto"}

    def gettext(self, message: str) -> str:
        return disguised(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return disguised(msgid1 if n == 1 else msgid2)


class Pseudo(Language):
    """The language, under a code that Discord does not have."""

    def __init__(self) -> None:
        super().__init__("eo", _Disguise())

    def rules(self, game: str) -> str:
        return disguised(game)


PSEUDO = Pseudo()

NOTATION = (
    r"https?://\S+",
    r"<(?:t:-?\d+:[a-zA-Z]|[@#]!?\d+)>",  # Discord's times and mentions
    r"`[^`]*(?:`|…$)",  # a code, even if the end of a description cuts it off
    r"\]\([a-z0-9-]+\)",  # an illustration by its name
    r"\b[A-Za-z]+(?:/[A-Za-z]+)+\b",  # the layout of mats
    r"“[^”]*”",  # what somebody typed, or an action as it is written
    r"\b[a-j]\d+(?:[-x][a-j]\d+)*\b",  # a path of Bouncers
    r"\b\d+x\d+(?:-\w+)*",  # a variant by its id
    r"\b[a-z]+:[a-z]+\b",  # an option of a table
    r"\b(?:[0-9a-f]{16}|[0-9a-f]{64})\b",  # what is shown of a link of the log, and the hash of a seed
)
"""What is the same in every language."""


def leftovers(text: str, same: Iterable[str] = ()) -> list[str]:
    """The English words in a text, except names: those of the games, and the given ones."""
    text = re.sub(r"\(([a-z0-9-]+)\)", lambda found: " " if _is_card(found[1]) else found[0], text)
    for name in (*same, *(game.title for game in GAMES.values())):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    for pattern in NOTATION:
        text = re.sub(pattern, " ", text)
    return re.findall(r"[A-Za-z]{2,}", text)


def _is_card(token: str) -> bool:
    """Whether this is how somebody types a Puck Bumpers card. Read aloud, a card has no signs of a code."""
    try:
        card(token)
    except KeyError:
        return False
    return True
