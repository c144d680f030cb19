"""What has not been translated yet: `python -m bot.i18n.coverage`, run by `make lint`, prints warnings about it.

A missing translation is not an error. Readers see the English text, or the English rules page, until somebody adds one.
"""

import sys
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.i18n.language import DOMAIN, LOCALES, languages
from engines import GAMES

NAMED_AT_MOST = 10


def untranslated(code: str) -> Iterator[str]:
    """Yields a sentence for each text and each rules page that a language lacks.

    Args:
        code: the language's code, as Discord writes it; English lacks nothing.
    """
    if code == "en":
        return
    wanted, catalogue = _read("springboard.pot"), _read(f"{code}/LC_MESSAGES/{DOMAIN}.po")
    missing = [str(_singular(message)) for message in wanted if message.id and not _is_translated(catalogue, message)]
    for text in missing[:NAMED_AT_MOST]:
        yield f"{code}: not translated: {text!r}"
    if len(missing) > NAMED_AT_MOST:
        yield f"{code}: and {len(missing) - NAMED_AT_MOST} more texts"
    for game in GAMES:
        if languages()[code].rules(game) is None:
            yield f"{code}: no rules page of {game} (rules/{game}.md)"


def _read(name: str) -> Catalog:
    with (LOCALES / name).open("rb") as file:
        return read_po(file)


def _singular(message: Message) -> object:
    return message.id[0] if isinstance(message.id, list | tuple) else message.id


def _is_translated(catalogue: Catalog, wanted: Message) -> bool:
    found = catalogue.get(wanted.id, wanted.context)
    if found is None or found.fuzzy:
        return False
    forms = found.string if isinstance(found.string, list | tuple) else (found.string,)
    return all(forms)


def main() -> None:
    """Print a warning for everything that a language lacks. The exit status is 0 all the same."""
    for code in languages():
        for sentence in untranslated(code):
            sys.stdout.write(f"warning: {sentence}\n")


if __name__ == "__main__":
    main()
