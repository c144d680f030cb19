"""The catalogues hold every text for people, and the German one translates all of them."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest

from bot.i18n import coverage
from bot.i18n.language import Language, languages
from engines import GAMES
from engines.pucks.board.box import box
from engines.pucks.board.deck import card
from engines.text import SEAT_COLOURS, say
from tests.bot.i18n.catalogues import (
    FOLDER,
    TEMPLATES,
    TRANSLATED,
    catalogue,
    every_language,
    forms,
    messages,
    placeholders,
    read,
    translations,
)
from tests.bot.wording import ROOT, SOURCES
from tests.bot.wording import TEMPLATES as SAYING


def test_the_list_of_texts_is_that_of_the_code(tmp_path: Path) -> None:
    made = tmp_path / "made.pot"
    babel = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "extract", "--mapping-file", "pyproject.toml"]
    subprocess.run([*babel, "--output-file", str(made), "."], cwd=ROOT, check=True)
    new, old = set(messages(read(made))), set(messages(read(TEMPLATES)))
    assert new == old, f"run `make texts`; new: {new - old}; gone: {old - new}"
    assert {str(colour) for colour in SEAT_COLOURS} <= old


def test_no_text_hides_where_it_is_not_looked_for() -> None:
    """Before Python 3.12 an f-string is a single token, so no catalogue gets the texts inside it."""
    known = {form for words in messages(read(TEMPLATES)) for form in forms(words)}
    said = {
        (str(path.relative_to(ROOT)), words.value)
        for path in SOURCES
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in SAYING
        for words in call.args[: SAYING[call.func.id]]
        if isinstance(words, ast.Constant)
    }
    assert len(said) > 1000
    assert {place for place in said if place[1] not in known} == set()


def test_there_is_a_language_beside_english() -> None:
    assert "de" in TRANSLATED


@every_language
def test_every_catalogue_holds_all_texts_translated_or_not(code: str) -> None:
    missing = set(messages(read(TEMPLATES))) - set(messages(catalogue(code)))
    assert not missing, f"run `make texts`: {missing}"


def test_untranslated_texts_warn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("bot.i18n.coverage.NAMED_AT_MOST", 10_000)
    coverage.main()
    known = set(capsys.readouterr().out.splitlines())  # a game that is being added may not be translated yet
    shutil.copytree(FOLDER, tmp_path / "locales")
    (tmp_path / "locales" / "de" / "rules" / "bunny.md").unlink()
    file = tmp_path / "locales" / "de" / "LC_MESSAGES" / "springboard.po"
    text = file.read_text(encoding="utf-8")
    assert text.count('msgstr "Fang ein Spiel an"') == 1
    changed = text.replace('msgstr "Fang ein Spiel an"', 'msgstr ""').replace("Team: Deutsch", "Team: de <LL@li.org>")
    file.write_text(changed, encoding="utf-8")
    monkeypatch.setattr("bot.i18n.coverage.LOCALES", tmp_path / "locales")
    monkeypatch.setattr("bot.i18n.language.LOCALES", tmp_path / "locales")
    coverage.main()
    assert set(capsys.readouterr().out.splitlines()) - known == {
        "warning: de: Language-Team in the header has to be the name of the language in itself",
        "warning: de: not translated: 'Start a game'",
        "warning: de: no rules page of bunny (rules/bunny.md)",
    }
    german = Language("de")
    assert german(say("Start a game")) == "Start a game"
    assert german.rules("bunny") is None


@every_language
def test_no_translation_is_doubtful_or_left_over(code: str) -> None:
    texts = catalogue(code)
    doubtful = [message.id for message in texts if message.id and message.fuzzy]
    assert not doubtful, f"look at these and take the mark “fuzzy” off: {doubtful}"
    assert not texts.obsolete
    assert set(messages(texts)) == set(messages(read(TEMPLATES)))


@every_language
def test_translations_have_the_placeholders_of_their_texts(code: str) -> None:
    for message in translations(code):
        wanted = set().union(*map(placeholders, forms(message.id)))
        for said in forms(message.string):
            assert placeholders(said) <= wanted, said
        assert set().union(*map(placeholders, forms(message.string))) == wanted, message.id
        if not message.pluralizable:
            assert sorted(f for _, f, _, _ in Formatter().parse(str(message.string)) if f) == sorted(
                f for _, f, _, _ in Formatter().parse(str(message.id)) if f
            ), f"a placeholder is there more often, or less often: {message.id}"


@every_language
def test_translations_have_as_many_plural_forms_as_the_language(code: str) -> None:
    texts = catalogue(code)
    for message in translations(code):
        assert len(forms(message.string)) == (texts.num_plurals if message.pluralizable else 1), message.id


ORDINALS = {"{n}st", "{n}nd", "{n}rd", "{n}th"}
"""Texts that some languages write with a full stop that ends no sentence: "2."."""


@every_language
def test_translations_begin_and_end_like_their_texts(code: str) -> None:
    """Texts are put together by their line breaks and final full stops."""
    for message in translations(code):
        english = forms(message.id)[-1]
        for said in forms(message.string):
            assert said.strip() == said
            assert said.count("\n") == english.count("\n"), said
            assert english in ORDINALS or (said[-1] in ".!?") == (english[-1] in ".!?"), said


@every_language
def test_translations_keep_commands_and_code_as_they_are(code: str) -> None:
    for message in translations(code):
        english = forms(message.id)[-1]
        for said in forms(message.string):
            assert sorted(said.split("`")[1::2]) == sorted(english.split("`")[1::2]), said
            assert said.count("**") == english.count("**"), said


PAGES = [(code, game) for code in TRANSLATED for game in GAMES if languages()[code].rules(game) is not None]


@pytest.mark.parametrize(("code", "game"), PAGES)
def test_a_translated_rules_page_has_the_same_headings_and_notation(code: str, game: str) -> None:
    page = languages()[code].rules(game)
    assert page is not None
    english = (ROOT / "engines" / game / "rules.md").read_text(encoding="utf-8")

    def outline(text: str) -> list[str]:
        return [line.split(" ")[0] for line in text.splitlines() if line.startswith("#")]

    def items(text: str) -> int:
        return sum(line.lstrip().startswith("- ") for line in text.splitlines())

    def notation(text: str) -> set[str]:
        return {span for line in text.splitlines() for span in line.split("`")[1::2] if line.count("`") % 2 == 0}

    assert (outline(page), items(page), notation(page)) == (outline(english), items(english), notation(english))


@every_language
def test_the_rules_call_cards_by_the_names_they_have_in_the_game(code: str) -> None:
    page, english = languages()[code].rules("pucks"), (ROOT / "engines" / "pucks" / "rules.md").read_text(encoding="utf-8")
    assert page is not None
    named = [card(card_id).title for card_id in box().deck if str(card(card_id).title) in english]
    assert len(set(named)) > 10
    assert [title for title in named if languages()[code](title) not in page] == []
