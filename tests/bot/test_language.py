"""Every word for people can be said in another language, and German says all of them."""

import random
import shutil
import subprocess
import sys
from pathlib import Path
from string import Formatter
from typing import Any

import discord
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from discord import app_commands

from bot.commands import COMMANDS
from bot.i18n import coverage
from bot.i18n.language import ENGLISH, LOCALES, language, languages, load
from bot.i18n.translator import CatalogueTranslator
from engines import GAMES
from engines.game import Action, Choice, Game, IllegalAction
from engines.pucks.box import box
from engines.pucks.deck import card
from engines.text import SEAT_COLOURS, Text, join, plain, say, say_n, seat_name
from tests.bot.pseudo import PSEUDO, disguised, leftovers
from tests.bot.wording import ROOT, SOURCES, bypasses, computed_templates
from tests.engines.contract_games import CASES, Case, every_case, every_game, played, random_action

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
    """The forms of a message, or of what it is translated by: one, or as many as it has plurals."""
    return tuple(words) if isinstance(words, list | tuple) else (words,)


def messages(of: Catalog) -> dict[Any, Message]:
    return {message.id: message for message in of if message.id}


def translations(code: str) -> list[Message]:
    """Every text of a language that is translated; for the others readers are shown the English one."""
    return [message for message in messages(catalogue(code)).values() if any(forms(message.string))]


def placeholders(words: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(words) if field is not None}


# --- the code ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_words_for_people_bypass_the_catalogues(path: Path) -> None:
    found = [*bypasses(path), *computed_templates(path)]
    assert not found, "\n".join(["Say these with engines.text.say:", *map(str, found)])


