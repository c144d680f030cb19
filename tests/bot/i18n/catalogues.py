"""The catalogues' messages, forms and placeholders."""

from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.i18n.language import LOCALES, languages

FOLDER = Path(str(LOCALES))
TEMPLATES = FOLDER / "springboard.pot"
TRANSLATED = sorted(code for code in languages() if code != "en")
every_language = pytest.mark.parametrize("code", TRANSLATED)


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def catalogue(code: str) -> Catalog:
    return read(FOLDER / code / "LC_MESSAGES" / "springboard.po")


def forms(words: Any) -> tuple[str, ...]:
    """The forms of a message or translation: one, or one per plural form."""
    return tuple(words) if isinstance(words, list | tuple) else (words,)


def messages(of: Catalog) -> dict[Any, Message]:
    return {message.id: message for message in of if message.id}


def translations(code: str) -> list[Message]:
    """A language's translated messages. Readers see English for the rest."""
    return [message for message in messages(catalogue(code)).values() if any(forms(message.string))]


def placeholders(words: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(words) if field is not None}
