"""Warns of missing translations: `python -m bot.i18n.coverage`, run by `make lint`. Readers see the English text instead."""

import sys
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.i18n.language import DOMAIN, LOCALES, languages
from engines import GAMES

NAMED_AT_MOST = 10


def missing_translations(code: str) -> Iterator[str]:
    """Yield a sentence for each text and each rules page that a language lacks. `code` is Discord's code for the language."""
    if code == "en":
        return
    wanted, catalogue = _read("springboard.pot"), _read(f"{code}/LC_MESSAGES/{DOMAIN}.po")
    if not catalogue.language_team or "<" in catalogue.language_team:  # as `pybabel init` has written it
        yield f"{code}: Language-Team in the header has to be the name of the language in itself"
    texts = (message.id for message in wanted if message.id and not _is_translated(catalogue, message))
    missing = [str(text[0] if isinstance(text, list | tuple) else text) for text in texts]
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


def _is_translated(catalogue: Catalog, wanted: Message) -> bool:
    found = catalogue.get(wanted.id, wanted.context)
    if found is None or found.fuzzy:
        return False
    forms = found.string if isinstance(found.string, list | tuple) else (found.string,)
    return all(forms)


def main() -> None:
    """Print a warning for each missing translation. The exit status is always 0."""
    for code in languages():
        for sentence in missing_translations(code):
            sys.stdout.write(f"warning: {sentence}\n")


if __name__ == "__main__":
    main()
