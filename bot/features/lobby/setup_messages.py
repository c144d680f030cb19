"""The private panel in which a table is set up: what is played, by whom, and how; and a page for the house rules."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.core.table.options import most_seats
from bot.core.table.request import variant_of
from bot.core.table.settings import CLOCKS, ServerSettings
from bot.features.lobby.setup import OPPONENTS_AT_MOST, Setup
from bot.i18n.language import Language
from bot.messages.builder import ERROR_COLOUR, OPTION_LIMIT, MessageBuilder, button, clip
from bot.messages.drafts import Draft
from bot.messages.lobby import CLOCK_WORDS
from bot.messages.option_menus import OptionMenus, options_page
from bot.messages.players import LEVEL_LABELS
from bot.messages.terms import HOUSE_RULES, has_house_rules, terms_of
from engines import GAMES
from engines.text import Text, join, plain, say, say_n

SETUP: Final = "setup"
"""The beginning of the verbs in this panel."""

NONE: Final = "none"
"""The value of an option of a menu that takes a choice back."""

EXTRAS: Final[Mapping[str, Text]] = {
    "strict": say("Strict: no overtime in a game of two"),
    "thread": say("In a thread of its own"),
    "private": say("Private: only those you invite can see it"),
    "shuffled": say("Seats drawn by lot"),
    "unrated": say("Doesn’t count for the ratings"),
}
"""What can be chosen besides, any number of it."""


def setup_panel(
    setup: Setup, server: ServerSettings, language: Language, wrong: Text | None = None, *, turn: int = 0
) -> MessageBuilder:
    """The panel: a menu for each thing that can be chosen, and *Open the table*.

    `wrong`: why the last choice is impossible; `turn`: which turn of the panel it is.
    """
    draft = Draft(SETUP, setup.chosen, turn)
    builder = MessageBuilder(colour=None if wrong is None else ERROR_COLOUR)
    builder.text(language(say("### Set up a game\nOnly *Open the table* posts anything. Leave as it is what you don’t mind.")))
    if wrong is not None:
        builder.text(language(wrong))
    game = GAMES.get(setup.game)
    games = {one.id: plain(one.title) for one in GAMES.values()}
    builder.select(_menu(draft, "game", say("Which game?"), games, [setup.game], language))
    if game is not None and len(game.variants) > 1:
        variants = {name: say("Variant: {variant}", variant=game.variant_titles[name]) for name in game.variants}
        builder.select(_menu(draft, "variant", say("Variant"), variants, [variant_of(game, setup.variant)], language))
    builder.select(_people(draft, setup, language))
    levels: dict[str, Text] = {NONE: say("No computers")}
    levels |= {level: say("Computer: {level}", level=label) for level, label in LEVEL_LABELS.items()}
    builder.select(_menu(draft, "computer", say("Computers"), levels, [setup.computer or NONE], language))
    if game is not None and len(game.seats) > 1:
        builder.select(_menu(draft, "players", say("Seats"), _seats(setup), [str(setup.seats or NONE)], language))
    clocks = {word: CLOCK_WORDS[seconds] for word, seconds in CLOCKS.items()}
    usual = next((word for word, seconds in CLOCKS.items() if seconds == (server.clock or 0)), "")
    builder.select(_menu(draft, "clock", say("Time for a turn"), clocks, [setup.clock or usual], language))
    builder.select(
        _menu(draft, "extras", say("Anything else"), EXTRAS, _extras(setup, server), language, least=0, most=len(EXTRAS))
    )
    if game is not None and (terms := terms_of(game, setup.options)):
        builder.text(language(say("House rules: {terms}", terms=join(terms, " · "))))
    start = button(language(say("Open the table")), draft.click("open").custom_id, discord.ButtonStyle.success,
                   disabled=game is None)  # fmt: skip
    rules = game is not None and has_house_rules(game)
    builder.buttons([start, *([button(language(HOUSE_RULES), draft.click("rules").custom_id)] if rules else [])])
    draft.finish()
    return builder


async def rules_panel(
    setup: Setup, language: Language, *, high_contrast: bool, wrong: Text | None = None, typed: str = "", turn: int = 0
) -> MessageBuilder:
    """The page for the house rules.

    `wrong`: why the last choice is impossible; `typed`: the code that was typed for it; `turn`: which turn of the panel it is.
    """
    draft, game = Draft(SETUP, setup.chosen, turn), setup.rules
    menus = OptionMenus(
        game=game, variant=variant_of(game, setup.variant), wanted=setup.wanted,
        seats=[n for n in game.seats if n >= setup.least_seats],
        options={name: value for name, value in setup.options.items() if name in game.options},
        language=language, click=draft.click,
    )  # fmt: skip
    message = await options_page(menus, draft.click("back"), high_contrast=high_contrast, wrong=wrong, typed=typed)
    draft.finish()
    return message


def _seats(setup: Setup) -> dict[str, Text]:
    game = setup.rules
    if setup.least_seats > 1:
        usual = say_n(
            "As many as are named: {n} seat", "As many as are named: {n} seats", max(setup.least_seats, game.seats[0])
        )
    else:
        most = most_seats(game, variant_of(game, setup.variant), setup.options)
        usual = say_n("Up to {n} player", "Up to {n} players", most)
    return {NONE: usual} | {str(n): say_n("{n} seat", "{n} seats", n) for n in game.seats}


def _extras(setup: Setup, server: ServerSettings) -> list[str]:
    """What of the extras is chosen, or usual on the server."""
    on = {
        "strict": setup.strict, "thread": server.threads if setup.thread is None else setup.thread, "private": setup.private,
        "shuffled": setup.options.get("order") == "shuffled", "unrated": setup.options.get("rated") == "no",
    }  # fmt: skip
    return [name for name, chosen in on.items() if chosen]


def _people(draft: Draft, setup: Setup, language: Language) -> "ui.UserSelect[Any]":
    """The menu of those who are invited."""
    return ui.UserSelect(
        custom_id=draft.click("people").custom_id, placeholder=language(say("Who to invite; nobody: anyone can join")),
        min_values=0, max_values=OPPONENTS_AT_MOST,
        default_values=[discord.Object(user_id, type=discord.User) for user_id in setup.opponents],
    )  # fmt: skip


def _menu(
    draft: Draft, kind: str, placeholder: Text, options: Mapping[str, Text], chosen: Iterable[str], language: Language, *,
    least: int = 1, most: int = 1,
) -> "ui.Select[Any]":  # fmt: skip
    known = set(chosen)
    return ui.Select(
        custom_id=draft.click(kind).custom_id, placeholder=language(placeholder), min_values=least, max_values=most,
        required=least > 0,
        options=[
            discord.SelectOption(label=clip(language(words), OPTION_LIMIT), value=value, default=value in known)
            for value, words in options.items()
        ],
    )  # fmt: skip