@pytest.mark.parametrize(
    "code",
    [
        'builder.text("Hello")',
        'builder.text(f"Table {n}")',
        'button("Move", click)',
        'raise Refused(f"There is no {what}")',
        'Event("move", seat, "Red moves.")',
        'Event("move", seat, say("{who} moves", who="Red"))',
        'Choice("up", label="Up", final=True)',
        'Choice("up", "Up" if way else "Down", final=True)',
        'Outcome((), {1: "nobody", 2: "both"}[n])',
        'context.tell(language(plain("Done")))',
        'text = "You cannot do that."',
        'write(image, at, "wins", face, size)',
        'join(["Red", "Blue"], " and ")',
        "say(words)",
        'say("You have " + what)',
    ],
)
def test_words_that_bypass_the_catalogues_are_found(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bot.wording.ROOT", tmp_path)
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    assert [*bypasses(tmp_path / "module.py"), *computed_templates(tmp_path / "module.py")]


@pytest.mark.parametrize(
    "code",
    [
        'builder.text(language(say("Hello")))',
        'builder.text(f"{MARKS[seat]} <@{user}> {name}")',
        'button(language(say("Move")), Click("move", 1).custom_id, style)',
        'raise Refused(say("There is no {what}.", what=plain(what)))',
        'log.info("a thing happened", what=1)',
        'raise ValueError("this cannot be")',
        'def function():\n    """What it does."""',
        'assert seat, "somebody sits there"',
        'Choice("up", say("Up"), final=True)',
        'tree.command(name="board", description="See the board")',
    ],
)
def test_what_nobody_reads_and_what_is_said_is_no_bypass(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bot.wording.ROOT", tmp_path)
    (tmp_path / "module.py").write_text(code, encoding="utf-8")
    assert not [*bypasses(tmp_path / "module.py"), *computed_templates(tmp_path / "module.py")]


# --- the catalogues ---------------------------------------------------------------------------------------------------


def test_the_list_of_texts_is_that_of_the_code(tmp_path: Path) -> None:
    made = tmp_path / "made.pot"
    babel = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "extract", "--mapping-file", "pyproject.toml"]
    subprocess.run([*babel, "--output-file", str(made), "."], cwd=ROOT, check=True)
    new, old = set(messages(read(made))), set(messages(read(TEMPLATES)))
    assert new == old, f"run `make texts`; new: {new - old}; gone: {old - new}"
    assert {str(colour) for colour in SEAT_COLOURS} <= old


def test_there_is_a_language_beside_english() -> None:
    assert "de" in TRANSLATED


@every_language
def test_every_catalogue_holds_all_texts_translated_or_not(code: str) -> None:
    missing = set(messages(read(TEMPLATES))) - set(messages(catalogue(code)))
    assert not missing, f"run `make texts`: {missing}"


def test_what_is_not_translated_is_warned_of_and_said_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(FOLDER, tmp_path / "locales")
    page = tmp_path / "locales" / "de" / "rules" / "bunny.md"
    page.unlink()
    file = tmp_path / "locales" / "de" / "LC_MESSAGES" / "springboard.po"
    text = file.read_text(encoding="utf-8")
    assert text.count('msgstr "Gib ein Spiel auf"') == 1
    file.write_text(text.replace('msgstr "Gib ein Spiel auf"', 'msgstr ""'), encoding="utf-8")
    monkeypatch.setattr("bot.i18n.coverage.LOCALES", tmp_path / "locales")
    monkeypatch.setattr("bot.i18n.language.LOCALES", tmp_path / "locales")
    coverage.main()
    assert capsys.readouterr().out.splitlines() == [
        "warning: de: not translated: 'Give a game up'",
        "warning: de: no rules page of bunny (rules/bunny.md)",
    ]
    german = load("de")
    assert german(say("Give a game up")) == "Give a game up"
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


@every_language
def test_translations_begin_and_end_like_their_texts(code: str) -> None:
    """A sentence stays a sentence: line breaks and the last full stop are part of how texts are put together."""
    for message in translations(code):
        english = forms(message.id)[-1]
        for said in forms(message.string):
            assert said.strip() == said
            assert said.count("\n") == english.count("\n"), said
            assert (said[-1] in ".!?") == (english[-1] in ".!?"), said


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

    assert outline(page) == outline(english)
    assert items(page) == items(english)
    assert notation(page) == notation(english)


@every_language
def test_the_rules_call_cards_by_the_names_they_have_in_the_game(code: str) -> None:
    page, english = languages()[code].rules("pucks"), (ROOT / "engines" / "pucks" / "rules.md").read_text(encoding="utf-8")
    assert page is not None
    named = [card(card_id).title for card_id in box().deck if str(card(card_id).title) in english]
    assert len(set(named)) > 10
    assert [title for title in named if languages()[code](title) not in page] == []


# --- the language -----------------------------------------------------------------------------------------------------


def test_a_language_is_found_by_the_locales_of_discord() -> None:
    german = languages()["de"]
    assert [language(code) for code in ("de", "de-AT", "en-GB", "fi", None)] == [german, german, ENGLISH, ENGLISH, ENGLISH]
    assert (german.own_name, ENGLISH.own_name) == ("Deutsch", "English")


def test_names_stand_in_the_place_of_colours_in_every_language() -> None:
    text = say("{who} takes back {action}.", who=seat_name(1), action=plain("c2-c3"))
    german = languages()["de"]
    assert german(text) == "Blau nimmt c2-c3 zurück."
    assert german(text, ("Ann", "Ben")) == "Ben nimmt c2-c3 zurück."
    assert german(text, ("Ann", say("a former player"))) == "Jemand von früher nimmt c2-c3 zurück."
    assert german("plain words") == "plain words"


def test_plural_forms_are_those_of_the_language() -> None:
    german = languages()["de"]
    dice = [german(say_n("Roll {n} die", "Roll {n} dice", n)) for n in (1, 2, 3)]
    assert dice == ["1 Würfel werfen", "2 Würfel werfen", "3 Würfel werfen"]
    counters = [german(say_n("{n} piece", "{n} pieces", n)) for n in (1, 2)]
    assert counters == ["1 piece", "2 pieces"], "what is not in the catalogue is said in English"


def test_texts_within_texts_are_translated_too() -> None:
    text = join([say("{reason} {who} wins.", reason=say("{who} has no move left.", who=seat_name(0)), who=seat_name(1))])
    assert languages()["de"](text, ("Ann", "Ben")) == "Ann hat keinen Zug mehr. Ben gewinnt."


# --- slash commands ---------------------------------------------------------------------------------------------------


async def registered() -> list[dict[str, Any]]:
    """Every command as it is sent to Discord."""
    client = discord.Client(intents=discord.Intents.none())
    tree: app_commands.CommandTree[discord.Client] = app_commands.CommandTree(client)
    for command in COMMANDS:
        tree.add_command(command)
    return [await command.get_translated_payload(tree, CatalogueTranslator()) for command in tree.get_commands()]


def described(payload: dict[str, Any], path: str = "") -> list[tuple[str, str, dict[str, str]]]:
    """Every text in a command, its options and choices: where it is, in English, and in other languages."""
    path = f"{path} {payload['name']}"
    found = []
    if "description" in payload:
        found.append((path, payload["description"], payload.get("description_localizations") or {}))
    for option in payload.get("options", ()):
        found += described(option, path)
    for choice in payload.get("choices", ()):
        found.append((f"{path}={choice['value']}", choice["name"], choice.get("name_localizations") or {}))
    return found


async def test_everything_in_a_command_is_in_the_catalogue() -> None:
    known = {message_id for message_id in messages(read(TEMPLATES)) if isinstance(message_id, str)}
    same = {*(game.title for game in GAMES.values()), *(each.own_name for each in languages().values())}
    texts = [text for payload in await registered() for text in described(payload)]
    assert len(texts) > 100
    for where, english, _ in texts:
        assert english in known | same, where


@every_language
async def test_commands_keep_their_names_and_are_described_in_every_language(code: str) -> None:
    for payload in await registered():
        assert not payload.get("name_localizations")
        for where, english, others in described(payload):
            translated = languages()[code].template(english)
            assert others.get(code, english) == translated, where
            assert len(translated) <= 100, f"{where}: {translated}"


@every_language
async def test_no_command_grows_too_large_in_any_language(code: str) -> None:
    """Discord counts names, descriptions and values of a command, of each in its longest language: 8000 at most."""

    def size(payload: dict[str, Any]) -> int:
        total = len(payload["name"]) + max(len(payload.get("description", "")), *_lengths(payload, "description"))
        for choice in payload.get("choices", ()):
            total += max(len(choice["name"]), *_lengths(choice, "name")) + len(str(choice["value"]))
        return total + sum(map(size, payload.get("options", ())))

    def _lengths(payload: dict[str, Any], key: str) -> list[int]:
        return [0, *map(len, (payload.get(f"{key}_localizations") or {}).values())]

    assert all(size(payload) <= 8000 for payload in await registered())


# --- the games --------------------------------------------------------------------------------------------------------


def said_of_choices(game: Game[Any, Any], state: Any, seat: int, action: Action) -> list[Choice]:
    return [choice for length in range(len(action)) for choice in game.choices(state, seat, action[:length])]


@pytest.mark.parametrize("text", ["{who} moves {n} pieces.", "nothing", "{a}{b} {{c}}"])
def test_the_pseudo_language_leaves_nothing_but_placeholders(text: str) -> None:
    assert placeholders(disguised(text)) == placeholders(text)
    filled = disguised(text).format_map(dict.fromkeys(("who", "n", "a", "b"), "7"))
    assert leftovers(filled) == []
    assert leftovers(text.replace("{", "").replace("}", ""))


@every_game
def test_titles_summaries_variants_options_and_pages_can_be_translated(game: Game[Any, Any]) -> None:
    texts = [game.summary, *game.variant_titles.values(), *(option.title for option in game.options.values()), *game.pages()]
    for text in texts:
        assert leftovers(PSEUDO(text)) == []


@every_case
def test_whatever_a_game_says_can_be_translated(case: Case) -> None:
    game = case.game
    for leaving in (False, True):
        run = played(case, leaving)
        for turn in run.turns:
            for event in turn.step.events:
                assert leftovers(PSEUDO(event.text)) == [], event
        for turn in run.some_turns(12):
            for choice in said_of_choices(game, turn.before, turn.seat, turn.action or ()):
                same = (choice.token,) if not isinstance(choice.label, Text) else ()
                assert leftovers(PSEUDO(choice.label), same) == [], choice
        for state in run.some_states(12):
            for seat in (None, *range(case.seats)):
                view = game.view(state, seat)
                texts = [game.describe(view), game.hand(view) or "", *view.scores, *(s.label for s in game.shortcuts(view))]
                if view.outcome is not None:
                    texts.append(view.outcome.reason)
                for text in texts:
                    assert leftovers(PSEUDO(text)) == [], text


@every_case
def test_whatever_a_game_says_of_wrong_actions_can_be_translated(case: Case) -> None:
    game, dice = case.game, random.Random(str(case))
    for turn in played(case).some_turns(10):
        action = random_action(game, turn.before, turn.seat, dice)
        wrong: list[Action] = [("zzz",), ("!",), (), (*action, "zzz"), (*action[:-1], "zzz"), (*action, *action)]
        for attempt in wrong:
            with pytest.raises(IllegalAction) as error:
                game.check(turn.before, turn.seat, attempt)
            same = {*attempt, *(choice.token for choice in error.value.possible)}
            assert leftovers(PSEUDO(error.value.message), same) == [], attempt


def test_every_game_is_looked_at() -> None:
    assert {case.game_id for case in CASES} == set(GAMES)
