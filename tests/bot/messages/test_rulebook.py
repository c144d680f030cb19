"""The rules of every game in every language are short pages with pictures, each of a position that can be played."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from bot.i18n.language import Language, languages
from bot.messages.rulebook import PAGE_LIMIT, Page, page_of, pages_about, rules_pages
from engines import GAMES
from engines.game import Game, Pages, figure, part_of
from engines.tableau import tableau
from engines.text import say
from renderers import START, draw, illustrated, theme
from renderers.scene import Scene
from tests.engines.contract_games import every_game

ENGLISH = languages()["en"]
RULEBOOKS = [(game, language) for game in GAMES for language in languages().values()]
ILLUSTRATIONS = [(game, name) for game in GAMES for name in part_of(GAMES[game], Pages).illustrations()]

every_rulebook = pytest.mark.parametrize(("game", "language"), RULEBOOKS, ids=lambda part: getattr(part, "code", part))
every_illustration = pytest.mark.parametrize(("game", "name"), ILLUSTRATIONS)


@every_rulebook
def test_every_page_begins_with_a_heading_of_its_own(game: str, language: Language) -> None:
    pages = rules_pages(game, language)
    assert [page.title for page in pages if not page.text.startswith("#")] == []
    assert len({page.title for page in pages}) == len(pages)
    assert all(page.text.partition("\n")[2].strip() for page in pages), "a heading with nothing below it"


@pytest.mark.parametrize("game", GAMES)
def test_no_page_begins_with_code(game: str) -> None:
    pages = [page for language in languages().values() for page in rules_pages(game, language)]
    assert [page.title for page in pages if "```" in "\n".join(page.text.splitlines()[:3])] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_no_longer_than_a_screen_or_two_of_a_phone(game: str) -> None:
    pages = [page for language in languages().values() for page in rules_pages(game, language)]
    assert {page.title: len(page.text) for page in pages if len(page.text) > PAGE_LIMIT} == {}


@every_rulebook
def test_the_pages_have_the_same_pictures_in_every_language(game: str, language: Language) -> None:
    pages, english = rules_pages(game, language), rules_pages(game, ENGLISH)
    assert [page.picture for page in pages] == [page.picture for page in english]


@every_rulebook
def test_every_picture_is_on_one_page_and_every_page_shows_an_existing_one(game: str, language: Language) -> None:
    named = [page.picture for page in rules_pages(game, language) if page.picture not in (None, START)]
    assert sorted(named, key=str) == sorted(set(part_of(GAMES[game], Pages).illustrations()) - {START})
    assert [page.title for page in rules_pages(game, language) if "![" in page.text] == [], "a picture that cannot be read"


@every_rulebook
def test_every_picture_is_described_in_the_language_of_the_page(game: str, language: Language) -> None:
    pages, english = rules_pages(game, language), rules_pages(game, ENGLISH)
    for page, same in zip(pages, english, strict=True):
        if page.picture is not None:
            assert 10 < len(page.alt) <= 300
            assert language is ENGLISH or page.alt != same.alt


@every_illustration
def test_what_a_picture_shows_is_played_by_the_rules(game: str, name: str) -> None:
    illustration = part_of(GAMES[game], Pages).illustrations()[name]
    shown = tableau(GAMES[game], illustration)
    assert shown.view.seat == illustration.seat
    assert all(event.known_to(illustration.seat) for event in shown.events)
    assert bool(shown.events) == bool(illustration.actions)
    assert bool(shown.options) == (illustration.picking is not None)


@every_illustration
def test_a_picture_shows_what_happened_in_it(game: str, name: str) -> None:
    png = illustrated(game, name, ENGLISH)
    picture = Image.open(BytesIO(png))
    assert picture.width == 1024
    assert picture.height <= theme.TALLEST
    shown = tableau(GAMES[game], part_of(GAMES[game], Pages).illustrations()[name])
    if shown.events or shown.options:
        names = tuple(ENGLISH(name) for name in ("Red", "Blue", "Green", "Yellow", "Purple", "Orange")[: shown.view.seats])
        assert png != draw(game, shown.view, Scene(names=names, seen_from=shown.view.seat or 0))


@every_game
def test_the_first_page_shows_a_board(game: Game[Any, Any]) -> None:
    first = rules_pages(game.id, ENGLISH)[0]
    assert first.picture is not None
    assert illustrated(game.id, first.picture, ENGLISH) == illustrated(game.id, first.picture, ENGLISH)
    assert illustrated(game.id, first.picture, ENGLISH) != illustrated(game.id, first.picture, ENGLISH, high_contrast=True)


def test_a_page_is_read_from_markdown_with_its_title_and_its_picture() -> None:
    page = page_of("## A *capture*\n\n![Red bounces](capture)\n\n- Bounce `c2` up.\n")
    assert page == Page("A capture", "## A *capture*\n\n- Bounce `c2` up.", "capture", "Red bounces")
    assert page_of("## Nothing to see\n\nWords.") == Page("Nothing to see", "## Nothing to see\n\nWords.")


def test_a_page_made_from_data_shows_a_picture_as_others_do() -> None:
    assert page_of(f"## Cards\n{figure('take-3', say('A card.'))}\nTake three.").picture == "take-3"


def test_a_page_is_found_by_its_number_or_by_words_of_its_title() -> None:
    pages = rules_pages("bunny", ENGLISH)
    assert list(pages_about("bunny", "2", ENGLISH)) == [1]
    assert list(pages_about("bunny", "", ENGLISH)) == list(range(len(pages)))
    assert list(pages_about("bunny", f" {pages[2].title.upper()}", ENGLISH)) == [2]
    assert list(pages_about("bunny", "99", ENGLISH)) == []
