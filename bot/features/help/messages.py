"""The pages of the help, and the illustrated rules of the games."""

from importlib.metadata import version
from typing import Any, Final

import discord
from discord import ui

from bot.core.table.errors import Refused
from bot.core.table.request import require_game
from bot.features.help.topics import find
from bot.features.lessons.courses import COURSES
from bot.i18n.language import Language
from bot.messages.builder import OPTION_LIMIT, OPTIONS_AT_MOST, Button, MessageBuilder, button, clip
from bot.messages.click import Click
from bot.messages.rulebook import Page, pages_about, rules_pages, rules_picture
from engines import GAMES
from engines.text import echoed, say

LEAFED_AT_MOST: Final = 5
"""The maximum number of pages for which there is no list to choose from."""


async def rules_message(
    game_id: str, page: int, language: Language, *, table: int = 0, back: Click | None = None, high_contrast: bool = False
) -> MessageBuilder:
    """Return a page of a game's rules, counted from 0. *Back* leads to `back`, if given. Raises Refused for an unknown game."""
    pages = _rules(game_id, language)
    page = max(0, min(page, len(pages) - 1))
    builder = MessageBuilder()
    builder.picture(await rules_picture(game_id, pages[page], language, high_contrast=high_contrast))
    builder.text(pages[page].text)
    learn = [learn_button(game_id, language)] if game_id in COURSES else []
    if page == 0:
        builder.buttons(learn)
    if len(pages) > 1:
        here = language(say("Page {page} of {pages}", page=page + 1, pages=len(pages)))
        builder.text(f"-# {here}")
        if len(pages) > LEAFED_AT_MOST:
            builder.select(_contents(game_id, pages, page, language, table))
        builder.buttons(_leaves(game_id, len(pages), page, language, table))
    leave = [button(language(say("Back")), back.custom_id)] if back is not None else []
    return builder.buttons([*(learn if page else []), practise_button(language, game_id), *leave])


def page_number(game_id: str, words: str, language: Language) -> int:
    """Return the page, from 0, with the typed number, or with the typed words in its title. Raises Refused if there is none."""
    pages = _rules(game_id, language)
    found = next(pages_about(game_id, words, language), None)
    if found is None:
        raise Refused(
            say(
                "No page of these rules is called “{page}”. Pick one of the {n} while you type.",
                page=echoed(words),
                n=len(pages),
            )
        )
    return found


def _rules(game_id: str, language: Language) -> tuple[Page, ...]:
    require_game(game_id)
    return rules_pages(game_id, language)


def _contents(game_id: str, pages: tuple[Page, ...], page: int, language: Language, table: int) -> "ui.Select[Any]":
    """Return a menu with the titles of all pages, or of those near this page if there are too many."""
    first = page - page % OPTIONS_AT_MOST
    options = [
        discord.SelectOption(label=clip(f"{number + 1} · {shown.title}", OPTION_LIMIT), value=str(number))
        for number, shown in enumerate(pages[first : first + OPTIONS_AT_MOST], start=first)
    ]
    return ui.Select(
        custom_id=Click("rules-page", table, page=page, tokens=(game_id,)).custom_id,
        placeholder=language(say("Go to a page")),
        options=options,
    )


def _leaves(game_id: str, pages: int, page: int, language: Language, table: int) -> list[Button]:
    back, on = (Click("rules", table, page=max(0, number), tokens=(game_id,)).custom_id for number in (page - 1, page + 1))
    return [
        button(language(say("Previous")), back, disabled=page == 0),
        button(language(say("Next")), on, disabled=page == pages - 1),
    ]


def help_message(language: Language) -> MessageBuilder:
    """Return the help, which lists the bot's features and its games."""
    builder = MessageBuilder().text(language(say(
        "### Springboard\n"
        "Board games you play turn by turn, right in the channel. Take your turn in a minute or tomorrow.\n"
        "- *Practise alone* starts a game against a computer, here in the channel. You can add computer players to any table.\n"
        "- `/play` opens a table. Friends press *Join*, and off you go.\n"
        "- *Move* under the board shows what you can do, *More* everything else. Prefer typing? Use `/move`.\n"
        "- `/games` lists all tables, yours first, and what’s on today; `/board` shows a game again, with all of its buttons.\n"
        "- `/match` finds you people to play with, `/event show` lists the tournaments, and on a `/ladder` you climb by "
        "challenging others.\n"
        "- `/rules` has the rules, with pictures, and lessons that teach you a game step by step.\n"
        "- `/puzzle` has puzzles, as many as you like, and one a day that’s the same for everybody.\n"
        "- `/replay` shows a game again, and *Review* where it turned; `/stats` has ratings and the leaderboard; "
        "`/analyse` is a board to try out anything.\n"
        "- Looking for something? `/help` finds it with its option `about`."
    )))  # fmt: skip
    builder.text("\n".join(f"- **{language(game.title)}**: {language(game.summary)}" for game in GAMES.values()))
    about = say(
        "-# Springboard {version} · I read no messages. `/settings` gives you what I keep about you, or deletes it.",
        version=version("springboard"),
    )
    return builder.text(language(about)).buttons(doors(language))


def about_message(about: str, language: Language) -> MessageBuilder:
    """Return what the help says about a topic. Raises Refused if it says nothing."""
    found = find(about, language)
    if not found:
        raise Refused(say("I found nothing about “{about}”. `/help` says what I can do; try a single word, such as “clock”.",
                          about=echoed(about)))  # fmt: skip
    lines = [say("- **{name}**: {about}", name=topic.name, about=topic.about) for topic in found]
    return MessageBuilder().text("\n".join(map(language, lines))).buttons(doors(language))


def doors(language: Language) -> list[Button]:
    """Return the buttons that newcomers need first: *Practise alone*, and one for each game's lessons."""
    return [practise_button(language), *(learn_button(game_id, language) for game_id in COURSES)]


def learn_button(game_id: str, language: Language) -> Button:
    """Return the button that opens a game's lessons."""
    label = say("Learn {game}", game=GAMES[game_id].title)
    return button(language(label), Click("learn", tokens=(game_id,)).custom_id, discord.ButtonStyle.primary)


PRACTISE: Final = say("Practise alone")


def practise_button(language: Language, game_id: str | None = None) -> Button:
    """Return the button *Practise alone*, for one game or for any."""
    return button(language(PRACTISE), Click("practise", tokens=() if game_id is None else (game_id,)).custom_id,
                  discord.ButtonStyle.success)  # fmt: skip
