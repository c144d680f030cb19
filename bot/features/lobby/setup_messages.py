"""The private panel for setting up a table, and its page of house rules."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import discord
from discord import ui

from bot.core.table.errors import Refused
from bot.core.table.request import variant_of
from bot.core.table.settings import CLOCKS, ServerSettings
from bot.features.lobby.setup import NOBODY_ELSE, OPPONENTS_AT_MOST, Setup
from bot.i18n.language import Language
from bot.messages.builder import ERROR_COLOUR, OPTION_LIMIT, MessageBuilder, button, clip
from bot.messages.drafts import Draft
from bot.messages.lobby import CLOCK_WORDS
from bot.messages.option_menus import OptionMenus, options_page
from bot.messages.players import LEVEL_WORDS
from bot.messages.terms import HOUSE_RULES, has_house_rules, rules_words
from engines import GAMES
from engines.text import Text, join, plain, say, say_n
from storage.schema.records import Level

SETUP: Final = "setup"
"""The prefix of the verbs in this panel's clicks."""

NONE: Final = "none"
"""The value of the menu option that undoes a choice."""

SETTING_UP: Final = say("### Set up a game\nOnly *Open the table* posts anything. Leave anything you don’t mind as it is.")

CHANGING: Final = say("### Change this table\nNothing changes before *Save changes*.")

EXTRAS: Final[Mapping[str, Text]] = {
    "strict": say("Strict: no overtime in a game of two"),
    "thread": say("In a thread of its own"),
    "private": say("Private: only those you invite can see it"),
    "shuffled": say("Random seats"),
    "unrated": say("Doesn’t count for the ratings"),
}


def setup_panel(
    setup: Setup, server: ServerSettings, language: Language, wrong: Text | None = None, *, turn: int = 0
) -> MessageBuilder:
    """Return menus for all choices, and *Open the table*. `wrong` says why the last click failed; for `turn` see `turn_in`."""
    draft = Draft(SETUP, setup.chosen, turn)
    builder = MessageBuilder(colour=None if wrong is None else ERROR_COLOUR)
    builder.text(language(CHANGING if setup.replaces else SETTING_UP))
    if wrong is not None:
        builder.text(language(wrong))
    game = GAMES.get(setup.game)
    games = {one.id: plain(one.title) for one in GAMES.values()}
    builder.select(_menu(draft, "game", say("Which game?"), games, [setup.game], language))
    if game is not None and len(game.variants) > 1:
        variants = {name: say("Variant: {variant}", variant=game.variant_titles[name]) for name in game.variants}
        builder.select(_menu(draft, "variant", say("Variant"), variants, [variant_of(game, setup.variant)], language))
    builder.select(_people(draft, setup, language))
    chosen = NONE if setup.computer is None else _choice(setup.computer, setup.computers)
    builder.select(_menu(draft, "computer", say("Computers"), _computers(setup), [chosen], language))
    if game is not None and len(game.seats) > 1:
        builder.select(_menu(draft, "players", say("Seats"), _seats(setup), [str(setup.seats or NONE)], language))
    clocks = {word: CLOCK_WORDS[seconds] for word, seconds in CLOCKS.items()}
    usual = next((word for word, seconds in CLOCKS.items() if seconds == (server.clock or 0)), "")
    builder.select(_menu(draft, "clock", say("Time for a turn"), clocks, [setup.clock or usual], language))
    builder.select(
        _menu(draft, "extras", say("Anything else"), EXTRAS, _extras(setup, server), language, least=0, most=len(EXTRAS))
    )
    if game is not None:
        builder.text(language(rules_words(game, setup.options)))
    if (comes := outcome(setup)) is not None:
        builder.text(language(comes))
    label = say("Save changes") if setup.replaces else say("Open the table")
    start = button(language(label), draft.click("open").custom_id, discord.ButtonStyle.success,
                   disabled=game is None)  # fmt: skip
    rules = game is not None and has_house_rules(game)
    builder.buttons([start, *([button(language(HOUSE_RULES), draft.click("rules").custom_id)] if rules else [])])
    draft.finish()
    return builder


