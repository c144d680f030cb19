"""Languages: found by Discord's locales, with names for seats, and with their own plural forms."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot.i18n.language import ENGLISH, Language, language, languages
from engines.text import join, plain, say, say_n, seat_name


def test_a_language_is_found_by_the_locales_of_discord() -> None:
    german = languages()["de"]
    assert [language(code) for code in ("de", "de-AT", "en-GB", "fi", None)] == [german, german, ENGLISH, ENGLISH, ENGLISH]
    assert (german.own_name, ENGLISH.own_name) == ("Deutsch", "English")


def test_a_language_of_a_country_is_read_by_the_code_of_discord(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = tmp_path / "pt-BR" / "LC_MESSAGES" / "springboard.po"
    catalogue.parent.mkdir(parents=True)
    header = 'msgid ""\nmsgstr "Language-Team: português\\n"\n\n'
    catalogue.write_text(header + 'msgid "Start a game"\nmsgstr "Desistir"\n', encoding="utf-8")
    monkeypatch.setattr("bot.i18n.language.LOCALES", tmp_path)
    brazilian = Language("pt-BR")
    assert (brazilian.own_name, brazilian.template("Start a game")) == ("português", "Desistir")


def test_names_stand_in_the_place_of_colours_in_every_language() -> None:
    text = say("{who} {did}.", who=seat_name(1), did=say("takes back “{action}”", action=plain("c2-c3")))
    german = languages()["de"]
    assert (german(text), german(text, ("Ann", "Ben"))) == ("Blau nimmt „c2-c3“ zurück.", "Ben nimmt „c2-c3“ zurück.")
    assert german(text, ("Ann", say("Former player"))) == "Jemand von früher nimmt „c2-c3“ zurück."
    assert german("plain words") == "plain words"


def test_plural_forms_are_those_of_the_language() -> None:
    german = languages()["de"]
    dice = [german(say_n("Roll {n} die", "Roll {n} dice", n)) for n in (1, 2, 3)]
    assert dice == ["1 Würfel werfen", "2 Würfel werfen", "3 Würfel werfen"]
    counters = [german(say_n("{n} piece", "{n} pieces", n)) for n in (1, 2)]
    assert counters == ["1 piece", "2 pieces"], "what is not in the catalogue is said in English"


def test_texts_within_texts_are_translated_too() -> None:
    reason = say("{who} has no moves left: no piece can bounce.", who=seat_name(0))
    text = join([say("{reason} {who} wins.", reason=reason, who=seat_name(1))])
    expected = "Ann hat keinen Zug mehr: Kein Stein kann sich abstoßen. Ben gewinnt."
    assert languages()["de"](text, ("Ann", "Ben")) == expected


def test_a_process_that_draws_in_english_reads_no_catalogue() -> None:
    drawn = (
        "import pickle, sys\n"
        "from bot.i18n.language import language\n"
        "from engines.text import say\n"
        "assert pickle.loads(pickle.dumps(language('en-GB')))(say('Start a game')) == 'Start a game'\n"
        "assert 'babel' not in sys.modules\n"
        "assert pickle.loads(pickle.dumps(language('de')))(say('Start a game')) != 'Start a game'\n"
    )
    subprocess.run([sys.executable, "-c", drawn], check=True, cwd=Path(__file__).parents[3])
