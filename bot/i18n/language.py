"""Texts in a person's or a server's language. They are written in English, and catalogues translate them into other languages.

A language is a folder in `bot/i18n/locales`, named by Discord's code. It contains the catalogue that Babel maintains
(`LC_MESSAGES/springboard.po`, see `make texts`; `Language-Team` in its header is the language's own name) and the rules pages
(`rules/<game>.md`). Nothing has to be compiled, and no code names a language, so a new folder makes a new language.
"""

import gettext
import io
from collections.abc import Awaitable, Callable, Sequence
from functools import cache, cached_property
from importlib import resources
from typing import Final

from engines.text import Text, render

DOMAIN: Final = "springboard"
LOCALES: Final = resources.files("bot.i18n") / "locales"


def _compile(locale: str) -> gettext.NullTranslations:
    """Compile a catalogue in memory from its .po file, so that nothing has to be built before the bot runs."""
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - 60 ms, for which the first picture of a process need not wait
    from babel.messages.pofile import read_po  # noqa: PLC0415

    with (LOCALES / locale / "LC_MESSAGES" / f"{DOMAIN}.po").open("rb") as file:
        catalogue = read_po(file, locale=locale.replace("-", "_"))
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


class Language:
    """A language by Discord's code for it ("en", "de"). Its translations are those in its folder, unless others are given."""

    def __init__(self, code: str, catalogue: gettext.NullTranslations | None = None) -> None:
        self.code = code
        self._given = catalogue
        self._translate = None if isinstance(catalogue, _English) else self._translated

    @cached_property
    def _catalogue(self) -> gettext.NullTranslations:
        return _compile(self.code) if self._given is None else self._given

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    def __reduce__(self) -> tuple[Callable[[str], "Language"], tuple[str]]:
        # Another process has the catalogue itself.
        return language, (self.code,)

    @property
    def own_name(self) -> str:
        """The language's own name, such as "Deutsch"."""
        name: str = self._catalogue.info().get("language-team", self.code)
        return name

    def __call__(self, text: str, names: Sequence[str] = ()) -> str:
        """Return a text in this language, with these names in place of the seats' colours. A plain string stays as it is."""

        def name(seat: int) -> str | None:
            return str(render(names[seat], self._translate)) if seat < len(names) else None

        return str(render(text, self._translate, name))

    def template(self, english: str) -> str:
        """Return the translation of a template that has no plural. Placeholders are kept."""
        return self._catalogue.gettext(english)

    def rules(self, game: str) -> str | None:
        """Return a game's rules page in Markdown, or None if this language has no such page."""
        page = LOCALES / self.code / "rules" / f"{game}.md"
        return page.read_text(encoding="utf-8") if page.is_file() else None

    def _translated(self, text: Text) -> str:
        template = text.template or ""
        if text.plural is None:
            return self._catalogue.gettext(template)
        return self._catalogue.ngettext(template, text.plural, text.number or 0)


ServerLanguage = Callable[[int], Awaitable[Language]]
"""Returns the language of a server's public texts, given the server's id."""


class _English(gettext.NullTranslations):
    def info(self) -> dict[str, str]:
        return {"language-team": "English"}


ENGLISH: Final = Language("en", _English())


@cache
def languages() -> dict[str, Language]:
    """Return all available languages by code."""
    found = {"en": ENGLISH}
    if LOCALES.is_dir():
        for folder in LOCALES.iterdir():
            if (folder / "LC_MESSAGES" / f"{DOMAIN}.po").is_file():
                found[folder.name] = Language(folder.name)
    return found


def language(code: str | None) -> Language:
    """Return the language for a locale as Discord writes it ("de", "en-GB"), or else English."""
    if code is None:
        return ENGLISH
    known = languages()
    return known.get(code) or known.get(code.split("-")[0]) or ENGLISH
