"""Pages to read: the help, and the rules of the games, split at their headings."""

import asyncio
from functools import cache
from importlib import resources

from bot.i18n.language import Language
from bot.messages.builder import MessageBuilder, Picture, button
from bot.messages.click import Click
from bot.sessions.errors import Refused, echoed
from engines import GAMES
from engines.chance import UNSEEDED
from engines.text import say
from renderers import draw
from renderers.scene import Scene

PAGE_LENGTH = 1800
"""Characters on a page, unless a single section is longer: about three screens of a phone."""


@cache
def rules_pages(game: str, language: Language) -> tuple[str, ...]:
    """The rules of a game: its rules page, split at second-level headings, and the pages made from the game's data."""
    text = language.rules(game) or (resources.files(f"engines.{game}") / "rules.md").read_text(encoding="utf-8")
    sections = [part.strip() for part in ("\n" + text).split("\n## ")]
    chunks = [sections[0], *("## " + section for section in sections[1:])]
    pages = [""]
    for chunk in chunks:
        if pages[-1] and len(pages[-1]) + len(chunk) > PAGE_LENGTH:
            pages.append("")
        pages[-1] = f"{pages[-1]}\n\n{chunk}".strip()
    return (*pages, *(language(page) for page in GAMES[game].pages()))


@cache
def _first_board(game_id: str, language: Language) -> bytes:
    game = GAMES[game_id]
    seats = game.seats[-1]
    state = game.start(seats, None, UNSEEDED)
    return draw(game_id, game.view(state, None), Scene(names=tuple("" for _ in range(seats)), translate=language))


async def rules_message(game_id: str, page: int, language: Language) -> MessageBuilder:
    """A page of a game's rules. The first page has a picture of the start. Raises Refused if there is no such game."""
    if game_id not in GAMES:
        raise Refused(say("There is no game “{game}”; there are: {games}.", game=echoed(game_id), games=", ".join(GAMES)))
    pages = rules_pages(game_id, language)
    page = max(0, min(page, len(pages) - 1))
    builder = MessageBuilder()
    if page == 0:
        game = GAMES[game_id]
        words = language(say("A board of {game} at the start.", game=game.title))
        builder.picture(Picture(f"{game_id}.png", await asyncio.to_thread(_first_board, game_id, language), words))
    builder.text(pages[page])
    if len(pages) > 1:
        here = language(say("Page {page} of {pages}", page=page + 1, pages=len(pages)))
        builder.text(f"-# {here}")
        builder.buttons([
            button(language(say("Previous")), Click("rules", page=page - 1, tokens=(game_id,)).custom_id, disabled=page == 0),
            button(language(say("Next")), Click("rules", page=page + 1, tokens=(game_id,)).custom_id,
                   disabled=page == len(pages) - 1),
        ])  # fmt: skip
    return builder


def help_message(language: Language) -> MessageBuilder:
    """What the bot can do, and the games it offers."""
    builder = MessageBuilder().text(language(say(
        "### Springboard\n"
        "Games to be played turn by turn, minutes or days apart, right in the channel.\n"
        "- `/play` opens a table. Others press *Join*; when all seats are taken, the game begins.\n"
        "- *Move* under the board shows what you can do; or type it with `/move`.\n"
        "- `/board` shows the position, `/games` all tables, `/resign` and `/draw` end a game.\n"
        "- `/rules` explains a game."
    )))  # fmt: skip
    builder.text("\n".join(f"- **{language(game.title)}**: {language(game.summary)}" for game in GAMES.values()))
    return builder.buttons(
        [button(language(say("Rules of {game}", game=game.title)), Click("rules", tokens=(game.id,)).custom_id)
         for game in GAMES.values()]
    )  # fmt: skip