async def rules_panel(
    setup: Setup, language: Language, *, high_contrast: bool, wrong: Text | None = None, typed: str = "", turn: int = 0
) -> MessageBuilder:
    """Return the page of house rules. `wrong` says why the last choice, perhaps the code `typed`, is impossible."""
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
    game, usual_seats = setup.rules, replace(setup, seats=None).wanted
    if setup.least_seats == 1 or (setup.computer is not None and not setup.computers):
        usual = say_n("Up to {n} player", "Up to {n} players", usual_seats)
    elif setup.opponents:
        usual = say_n("{n} seat, for those you invite", "{n} seats, for those you invite", usual_seats)
    else:
        usual = say_n("{n} seat, for you and computers", "{n} seats, for you and computers", usual_seats)
    return {NONE: usual} | {str(n): say_n("{n} seat", "{n} seats", n) for n in game.seats}


def _computers(setup: Setup) -> dict[str, Text]:
    """Return the choices of computers: none, one, or, if the game may have several free seats, one in each of them."""
    found, several = {NONE: say("No computers")}, setup.computers > 1
    for level, words in LEVEL_WORDS.items():
        found[_choice(level, 1)] = say("One computer ({level})", level=words)
        if several and level is setup.computer:
            found[_choice(level, setup.computers)] = say_n(
                "{n} computer ({level})", "{n} computers ({level})", setup.computers, level=words
            )
        if not setup.game or GAMES[setup.game].seats[-1] > 2:
            found[_choice(level, 0)] = say("A computer ({level}) in every free seat", level=words)
    return found


def _choice(level: Level, several: int) -> str:
    return level.value if several == 1 else f"{level.value}-{several}"


def read_choice(value: str) -> tuple[str, int]:
    """Return the level and the number of computers that a menu value stands for. Raises ValueError if it is malformed."""
    level, _, several = value.partition("-")
    if several not in {"", *map(str, range(OPPONENTS_AT_MOST + 1))}:
        raise ValueError(value)
    return level, int(several or 1)


def outcome(setup: Setup) -> Text | None:
    """Return what a set-up leads to: who plays, when, and who sees it; or why it is impossible. Return None without a game."""
    if not setup.game:
        return None
    try:
        levels, wanted = setup.levels, setup.wanted
    except Refused as refused:
        return refused.text
    free = wanted - 1 - len(setup.opponents) - len(levels)
    if free < 0 or wanted not in setup.rules.seats:
        seats = setup.rules.seats
        return say("{game} is for {n} players.", game=setup.rules.title,
                   n=str(seats[0]) if len(seats) == 1 else f"{seats[0]}–{seats[-1]}")  # fmt: skip
    who: list[Text] = [say("you"), *(plain(f"<@{user_id}>") for user_id in setup.opponents)]
    if setup.computer is not None:
        who.append(say_n("one computer ({level})", "{n} computers ({level})", len(levels), level=LEVEL_WORDS[setup.computer]))
    if free:
        who.append(say_n("1 seat open", "{n} seats open", free))
    told = join(who, ", ")
    if setup.solo:
        return NOBODY_ELSE if free else say("Starts at once, and only you will see it: {who}.", who=told)
    return _table_for(setup, wanted, told, full=bool(levels) and not (free or setup.opponents))


def _table_for(setup: Setup, wanted: int, told: Text, *, full: bool) -> Text:
    """Return what a set-up that other people can see leads to. `full` says whether computers take all other seats."""
    if full:
        return say("Starts at once, and everybody here can watch: {who}.", who=told)
    if setup.private:
        return say_n("A table for one that only those you invite see: {who}.",
                     "A table for {n} that only those you invite see: {who}.", wanted, who=told)  # fmt: skip
    return say_n("A table for one that everybody here sees: {who}.",
                 "A table for {n} that everybody here sees: {who}.", wanted, who=told)  # fmt: skip


def _extras(setup: Setup, server: ServerSettings) -> list[str]:
    """Return the extras that are switched on. Whether that includes a thread depends on the server if nothing is chosen."""
    on = {
        "strict": setup.strict, "thread": server.threads if setup.thread is None else setup.thread, "private": setup.private,
        "shuffled": setup.options.get("order") == "shuffled", "unrated": setup.options.get("rated") == "no",
    }  # fmt: skip
    return [name for name, chosen in on.items() if chosen]


def _people(draft: Draft, setup: Setup, language: Language) -> "ui.UserSelect[Any]":
    return ui.UserSelect(
        custom_id=draft.click("people").custom_id, placeholder=language(say("Invite people (otherwise anyone can join)")),
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
