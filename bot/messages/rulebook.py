"""The rules of the games as pages of Markdown, each with at most one picture, which the game's renderer draws."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from bot.i18n.language import Language
from bot.messages.builder import Picture
from bot.messages.pictures import CACHE, picture_or_words
from bot.workers.drawing import drawing
from engines import GAMES
from engines.game import Pages, part_of
from engines.text import say
from renderers import START, illustrated

PAGE_LIMIT: Final = 900
"""The most characters on a page: a screen or two of a phone. Tests check every game's pages in every language."""

_FIGURE: Final = re.compile(r"^!\[(?P<alt>[^\]]*)\]\((?P<name>[a-z0-9-]+)\)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of rules: its heading, its text in Markdown with that heading, and its illustration's name and description."""

    title: str
    text: str
    picture: str | None = None
    alt: str = ""


def page_of(markdown: str) -> Page:
    """Read a page. Its picture is the first line of the form ``![picture in words](name of the illustration)``."""
    found = _FIGURE.search(markdown)
    text = re.sub(r"\n{3,}", "\n\n", _FIGURE.sub("", markdown)).strip()
    title = re.sub(r"[*_`]", "", text.partition("\n")[0].lstrip("# "))
    return Page(title, text) if found is None else Page(title, text, found["name"], found["alt"])


@cache
def rules_pages(game_id: str, language: Language) -> tuple[Page, ...]:
    """Return a game's rules: its rules page, divided before each second-level heading, then pages made from the game's data."""
    game = GAMES[game_id]
    text = language.rules(game_id) or (resources.files(f"engines.{game_id}") / "rules.md").read_text(encoding="utf-8")
    first, *others = (
        page_of(part)
        for part in (*re.split(r"^(?=## )", text, flags=re.MULTILINE), *map(language, part_of(game, Pages).pages()))
    )
    if first.picture is None:
        first = Page(first.title, first.text, START, language(say("The starting position of {game}.", game=game.title)))
    return (first, *others)


async def rules_picture(game_id: str, page: Page, language: Language, *, high_contrast: bool = False) -> Picture | None:
    """Return the picture of a page, if it has one."""
    if page.picture is None:
        return None
    wanted = (game_id, page.picture, language, high_contrast)
    png = await CACHE.picture(("rules", *wanted), lambda: drawing(illustrated, *wanted), kind="rules")
    return picture_or_words(f"{game_id}-{page.picture}.png", png, page.alt, language)


def variant_page(game_id: str, variant: str, language: Language) -> int:
    """Return the page, from 0, about a variant: the first page with its id in backticks, or page 0 for the usual variant."""
    pages = enumerate(rules_pages(game_id, language))
    usual = variant == GAMES[game_id].variants[0]
    return 0 if usual else next((index for index, page in pages if f"`{variant}`" in page.text), 0)


def pages_about(game_id: str, words: str, language: Language) -> Iterator[int]:
    """Yield the pages, from 0, that typed words may mean: the page with this number, or all with the words in their titles."""
    words = words.strip().casefold()
    for index, page in enumerate(rules_pages(game_id, language)):
        if words == str(index + 1) or (not words.isdecimal() and words in page.title.casefold()):
            yield index
